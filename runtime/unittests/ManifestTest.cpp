//===- ManifestTest.cpp - tests of the manifest parser ----------------===//
#include "Manifest.h"

#include <gtest/gtest.h>

using namespace mlafuse::rt;

namespace {

const std::string whole = R"({"mlafuse_abi": 2, "compiler": "c",
"targets": [{"backend": "cpu", "chip": "x86-64-v3", "prefix": "mlafuse"},
{"backend": "cuda", "chip": "sm_80", "prefix": "mlafuse_sm_80", "images": [
 {"format": "cubin", "symbol": "sm_80_cubin", "bytes": 9},
 {"format": "ptx", "symbol": "sm_80_ptx", "bytes": 12}],
 "kernels": [{"name": "f$0"}, {"name": "f$1"}]}],
"functions": [{"name": "f",
"arguments": [
{"name": "x", "type": "bf16", "shape": ["T", 2112], "layout": "strided",
 "access": "read", "range": [-1.5, {"product": ["T", 2]}]},
{"name": "p", "type": "i64", "shape": [], "layout": "contiguous",
 "access": "read", "range": [0, "T"], "distinct": true},
{"name": "q", "type": "f8E4M3FN",
 "shape": [{"align": ["T", 4]}, {"ceildiv": [{"product": ["T", {"product": [2, "U"]}]}, 4]}, "U"],
 "layout": "contiguous", "access": "write"}],
"results": [{"name": "r", "argument": 2}]}]})";

std::string errorOf(const std::string &text) {
  Manifest manifest;
  Error error = parseManifest(text, manifest);
  EXPECT_TRUE(!error || error.getStatus() == MLAFUSE_BAD_LIBRARY);
  return error.getText();
}

/// The whole manifest with `from` replaced by `to`.
std::string with(const std::string &from, const std::string &to) {
  std::string text = whole;
  size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

void expectError(const std::string &text, const std::string &part) {
  std::string error = errorOf(text);
  EXPECT_EQ(error.rfind("manifest: ", 0), 0u) << error;
  EXPECT_NE(error.find(part), std::string::npos)
      << "\"" << part << "\" is not in: " << error;
}

} // namespace

TEST(Manifest, Whole) {
  Manifest manifest;
  Error error = parseManifest(whole, manifest);
  ASSERT_FALSE(error) << error.getText();
  EXPECT_EQ(manifest.compiler, "c");
  ASSERT_EQ(manifest.targets.size(), 2u);
  EXPECT_EQ(manifest.targets[0].chip, "x86-64-v3");
  EXPECT_EQ(manifest.targets[0].prefix, "mlafuse");
  const Target &cuda = manifest.targets[1];
  EXPECT_EQ(cuda.prefix, "mlafuse_sm_80");
  ASSERT_EQ(cuda.images.size(), 2u);
  EXPECT_EQ(cuda.images[0].format, ImageFormat::Cubin);
  EXPECT_EQ(cuda.images[1].format, ImageFormat::Ptx);
  EXPECT_EQ(cuda.images[1].symbol, "sm_80_ptx");
  EXPECT_EQ(cuda.images[1].bytes, 12);
  EXPECT_EQ(cuda.kernels, (std::vector<std::string>{"f$0", "f$1"}));
  ASSERT_EQ(manifest.functions.size(), 1u);
  const Function &function = manifest.functions[0];
  EXPECT_EQ(function.symbols, (std::vector<std::string>{"T", "U"}));
  ASSERT_EQ(function.arguments.size(), 3u);
  const Argument &x = function.arguments[0];
  EXPECT_EQ(x.type, MLAFUSE_BF16);
  EXPECT_EQ(x.layout, MLAFUSE_STRIDED);
  EXPECT_EQ(x.shape[1].value, 2112);
  EXPECT_EQ(x.range->low.number, -1.5);
  EXPECT_EQ(x.range->high.dim->text, "T * 2");
  EXPECT_FALSE(x.distinct);
  EXPECT_TRUE(function.arguments[1].distinct);
  EXPECT_TRUE(function.arguments[1].shape.empty());
  const Argument &q = function.arguments[2];
  EXPECT_EQ(q.access, MLAFUSE_WRITE);
  EXPECT_EQ(q.shape[0].text, "align(T, 4)");
  EXPECT_EQ(q.shape[1].text, "ceildiv(T * (2 * U), 4)");
  EXPECT_EQ(function.results[0].argument, 2u);
}

TEST(Manifest, EveryCutTextIsAnError) {
  for (size_t length = 0; length < whole.size(); ++length)
    EXPECT_NE(errorOf(whole.substr(0, length)), "") << length;
}

TEST(Manifest, NoChangedByteCrashes) {
  for (size_t at = 0; at < whole.size(); ++at)
    for (char byte : {'\0', '"', '[', '}', '9', '-', 'x', '\xFF'}) {
      std::string text = whole;
      text[at] = byte;
      errorOf(text);
    }
}

TEST(Manifest, EveryKeyIsNeeded) {
  for (const char *key :
       {"mlafuse_abi", "compiler",  "targets", "backend",   "chip",
        "prefix",      "images",    "format",  "symbol",    "bytes",
        "kernels",     "functions", "name",    "arguments", "type",
        "shape",       "layout",    "access",  "results",   "argument"}) {
    std::string quotedKey = "\"" + std::string(key) + "\":";
    expectError(with(quotedKey, "\"_\":"),
                "key \"" + std::string(key) + "\" is missing");
  }
}

TEST(Manifest, OtherVersion) {
  expectError(with("\"mlafuse_abi\": 2", "\"mlafuse_abi\": 1"),
              "mlafuse_abi: the library has ABI version 1, this runtime runs "
              "version 2");
  expectError(with("\"mlafuse_abi\": 2", "\"mlafuse_abi\": \"2\""),
              "mlafuse_abi: wanted an integer");
}

TEST(Manifest, WrongValues) {
  expectError("[]", "wanted an object");
  expectError(with("\"f\"", "\"\""),
              "functions[0].name: wanted a text that is");
  expectError(with("\"f\"", "\"a\\u0000b\""), "control character");
  expectError(with("\"f\"", "3"), "functions[0].name: wanted a text");
  expectError(with("\"bf16\"", "\"f64\""),
              "functions[0].arguments[0]: type 'f64' of argument 'x' is none "
              "of: bf16, f16, f32, f8E4M3FN, f8E4M3FNUZ, f8E5M2, f8E8M0FNU, "
              "i8, i32, i64");
  expectError(with("\"bf16\"", "\"u8\""), "type 'u8'");
  expectError(with("\"strided\"", "\"dense\""),
              "arguments[0].layout: 'dense' is none of: contiguous, strided");
  expectError(with("\"read\"", "\"in\""),
              "arguments[0].access: 'in' is none of: read, write, readwrite");
  expectError(with("[\"T\", 2112]", "\"T\""),
              "arguments[0].shape: wanted an array");
  expectError(with("\"distinct\": true", "\"distinct\": 1"),
              "arguments[1].distinct: wanted true or false");
  expectError(with("\"argument\": 2", "\"argument\": 3"),
              "results[0].argument: there is no argument 3 (the function has "
              "3)");
  expectError(with("\"argument\": 2", "\"argument\": -1"), "no argument -1");
}

TEST(Manifest, WrongTargets) {
  expectError(with("\"mlafuse\"}", "\"a.b\"}"),
              "targets[0]: prefix 'a.b' has more than letters, digits and "
              "underscores");
  expectError(with("\"cubin\"", "\"elf\""),
              "images[0].format: 'elf' is none of: cubin, ptx, hsaco");
  expectError(with("\"sm_80_ptx\"", "\"sm-80\""),
              "images[1]: symbol 'sm-80' has more than");
  expectError(with("\"bytes\": 9", "\"bytes\": 0"),
              "images[0].bytes: wanted at least 1");
  expectError(with("\"bytes\": 9", "\"bytes\": \"9\""), "wanted an integer");
  expectError(with("[{\"name\": \"f$0\"}, {\"name\": \"f$1\"}]", "3"),
              "targets[1].kernels: wanted an array");
  std::string noImage = whole;
  size_t from = noImage.find("[\n {\"format\""), to = noImage.find("}],\n");
  noImage.replace(from, to + 2 - from, "[]");
  expectError(noImage, "targets[1]: images: wanted at least one");
}

TEST(Manifest, Entries) {
  const std::string kernels = "[{\"name\": \"f$0\"}, {\"name\": \"f$1\"}]";
  auto withEntries = [&](const std::string &entries) {
    return with(kernels, kernels + ", \"entries\": " + entries);
  };
  Manifest manifest;
  Error error = parseManifest(
      withEntries(R"json([{"name": "f", "workspace": "align(2 * T, 64)",
                       "launches": 2, "kernels": ["f$1"]},
                      {"name": "g", "workspace": "0", "kernels": []}])json"),
      manifest);
  ASSERT_FALSE(error) << error.getText();
  EXPECT_TRUE(manifest.targets[0].entries.empty());
  ASSERT_EQ(manifest.targets[1].entries.size(), 2u);
  const Entry &f = manifest.targets[1].entries[0];
  EXPECT_EQ(f.name, "f");
  EXPECT_EQ(f.workspace, "align(2 * T, 64)");
  EXPECT_EQ(f.launches, 2);
  EXPECT_EQ(f.kernels, std::vector<std::string>{"f$1"});
  EXPECT_FALSE(manifest.targets[1].entries[1].launches);
  // A CPU's entries launch nothing.
  error = parseManifest(with("\"prefix\": \"mlafuse\"}",
                             "\"prefix\": \"mlafuse\", \"entries\": "
                             "[{\"name\": \"f\", \"workspace\": \"64\"}]}"),
                        manifest);
  ASSERT_FALSE(error) << error.getText();
  EXPECT_EQ(manifest.targets[0].entries[0].workspace, "64");

  expectError(withEntries("3"), "targets[1].entries: wanted an array");
  expectError(withEntries(R"([{"name": "f", "workspace": "0"}])"),
              "entries[0]: key \"kernels\" is missing");
  expectError(withEntries(R"([{"name": "f", "kernels": []}])"),
              "entries[0]: key \"workspace\" is missing");
  expectError(withEntries(R"([{"name": "f", "workspace": "0", "kernels": [],
                               "launches": -1}])"),
              "entries[0].launches: wanted at least 0");
  expectError(
      withEntries(R"([{"name": "f", "workspace": "0", "kernels": ["f"]}])"),
      "entries[0].kernels[0]: the target has no kernel 'f'");
  const std::string one = R"({"name": "f", "workspace": "0", "kernels": []})";
  expectError(withEntries("[" + one + ", " + one + "]"),
              "two entries have the name 'f'");
}

TEST(Manifest, WrongSizes) {
  expectError(with("2112", "-1"), "arguments[0].shape[1]: wanted a size");
  expectError(with("2112", "1.5"), "arguments[0].shape[1]: wanted a size");
  expectError(with("2112", "true"), "arguments[0].shape[1]: wanted a size");
  expectError(with("2112", "\"\""), "wanted a text that is not empty");
  expectError(with("\"align\"", "\"round\""), "\"product\" or \"sum\"");
  expectError(with("[\"T\", 4]", "[\"T\"]"), "align: wanted [size, integer]");
  expectError(with("[\"T\", 4]", "3"), "align: wanted an array");
  expectError(with("[\"T\", 4]", "[\"T\", 0]"),
              "align[1]: wanted an integer of at least 1");
  expectError(with("[\"T\", 4]", "[\"T\", \"T\"]"), "align[1]: wanted an int");
  expectError(with("[2, \"U\"]", "[]"), "wanted at least one factor");
  expectError(with("[0, \"T\"]", "[0]"), "range: wanted [low, high]");
  expectError(with("[0, \"T\"]", "0"), "range: wanted an array");
  std::string deep = "2112";
  for (int i = 0; i < 40; ++i)
    deep = "{\"align\": [" + deep + ", 2]}";
  expectError(with("2112", deep), "sizes nest too deeply");
}

TEST(Manifest, Sums) {
  const char *from = "{\"align\": [\"T\", 4]}";
  auto textOf = [&](const std::string &size) {
    Manifest manifest;
    Error error = parseManifest(with(from, size), manifest);
    EXPECT_FALSE(error) << error.getText();
    return error ? "" : manifest.functions[0].arguments[2].shape[0].text;
  };
  EXPECT_EQ(textOf(R"({"sum": ["T", "U"]})"), "T + U");
  EXPECT_EQ(textOf(R"({"sum": [{"product": ["T", 2]}, 1]})"), "T * 2 + 1");
  EXPECT_EQ(textOf(R"({"product": [{"sum": ["T", 1]}, 2]})"), "(T + 1) * 2");
  EXPECT_EQ(textOf(R"({"align": [{"sum": ["T", 1]}, 2]})"), "align(T + 1, 2)");
  expectError(with(from, R"({"sum": []})"), "sum: wanted at least one term");
  expectError(with(from, R"({"sum": 3})"), "sum: wanted an array");
}

TEST(Manifest, Offsets) {
  const std::string vector = R"("i64", "shape": ["T"])";
  auto withOffsets = [&](const std::string &type) {
    return with(R"("i64", "shape": [])", type + R"(, "offsets": "U")");
  };
  Manifest manifest;
  Error error = parseManifest(withOffsets(vector), manifest);
  ASSERT_FALSE(error) << error.getText();
  const Function &function = manifest.functions[0];
  EXPECT_EQ(function.arguments[1].offsets->text, "U");
  EXPECT_FALSE(function.arguments[0].offsets);
  const char *wanted = "offsets: only a vector of i32 or i64 holds offsets";
  expectError(withOffsets(R"("i64", "shape": [])"), wanted);
  expectError(withOffsets(R"("i8", "shape": ["T"])"), wanted);
}

TEST(Manifest, NamesMustDiffer) {
  expectError(with("\"p\"", "\"x\""), "two arguments have the name 'x'");
  expectError(with("[{\"name\": \"r\", \"argument\": 2}]",
                   "[{\"name\": \"r\", \"argument\": 2},"
                   " {\"name\": \"r\", \"argument\": 1}]"),
              "two results have the name 'r'");
  std::string twice = R"({"name": "g", "arguments": [], "results": []})";
  expectError(with("\"functions\": [",
                   "\"functions\": [" + twice + ", " + twice + ", "),
              "two functions have the name 'g'");
}

TEST(Manifest, SymbolsMustBeSizesOfTheirOwn) {
  expectError(with("4]}, \"U\"]", "4]}]"),
              "no argument of function 'f' has the symbol 'U' as a size");
  expectError(with("[0, \"T\"]", "[0, \"V\"]"), "the symbol 'V'");
}
