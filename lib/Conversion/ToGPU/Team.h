//===- Team.h - the threads that share a row --------------------*- C++ -*-===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_TEAM_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_TEAM_H

#include "Kernel.h"

namespace mlafuse::kernel {

/// Consecutive threads of a block, whole subgroups of them: several teams share
/// a block only if each is one subgroup.
class Team {
public:
  /// Divides the kernel's block into teams of `threads`.
  Team(Kernel &kernel, Emitter &e, int64_t threads);

  int64_t getThreads() const { return threads; }
  /// This thread's number within its team, and its team's within the block.
  mlir::Value getMember() const { return member; }
  mlir::Value getNumber() const { return number; }
  bool isSubgroup() const { return threads == kernel.getChip().subgroupSize; }
  Kernel &getKernel() const { return kernel; }

  /// Folds a scalar f32 of every member; all members get the result, and its
  /// bits depend on the order of members alone.
  mlir::Value reduce(Emitter &e, mlir::Value value, Combine combine) const;

  /// Folds over aligned runs of `size` members, a power of two within a
  /// subgroup.
  mlir::Value reduceRuns(Emitter &e, mlir::Value value, int64_t size,
                         Combine combine) const;

private:
  Kernel &kernel;
  int64_t threads;
  mlir::Value member, number;
};

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_TEAM_H
