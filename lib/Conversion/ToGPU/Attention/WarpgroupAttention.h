//===- WarpgroupAttention.h - latent_attention by wgmma ---------*- C++ -*-===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_WARPGROUPATTENTION_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_WARPGROUPATTENTION_H

#include "SplitPlan.h"

namespace mlafuse::kernel {

/// Whether the kernel is made for this shape, these types and this schedule; if
/// not, launchWarpAttention's is.
bool hasWarpgroupAttention(const AttentionProblem &problem,
                           const AttentionSchedule &schedule);

/// How it stores parts.
PartFormat getWarpgroupFormat(const AttentionProblem &problem);

/// Launches it: results of whole requests, parts of others.
void launchWarpgroupAttention(Emitter &e, const Chip &chip,
                              const AttentionProblem &problem,
                              const AttentionSchedule &schedule,
                              const SplitBuffers &buffers);

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_WARPGROUPATTENTION_H
