//===- CombineTeam.h - warps that share a piece's parts ---------*- C++ -*-===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_COMBINETEAM_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_COMBINETEAM_H

#include "../Kernel.h"
#include "CombineShare.h"
#include "PartSums.h"

namespace mlafuse::kernel {

/// Adds up through shared memory what the warps of a team came to.
class CombineTeam {
public:
  /// Declares what all warps of the block take of shared memory. `sharing` is
  /// used by `add`.
  CombineTeam(Emitter &e, Kernel &kernel, mlir::Value warp,
              const PartSharing &sharing);

  /// What the team came to, for each of its warps, or `sums` if a warp has no
  /// team. Has barriers: all warps of a unit that has teams get here.
  PartSums add(Emitter &e, const PartSums &sums) const;

private:
  PartSums addAll(Emitter &e, const PartSums &own) const;

  const PartSharing &sharing;
  int64_t lanes;    ///< Of a warp.
  mlir::Value warp; ///< Of the block.
  /// Shared: of each warp the columns, and what they are relative to.
  mlir::Value columnSums, bases, totals;
};

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_COMBINETEAM_H
