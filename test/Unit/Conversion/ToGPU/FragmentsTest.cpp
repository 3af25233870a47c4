//===- FragmentsTest.cpp - a thread's part of an accumulator --------------===//

#include "Attention/Fragments.h"
#include "PTX.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::test;

TEST(Fragments, RowsAndColumns) {
  const int64_t rows[] = {0, 0, 1, 1, 0, 0, 1, 1};
  const int64_t columns[] = {0, 1, 0, 1, 8, 9, 8, 9};
  for (int64_t i = 0; i < 8; ++i) {
    EXPECT_EQ(kernel::getThreadRow(i), rows[i]);
    EXPECT_EQ(kernel::getThreadColumn(i), columns[i]);
  }
}

TEST(Fragments, FoldsOverTheLanesOfARow) {
  expectLines(getPTX("sm_80",
                     [](Body &body) {
                       body.keep(kernel::findLargest(body.e, body.getF32s(4),
                                                     /*row=*/1));
                     }),
              {"ld.global.f32 #, [#+8];", "ld.global.f32 #, [#+12];",
               "max.f32 #, #, #;", "shfl.sync.bfly.b32 #, #, 1, 31",
               "max.f32 #, #, #;", "shfl.sync.bfly.b32 #, #, 2, 31",
               "max.f32 #, #, #;"});
}

TEST(Fragments, RowsHaveFactorsAndSums) {
  std::string text = getPTX("sm_80", [&](Body &body) {
    kernel::ptx::Registers values = body.getF32s(4);
    Value shifts[] = {body.getF32(4), body.getF32(5)};
    kernel::ptx::Registers powers =
        kernel::exponentiate(body.e, values, body.getF32(6), shifts);
    Value sums[] = {body.getF32(7), body.getF32(8)};
    kernel::addToRows(body.e, powers, sums);
    kernel::ptx::Registers pairs =
        kernel::packPairs(body.e, body.e.getBF16Type(), powers);
    EXPECT_EQ(pairs.size(), 2u);
    body.keep(ValueRange(sums));
    body.keep(pairs);
  });
  expectLines(text, {"fma.rn.f32", "ex2.approx.ftz.f32", "add.rn.f32",
                     "cvt.rn.bf16x2.f32"});
}

TEST(Fragments, RowsHaveSumsOfPairs) {
  std::string text = getPTX("sm_80", [&](Body &body) {
    kernel::ptx::Registers pairs =
        kernel::packPairs(body.e, body.e.getBF16Type(), body.getF32s(4));
    Value sums[] = {body.getF32(7), body.getF32(8)};
    kernel::addPairsToRows(body.e, body.e.getBF16Type(), pairs, sums);
    body.keep(ValueRange(sums));
  });
  // As rounded: what comes out of the pairs, not what went in.
  expectLines(text,
              {"cvt.rn.bf16x2.f32", "cvt.rn.bf16x2.f32", "shl.b32 #, #, 16;",
               "and.b32", "add.rn.f32", "add.rn.f32"});
}

TEST(Fragments, SumsFollowTheirReferences) {
  std::string text = getPTX("sm_80", [&](Body &body) {
    kernel::ptx::Registers sums = body.getF32s(4);
    Value before[] = {body.getF32(4), body.getF32(5)};
    Value now[] = {body.getF32(6), body.getF32(7)};
    body.keep(kernel::changeReferences(body.e, sums, before, now,
                                       kernel::getThreadRow));
  });
  // Only where a lane of the warp has one that moved.
  expectLines(text, {"setp.neu.f32", "setp.neu.f32", "vote.sync.any.pred",
                     "bra", "ex2.approx.ftz.f32", "mul.rn.f32"});
}

TEST(Fragments, LanesOfAQuadChangePlaces) {
  std::string text = getPTX("sm_80", [](Body &body) {
    body.keep(kernel::transposeQuad(body.e, body.getI32s(4)));
  });
  // Half of what a lane has goes to its neighbor, half of the outcome to the
  // pair beside.
  expectLines(text, {"shfl.sync.bfly.b32 #, #, 1, 31",
                     "shfl.sync.bfly.b32 #, #, 1, 31", "and.b32 #, #, 2;",
                     "shfl.sync.bfly.b32 #, #, 2, 31",
                     "shfl.sync.bfly.b32 #, #, 2, 31"});
  EXPECT_EQ(StringRef(text).count("shfl.sync"), 4u) << text;
  EXPECT_EQ(StringRef(text).count("selp.b32"), 12u) << text;
}
