//===- Combine.h - parts of requests to their results -----------*- C++ -*-===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_COMBINE_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_COMBINE_H

#include "PartSharing.h"

namespace mlafuse::kernel {

/// Launches the kernel that follows attention: outputs and lse of the requests
/// that it cut. With parts i of normalized outputs o_i and sums s_i it writes
/// sum_i s_i o_i / sum_i s_i, in an order that depends on the number of parts
/// and of rows alone. Does nothing if no request is ever cut.
void launchCombine(Emitter &e, const Chip &chip,
                   const AttentionProblem &problem,
                   const AttentionSchedule &schedule,
                   const SplitBuffers &buffers, PartFormat format);

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_COMBINE_H
