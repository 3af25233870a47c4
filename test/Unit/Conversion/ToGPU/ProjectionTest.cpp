//===- ProjectionTest.cpp - PTX of a projection's parts -------------------===//

#include "PTX.h"
#include "Projection/RowFragments.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::test;
using namespace mlafuse::kernel::projection;
namespace ptx = mlafuse::kernel::ptx;

// A lane reads eight neighbouring values of K, for two products. In each it has
// values 2 lane, 2 lane + 1, and those 8 further on.
TEST(WeightRows, AreInTheOrderOfFragments) {
  std::vector<std::string> lines;
  for (int64_t k = 32; k < 64; ++k) {
    int64_t lane = (k - 32) / 8, product = k % 8 / 4, pair = k % 4 / 2;
    int64_t row = 32 + 16 * product + 8 * pair + 2 * lane + k % 2;
    lines.push_back("mov.b32 #, " + std::to_string(row) + ";");
    lines.push_back("st.global");
  }
  expectLines(getPTX("sm_80",
                     [](Body &body) {
                       for (int64_t k = 32; k < 64; ++k)
                         body.keep(getWeightRow(body.e, ptx::i32(body.e, k)));
                     }),
              lines);
}

TEST(RowFragments, OperandsAreFourRegisters) {
  std::string text = getPTX("sm_80", [](Body &body) {
    SmallVector<Value> slice = body.getI32s(8);
    body.keep(RowFragments::getOperand(slice, 1));
  });
  // Of eight loads the last four are kept.
  expectLines(text, {"ld.global", "+16]", "ld.global", "+20]", "ld.global",
                     "+24]", "ld.global", "+28]", "st.global"});
}
