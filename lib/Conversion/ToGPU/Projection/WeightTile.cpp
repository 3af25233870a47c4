//===- WeightTile.cpp - weights of a head in shared memory ----------------===//

#include "WeightTile.h"
#include "../NVIDIA/GlobalMemory.h"
#include "RowFragments.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;
using namespace mlafuse::kernel::projection;

static constexpr int64_t kBoxChunks = ptx::SwizzledTile::kBoxColumns / kChunk;

WeightLoader::WeightLoader(Emitter &e, const Projection &projection,
                           Value thread, int64_t threads, Value head)
    : projection(projection), thread(ptx::toI32(e, thread)), threads(threads),
      head(head) {
  Value w = projection.w;
  base =
      ptx::plusI(e, ptx::getGlobalAddress(e, w),
                 ptx::timesI(e, ptx::toI64(e, head), getStrideBytes(e, w, 0)));
  rowBytes = getStrideBytes(e, w, 1);
}

int64_t WeightLoader::getBytes(const Projection &projection, int64_t rows) {
  int64_t boxes =
      llvm::divideCeil(projection.columns, ptx::SwizzledTile::kBoxColumns);
  return boxes * rows * ptx::SwizzledTile::kRowBytes;
}

void WeightLoader::load(Emitter &e, int64_t begin, int64_t depth,
                        Value firstColumn, const ptx::SwizzledTile &tile,
                        int64_t firstRow) const {
  int64_t rowChunks = projection.columns / kChunk;
  int64_t chunks = depth * rowChunks;
  // Threads that are whole rows keep their chunk of a row.
  bool keepsChunk = threads % rowChunks == 0;
  Value row = ptx::dividedByI(e, thread, rowChunks);
  Value chunk = ptx::moduloI(e, thread, rowChunks);
  for (int64_t first = 0; first < chunks; first += threads) {
    Value number = ptx::plusI(e, thread, first);
    if (!keepsChunk && first != 0) {
      row = ptx::dividedByI(e, number, rowChunks);
      chunk = ptx::moduloI(e, number, rowChunks);
    }
    int64_t step = keepsChunk ? first / rowChunks : 0;
    Value exists = first + threads > chunks
                       ? ptx::isLessI(e, number, ptx::i32(e, chunks))
                       : Value();
    runIf(e, exists, [&](Emitter &e) {
      copyChunk(e, row, step, chunk, begin, firstColumn, tile, firstRow);
    });
  }
}

void WeightLoader::copyChunk(Emitter &e, Value row, int64_t step, Value chunk,
                             int64_t begin, Value firstColumn,
                             const ptx::SwizzledTile &tile,
                             int64_t firstRow) const {
  Value current = ptx::plusI(e, row, step);
  Value stored = projection.usesFragments ? getWeightRow(e, current) : current;
  stored = ptx::plusI(e, stored, firstRow);
  Value box = ptx::dividedByI(e, chunk, kBoxChunks);
  ptx::Address to =
      tile.getChunk(e, stored, ptx::moduloI(e, chunk, kBoxChunks));
  if (projection.columns > ptx::SwizzledTile::kBoxColumns)
    to = to.advance(e, ptx::timesI(e, box, tile.getBoxBytes()));

  Value k = ptx::plusI(e, current, begin), isInside;
  int64_t depth = projection.depth;
  if (projection.getPaddedDepth() > depth &&
      begin + projection.schedule.tileDepth > depth)
    isInside = ptx::isLessI(e, k, ptx::i32(e, depth));
  Value column =
      ptx::plusI(e, ptx::toI32(e, firstColumn), ptx::timesI(e, chunk, kChunk));
  if (projection.alignment.isWideForm()) {
    Value source = ptx::plusI(
        e, ptx::plusI(e, base, ptx::timesI(e, ptx::toI64(e, row), rowBytes)),
        ptx::toI64(e, ptx::timesI(e, column, 2)));
    // The instruction adds a constant without registers.
    std::optional<int64_t> bytesOfRow = getConstantIntValue(rowBytes);
    if (!isInside && bytesOfRow && llvm::isInt<32>(*bytesOfRow * depth))
      return ptx::copyAsync16(e, to, source, Value(),
                              *bytesOfRow * (step + begin));
    source = ptx::plusI(e, source, ptx::timesI(e, rowBytes, step + begin));
    Value bytes;
    if (isInside) {
      bytes =
          arith::SelectOp::create(e, isInside, ptx::i32(e, 16), ptx::i32(e, 0));
      source = arith::SelectOp::create(e, isInside, source, base);
    }
    return ptx::copyAsync16(e, to, source, bytes);
  }
  auto type = VectorType::get({4}, e.getI32Type());
  Value zero =
      arith::ConstantOp::create(e, cast<TypedAttr>(e.getZeroAttr(type)));
  auto toIndex = [&](Emitter &e, Value value) -> Value {
    return arith::IndexCastOp::create(e, e.getIndexType(), value);
  };
  Value values = valueIf(e, isInside, zero, [&](Emitter &e) -> Value {
    RowView view = projection.alignment.getVector(projection.w);
    view.leading = {head, toIndex(e, k)};
    return vector::BitCastOp::create(e, type,
                                     view.load(e, toIndex(e, column), kChunk));
  });
  ptx::Registers words;
  for (int64_t i = 0; i < 4; ++i)
    words.push_back(vector::ExtractOp::create(e, values, i));
  ptx::storeShared(e, to, words);
}
