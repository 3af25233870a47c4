//===- NarrowLayout.cpp - memory of attention's kernel of few rows --------===//

#include "NarrowLayout.h"
#include "SharedLayout.h"

using namespace mlafuse;
using namespace mlafuse::kernel;

static constexpr int64_t kF32Bytes = 4, kFlagBytes = 4, kBarrierBytes = 8;
/// Bytes that all banks have, and those of a quarter of them.
static constexpr int64_t kBanks = 128, kQuarter = 32;

NarrowLayout::NarrowLayout(int64_t stages, int64_t rope) {
  using Shape = NarrowShape;
  constexpr int64_t rowBytesF32 = Shape::kTileRows * kF32Bytes;
  rowBytes = Shape::kLatent + rope;
  pitch = llvm::alignTo(rowBytes, kQuarter);
  while (pitch % (2 * kQuarter) == 0)
    pitch += kQuarter;
  static_assert(kBanks == 4 * kQuarter);
  stageBytes = Shape::kBlockKeys * pitch;

  ptx::SharedLayout layout;
  keys = layout.add(stages * stageBytes, kBanks);
  messageBytes = Shape::kTileRows * Shape::kBlockKeys * 2;
  probabilities = layout.add(Shape::kMessages * messageBytes, kBanks);
  referenceBytes = rowBytesF32;
  references = layout.add(Shape::kMessages * referenceBytes);
  // A sum of each warp, and the largest score.
  sumBytes = (Shape::kScoreWarps + 1) * rowBytesF32;
  sums = layout.add(Shape::kMessages * sumBytes);
  maxima = layout.add(Shape::kScoreWarps * rowBytesF32);
  // As operands of products of 16 columns, f16.
  queries = layout.add(Shape::kTileRows * (Shape::kLatent + rope) * 2, kBanks);
  // Of two rows, 16 bits each.
  magnitudes = layout.add(rowBytesF32 / 2 * Shape::kScoreWarps);
  exist = layout.add(stages * Shape::kScoreWarps * kFlagBytes);
  full = layout.add(stages * kBarrierBytes, kBarrierBytes);
  free = layout.add(stages * kBarrierBytes, kBarrierBytes);
  published = layout.add(Shape::kMessages * kBarrierBytes, kBarrierBytes);
  consumed = layout.add(Shape::kMessages * kBarrierBytes, kBarrierBytes);
  bytes = layout.getBytes();
}
