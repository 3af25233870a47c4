//===- WarpgroupShape.h - what the warpgroup kernel is made for -*- C++ -*-===//
#ifndef MLAFUSE_LIB_CONVERSION_SCHEDULE_WARPGROUPSHAPE_H
#define MLAFUSE_LIB_CONVERSION_SCHEDULE_WARPGROUPSHAPE_H

#include <cstdint>

namespace mlafuse::kernel {

/// The one schedule of attention's kernel of warpgroups, and its keys.
struct WarpgroupShape {
  static constexpr int64_t kTileRows = 64;
  static constexpr int64_t kBlockKeys = 64;
  static constexpr int64_t kStages = 2;
  static constexpr int64_t kAttenders = 2; ///< Warpgroups that multiply.
  static constexpr int64_t kLatent = 512;
  static constexpr int64_t kRope = 64; ///< Or 0.
};

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_SCHEDULE_WARPGROUPSHAPE_H
