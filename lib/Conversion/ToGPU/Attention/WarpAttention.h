//===- WarpAttention.h - latent_attention by mma.sync -----------*- C++ -*-===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_WARPATTENTION_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_WARPATTENTION_H

#include "SplitPlan.h"

namespace mlafuse::kernel {

/// Launches the kernel: results of whole requests, parts of others. Fails, with
/// an error at the op, if the schedule's warps cannot share its tile.
llvm::LogicalResult launchWarpAttention(Emitter &e, const Chip &chip,
                                        const AttentionProblem &problem,
                                        const AttentionSchedule &schedule,
                                        const SplitBuffers &buffers);

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_WARPATTENTION_H
