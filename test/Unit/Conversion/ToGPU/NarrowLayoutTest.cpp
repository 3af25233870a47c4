//===- NarrowLayoutTest.cpp - memory of attention's kernel of few rows ----===//

#include "../Schedule/NarrowLayout.h"
#include "MLAFuse/Target/Chip.h"
#include "gtest/gtest.h"
#include <set>

using namespace mlafuse;
using kernel::NarrowLayout;
using kernel::NarrowShape;

/// Four-byte words that all banks have.
static constexpr int64_t kBanks = 32;

/// The banks of `bytes` of each of some rows, from their starts on: as many as
/// the bytes are if none is met twice.
static size_t countBanks(int64_t pitch, std::initializer_list<int64_t> rows,
                         int64_t bytes) {
  std::set<int64_t> banks;
  for (int64_t row : rows)
    for (int64_t byte = 0; byte < bytes; byte += 4)
      banks.insert((row * pitch + byte) / 4 % kBanks);
  return banks.size();
}

TEST(NarrowLayout, RowsMeetNoBankTwice) {
  struct Row {
    int64_t rope, bytes, pitch;
  };
  for (Row row : {Row{64, 576, 608}, Row{0, 512, 544}}) {
    NarrowLayout layout(/*stages=*/2, row.rope);
    EXPECT_EQ(layout.rowBytes, row.bytes);
    EXPECT_EQ(layout.pitch, row.pitch);
    // Two columns of a product of scores: 64 bytes of keys t and 4 + (t ^ 2).
    for (int64_t t = 0; t < 4; ++t)
      EXPECT_EQ(countBanks(layout.pitch, {t, 4 + (t ^ 2)}, 64), kBanks);
    // A pair of a product of values: 32 bytes of four keys.
    EXPECT_EQ(countBanks(layout.pitch, {0, 1, 2, 3}, 32), kBanks);
    EXPECT_EQ(countBanks(layout.pitch, {6, 7, 4, 5}, 32), kBanks);
  }
}

TEST(NarrowLayout, PiecesDoNotOverlap) {
  NarrowLayout layout(/*stages=*/3, /*rope=*/64);
  EXPECT_EQ(layout.stageBytes, 64 * 608);
  EXPECT_EQ(layout.probabilities, layout.keys + 3 * layout.stageBytes);
  EXPECT_EQ(layout.messageBytes, 16 * 64 * 2);
  EXPECT_EQ(layout.references, layout.probabilities + 2 * layout.messageBytes);
  EXPECT_EQ(layout.magnitudes - layout.queries, 16 * 576 * 2);
  EXPECT_EQ(layout.free, layout.full + 3 * 8);
}

// A stage more than the schedule's would not fit.
TEST(NarrowLayout, StagesOfTheSchedule) {
  const Chip *chip = findChip("sm_90a");
  ASSERT_TRUE(chip);
  constexpr int64_t most = NarrowShape::kMaxStages;
  EXPECT_LT(NarrowLayout(most, 64).bytes, chip->sharedBytes);
  EXPECT_GT(NarrowLayout(most + 1, 64).bytes, chip->sharedBytes);
}
