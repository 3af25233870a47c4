//===- SizesTest.cpp - tests of how sizes are found -------------------===//
#include "Sizes.h"

#include <gtest/gtest.h>

using namespace mlafuse::rt;

namespace {

constexpr const char *manifestText = R"({"mlafuse_abi": 2, "compiler": "c",
"targets": [], "functions": [{"name": "f", "arguments": [
{"name": "x", "type": "bf16", "shape": ["T", 2], "layout": "contiguous",
 "access": "read"},
{"name": "w", "type": "i8", "shape": ["N"], "layout": "contiguous",
 "access": "read"},
{"name": "y", "type": "f32", "shape": [{"align": ["T", 4]}, "M"],
 "layout": "contiguous", "access": "write"}], "results": []}]})";

/// Solves f's sizes from tensors of a file (without bytes) and options.
class SizesTest : public ::testing::Test {
protected:
  void SetUp() override {
    Error error = parseManifest(manifestText, manifest);
    ASSERT_FALSE(error) << error.getText();
    options.inputs = "in";
  }

  /// Adds a tensor of an element type unknown to the format, or of no bytes.
  void give(const std::string &name, const std::string &dtype,
            const std::string &shape) {
    size_t bytes = content.size();
    size_t size = dtype == "BF16" ? 2 : dtype == "F32" ? 4 : 1;
    for (size_t at = 1; at < shape.size(); at = shape.find(',', at) + 1) {
      size *= strtoul(shape.c_str() + at, nullptr, 10);
      if (shape.find(',', at) == std::string::npos)
        break;
    }
    content.resize(bytes + size);
    header += std::string(header.empty() ? "" : ",") + "\"" + name +
              "\":{\"dtype\":\"" + dtype + "\",\"shape\":" + shape +
              ",\"data_offsets\":[" + std::to_string(bytes) + "," +
              std::to_string(bytes + size) + "]}";
  }

  Error solve() {
    std::string text = "{" + header + "}";
    std::vector<uint8_t> bytes(8);
    bytes[0] = static_cast<uint8_t>(text.size());
    bytes[1] = static_cast<uint8_t>(text.size() >> 8);
    bytes.insert(bytes.end(), text.begin(), text.end());
    bytes.insert(bytes.end(), content.begin(), content.end());
    Error error = file.parse(bytes);
    EXPECT_FALSE(error) << error.getText();
    sizes = Sizes();
    return solveSizes(manifest.functions[0], file, options, sizes);
  }

  void expectError(const std::string &text) {
    EXPECT_EQ(solve().getText(), text);
  }

  Manifest manifest;
  Options options;
  std::string header;
  std::vector<uint8_t> content;
  SafeTensorsFile file;
  Sizes sizes;
};

} // namespace

TEST_F(SizesTest, FromInputsAndOptions) {
  give("x", "BF16", "[5,2]");
  give("w", "U8", "[3]");
  give("other", "F32", "[1]");
  options.dims = {{"M", 7}, {"T", 5}};
  Error error = solve();
  ASSERT_FALSE(error) << error.getText();
  EXPECT_EQ(sizes.shapes,
            (std::vector<std::vector<int64_t>>{{5, 2}, {3}, {8, 7}}));
  EXPECT_EQ(sizes.bytes, (std::vector<size_t>{20, 3, 8 * 7 * 4}));
  EXPECT_EQ(sizes.given[0]->bytes, 20u);
  EXPECT_EQ(sizes.given[2], nullptr);
}

TEST_F(SizesTest, ADestinationMayBeGiven) {
  give("x", "BF16", "[5,2]");
  give("w", "U8", "[3]");
  give("y", "F32", "[8,1]");
  EXPECT_FALSE(solve());
  EXPECT_EQ(sizes.given[2]->shape, (std::vector<int64_t>{8, 1}));
}

TEST_F(SizesTest, UnknownSize) {
  give("x", "BF16", "[5,2]");
  give("w", "U8", "[3]");
  expectError("the size M of argument 'y' (f32 [align(T, 4), M]) is not known: "
              "give --dim=M=N");
}

TEST_F(SizesTest, RandomNeedsSizesToo) {
  options.inputs = "";
  options.random = 1;
  options.dims = {{"M", 1}, {"N", 1}};
  expectError("the size T of argument 'x' (bf16 [T, 2]) is not known: give "
              "--dim=T=N");
  options.dims.push_back({"T", 0});
  EXPECT_FALSE(solve());
  EXPECT_EQ(sizes.bytes, (std::vector<size_t>{0, 1, 0}));
}

TEST_F(SizesTest, MissingInput) {
  give("x", "BF16", "[5,2]");
  expectError("function 'f' reads argument 'w' (i8 [N]), which 'in' does not "
              "have");
  options.inputs = "";
  header = "";
  content.clear();
  expectError("function 'f' reads argument 'x' (bf16 [T, 2]), which nothing "
              "gives: give --inputs=FILE or --random=SEED");
}

TEST_F(SizesTest, RandomFillsWhatTheFileLacks) {
  give("x", "BF16", "[5,2]");
  options.random = 1;
  options.dims = {{"M", 1}, {"N", 9}};
  EXPECT_FALSE(solve());
  EXPECT_NE(sizes.given[0], nullptr);
  EXPECT_EQ(sizes.given[1], nullptr);
}

TEST_F(SizesTest, WrongType) {
  give("x", "F32", "[5,2]");
  expectError("'in', tensor 'x': its type is F32; wanted BF16 for bf16");
}

TEST_F(SizesTest, WrongRank) {
  give("x", "BF16", "[5]");
  expectError("'in', tensor 'x': its shape is [5]; wanted rank 2, [T, 2]");
}

TEST_F(SizesTest, WrongStaticSize) {
  give("x", "BF16", "[5,3]");
  give("w", "U8", "[3]");
  expectError("'in', tensor 'x': its shape is [5, 3]; wanted [T, 2], with "
              "dimension 1 = 2");
}

TEST_F(SizesTest, WrongExpression) {
  give("x", "BF16", "[5,2]");
  give("w", "U8", "[3]");
  give("y", "F32", "[5,1]");
  expectError("'in', tensor 'y': its shape is [5, 1]; wanted [align(T, 4), M], "
              "with dimension 0 = align(T, 4) = 8");
}

TEST_F(SizesTest, Conflicts) {
  give("x", "BF16", "[5,2]");
  options.dims = {{"T", 4}};
  expectError("'in', tensor 'x': its shape is [5, 2]; wanted [T, 2], with "
              "dimension 0 = T = 4, as --dim gives it");
  options.dims = {{"Q", 4}};
  expectError("--dim=Q=4: function 'f' has no such size; it has: T, N, M");
}

TEST_F(SizesTest, TooLarge) {
  options.random = 1;
  options.dims = {{"T", INT64_MAX - 1}, {"N", 1}, {"M", 1}};
  expectError("argument 'x' of shape [9223372036854775806, 2] does not fit a "
              "memory");
  options.dims = {{"T", 4}, {"N", 1}, {"M", INT64_MAX}};
  expectError("argument 'y' of shape [4, 9223372036854775807] does not fit a "
              "memory");
}
