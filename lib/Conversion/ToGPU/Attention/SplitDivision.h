//===- SplitDivision.h - how large the groups' parts are --------*- C++ -*-===//
//
// Of the rules that give every group nearly as little work as equal parts do,
// the one that cuts fewest requests:
//
//   whole    more requests than groups: as many requests for each group
//   aligned  requests begin where groups do: no group has two parts
//   equal    every group has the same, wherever that cuts
//
// A request's cost is its key blocks and `overhead`, padded to a multiple of
// `unit`, which makes the difference between the rules. A group with one part
// cannot trade what starting it costs for keys: aligned requests cost their key
// blocks alone.
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
  /// Ahead of the key blocks of a request.
  mlir::Value overhead;

  /// The units of a request with `blocks` key blocks, maybe none: one unit at
  /// least, so that some group has it.
  mlir::Value getUnits(Emitter &e, mlir::Value blocks) const;
};

/// With which rule it is (i1), of which one may hold.
struct RuledDivision : SplitDivision {
  mlir::Value isAligned, isWhole;
};

/// What there is to divide; i32 values.
struct SplitWork {
  mlir::Value groups, requests;
  /// Of all requests' key blocks, each with the schedule's overhead: the sum,
  /// and the largest.
  mlir::Value total, most;
  /// Key blocks of a part if the longest request is spread over as many groups
  /// as limitGroups has it; 1 at least. Null: it follows from `most`.
  mlir::Value aligned;
};

/// Of `each` groups (i32) that there are for each request as many as the
/// schedule lets it have parts; 1 at least.
mlir::Value limitGroups(Emitter &e, const AttentionSchedule &schedule,
                        mlir::Value each);
RuledDivision divideWork(Emitter &e, const AttentionSchedule &schedule,
                         const SplitWork &work);

/// Divides small integers, as i32 values: four instructions, where a division
/// of any two is a chain of twenty.
class SmallDivisor {
public:
  /// What is divided is less.
  static constexpr int64_t kEnd = 1 << 21;

  /// `divisor` is above 0.
  SmallDivisor(Emitter &e, mlir::Value divisor);
  /// floor(value / divisor).
  mlir::Value getFloor(Emitter &e, mlir::Value value) const;
  /// max(ceil(value / divisor), 1).
  mlir::Value getParts(Emitter &e, mlir::Value value) const;

private:
  mlir::Value inverse; ///< f32.
};

/// Divides any i32 values >= 0 whose quotients are less than 2^20: eight
/// instructions.
class FewDivisor {
public:
  /// `divisor` is above 0.
  FewDivisor(Emitter &e, mlir::Value divisor);
  /// floor(value / divisor).
  mlir::Value getFloor(Emitter &e, mlir::Value value) const;

private:
  mlir::Value divisor;
  mlir::Value inverse; ///< f32.
};

/// ceil(a / b) of i32 values >= 0.
mlir::Value ceilDivI(Emitter &e, mlir::Value a, mlir::Value b);

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_SPLITDIVISION_H
