//===- Team.h - the threads that share a row --------------------*- C++ -*-===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_TEAM_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_TEAM_H

#include "Kernel.h"

namespace mlafuse::kernel {

/// Consecutive threads of a block: whole subgroups of them, or an aligned part
/// of one, a power of two. All teams of a block run the same code: where one
/// has several subgroups, its barriers are the block's; where one is part of a
/// subgroup, all of that get here.
class Team {
public:
  /// Divides the kernel's block into teams of `threads`. `thread` (an index) is
  /// this thread's number, the kernel's if null.
  Team(Kernel &kernel, Emitter &e, int64_t threads, mlir::Value thread = {});

  int64_t getThreads() const { return threads; }
  /// This thread's number within its team, and its team's within the block.
  mlir::Value getMember() const { return member; }
  mlir::Value getNumber() const { return number; }
  /// The team is a subgroup, or a part of one.
  bool isSubgroup() const { return threads <= kernel.getChip().subgroupSize; }
  Kernel &getKernel() const { return kernel; }

  /// Folds a scalar of every member; all members get the result, and its bits
  /// depend on the order of members alone.
  mlir::Value reduce(Emitter &e, mlir::Value value, Combine combine) const;

  /// The same for several scalars of one type, which wait for each other once.
  llvm::SmallVector<mlir::Value, 2> reduce(Emitter &e, mlir::ValueRange values,
                                           Combine combine) const;

  /// In a loop over rows: `phase` (an index) is 0 in every other round, else 1.
  /// A fold of a round then does not wait for readers of the round before.
  void setPhase(mlir::Value value) { phase = value; }

  /// Folds over aligned runs of `size` members, a power of two within a
  /// subgroup.
  mlir::Value reduceRuns(Emitter &e, mlir::Value value, int64_t size,
                         Combine combine) const;

private:
  Kernel &kernel;
  int64_t threads;
  mlir::Value member, number, phase;
};

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_TEAM_H
