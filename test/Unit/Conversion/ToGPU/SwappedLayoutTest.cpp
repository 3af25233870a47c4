//===- SwappedLayoutTest.cpp - memory of attention's swapped kernel -------===//

#include "../Schedule/SwappedLayout.h"
#include "MLAFuse/Target/Chip.h"
#include "gtest/gtest.h"

using namespace mlafuse;
using kernel::SwappedLayout;
using kernel::SwappedShape;

TEST(SwappedLayout, PiecesDoNotOverlap) {
  SwappedLayout layout(/*stages=*/2, /*rope=*/64);
  EXPECT_EQ(layout.values, layout.queries + 16 * 576 * 2);
  EXPECT_EQ(layout.valueBytes, 64 * 512 * 2);
  EXPECT_EQ(layout.probabilities, layout.values + 2 * layout.valueBytes);
  EXPECT_EQ(layout.probabilityBytes, 16 * 64 * 2);
  EXPECT_EQ(layout.slices, layout.probabilities + 2 * layout.probabilityBytes);
  // Of eight warps, 16 keys each.
  EXPECT_EQ(layout.sliceBytes, 16 * 528);
  // Rope columns of one block.
  EXPECT_EQ(layout.rope, layout.slices + 8 * layout.sliceBytes);
  EXPECT_EQ(layout.ropeBytes, 16 * 64 * 2);
  EXPECT_EQ(layout.references, layout.rope + 4 * layout.ropeBytes);
  EXPECT_EQ(layout.sums, layout.references + 2 * 16 * 4);
  // Two kinds.
  EXPECT_EQ(layout.sumReferences, layout.sums + 8 * 2 * 16 * 4);
  EXPECT_EQ(layout.exist, layout.sumReferences + 2 * 16 * 4);
  // Of two halves.
  EXPECT_EQ(layout.sliceFull, layout.exist + 8 * 4);
  EXPECT_EQ(layout.sliceFree, layout.sliceFull + 2 * 8 * 8);
  EXPECT_EQ(layout.ropeFree, layout.sliceFree + 2 * 8 * 8);
  EXPECT_EQ(layout.full, layout.ropeFree + 4 * 8);
  EXPECT_EQ(layout.free, layout.full + 2 * 8);
  EXPECT_EQ(layout.sumsFree, layout.sumsFull + 8);
}

// Tiles that the matrix units read.
TEST(SwappedLayout, TilesAreAligned) {
  for (int64_t rope : {0, 64}) {
    SwappedLayout layout(/*stages=*/2, rope);
    for (int64_t tile : {layout.queries, layout.values, layout.valueBytes,
                         layout.probabilities, layout.probabilityBytes})
      EXPECT_EQ(tile % 1024, 0);
  }
}

// Rows of a product are keys 4 apart: each two of them, 64 bytes of each, meet
// all banks.
TEST(SwappedLayout, KeysMeetNoBankTwice) {
  constexpr int64_t kBankBytes = 128;
  for (int64_t key = 0; key < 4; ++key)
    EXPECT_EQ(((key + 4) * SwappedShape::kSlicePitch -
               key * SwappedShape::kSlicePitch) %
                  kBankBytes,
              kBankBytes / 2);
}

// A stage more than the schedule's would not fit.
TEST(SwappedLayout, StagesOfTheSchedule) {
  const Chip *chip = findChip("sm_90a");
  ASSERT_TRUE(chip);
  constexpr int64_t most = SwappedShape::kStages;
  EXPECT_LT(SwappedLayout(most, 64).bytes, chip->sharedBytes);
  EXPECT_GT(SwappedLayout(most + 1, 0).bytes, chip->sharedBytes);
}
