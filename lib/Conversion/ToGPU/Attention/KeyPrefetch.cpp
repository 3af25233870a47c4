//===- KeyPrefetch.cpp - a group's first keys to the L2 cache -------------===//

#include "KeyPrefetch.h"
#include "../NVIDIA/GlobalMemory.h"
#include "../NVIDIA/Warp.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;
using ptx::i32;
using ptx::isLessI;
using ptx::plusI;
using ptx::timesI;

static constexpr int64_t kLanes = 32;
/// More are not there before the first are wanted, and then in their way.
static constexpr int64_t kBlocks = 2;

KeyPrefetch::KeyPrefetch(Emitter &e, Kernel &kernel, const KeyLocator &locator,
                         int64_t blockKeys, Value isWarp)
    : locator(locator), blockKeys(blockKeys),
      isOver(kernel.addShared(1, e.getI32Type())) {
  // Long before any warp can have waited; and if not, keys are brought that
  // need not be.
  runIf(e, isWarp, [&](Emitter &e) {
    memref::StoreOp::create(e, i32(e, 0), isOver, rows::index(e, 0));
  });
}

void KeyPrefetch::markEnd(Emitter &e) const {
  memref::StoreOp::create(e, i32(e, 1), isOver, rows::index(e, 0));
}

void KeyPrefetch::emit(Emitter &e, const FirstKeys &first, Value end) const {
  // A lane has keys that lie one after the other, and one entry of the table.
  int64_t runKeys = locator.getRunKeys(blockKeys);
  int64_t runs = std::min(kBlocks * blockKeys / runKeys, kLanes);
  Value lane = ptx::getLane(e);
  Value key =
      plusI(e, timesI(e, first.block, blockKeys), timesI(e, lane, runKeys));
  Value limit = ptx::minI(e, timesI(e, end, blockKeys), first.keys);
  Value isWanted = both(e, first.exist, isLessI(e, key, limit));
  if (runs < kLanes)
    isWanted = both(e, isWanted, isLessI(e, lane, i32(e, runs)));
  // Not from the L1 cache, nor into it: entries may still be written.
  Value entry = ptx::peekGlobalIf(
      e, isWanted, locator.getEntryAddress(e, first.request, first.keys, key));
  KeyAddress place = locator.locate(e, entry, first.keys, key);
  Value isLate = memref::LoadOp::create(e, isOver, rows::index(e, 0));
  isWanted = both(e, isWanted, ptx::isEqualI(e, isLate, 0));
  ptx::prefetchToL2(e, both(e, isWanted, place.exists), place.address,
                    runKeys * locator.getWidthBytes());
}
