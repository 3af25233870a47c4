//===- WarpKeys.cpp - keys of a block that a loader's warp has ------------===//

#include "WarpKeys.h"
#include "../NVIDIA/Warp.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;
using ptx::i32;
using ptx::plusI;
using ptx::timesI;

static constexpr int64_t kLanes = 32;

Value WarpKeys::getOwn(Emitter &e, Value warp, Value lane) {
  return plusI(e, timesI(e, warp, kWarpKeys), ptx::moduloI(e, lane, kWarpKeys));
}

Value WarpKeys::get(Emitter &e, Value number, Value own) {
  return plusI(e, timesI(e, number, kBlockKeys), own);
}

Value WarpKeys::areRun(Emitter &e, const KeyLocator &locator,
                       const KeyAddress &key, Value first, int64_t rowBytes) {
  Value follows = key.exists;
  bool isKnown =
      locator.hasPagesOfBlocks(kBlockKeys) && locator.getRowBytes() == rowBytes;
  if (!isKnown) {
    Value ofFirst = ptx::ofLaneI64(e, first, i32(e, 0));
    follows = both(
        e, follows,
        arith::CmpIOp::create(e, arith::CmpIPredicate::eq, first, ofFirst));
  }
  return ptx::holdsInAllLanes(e, follows);
}

Value kernel::getFirstEntryAddress(Emitter &e, const KeyLocator &locator,
                                   const FirstKeys &first, Value thread,
                                   int64_t firstThread) {
  Value own = plusI(e, thread, -firstThread);
  Value isLoader =
      arith::CmpIOp::create(e, arith::CmpIPredicate::sge, own, i32(e, 0));
  Value key = WarpKeys::get(e, first.block,
                            WarpKeys::getOwn(e, ptx::dividedByI(e, own, kLanes),
                                             ptx::moduloI(e, own, kLanes)));
  Value address = locator.getEntryAddress(e, first.request, first.keys, key);
  return arith::SelectOp::create(e, both(e, isLoader, first.exist), address,
                                 ptx::i64(e, 0));
}
