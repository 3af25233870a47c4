//===- WarpLayout.cpp - memory of attention's kernel of warps -------------===//

#include "WarpLayout.h"
#include "Parameters.h"
#include "SharedLayout.h"

using namespace mlafuse;
using namespace mlafuse::kernel;

/// Columns of a swizzled tile are padded to whole boxes.
static constexpr int64_t kBoxColumns = 64;

WarpLayout::WarpLayout(const AttentionSchedule &s, int64_t width) {
  using ptx::SharedLayout;
  int64_t rowBytes =
      llvm::alignTo(width, kBoxColumns) * schedule::kElementBytes;
  SharedLayout layout;
  queries = layout.add(s.tileRows * rowBytes, SharedLayout::kAlignment);
  stageBytes = s.blockKeys * rowBytes;
  keys = layout.add(s.stages * stageBytes, SharedLayout::kAlignment);
  found = layout.add(s.stages * s.blockKeys * kFoundBytes);
  flags =
      layout.add(s.stages * llvm::alignTo(s.blockKeys, kFlagKeys) * kFlagBytes);
  bytes = layout.getBytes();
}
