//===- SwappedLayoutTest.cpp - memory of attention's swapped kernel -------===//

#include "../Schedule/SwappedLayout.h"
#include "MLAFuse/Target/Chip.h"
#include "gtest/gtest.h"
#include <set>

using namespace mlafuse;
using kernel::SwappedLayout;
using kernel::SwappedShape;

TEST(SwappedLayout, PiecesDoNotOverlap) {
  SwappedLayout layout(/*stages=*/3, /*rope=*/64);
  // Of two messages, for each of four scales.
  EXPECT_EQ(layout.probabilities, layout.queries + 16 * 576 * 2);
  EXPECT_EQ(layout.probabilityBytes, 16 * 64 * 2);
  EXPECT_EQ(layout.keys,
            layout.probabilities + 2 * 4 * layout.probabilityBytes);
  // Rows as the cache has them.
  EXPECT_EQ(layout.rowBytes, 656);
  EXPECT_EQ(layout.stageBytes, 64 * 656);
  EXPECT_EQ(layout.references, layout.keys + 3 * layout.stageBytes);
  // Of 16 rows, and twice of each scale of them; flags.
  EXPECT_EQ(layout.referenceBytes, (16 + 2 * 16 * 4) * 4 + 16);
  EXPECT_EQ(layout.sums, layout.references + 2 * layout.referenceBytes);
  EXPECT_EQ(layout.sumReferences, layout.sums + 8 * 16 * 4);
  EXPECT_EQ(layout.totals, layout.sumReferences + 2 * 16 * 4);
  EXPECT_EQ(layout.magnitudes, layout.totals + 4 * (16 + 16 * 4) * 4);
  // Of two halves of 16 rows, of four warps.
  EXPECT_EQ(layout.exist, layout.magnitudes + 16 * 2 * 4 * 4);
  EXPECT_EQ(layout.full, layout.exist + 3 * 4 * 4);
  EXPECT_EQ(layout.free, layout.full + 3 * 8);
  EXPECT_EQ(layout.published, layout.free + 3 * 8);
  EXPECT_EQ(layout.consumed, layout.published + 2 * 8);
  EXPECT_EQ(layout.decided, layout.consumed + 2 * 8);
  EXPECT_EQ(layout.sumsFull, layout.decided + 2 * 8);
  EXPECT_EQ(layout.sumsFree, layout.sumsFull + 8);
  EXPECT_GE(layout.bytes, layout.sumsFree + 8);
}

// Tiles that the matrix units read, and what is copied 16 bytes at a time.
TEST(SwappedLayout, TilesAreAligned) {
  for (int64_t rope : {0, 64}) {
    SwappedLayout layout(/*stages=*/2, rope);
    for (int64_t tile :
         {layout.queries, layout.probabilities, layout.probabilityBytes})
      EXPECT_EQ(tile % 1024, 0);
    for (int64_t place :
         {layout.keys, layout.stageBytes, layout.rowBytes,
          SwappedShape::kScaleOffset, SwappedShape::kRopeOffset,
          layout.references, layout.referenceBytes, layout.exist})
      EXPECT_EQ(place % 16, 0);
  }
}

// Rows of scores' products are keys 4 apart: each two of them, 64 bytes of
// each, meet all banks. So do 16 bytes of eight keys, which a matrix of values
// is.
TEST(SwappedLayout, KeysMeetNoBankTwice) {
  constexpr int64_t kBankBytes = 128;
  for (int64_t rope : {0, 64}) {
    int64_t rowBytes = SwappedLayout(/*stages=*/2, rope).rowBytes;
    EXPECT_EQ(4 * rowBytes % kBankBytes, kBankBytes / 2);
    std::set<int64_t> places;
    for (int64_t key = 0; key < 8; ++key)
      places.insert(key * rowBytes % kBankBytes / 16);
    EXPECT_EQ(places.size(), 8u);
  }
}

// A stage more than the schedule's would not fit.
TEST(SwappedLayout, StagesOfTheSchedule) {
  const Chip *chip = findChip("sm_90a");
  ASSERT_TRUE(chip);
  constexpr int64_t most = SwappedShape::kMaxStages;
  EXPECT_LT(SwappedLayout(most, 64).bytes, chip->sharedBytes);
  EXPECT_GT(SwappedLayout(most + 1, 64).bytes, chip->sharedBytes);
}
