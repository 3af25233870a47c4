//===- SplitDivision.h - how large the groups' parts are --------*- C++ -*-===//
//
// Of the rules that give every group nearly as little work as equal parts do,
// the one that cuts fewest requests:
//
//   whole    more requests than groups: as many requests for each group
//   aligned  requests begin where groups do: no group has two parts
//   equal    every group has the same, wherever that cuts
//
// A request's cost is padded to a multiple of `unit`, which makes the
// difference between the rules.
//
//===----------------------------------------------------------------------===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_SPLITDIVISION_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_SPLITDIVISION_H

#include "../NVIDIA/Asm.h"
#include "MLAFuse/Conversion/Schedule.h"

namespace mlafuse::kernel {

/// All i32.
struct SplitDivision {
  /// What costs are padded to a multiple of; `unitsPerGroup` is one too.
  mlir::Value unit;
  mlir::Value unitsPerGroup;

  /// `cost` padded.
  mlir::Value pad(Emitter &e, mlir::Value cost) const;
};

/// What there is to divide; i32 values.
struct SplitWork {
  mlir::Value groups, requests;
  mlir::Value total, most; ///< The sum of all costs, and the largest.
};

SplitDivision divideWork(Emitter &e, const AttentionSchedule &schedule,
                         const SplitWork &work);

/// ceil(a / b) of i32 values >= 0.
mlir::Value ceilDivI(Emitter &e, mlir::Value a, mlir::Value b);

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_SPLITDIVISION_H
