//===- WarpTest.cpp - PTX of what a warp does together --------------------===//

#include "NVIDIA/Warp.h"
#include "PTX.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::test;
namespace ptx = mlafuse::kernel::ptx;

TEST(Matrices, Load) {
  expectLines(
      getPTX("sm_80",
             [](Body &body) {
               ptx::Address row = body.getShared(256);
               body.keep(ptx::loadMatrices(body.e, row, /*transposed=*/false));
               body.keep(ptx::loadMatrices(body.e, row, /*transposed=*/true));
             }),
      {"ldmatrix.sync.aligned.m8n8.x4.shared.b16 {#, #, #, #}, [#+256];",
       "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {#, #, #, #}, "
       "[#+256];"});
}

TEST(Matrices, Store) {
  expectLines(
      getPTX("sm_90a",
             [](Body &body) {
               ptx::Address row = body.getShared(16);
               auto values = body.getI32s(4);
               ptx::storeMatrices(body.e, row, values, /*transposed=*/false);
               ptx::storeMatrices(body.e, row, values, /*transposed=*/true);
             }),
      {"stmatrix.sync.aligned.m8n8.x4.shared.b16 [#+16], {#, #, #, #};",
       "stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [#+16], {#, #, #, "
       "#};"});
}

// The sums are read from the registers that they are written to.
TEST(Matrices, Multiply) {
  for (bool isBF16 : {true, false}) {
    std::string type = isBF16 ? "bf16" : "f16";
    expectLines(
        getPTX("sm_80",
               [=](Body &body) {
                 Type elements = isBF16 ? Type(body.e.getBF16Type())
                                        : Type(body.e.getF16Type());
                 body.keep(ptx::multiplyWarp(body.e, elements, body.getF32s(4),
                                             body.getI32s(4), body.getI32s(2)));
               }),
        {"mma.sync.aligned.m16n8k16.row.col.f32." + type + "." + type +
         ".f32 {#, #, #, #}, {#, #, #, #}, {#, #}, {#, #, #, #};"});
  }
}

TEST(Lanes, Exchange) {
  expectLines(getPTX("sm_80",
                     [](Body &body) {
                       body.keep(ptx::exchange(body.e, body.getF32(), 2));
                     }),
              {"shfl.sync.bfly.b32 #, #, 2, 31, 0xffffffff;"});
  expectLines(getPTX("sm_80",
                     [](Body &body) {
                       body.keep(
                           ptx::exchange(body.e, body.getF32(), body.getI32()));
                     }),
              {"shfl.sync.bfly.b32 #, #, #, 31, -1;"});
}

TEST(Lanes, Votes) {
  expectLines(
      getPTX("sm_80",
             [](Body &body) {
               Value bits = ptx::ballot(body.e, body.getI32());
               body.keep(bits);
               Value any = ptx::holdsInAnyLane(
                   body.e, ptx::isEqualI(body.e, ptx::getLane(body.e), 3));
               body.keep(
                   arith::ExtUIOp::create(body.e, body.e.getI32Type(), any)
                       .getResult());
             }),
      {"setp.ne.b32 set, #, 0;", "vote.sync.ballot.b32 #, set, 0xffffffff;",
       "%laneid", "vote.sync.any.pred p, p, 0xffffffff;"});
}

TEST(Lanes, Reductions) {
  expectLines(getPTX("sm_80",
                     [](Body &body) {
                       Value x = body.getI32();
                       body.keep(ptx::sumOverLanes(body.e, x));
                       body.keep(ptx::largestOverLanes(body.e, x));
                     }),
              {"redux.sync.add.s32 #, #, 0xffffffff;",
               "redux.sync.max.s32 #, #, 0xffffffff;"});
}

TEST(Arithmetic, Exponentials) {
  expectLines(getPTX("sm_80",
                     [](Body &body) {
                       body.keep(ptx::exp2Fast(body.e, body.getF32()));
                       body.keep(ptx::log2Fast(body.e, body.getF32()));
                       body.keep(ptx::reciprocalFast(body.e, body.getF32()));
                       body.keep(ptx::fusedMultiplyAdd(body.e, body.getF32(0),
                                                       body.getF32(1),
                                                       body.getF32(2)));
                     }),
              {"ex2.approx.ftz.f32 #, #;", "lg2.approx.ftz.f32 #, #;",
               "rcp.approx.ftz.f32 #, #;", "fma.rn.f32 #, #, #, #;"});
}

TEST(Arithmetic, Pairs) {
  expectLines(getPTX("sm_80",
                     [](Body &body) {
                       for (Type type : {Type(body.e.getBF16Type()),
                                         Type(body.e.getF16Type())}) {
                         body.keep(ptx::packPair(body.e, type, body.getF32(0),
                                                 body.getF32(1)));
                         auto [low, high] =
                             ptx::unpackPair(body.e, type, body.getI32());
                         body.keep({low, high});
                       }
                     }),
              {"cvt.rn.bf16x2.f32 #, #, #;", "shl.b32 #, #, 16;",
               "and.b32 #, #, -65536;", "cvt.rn.f16x2.f32 #, #, #;",
               "mov.b32 {low, high}, #;", "cvt.f32.f16 #, low;",
               "cvt.f32.f16 #, high;"});
}

TEST(Arithmetic, Magnitudes) {
  for (bool isBF16 : {true, false})
    expectLines(getPTX("sm_90a",
                       [=](Body &body) {
                         Type elements = isBF16 ? Type(body.e.getBF16Type())
                                                : Type(body.e.getF16Type());
                         body.keep(ptx::largerMagnitudes(
                             body.e, elements, body.getI32(0), body.getI32(1)));
                         body.keep(ptx::multiplyPairs(
                             body.e, elements, body.getI32(0), body.getI32(1)));
                         body.keep(ptx::reciprocalFast(body.e, body.getF32()));
                       }),
                {isBF16 ? "max.xorsign.abs.bf16x2 #, #, #;"
                        : "max.xorsign.abs.f16x2 #, #, #;",
                 isBF16 ? "mul.rn.bf16x2 #, #, #;" : "mul.rn.f16x2 #, #, #;",
                 "rcp.approx.ftz.f32 #, #;"});
}

TEST(Arithmetic, Codes) {
  for (bool isBF16 : {true, false})
    expectLines(getPTX("sm_90a",
                       [=](Body &body) {
                         Type elements = isBF16 ? Type(body.e.getBF16Type())
                                                : Type(body.e.getF16Type());
                         Value codes = body.getI32();
                         body.keep(ptx::findNaNCodes(body.e, codes));
                         body.keep(ptx::widenNumbers(body.e, elements, codes));
                       }),
                {"and.b32 #, #, 2139062143;", "add.s32 #, #, 16843009;",
                 "prmt.b32 code, #, 0, 0x1404;",
                 "and.b32 sign, code, 0x80008000;",
                 isBF16 ? "shr.u32 code, code, 4;" : "shr.u32 code, code, 1;",
                 isBF16 ? "mul.rn.bf16x2 #, code, factor;"
                        : "mul.rn.f16x2 #, code, factor;",
                 "prmt.b32 code, #, 0, 0x3424;"});
}

TEST(Lanes, TakeValuesOfOthers) {
  expectLines(getPTX("sm_80",
                     [](Body &body) {
                       body.keep(
                           ptx::ofLane(body.e, body.getI32(0), body.getI32(1)));
                     }),
              {"shfl.sync.idx.b32 #, #, #, 31, -1;"});
}

// 64 bits pass as two words.
TEST(Words, SplitAndJoin) {
  expectLines(
      getPTX("sm_80",
             [](Body &body) {
               auto [low, high] = ptx::splitI64(body.e, body.getGlobal());
               Value swapped = ptx::joinI64(body.e, ptx::opaque(body.e, high),
                                            ptx::opaque(body.e, low));
               body.keep(
                   ptx::splitI64(body.e, ptx::opaque(body.e, swapped)).second);
             }),
      {"cvt.u32.u64 #, #;", "mov.b64 {_, #}, #;", "shl.b64 #, #, 32;",
       "or.b64 #, #, #;", "mov.b64 {_, #}, #;"});
}
