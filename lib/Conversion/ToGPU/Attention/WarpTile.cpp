//===- WarpTile.cpp - a warp's share of an attention tile -----------------===//

#include "WarpTile.h"
#include "../NVIDIA/Warp.h"
#include "Softmax.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;
using ptx::dividedByI;
using ptx::i32;
using ptx::moduloI;
using ptx::plusI;
using ptx::timesI;

/// Rows and columns of an 8 x 8 matrix, and of a product's step.
static constexpr int64_t kMatrix = 8;
static constexpr int64_t kStep = 16;
/// Registers of 8 columns of an accumulator.
static constexpr int64_t kMatrixRegisters = 4;

WarpMatrices::WarpMatrices(Emitter &e, const ptx::SwizzledTile &tile,
                           Order order, Value firstRow, Value firstColumn)
    : boxBytes(tile.getBoxBytes()) {
  constexpr int64_t boxColumns = ptx::SwizzledTile::kBoxColumns;
  Value lane = ptx::getLane(e);
  Value matrix = dividedByI(e, lane, kMatrix);
  Value low = moduloI(e, matrix, 2), high = dividedByI(e, matrix, 2);
  bool rowsFirst = order == Order::RowsFirst;
  Value row = plusI(e, moduloI(e, lane, kMatrix),
                    timesI(e, rowsFirst ? low : high, kMatrix));
  if (firstRow)
    row = plusI(e, row, firstRow);
  Value chunk = rowsFirst ? high : low;
  Value boxOffset = i32(e, 0);
  if (firstColumn) {
    chunk = plusI(e, chunk,
                  dividedByI(e, moduloI(e, firstColumn, boxColumns), kMatrix));
    boxOffset = timesI(e, dividedByI(e, firstColumn, boxColumns), boxBytes);
  }
  for (int64_t column = 0; column < boxColumns; column += kStep)
    chunkPairs.push_back(
        tile.getChunk(e, row, plusI(e, chunk, column / kMatrix))
            .advance(e, boxOffset));
}

WarpMatrices WarpMatrices::advance(Emitter &e, Value bytes) const {
  WarpMatrices other;
  other.boxBytes = boxBytes;
  for (const ptx::Address &place : chunkPairs)
    other.chunkPairs.push_back(place.advance(e, bytes));
  return other;
}

ptx::Registers WarpMatrices::load(Emitter &e, int64_t row, int64_t column,
                                  bool transposed) const {
  constexpr int64_t boxColumns = ptx::SwizzledTile::kBoxColumns;
  const ptx::Address &place = chunkPairs[column % boxColumns / kStep];
  return ptx::loadMatrices(e,
                           place + (column / boxColumns * boxBytes +
                                    row * ptx::SwizzledTile::kRowBytes),
                           transposed);
}

ptx::Registers kernel::createAccumulator(Emitter &e, int64_t columns) {
  return ptx::Registers(columns / kMatrix * kMatrixRegisters,
                        rows::constant(e, 0));
}

/// d[first matrix, + 8 columns) += a b, for both matrices of `b`'s columns.
static void multiplyStep(Emitter &e, Type elements, ptx::Registers &d,
                         int64_t column, ValueRange a, ValueRange b) {
  for (int64_t half = 0; half < 2; ++half) {
    int64_t first = (column / kMatrix + half) * kMatrixRegisters;
    ptx::Registers sums = ptx::multiplyWarp(
        e, elements, ArrayRef(d).slice(first, kMatrixRegisters), a,
        b.slice(2 * half, 2));
    llvm::copy(sums, d.begin() + first);
  }
}

ptx::Registers kernel::multiplyKeys(Emitter &e, Type elements,
                                    const WarpMatrices &queries,
                                    const WarpMatrices &keys, int64_t keyCount,
                                    int64_t width) {
  ptx::Registers scores = createAccumulator(e, keyCount);
  for (int64_t column = 0; column < width; column += kStep) {
    ptx::Registers a = queries.load(e, 0, column, /*transposed=*/false);
    for (int64_t key = 0; key < keyCount; key += kStep)
      multiplyStep(e, elements, scores, key, a,
                   keys.load(e, key, column, /*transposed=*/false));
  }
  return scores;
}

ptx::Registers kernel::addValues(Emitter &e, Type elements, ValueRange sums,
                                 ValueRange probabilities,
                                 const WarpMatrices &values, int64_t keyCount) {
  ptx::Registers d(sums);
  int64_t columns = sums.size() / kMatrixRegisters * kMatrix;
  for (int64_t key = 0; key < keyCount; key += kStep) {
    // Of a pair each.
    constexpr int64_t count = kStep / kMatrix * kMatrixRegisters / 2;
    ptx::Registers a(probabilities.slice(key / kStep * count, count));
    for (int64_t column = 0; column < columns; column += kStep)
      multiplyStep(e, elements, d, column, a,
                   values.load(e, key, column, /*transposed=*/true));
  }
  return d;
}
