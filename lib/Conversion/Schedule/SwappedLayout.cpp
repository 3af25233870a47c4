//===- SwappedLayout.cpp - memory of attention's swapped kernel -----------===//

#include "SwappedLayout.h"
#include "SharedLayout.h"

using namespace mlafuse;
using namespace mlafuse::kernel;

static constexpr int64_t kElementBytes = 2, kF32Bytes = 4, kWordBytes = 4;
static constexpr int64_t kBarrierBytes = 8;
/// What a thread reads at a time.
static constexpr int64_t kPieceBytes = 16;
/// Bytes that all banks have.
static constexpr int64_t kBanks = 128;

SwappedLayout::SwappedLayout(int64_t stages, int64_t rope) {
  using Shape = SwappedShape;
  constexpr int64_t tile = ptx::SharedLayout::kAlignment;
  constexpr int64_t rowBytesF32 = Shape::kTileRows * kF32Bytes;
  constexpr int64_t warps = Shape::kScoreGroups * Shape::kGroupWarps;
  ptx::SharedLayout layout;
  queries = layout.add(
      Shape::kTileRows * (Shape::kLatent + rope) * kElementBytes, tile);
  probabilityBytes = Shape::kTileRows * Shape::kBlockKeys * kElementBytes;
  probabilities =
      layout.add(Shape::kMessages * Shape::kScales * probabilityBytes, tile);
  rowBytes = Shape::kRopeOffset + rope * kElementBytes;
  stageBytes = Shape::kBlockKeys * rowBytes;
  keys = layout.add(stages * stageBytes, kBanks);
  // Of rows, and of each scale of them twice; and flags, in a piece of their
  // own.
  referenceBytes = (1 + 2 * Shape::kScales) * rowBytesF32 + kPieceBytes;
  references = layout.add(Shape::kMessages * referenceBytes);
  sums = layout.add(warps * rowBytesF32);
  sumReferences = layout.add(Shape::kScoreGroups * rowBytesF32);
  // Of each warp, which reads pieces.
  totals = layout.add(Shape::kGroupWarps * (1 + Shape::kScales) * rowBytesF32,
                      kPieceBytes);
  // Of both halves of each row.
  magnitudes = layout.add(2 * Shape::kGroupWarps * rowBytesF32, kPieceBytes);
  exist = layout.add(stages * Shape::kGroupWarps * kWordBytes);
  full = layout.add(stages * kBarrierBytes, kBarrierBytes);
  free = layout.add(stages * kBarrierBytes, kBarrierBytes);
  published = layout.add(Shape::kMessages * kBarrierBytes, kBarrierBytes);
  consumed = layout.add(Shape::kMessages * kBarrierBytes, kBarrierBytes);
  decided = layout.add(Shape::kMessages * kBarrierBytes, kBarrierBytes);
  sumsFull = layout.add(kBarrierBytes, kBarrierBytes);
  sumsFree = layout.add(kBarrierBytes, kBarrierBytes);
  bytes = layout.getBytes();
}
