//===- WarpgroupTest.cpp - PTX of products of four warps ------------------===//

#include "NVIDIA/Warpgroup.h"
#include "NVIDIA/Barriers.h"
#include "NVIDIA/Warp.h"
#include "PTX.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::test;
namespace ptx = mlafuse::kernel::ptx;

static std::string repeat(StringRef text, int64_t count) {
  std::string all = text.str();
  for (int64_t i = 1; i < count; ++i)
    all += ", " + text.str();
  return all;
}

TEST(Warpgroup, MultipliesSharedMatrices) {
  std::string code = getPTX("sm_90a", [](Body &body) {
    ptx::SwizzledTile rows{body.getShared(), 64};
    ptx::MatrixOperand a(body.e, rows, ptx::Major::K);
    ptx::MatrixOperand b(body.e, rows, ptx::Major::MN);
    ptx::WarpgroupProduct product{64, body.e.getBF16Type()};
    ptx::fenceProducts(body.e);
    ptx::Registers d =
        ptx::multiply(body.e, product, {}, a.get(body.e, 0), a.getMajor(),
                      b.get(body.e, 0), b.getMajor());
    d = ptx::multiply(body.e, product, d, a.get(body.e, 80), a.getMajor(),
                      b.get(body.e, 16), b.getMajor());
    ptx::commitProducts(body.e);
    body.keep(ptx::waitProducts(body.e, 0, d));
  });
  std::string product =
      "wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {" +
      repeat("#", 32) + "}, ";
  // The first product writes its sums, the second adds to them.
  expectLines(code,
              {"wgmma.fence.sync.aligned;", product, ", 0, 1, 1, 0, 1;",
               product, ", 1, 1, 1, 0, 1;", "wgmma.commit_group.sync.aligned;",
               "wgmma.wait_group.sync.aligned 0;"});
}

// Fields of the descriptor, in units of 16 bytes: the address, the distance of
// boxes (64 rows of 128 bytes) from bit 16 on, that of groups of eight rows
// from bit 32 on, and the swizzle. Five steps of 16 columns are one box and 32
// bytes.
TEST(Warpgroup, DescribesOperands) {
  std::string code = getPTX("sm_90a", [](Body &body) {
    ptx::SwizzledTile rows{body.getShared(), 64};
    ptx::MatrixOperand a(body.e, rows, ptx::Major::K);
    ptx::MatrixDescriptor place = a.get(body.e, 80);
    EXPECT_EQ(place.units, (64 * 128 + 32) / 16);
    EXPECT_EQ(place.high, 64u | 1u << 30);
    EXPECT_EQ(a.get(body.e, 16, 8).units, (8 * 128 + 32) / 16);
    ptx::MatrixOperand b(body.e, rows, ptx::Major::MN);
    EXPECT_EQ(b.get(body.e, 16, 64).units, (64 * 128 + 16 * 128) / 16);
    body.keep(place.low);
  });
  expectLines(code, {"shr.u32 #, #, 4;", "or.b32 #, #, 33554432;"});
}

TEST(Warpgroup, MultipliesRegisters) {
  std::string code = getPTX("sm_90a", [](Body &body) {
    ptx::SwizzledTile rows{body.getShared(), 64};
    ptx::MatrixOperand b(body.e, rows, ptx::Major::MN);
    ptx::WarpgroupProduct product{16, body.e.getF16Type()};
    auto a = body.getI32s(4);
    auto d = body.getF32s(8);
    ptx::fenceProducts(body.e);
    ptx::Registers sums =
        ptx::multiply(body.e, product, d, a, b.get(body.e, 0), b.getMajor());
    ptx::commitProducts(body.e);
    body.keep(ptx::waitProducts(body.e, 1, sums));
  });
  expectLines(code, {"wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {" +
                         repeat("#", 8) + "}, {#, #, #, #}, ",
                     ", 1, 1, 1, 1;", "wgmma.wait_group.sync.aligned 1;"});
}

// A tile's columns as rows of the left operand, few columns of the right one.
TEST(Warpgroup, MultipliesTransposedMatrices) {
  std::string code = getPTX("sm_90a", [](Body &body) {
    ptx::MatrixOperand a(body.e, {body.getShared(), 64}, ptx::Major::MN);
    ptx::MatrixOperand b(body.e, {body.getShared(), 32}, ptx::Major::K);
    EXPECT_EQ(a.get(body.e, 16, 128).units, (2 * 64 + 16) * 128 / 16);
    ptx::WarpgroupProduct product{32, body.e.getBF16Type()};
    ptx::fenceProducts(body.e);
    ptx::Registers d =
        ptx::multiply(body.e, product, body.getF32s(16), a.get(body.e, 0, 64),
                      a.getMajor(), b.get(body.e, 0), b.getMajor());
    body.keep(ptx::waitProducts(body.e, 0, d));
  });
  expectLines(code, {"wgmma.mma_async.sync.aligned.m64n32k16.f32.bf16.bf16 {" +
                         repeat("#", 16) + "}, ",
                     ", 1, 1, 1, 1, 0;"});
}

TEST(Warpgroup, MovesRegisters) {
  expectLines(getPTX("sm_90a",
                     [](Body &body) {
                       ptx::lowerRegisters(body.e, 40);
                       ptx::raiseRegisters(body.e, 232);
                     }),
              {"setmaxnreg.dec.sync.aligned.u32 40;",
               "setmaxnreg.inc.sync.aligned.u32 232;"});
}

// One lane arrives between waits that all lanes have to come to together: a
// wait of its own for either way would never end.
TEST(Warpgroup, WaitsWhereLanesMeet) {
  std::string code = getPTX("sm_90a", [](Body &body) {
    Value lane = ptx::getLane(body.e);
    for (int64_t pending : {3, 2, 1}) {
      ptx::waitProducts(body.e, pending, ValueRange());
      kernel::runIf(body.e, ptx::isEqualI(body.e, lane, 0),
                    [&](kernel::Emitter &e) {
                      ptx::SharedBarrier{body.getShared(8 * pending)}.arrive(e);
                    });
    }
  });
  for (StringRef wait :
       {"wgmma.wait_group.sync.aligned 3;", "wgmma.wait_group.sync.aligned 2;",
        "wgmma.wait_group.sync.aligned 1;"})
    EXPECT_EQ(StringRef(code).count(wait), 1u) << code;
}
