//===- CheckCacheUpdates.cpp - cache updates that nobody sees -------------===//

#include "MLAFuse/Conversion/Passes.h"

namespace mlafuse {
#define GEN_PASS_DEF_MLAFUSECHECKCACHEUPDATES
#include "MLAFuse/Conversion/Passes.h.inc"
} // namespace mlafuse

using namespace mlir;
using namespace mlafuse;

namespace {

struct CheckCacheUpdates
    : public mlafuse::impl::MLAFuseCheckCacheUpdatesBase<CheckCacheUpdates> {
  void runOnOperation() override {
    bool allUsed = true;
    getOperation()->walk([&](CacheUpdateOp op) {
      if (op->getNumResults() == 0 || !op->use_empty())
        return;
      allUsed = false;
      op.emitOpError("has no user of its result, so the cache stays as it was: "
                     "later readers take the result, and the function returns "
                     "it");
    });
    if (!allUsed)
      signalPassFailure();
  }
};

} // namespace
