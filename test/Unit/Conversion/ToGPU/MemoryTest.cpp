//===- MemoryTest.cpp - PTX of accesses to memory -------------------------===//

#include "NVIDIA/GlobalMemory.h"
#include "PTX.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::test;
namespace ptx = mlafuse::kernel::ptx;

TEST(SharedLayout, AlignsPieces) {
  ptx::SharedLayout layout;
  EXPECT_EQ(layout.add(20), 0);
  EXPECT_EQ(layout.add(8, 8), 24);
  EXPECT_EQ(layout.add(4096, 1024), 1024);
  // With room to align the start.
  EXPECT_EQ(layout.getBytes(), 1024 + 4096 + ptx::SharedLayout::kAlignment -
                                   Chip::kDynamicSharedAlignment);
}

TEST(SharedMemory, StartIsAligned) {
  expectLines(
      getPTX("sm_80",
             [](Body &body) { body.keep(body.getShared().get(body.e)); }),
      {".extern .shared", "add.s32 #, #, 1023;", "and.b32 #, #, -1024;"});
}

TEST(SharedMemory, LoadsAndStores) {
  expectLines(
      getPTX(
          "sm_80",
          [](Body &body) {
            ptx::Address place = body.getShared(32);
            ptx::storeShared(body.e, place, body.getF32s(2));
            ptx::storeShared(body.e, place, body.getI32s(4));
            body.keep(ptx::loadShared(body.e, place + 4, body.e.getF32Type()));
            body.keep(ptx::loadShared(body.e, place, body.e.getI32Type(), 4));
          }),
      {"st.shared.v2.f32 [#+32], {#, #};",
       "st.shared.v4.b32 [#+32], {#, #, #, #};", "ld.shared.f32 #, [#+36];",
       "ld.shared.v4.b32 {#, #, #, #}, [#+32];"});
}

TEST(SharedMemory, LoadsWhereWanted) {
  expectLines(
      getPTX("sm_80",
             [](Body &body) {
               body.keep(ptx::loadSharedIf(
                   body.e, ptx::isEqualI(body.e, body.getI32(), 3),
                   body.getShared(8), /*otherwise=*/1));
             }),
      {"mov.b32 #, 1;", "setp.ne.b32 p, #, 0;", "@p ld.shared.b32 #, [#+8];"});
}

TEST(CopyAsync, FillsWithZeros) {
  expectLines(getPTX("sm_80",
                     [](Body &body) {
                       ptx::copyAsync16(body.e, body.getShared(16),
                                        body.getGlobal(), body.getI32(),
                                        /*fromOffset=*/128);
                       ptx::commitCopies(body.e);
                       ptx::waitCopies(body.e, 1);
                     }),
              {"cp.async.cg.shared.global.L2::128B [#+16], [#+128], 16, #;",
               "cp.async.commit_group;", "cp.async.wait_group 1;"});
}

TEST(CopyAsync, WholeChunks) {
  expectLines(getPTX("sm_80",
                     [](Body &body) {
                       ptx::copyAsync16(body.e, body.getShared(),
                                        body.getGlobal(), /*bytes=*/{});
                     }),
              {"cp.async.cg.shared.global.L2::128B [#+0], [#+0], 16;"});
}

TEST(GlobalMemory, Stores) {
  expectLines(getPTX("sm_80",
                     [](Body &body) {
                       Value address = body.getGlobal();
                       ptx::storeGlobal(body.e, address, body.getI32s(4), 48);
                       ptx::storeGlobal(body.e, address, body.getF32s(2), 8);
                     }),
              {"st.global.v4.b32 [#+48], {#, #, #, #};",
               "st.global.v2.f32 [#+8], {#, #};"});
}

// As wide as the alignment allows.
TEST(GlobalMemory, AnyAlignment) {
  auto copy = [](int64_t alignment) {
    return getPTX("sm_80", [=](Body &body) {
      auto type = VectorType::get(4, body.e.getI32Type());
      Value from = body.getGlobal();
      Value to = ptx::plusI(body.e, from, 64);
      ptx::storeAligned(body.e, to,
                        ptx::loadAligned(body.e, from, type, alignment),
                        alignment);
    });
  };
  expectLines(copy(16), {"ld.global.v4.b32", "st.global.v4.b32"});
  expectLines(copy(2), {"ld.global.b16", "st.global.b16"});
  expectLines(copy(1), {"ld.global.b8", "st.global.b8"});
}

TEST(GlobalMemory, ReadsWhereAConditionHolds) {
  expectLines(getPTX("sm_80",
                     [](Body &body) {
                       Value holds = ptx::isEqualI(body.e, body.getI32(), 7);
                       body.keep(ptx::loadGlobalIf(body.e, holds,
                                                   body.getGlobal(),
                                                   body.e.getF32Type(), 4));
                     }),
              {"mov.b32 #, 0;", "setp.ne.b32 p, #, 0;",
               "@p ld.global.v4.b32 {#, #, #, #}, [#+0];"});
}

TEST(GlobalMemory, ReadsRegistersAtOnce) {
  expectLines(getPTX("sm_80",
                     [](Body &body) {
                       body.keep(ptx::loadGlobalVector(body.e, body.getGlobal(),
                                                       body.e.getI32Type(), 4,
                                                       /*offset=*/528));
                     }),
              {"ld.global.v4.b32 {#, #, #, #}, [#+528];"});
}

TEST(GlobalMemory, ReadsElseWhatItIsGiven) {
  expectLines(getPTX("sm_80",
                     [](Body &body) {
                       Value holds = ptx::isEqualI(body.e, body.getI32(), 7);
                       body.keep(
                           ptx::loadGlobalIf(body.e, holds, body.getGlobal(),
                                             body.e.getF32Type(), 2,
                                             /*offset=*/4096,
                                             /*otherwise=*/{0, 0xff800000}));
                     }),
              {"mov.b32 #, 0;", "mov.b32 #, 4286578688;",
               "@p ld.global.v2.b32 {#, #}, [#+4096];"});
}

// Not from the L1 cache, which does not see what others write.
TEST(GlobalMemory, PeeksAtWhatOthersWrite) {
  expectLines(getPTX("sm_80",
                     [](Body &body) {
                       Value holds = ptx::isEqualI(body.e, body.getI32(), 7);
                       body.keep(
                           ptx::peekGlobalIf(body.e, holds, body.getGlobal()));
                     }),
              {"mov.b32 #, 0;", "setp.ne.b32 p, #, 0;",
               "@p ld.relaxed.gpu.global.b32 #, [#];"});
}

// No branch: stores of many rows follow each other.
TEST(GlobalMemory, StoresUnderAPredicate) {
  expectLines(
      getPTX("sm_80",
             [](Body &body) {
               Value holds = ptx::isEqualI(body.e, body.getI32(), 7);
               ptx::storeGlobalIf(body.e, holds, body.getGlobal(),
                                  body.getI32s(4), 32);
             }),
      {"setp.ne.b32 p, #, 0;", "@p st.global.v4.b32 [#+32], {#, #, #, #};"});
}

TEST(SwizzledTile, Chunks) {
  EXPECT_EQ(ptx::SwizzledTile::getBytes(64, 576), 64 * 576 * 2);
  expectLines(
      getPTX("sm_80",
             [](Body &body) {
               ptx::SwizzledTile tile{body.getShared(), 32};
               ptx::Address place = tile.getChunk(body.e, body.getI32(0),
                                                  body.getI32(1), /*box=*/2);
               body.keep(ptx::loadShared(body.e, place, body.e.getI32Type()));
             }),
      // Rows of 128 bytes, chunks of 16; boxes of 32 rows.
      {"and.b32 #, #, 7;", "xor.b32", "shl.b32 #, #, 7;", "shl.b32 #, #, 4;",
       "ld.shared.b32 #, [#+8192];"});
}
