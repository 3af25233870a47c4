//===- NarrowAttention.h - latent_attention of few rows ---------*- C++ -*-===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_NARROWATTENTION_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_NARROWATTENTION_H

#include "SplitPlan.h"

namespace mlafuse::kernel {

/// Whether the kernel takes this problem with this schedule.
bool hasNarrowAttention(const AttentionProblem &problem,
                        const AttentionSchedule &schedule);

/// Launches the kernel: results of whole requests, parts of others.
void launchNarrowAttention(Emitter &e, const Chip &chip,
                           const AttentionProblem &problem,
                           const AttentionSchedule &schedule,
                           const SplitBuffers &buffers);

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_NARROWATTENTION_H
