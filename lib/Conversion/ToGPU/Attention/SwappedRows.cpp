//===- SwappedRows.cpp - rows of a warp's keys ----------------------------===//

#include "SwappedRows.h"
#include "../NVIDIA/Warp.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;
using ptx::plusI;
using ptx::timesI;

static constexpr int64_t kWarpKeys = SwappedBlock::kWarpKeys;

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
    : inputs(inputs), locator(locator),
      key(plusI(e, timesI(e, warp, kWarpKeys),
                ptx::moduloI(e, lane, kWarpKeys))) {}

Part SwappedRowFinder::limitKeys(Emitter &e, const Part &part) {
  Part limited = part;
  Value end = timesI(e, part.end, SwappedBlock::kBlockKeys);
  limited.keys = ptx::minI(e, part.keys, end);
  return limited;
}

Value SwappedRowFinder::getKey(Emitter &e, Value number) const {
  return plusI(e, timesI(e, number, SwappedBlock::kBlockKeys), key);
}

Value SwappedRowFinder::loadEntry(Emitter &e, const Part &part,
                                  Value number) const {
  return locator.loadEntry(e, part.request, part.keys, getKey(e, number));
}

SwappedRows SwappedRowFinder::find(Emitter &e, const Part &part, Value entry,
                                   Value number) const {
  KeyAddress found = locator.locate(e, entry, part.keys, getKey(e, number));
  // A query has more bytes than a key.
  Value other = inputs.getLatentQuery(e, inputs.getFirstRow(e, part.request));
  Value flag = arith::ExtUIOp::create(e, e.getI32Type(), found.exists);
  return {arith::SelectOp::create(e, found.exists, found.address, other),
          ptx::ballot(e, flag)};
}
