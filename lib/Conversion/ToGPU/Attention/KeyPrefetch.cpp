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
      isOver(ptx::getSharedAddress(e, kernel.addShared(1, e.getI32Type()))) {
  // Ahead of the others' wait, as far as a store is. Were it not, keys would be
  // brought that need not be.
  runIf(e, isWarp, [&](Emitter &e) { ptx::storeShared(e, isOver, i32(e, 0)); });
}

void KeyPrefetch::markEnd(Emitter &e) const {
  ptx::storeShared(e, isOver, i32(e, 1));
}

/// Whether the condition holds and the end is not marked, which is looked at
/// when the condition is known: it may have waited for memory.
Value KeyPrefetch::ifNotOver(Emitter &e, Value condition) const {
  Value over = ptx::loadSharedIf(e, condition, isOver, /*otherwise=*/1);
  return ptx::isEqualI(e, over, 0);
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
  isWanted = ifNotOver(e, isWanted);
  // Not from the L1 cache, nor into it: entries may still be written.
  Value entry = ptx::peekGlobalIf(
      e, isWanted, locator.getEntryAddress(e, first.request, first.keys, key));
  KeyAddress place = locator.locate(e, entry, first.keys, key);
  ptx::prefetchToL2(e, ifNotOver(e, both(e, isWanted, place.exists)),
                    place.address, runKeys * locator.getWidthBytes());
}
