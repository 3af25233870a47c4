//===- FragmentStore.cpp - a product's rows to the output -----------------===//

#include "FragmentStore.h"
#include "../NVIDIA/Barriers.h"
#include "../NVIDIA/Parts.h"
#include "../NVIDIA/Warp.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;
using namespace mlafuse::kernel::projection;

static constexpr int64_t kChunkBytes = 16;
/// Matrices that one instruction stores: a chunk of eight rows each.
static constexpr int64_t kMatrices = 4;
/// Shared memory has all its banks in so many bytes.
static constexpr int64_t kBankBytes = 128;

bool FragmentStore::supports(int64_t columns, int64_t bits) {
  int64_t rowBytes = columns * bits / 8;
  return rowBytes % (kMatrices * kChunkBytes) == 0 &&
         rowBytes <= kWarpThreads * kChunkBytes &&
         llvm::isPowerOf2_64(rowBytes);
}

Value FragmentStore::getPlace(Emitter &e, Value row, Value chunk,
                              int64_t rowBytes) {
  // Neither the chunks of a column, which a matrix is stored as, nor those that
  // eight lanes read of a row meet in a bank.
  int64_t chunks = rowBytes / kChunkBytes;
  Value order = ptx::moduloI(
      e, ptx::dividedByI(e, row, std::max<int64_t>(1, kBankBytes / rowBytes)),
      std::min(chunks, kBankBytes / kChunkBytes));
  return ptx::plusI(
      e, ptx::timesI(e, row, rowBytes),
      ptx::timesI(e, arith::XOrIOp::create(e, chunk, order), kChunkBytes));
}

ptx::Address FragmentStore::getChunk(Emitter &e, Value row, Value chunk) const {
  return staging.advance(e, getPlace(e, row, chunk, getChunks() * kChunkBytes));
}

ptx::Registers FragmentStore::order(Emitter &e, ValueRange words) const {
  // A word has two elements for each eight columns, from the lane's first on.
  ptx::Registers ordered;
  if (bits == 16)
    return ptx::Registers(words);
  if (bits == 8) {
    for (bool high : {false, true})
      for (int64_t i = 0; i < kRowLanes; i += 2)
        ordered.push_back(ptx::selectHalves(e, words[i], words[i + 1], high));
    return ordered;
  }
  for (int64_t first : {0, 2}) {
    Value low = ptx::interleaveBytes(e, words[0], words[1], first);
    Value high = ptx::interleaveBytes(e, words[2], words[3], first);
    for (bool isHigh : {false, true})
      ordered.push_back(ptx::selectHalves(e, low, high, isHigh));
  }
  return ordered;
}

void FragmentStore::store(Emitter &e, ValueRange words, const RowsPlace &place,
                          Write write) const {
  // The lanes may still read the rows before.
  ptx::syncWarp(e);
  for (int64_t first = 0; first < getChunks(); first += kMatrices) {
    Value chunk = ptx::plusI(e, ptx::dividedByI(e, lane, kHalfRows), first);
    ptx::storeMatrices(e, getChunk(e, ptx::moduloI(e, lane, kHalfRows), chunk),
                       words.slice(first, kMatrices), /*transposed=*/false);
  }
  ptx::syncWarp(e);
  Value row = ptx::dividedByI(e, lane, getChunks());
  Value chunk = ptx::moduloI(e, lane, getChunks());
  Value column = ptx::timesI(e, chunk, getChunkColumns());
  int64_t rowsAtOnce = kWarpThreads / getChunks();
  for (int64_t first = 0; first < kHalfRows; first += rowsAtOnce) {
    Value current = ptx::plusI(e, row, first);
    ptx::Registers stored = ptx::loadShared(e, getChunk(e, current, chunk),
                                            e.getI32Type(), kRowLanes);
    Value vector = vector::FromElementsOp::create(
        e, VectorType::get({kRowLanes}, e.getI32Type()), order(e, stored));
    Value outputRow = place.getRow(e, current);
    runIf(e, ptx::isLessI(e, outputRow, place.rows),
          [&](Emitter &e) { write(e, vector, outputRow, column); });
  }
}
