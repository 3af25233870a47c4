//===- RoleKernel.h - kernels whose warps have roles ------------*- C++ -*-===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_ROLEKERNEL_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_ROLEKERNEL_H

#include "AttentionProblem.h"

namespace mlafuse::kernel {

struct SplitBuffers;

/// An attention kernel whose warps have roles, which meet at mbarriers.
struct RoleKernel {
  Kernel kernel;
  Emitter body;
  mlir::Value thread; ///< i32.

  RoleKernel(Emitter &e, const Chip &chip, const SplitBuffers &buffers,
             int64_t threads);

  /// One thread runs `initBarriers`; then all wait for the launch ahead, but of
  /// a problem that reads early, and let the next one start. A barrier of the
  /// block has to follow.
  void start(const AttentionProblem &problem, int64_t sharedBytes,
             llvm::function_ref<void(Emitter &)> initBarriers);
};

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_ROLEKERNEL_H
