//===- CompareTest.cpp - what a comparison catches --------------------===//
#include "Compare.h"
#include "TestFile.h"

using namespace mlafuse::rt;

namespace {

const char bits[] = "{'out_y':{'kind':'bits'}}";
const char closeTo[] =
    "{'out_y':{'kind':'close','rtol':0.01,'atol':0.001,'min_exact':0.5}}";
const char codes[] = "{'out_y':{'kind':'codes','max_ulp':1,'min_exact':0.5}}";

TestTensor tensor(const std::string &dtype, std::vector<uint64_t> elements,
                  const std::string &name = "out_y") {
  return {name, dtype, {static_cast<int64_t>(elements.size())}, elements};
}

Report against(const std::vector<TestTensor> &actual,
               const std::vector<TestTensor> &golden,
               const std::string &tolerance, const GoldenOptions &options = {},
               const std::string &encodings = "{}") {
  Report report;
  Error error = compareGolden(
      makeFile(actual),
      makeFile(golden, {{"tolerance", tolerance}, {"encodings", encodings}}),
      options, report);
  EXPECT_FALSE(error) << error.getText();
  return report;
}

bool passes(const TestTensor &actual, const TestTensor &golden,
            const std::string &tolerance) {
  return against({actual}, {golden}, tolerance).passed;
}

bool has(const Report &report, const std::string &text) {
  return report.text.find(text) != std::string::npos;
}

TEST(Compare, EqualBitsPass) {
  EXPECT_TRUE(passes(tensor("F32", {0x3F800000, 0, 0xFF800000}),
                     tensor("F32", {0x3F800000, 0, 0xFF800000}), bits));
}

TEST(Compare, OneFlippedBitIsFoundWhereItIs) {
  Report report = against({tensor("F32", {0x3F800000, 0x3F800001})},
                          {tensor("F32", {0x3F800000, 0x3F800000})}, bits);
  EXPECT_FALSE(report.passed);
  EXPECT_TRUE(has(report, "1 differ")) << report.text;
  EXPECT_TRUE(has(report, "first at [1]: got 1.00000012 (0x3f800001), "
                          "wanted 1 (0x3f800000)"))
      << report.text;
}

TEST(Compare, SignOfZeroCounts) {
  EXPECT_FALSE(passes(tensor("BF16", {0x8000}), tensor("BF16", {0}), bits));
  EXPECT_FALSE(passes(tensor("F8_E4M3", {0}), tensor("F8_E4M3", {0x80}), bits));
}

TEST(Compare, NaNEqualsOnlyNaN) {
  EXPECT_TRUE(
      passes(tensor("F32", {0xFFC00001}), tensor("F32", {0x7FC00000}), bits));
  for (const char *tolerance : {bits, closeTo, codes}) {
    EXPECT_FALSE(
        passes(tensor("F32", {0x7FC00000}), tensor("F32", {0}), tolerance));
    EXPECT_FALSE(
        passes(tensor("F32", {0}), tensor("F32", {0x7FC00000}), tolerance));
  }
}

TEST(Compare, WrongShapeOrTypeFails) {
  TestTensor golden{"out_y", "BF16", {2, 1}, {0, 0}};
  Report shape = against({{"out_y", "BF16", {1, 2}, {0, 0}}}, {golden}, bits);
  EXPECT_FALSE(shape.passed);
  EXPECT_TRUE(has(shape, "got BF16 [1, 2], wanted BF16 [2, 1]")) << shape.text;
  Report type = against({{"out_y", "F16", {2, 1}, {0, 0}}}, {golden}, bits);
  EXPECT_FALSE(type.passed);
  EXPECT_TRUE(has(type, "got F16 [2, 1]")) << type.text;
}

TEST(Compare, MissingAndUnknownTensorsFail) {
  TestTensor y = tensor("BF16", {0}), q = tensor("BF16", {0}, "out_q");
  const char both[] = "{'out_y':{'kind':'bits'},'out_q':{'kind':'bits'}}";
  EXPECT_TRUE(has(against({y}, {y, q}, both), "out_q: the results lack it"));
  EXPECT_FALSE(against({y}, {y, q}, both).passed);
  EXPECT_FALSE(against({y, q}, {y}, bits).passed);
  GoldenOptions partial;
  partial.partial = true;
  EXPECT_TRUE(against({y}, {y, q}, both, partial).passed);
  EXPECT_FALSE(against({}, {y}, bits, partial).passed);
}

TEST(Compare, InputsAreNoOutputs) {
  TestTensor y = tensor("BF16", {0}), x = tensor("BF16", {0}, "in_x");
  EXPECT_TRUE(against({y}, {y, x}, bits).passed);
  EXPECT_FALSE(against({y, x}, {y, x}, bits).passed);
}

TEST(Compare, MappedNames) {
  GoldenOptions options;
  options.names["result0"] = "out_y";
  TestTensor golden = tensor("BF16", {1});
  EXPECT_TRUE(against({tensor("BF16", {1}, "result0")}, {golden}, bits, options)
                  .passed);
  EXPECT_FALSE(
      against({tensor("BF16", {2}, "result0")}, {golden}, bits, options)
          .passed);
  EXPECT_FALSE(against({golden}, {golden}, bits, options).passed);
}

TEST(Compare, ContractedOutputs) {
  GoldenOptions options;
  options.contracted = true;
  const char tolerance[] =
      "{'out_q':{'kind':'bits'},'out_q_contracted':{'kind':'bits'},"
      "'out_s_scale':{'kind':'bits'},"
      "'out_s_contracted_scale':{'kind':'bits'},'out_k':{'kind':'bits'}}";
  std::vector<TestTensor> golden = {
      tensor("U8", {1}, "out_q"), tensor("U8", {2}, "out_q_contracted"),
      tensor("U8", {3}, "out_s_scale"),
      tensor("U8", {4}, "out_s_contracted_scale"), tensor("U8", {5}, "out_k")};
  auto results = [](uint64_t q, uint64_t s, uint64_t k) {
    return std::vector<TestTensor>{tensor("U8", {q}, "out_q"),
                                   tensor("U8", {s}, "out_s_scale"),
                                   tensor("U8", {k}, "out_k")};
  };
  EXPECT_TRUE(against(results(2, 4, 5), golden, tolerance, options).passed);
  EXPECT_FALSE(against(results(1, 4, 5), golden, tolerance, options).passed);
  EXPECT_FALSE(against(results(2, 3, 5), golden, tolerance, options).passed);
  EXPECT_FALSE(
      against({tensor("U8", {2}, "out_q")}, golden, tolerance, options).passed);
  EXPECT_TRUE(against(results(1, 3, 5), golden, tolerance).passed);
}

TEST(Compare, CloseNumbers) {
  uint64_t one = 0x3F800000, near = 0x3F808000, far = 0x3F828000;
  TestTensor golden = tensor("F32", {one, one});
  EXPECT_TRUE(passes(tensor("F32", {one, near}), golden, closeTo));
  EXPECT_FALSE(passes(tensor("F32", {one, far}), golden, closeTo));
  // Each near enough, but too few of them equal.
  EXPECT_FALSE(passes(tensor("F32", {near, near}), golden, closeTo));
}

TEST(Compare, InfinityIsNearToNothing) {
  TestTensor golden = tensor("F32", {0x7F800000, 0});
  EXPECT_TRUE(passes(golden, golden, closeTo));
  EXPECT_FALSE(passes(tensor("F32", {0x7F7FFFFF, 0}), golden, closeTo));
  EXPECT_FALSE(passes(tensor("F32", {0xFF800000, 0}), golden, closeTo));
}

TEST(Compare, NeighbouringCodes) {
  TestTensor golden = tensor("F8_E4M3", {0x30, 0x30});
  EXPECT_TRUE(passes(tensor("F8_E4M3", {0x30, 0x31}), golden, codes));
  EXPECT_FALSE(passes(tensor("F8_E4M3", {0x30, 0x32}), golden, codes));
  EXPECT_FALSE(passes(tensor("F8_E4M3", {0x30, 0xB0}), golden, codes));
  EXPECT_FALSE(passes(tensor("F8_E4M3", {0x31, 0x31}), golden, codes));
}

TEST(Compare, PackedCodesAreComparedOneByOne) {
  GoldenOptions options;
  const char packed[] = "{'out_y':'e2m1x2'}";
  TestTensor golden = tensor("U8", {0x21});
  // One step in one of two codes; as bytes they would be 16 apart.
  EXPECT_TRUE(
      against({tensor("U8", {0x31})}, {golden}, codes, options, packed).passed);
  Report report =
      against({tensor("U8", {0x51})}, {golden}, codes, options, packed);
  EXPECT_FALSE(report.passed);
  EXPECT_TRUE(has(report, "first at [1]: got 3 (0x5), wanted 1 (0x2)"))
      << report.text;
}

TEST(Compare, NoElementsStillHaveAShape) {
  TestTensor golden{"out_y", "BF16", {0, 8}, {}};
  EXPECT_TRUE(passes(golden, golden, bits));
  EXPECT_FALSE(passes({"out_y", "BF16", {0, 4}, {}}, golden, bits));
}

TEST(Compare, BadMetadataIsAnError) {
  SafeTensorsFile results = makeFile({tensor("BF16", {0})});
  for (const char *tolerance :
       {"[]", "{'out_y':{'kind':'nearly'}}", "{'out_y':{'kind':'close'}}",
        "{'out_y':{'kind':'codes','max_ulp':-1}}", "{"}) {
    Report report;
    EXPECT_TRUE(compareGolden(
        results, makeFile({tensor("BF16", {0})}, {{"tolerance", tolerance}}),
        {}, report))
        << tolerance;
  }
  Report report;
  EXPECT_TRUE(compareGolden(results, results, {}, report));
}

TEST(CompareBits, AllTensorsOfBothSides) {
  TestTensor y = tensor("F32", {0x7FC00000, 1}), q = tensor("U8", {7}, "out_q");
  auto same = [](const std::vector<TestTensor> &a,
                 const std::vector<TestTensor> &b) {
    Report report;
    compareBits(makeFile(a), makeFile(b), report);
    return report.passed;
  };
  EXPECT_TRUE(same({y, q}, {q, y}));
  EXPECT_FALSE(same({y, q}, {y}));
  EXPECT_FALSE(same({y}, {y, q}));
  EXPECT_FALSE(same({tensor("F32", {0x7FC00000, 2})}, {y}));
  EXPECT_FALSE(same({tensor("F32", {0})}, {tensor("F32", {0x80000000})}));
  EXPECT_FALSE(same({tensor("F32", {0})}, {tensor("I32", {0})}));
  EXPECT_FALSE(same({{"out_y", "U8", {1, 2}, {0, 0}}},
                    {{"out_y", "U8", {2, 1}, {0, 0}}}));
  EXPECT_FALSE(same({}, {}));
}

} // namespace
