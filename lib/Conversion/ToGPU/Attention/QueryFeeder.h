//===- QueryFeeder.h - a part's queries to shared memory --------*- C++ -*-===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_QUERYFEEDER_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_QUERYFEEDER_H

#include "SplitPlan.h"
#include "WarpgroupBlock.h"

namespace mlafuse::kernel {

/// Copies the queries of a part once their memory is free; `parts` (i32) is how
/// many parts with keys came before. All threads of a loader, `thread` (i32) is
/// its number.
void bringQueries(Emitter &e, const WarpgroupBlock &block,
                  const AttentionInputs &inputs, const SplitPlan &plan,
                  mlir::Value thread, const Part &part, mlir::Value parts);

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_QUERYFEEDER_H
