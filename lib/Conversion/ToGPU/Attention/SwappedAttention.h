//===- SwappedAttention.h - latent_attention, keys on the left --*- C++ -*-===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_SWAPPEDATTENTION_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_SWAPPEDATTENTION_H

#include "SplitPlan.h"

namespace mlafuse::kernel {

/// Whether the kernel takes this problem with this schedule.
bool hasSwappedAttention(const AttentionProblem &problem,
                         const AttentionSchedule &schedule);

/// Launches the kernel: results of whole requests, parts of others.
void launchSwappedAttention(Emitter &e, const Chip &chip,
                            const AttentionProblem &problem,
                            const AttentionSchedule &schedule,
                            const SplitBuffers &buffers);

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_SWAPPEDATTENTION_H
