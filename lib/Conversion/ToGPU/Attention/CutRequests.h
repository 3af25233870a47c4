//===- CutRequests.h - the requests that a plan has cut ---------*- C++ -*-===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_CUTREQUESTS_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_CUTREQUESTS_H

#include "SplitPlan.h"

namespace mlafuse::kernel {

/// A request whose parts are in the groups from `firstGroup` on; all i32.
struct CutRequest {
  mlir::Value firstGroup, request, parts;
};

/// The requests that SplitPlan::storeParts told of, in order, in the shared
/// memory of a block.
class CutRequests {
public:
  /// Emitted where all threads of the block are. Groups are at most
  /// `maxGroups`.
  CutRequests(Emitter &e, Kernel &kernel, const SplitBuffers &buffers,
              int64_t maxGroups);

  mlir::Value getCount() const { return count; }
  CutRequest get(Emitter &e, mlir::Value i) const;

private:
  mlir::Value list, count;
};

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_CUTREQUESTS_H
