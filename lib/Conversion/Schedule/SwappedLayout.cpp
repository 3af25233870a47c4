//===- SwappedLayout.cpp - memory of attention's swapped kernel -----------===//

#include "SwappedLayout.h"
#include "SharedLayout.h"

using namespace mlafuse;
using namespace mlafuse::kernel;

static constexpr int64_t kElementBytes = 2, kF32Bytes = 4, kWordBytes = 4;
static constexpr int64_t kBarrierBytes = 8;
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
  valueBytes = Shape::kBlockKeys * Shape::kLatent * kElementBytes;
  values = layout.add(stages * valueBytes, tile);
  probabilityBytes = Shape::kTileRows * Shape::kBlockKeys * kElementBytes;
  probabilities = layout.add(stages * probabilityBytes, tile);
  referenceBytes = rowBytesF32;
  sliceBytes = Shape::kWarpKeys * Shape::kSlicePitch;
  slices = layout.add(warps * sliceBytes, kBanks);
  ropeBytes = Shape::kWarpKeys * rope * kElementBytes;
  this->rope = layout.add(Shape::kGroupWarps * ropeBytes, kBanks);
  references = layout.add(stages * referenceBytes);
  sums = layout.add(warps * Shape::kSumKinds * rowBytesF32);
  sumReferences = layout.add(Shape::kScoreGroups * rowBytesF32);
  exist = layout.add(warps * kWordBytes);
  constexpr int64_t halves = warps * Shape::kHalves;
  sliceFull = layout.add(halves * kBarrierBytes, kBarrierBytes);
  sliceFree = layout.add(halves * kBarrierBytes, kBarrierBytes);
  ropeFree = layout.add(Shape::kGroupWarps * kBarrierBytes, kBarrierBytes);
  full = layout.add(stages * kBarrierBytes, kBarrierBytes);
  free = layout.add(stages * kBarrierBytes, kBarrierBytes);
  decided = layout.add(stages * kBarrierBytes, kBarrierBytes);
  sumsFull = layout.add(kBarrierBytes, kBarrierBytes);
  sumsFree = layout.add(kBarrierBytes, kBarrierBytes);
  bytes = layout.getBytes();
}
