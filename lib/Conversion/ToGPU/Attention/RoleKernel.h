//===- RoleKernel.h - kernels whose warps have roles ------------*- C++ -*-===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_ROLEKERNEL_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_ROLEKERNEL_H

#include "KeyLocator.h"
#include "SplitPlan.h"

namespace mlafuse::kernel {

/// An attention kernel whose warps have roles, which meet at mbarriers.
struct RoleKernel {
  Kernel kernel;
  Emitter body;
  mlir::Value thread; ///< i32.

  RoleKernel(Emitter &e, const Chip &chip, const SplitBuffers &buffers,
             int64_t threads);

  /// One thread runs `initBarriers`. Between this and makePlan nothing is read
  /// that launches ahead may write: one of the two waits for them, but of a
  /// problem that reads early, and lets the next one start.
  void start(const AttentionProblem &problem, int64_t sharedBytes,
             llvm::function_ref<void(Emitter &)> initBarriers);
  /// Ends in a barrier of the block. `address` as SplitPlan::create has it.
  /// Warp `prefetcher` takes care of the first keys meanwhile (KeyPrefetch),
  /// and may be late: one that has the least to do at first.
  SplitPlan makePlan(const AttentionInputs &inputs,
                     const AttentionSchedule &schedule,
                     const SplitBuffers &buffers, const KeyLocator &locator,
                     int64_t prefetcher, SplitPlan::FirstAddress address = {});

private:
  bool plansAhead = false; ///< Whether makePlan waits.
};

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_ROLEKERNEL_H
