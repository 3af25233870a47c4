//===- ProjectionTest.cpp - PTX of a projection's parts -------------------===//

#include "PTX.h"
#include "Projection/FragmentStore.h"
#include "Projection/RowFragments.h"
#include "Projection/RowRing.h"
#include "llvm/Support/MathExtras.h"
#include "gtest/gtest.h"
#include <set>

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::test;
using namespace mlafuse::kernel::projection;
using kernel::ProjectionLayout;
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

// A wait tells the phases of a barrier apart by parity: who waits has to see
// each of them. Slices go round by warpgroups, those of a tile together.
TEST(ProjectionLayout, BarriersHaveOneReader) {
  for (int64_t rows : {64, 128, 192})
    for (int64_t depth : {128, 192, 512})
      for (int64_t stages : {2, 4, 5}) {
        ProjectionLayout layout({rows, 64, 128, stages}, depth, /*tiles=*/1);
        EXPECT_GE(layout.fullBarriers, stages);
        for (int64_t turn = 0; turn < 64; ++turn) {
          auto getReader = [&](int64_t turn) {
            return turn / layout.slices % layout.groups;
          };
          EXPECT_EQ(getReader(turn), getReader(turn + layout.fullBarriers));
        }
      }
}

// Who asks for more registers than a launch has given the block waits for ever.
TEST(ProjectionLayout, MovesNoMoreRegistersThanThereAre) {
  constexpr int64_t kRegisters = 64 * 1024, kStep = 8;
  for (int64_t groups : {1, 2, 3, 4}) {
    ProjectionLayout layout({groups * ProjectionLayout::kGroupRows, 64, 128, 4},
                            128, /*tiles=*/1);
    int64_t equal = llvm::alignDown(kRegisters / layout.getThreads(), kStep);
    EXPECT_LE(layout.getLoaderRegisters() +
                  groups * layout.getMultiplierRegisters(),
              (groups + 1) * equal)
        << groups << " warpgroups";
  }
}

TEST(ProjectionLayout, Sizes) {
  // v_up of 128 columns: weights, four slices of 64 rows, and eight rows of
  // sums of each of eight warps.
  ProjectionLayout layout({128, 128, 128, 4}, 512, /*tiles=*/1);
  EXPECT_EQ(layout.ring - layout.weights, 512 * 256);
  EXPECT_EQ(layout.staging - layout.ring, 4 * 64 * 256);
  EXPECT_EQ(layout.full - layout.staging, 8 * 8 * 512);
  EXPECT_EQ(layout.weightParts, 8);
  EXPECT_EQ(layout.getThreads(), 384);
  EXPECT_EQ(layout.getLoaderRegisters() + 2 * layout.getMultiplierRegisters(),
            504);
  // Few columns leave the assembler no reason to move registers.
  EXPECT_EQ(
      ProjectionLayout({128, 64, 128, 4}, 512, 1).getMultiplierRegisters(), 0);
}

TEST(RowRing, ParitiesFollowFromTheTurn) {
  Projection projection;
  projection.schedule = {128, 128, 128, 4};
  projection.depth = 512;
  projection.usesFragments = false;
  ProjectionLayout layout(projection.schedule, projection.depth, /*tiles=*/1);
  for (int64_t turn : {0, 3, 4, 8, 12, 16}) {
    // Eight barriers; four slots, which are free to begin with.
    int64_t full = turn / 8 % 2, free = turn / 4 % 2 ^ 1;
    std::string text = getPTX("sm_90a", [&](Body &body) {
      RowRing ring(projection, layout, body.getShared());
      RowRing::Slot slot = ring.getSlot(body.e, ptx::i32(body.e, turn));
      body.keep(ptx::plusI(body.e, ptx::timesI(body.e, slot.fullParity, 10),
                           slot.freeParity));
    });
    expectLines(text, {"mov.b32 #, " + std::to_string(10 * full + free) + ";",
                       "st.global"});
  }
}

// A matrix is stored as one chunk of each of eight rows, and read by eight
// lanes that have neighbouring chunks.
TEST(FragmentStore, ChunksMeetNoBankTwice) {
  constexpr int64_t kRows = 8, kChunkBytes = 16, kBankBytes = 128;
  for (int64_t rowBytes : {64, 128, 256, 512}) {
    SCOPED_TRACE(rowBytes);
    int64_t chunks = rowBytes / kChunkBytes;
    auto getPlace = [=](int64_t row, int64_t chunk) {
      int64_t order =
          rowBytes < kBankBytes ? row / (kBankBytes / rowBytes) : row;
      return row * rowBytes +
             (chunk ^ order % std::min<int64_t>(chunks, kRows)) * kChunkBytes;
    };
    auto getBanks = [&](auto getPlaceOf) {
      std::set<int64_t> banks;
      for (int64_t i = 0; i < kRows; ++i)
        banks.insert(getPlaceOf(i) % kBankBytes);
      return banks.size();
    };
    for (int64_t chunk = 0; chunk < chunks; ++chunk)
      EXPECT_EQ(getBanks([&](int64_t row) { return getPlace(row, chunk); }),
                kRows);
    for (int64_t first = 0; first < kRows * chunks; first += kRows)
      EXPECT_EQ(getBanks([&](int64_t i) {
                  return getPlace((first + i) / chunks, (first + i) % chunks);
                }),
                kRows);
    std::vector<std::string> lines;
    for (int64_t row = 0; row < kRows; ++row) {
      lines.push_back("mov.b32 #, " + std::to_string(getPlace(row, 2)) + ";");
      lines.push_back("st.global");
    }
    expectLines(getPTX("sm_90a",
                       [=](Body &body) {
                         for (int64_t row = 0; row < kRows; ++row)
                           body.keep(FragmentStore::getPlace(
                               body.e, ptx::i32(body.e, row),
                               ptx::i32(body.e, 2), rowBytes));
                       }),
                lines);
  }
}
