//===- SwappedRows.cpp - rows of a warp's keys ----------------------------===//

#include "SwappedRows.h"
#include "../NVIDIA/Warp.h"
#include "WarpKeys.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;
using ptx::plusI;
using ptx::timesI;

static_assert(SwappedBlock::kWarpKeys == WarpKeys::kWarpKeys &&
              SwappedBlock::kBlockKeys == WarpKeys::kBlockKeys);

Value SwappedRows::getAddress(Emitter &e, Value key, Value bytes) const {
  return plusI(e, ptx::ofLaneI64(e, address, key), ptx::toI64(e, bytes));
}

Value SwappedRows::exists(Emitter &e, Value key) const {
  Value bits = arith::ShRUIOp::create(e, exist, key);
  return ptx::isEqualI(e, ptx::moduloI(e, bits, 2), 1);
}

SwappedRowFinder::SwappedRowFinder(Emitter &e, const AttentionInputs &inputs,
                                   const KeyLocator &locator, Value warp,
                                   Value lane)
    : inputs(inputs), locator(locator), own(WarpKeys::getOwn(e, warp, lane)) {}

Part SwappedRowFinder::limitKeys(Emitter &e, const Part &part) {
  Part limited = part;
  Value end = timesI(e, part.end, SwappedBlock::kBlockKeys);
  limited.keys = ptx::minI(e, part.keys, end);
  return limited;
}

Value SwappedRowFinder::getKey(Emitter &e, Value number) const {
  return WarpKeys::get(e, number, own);
}

Value SwappedRowFinder::loadEntry(Emitter &e, Value request, Value keys,
                                  Value number) const {
  return locator.loadEntry(e, request, keys, getKey(e, number));
}

KeyAddress SwappedRowFinder::locate(Emitter &e, Value entry, Value keys,
                                    Value number) const {
  return locator.locate(e, entry, keys, getKey(e, number));
}

SwappedRows SwappedRowFinder::find(Emitter &e, const Part &part, Value entry,
                                   Value number) const {
  KeyAddress found = locate(e, entry, part.keys, number);
  // A query has more bytes than a key.
  Value other = inputs.getLatentQuery(e, inputs.getFirstRow(e, part.request));
  Value flag = arith::ExtUIOp::create(e, e.getI32Type(), found.exists);
  return {arith::SelectOp::create(e, found.exists, found.address, other),
          ptx::ballot(e, flag)};
}
