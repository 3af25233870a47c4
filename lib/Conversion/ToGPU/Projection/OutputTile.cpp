//===- OutputTile.cpp - sums of a product, stored or quantized ------------===//

#include "OutputTile.h"
#include "../../Schedule/ProjectionLayout.h"
#include "../NVIDIA/Barriers.h"
#include "../NVIDIA/Warp.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;
using namespace mlafuse::kernel::projection;

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

int64_t OutputShape::getTeam() const {
  return static_cast<int64_t>(llvm::PowerOf2Ceil(threads));
}

OutputShape projection::chooseOutputShape(const Projection &projection) {
  const QuantBuffers &buffers = projection.buffers;
  int64_t lanes;
  if (buffers.spec) {
    // A thread with 32 elements has all of a small group, a group of 128 takes
    // two exchanges, and all rows that are staged have a team.
    SmallVector<int64_t, 2> spans = getSpans(buffers);
    spans.push_back(projection.columns);
    lanes = chooseLanes(spans, 32);
  } else {
    int64_t bits =
        cast<MemRefType>(buffers.codes.getType()).getElementTypeBitWidth();
    lanes = chooseLanes({projection.columns}, Chip::kAccessBytes * 8 / bits);
  }
  return {lanes, projection.columns / lanes};
}

TileShape projection::getTileShape(const Projection &projection,
                                   const OutputShape &shape) {
  return {projection.buffers.width, shape.lanes, shape.threads, /*chunks=*/1};
}

//===----------------------------------------------------------------------===//
// Staging
//===----------------------------------------------------------------------===//

static constexpr int64_t kChunkBytes = 16, kChunkFloats = 4;

bool OutputTile::storesFragments(const Projection &projection) {
  if (projection.usesFragments)
    return false;
  if (projection.buffers.spec)
    return FragmentQuantizer::supports(projection);
  int64_t bits = getElementBits(projection);
  return bits == 16 && FragmentStore::supports(projection.columns, bits);
}

int64_t OutputTile::getBytes(const Projection &projection) {
  return getStagedBytes(projection.columns);
}

OutputTile::OutputTile(Emitter &e, Kernel &kernel, const Projection &projection,
                       ptx::Address staging)
    : kernel(kernel), projection(projection),
      shape(chooseOutputShape(projection)),
      stagedRows(getStagedRows(projection.columns)), staging(staging) {
  if (projection.buffers.spec)
    constants = loadConstants(e, projection.buffers);
}

// The 16-byte chunk c of staged row r is stored at chunk c ^ f(c/8 mod 4) ^ 2
// (r mod 4): neither the pairs of four rows that a half-warp writes, nor the
// chunks of eight lanes that read meet in a bank. Where those lanes are of one
// row, f is 0 1 2 3; where they have eight chunks each, and two rows, it is 0 1
// 4 5.

static Value xorI(Emitter &e, Value a, Value b) {
  return arith::XOrIOp::create(e, a, b);
}

static Value andI(Emitter &e, Value a, int64_t b) {
  return arith::AndIOp::create(e, a, ptx::i32(e, b));
}

bool OutputTile::readsEights() const { return shape.lanes >= 8 * kChunkFloats; }

void OutputTile::stage(Emitter &e, ValueRange sums, Value round) const {
  // The lanes may still read the rows before.
  ptx::syncWarp(e);
  Value thread = ptx::readThread(e);
  Value lane = andI(e, thread, kWarpThreads - 1);
  Value row = ptx::dividedByI(e, lane, 4), pair = ptx::moduloI(e, lane, 4);
  int64_t rowBytes = getStagedColumns(projection.columns) * 4;
  Value chunk =
      xorI(e, ptx::dividedByI(e, pair, 2), ptx::timesI(e, andI(e, row, 3), 2));
  Value chunkBytes = ptx::timesI(e, chunk, kChunkBytes);
  ptx::Address start = getStaging(e, thread).advance(
      e, ptx::plusI(e, ptx::timesI(e, row, rowBytes),
                    ptx::timesI(e, andI(e, pair, 1), kChunkBytes / 2)));
  for (int64_t half = 0; half < 2; ++half) {
    // A lane's sums are of rows `row` and `row` + kHalfRows.
    Value isStaged = round ? ptx::isEqualI(e, round, half) : Value();
    int64_t offset = round ? 0 : half * kHalfRows * rowBytes;
    runIf(e, isStaged, [&](Emitter &e) {
      for (int64_t atom = 0; atom < projection.columns / kChunk; ++atom) {
        int64_t first = 2 * atom, order = first / 8 % 4;
        if (readsEights())
          order = order % 2 + order / 2 * 4;
        int64_t number = first ^ order;
        Value inEight =
            xorI(e, chunkBytes, ptx::i32(e, number % 8 * kChunkBytes));
        ptx::Address place =
            start.advance(e, inEight) + number / 8 * 8 * kChunkBytes;
        ptx::storeShared(e, place + offset, sums.slice(4 * atom + 2 * half, 2));
      }
    });
  }
  ptx::syncWarp(e);
}

ptx::Address OutputTile::getStaging(Emitter &e, Value thread) const {
  Value warp = ptx::dividedByI(e, thread, kWarpThreads);
  return staging.advance(e, ptx::timesI(e, warp, getBytes(projection)));
}

Value OutputTile::loadStaged(Emitter &e, const Tile &tile, Value row) const {
  Value member = ptx::toI32(e, tile.getTeam().getMember());
  ptx::Address start =
      getStaging(e, ptx::readThread(e))
          .advance(
              e, ptx::timesI(e, row, getStagedColumns(projection.columns) * 4));
  Value rowOrder = ptx::timesI(e, andI(e, row, 3), 2);
  Value first = ptx::timesI(e, member, shape.lanes / kChunkFloats);
  ptx::Registers values;
  for (int64_t i = 0; i < shape.lanes / kChunkFloats; ++i) {
    Value chunk = ptx::plusI(e, first, i);
    Value order = andI(e, ptx::dividedByI(e, chunk, 8), 3);
    if (readsEights())
      order = ptx::plusI(e, andI(e, order, 1),
                         ptx::timesI(e, andI(e, order, 2), 2));
    order = xorI(e, rowOrder, order);
    Value place = ptx::timesI(e, xorI(e, chunk, order), kChunkBytes);
    llvm::append_range(values, ptx::loadShared(e, start.advance(e, place),
                                               e.getF32Type(), kChunkFloats));
  }
  Value vector = vector::FromElementsOp::create(
      e, VectorType::get({shape.lanes}, e.getF32Type()), values);
  if (shape.threads == shape.getTeam())
    return vector;
  // The others take part in the maxima of a row.
  Value isMember =
      isLess(e, tile.getTeam().getMember(), rows::index(e, shape.threads));
  return arith::SelectOp::create(e, isMember, vector,
                                 splat(e, constant(e, 0), shape.lanes));
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

void OutputTile::store(Emitter &e, ValueRange sums, Value firstRow,
                       int64_t rowStep, Value rows, Value head,
                       Value tile) const {
  if (storesFragments(projection))
    return storeFragments(e, sums, {firstRow, rowStep, rows, head, tile});
  auto emitRound = [&](Emitter &e, Value round) {
    Value first = firstRow;
    if (round)
      first = ptx::plusI(e, first, ptx::timesI(e, round, stagedRows * rowStep));
    // All lanes take part in the exchange of maxima, or none.
    runIf(e, ptx::isLessI(e, first, rows), [&](Emitter &e) {
      stage(e, sums, round);
      storeRound(e, first, rowStep, rows, head, tile);
    });
  };
  int64_t rounds = kWarpRows / stagedRows;
  if (rounds == 1)
    return emitRound(e, Value());
  scf::ForOp::create(
      e, ptx::i32(e, 0), ptx::i32(e, rounds), ptx::i32(e, 1), ValueRange(),
      [&](OpBuilder &builder, Location loc, Value round, ValueRange) {
        Emitter inner(loc, builder);
        emitRound(inner, round);
        scf::YieldOp::create(inner);
      });
}

/// The order in which a lane has a half of its sums.
static ptx::Registers takeHalf(ValueRange sums, int64_t half) {
  ptx::Registers taken;
  for (size_t i = 2 * half; i < sums.size(); i += 4)
    llvm::append_range(taken, sums.slice(i, 2));
  return taken;
}

void OutputTile::storeFragments(Emitter &e, ValueRange sums,
                                RowsPlace place) const {
  const QuantBuffers &buffers = projection.buffers;
  Value thread = ptx::toI32(e, kernel.getThread());
  Value lane = ptx::moduloI(e, thread, kWarpThreads);
  FragmentStore fragments(projection.columns, getElementBits(projection),
                          getStaging(e, thread), lane);
  Value first = place.first;
  for (int64_t half = 0; half < kWarpRows / kHalfRows; ++half) {
    place.first = ptx::plusI(e, first, half * kHalfRows * place.step);
    runIf(e, ptx::isLessI(e, place.first, place.rows), [&](Emitter &e) {
      ptx::Registers taken = takeHalf(sums, half);
      if (!buffers.spec)
        return fragments.store(
            e, packPairs(e, taken), place,
            [&](Emitter &e, Value words, Value row, Value column) {
              storeWords(e, words, row, column, place);
            });
      FragmentQuantizer quantizer(projection, constants, lane);
      FragmentQuantizer::Result result = quantizer.quantize(e, taken);
      fragments.store(e, result.codes, place,
                      [&](Emitter &e, Value words, Value row, Value column) {
                        quantizer.storeCodes(e, words, row, column, place);
                      });
      quantizer.storeScales(e, result.scales, place);
    });
  }
}

ptx::Registers OutputTile::packPairs(Emitter &e, ValueRange sums) const {
  Type type = getElementTypeOrSelf(projection.buffers.codes);
  ptx::Registers pairs;
  for (size_t i = 0; i < sums.size(); i += 2)
    pairs.push_back(ptx::packPair(e, type, sums[i], sums[i + 1]));
  return pairs;
}

void OutputTile::storeWords(Emitter &e, Value words, Value row, Value column,
                            const RowsPlace &place) const {
  Type type = getElementTypeOrSelf(projection.buffers.codes);
  int64_t count = Chip::kAccessBytes * 8 / type.getIntOrFloatBitWidth();
  Value vector =
      vector::BitCastOp::create(e, VectorType::get({count}, type), words);
  Value first = plus(e, times(e, place.tile, projection.columns),
                     ptx::toIndex(e, column));
  if (!projection.isPerHead())
    first = plus(e, first, times(e, place.head, projection.width));
  getPlainRow(e, row, place.head).store(e, vector, first);
}

void OutputTile::storeRound(Emitter &e, Value firstRow, int64_t rowStep,
                            Value rows, Value head, Value tile) const {
  // The thread's number is read here: what follows from it would take registers
  // ahead of a loop over tiles.
  Team team(kernel, e, shape.getTeam(), ptx::toIndex(e, ptx::readThread(e)));
  int64_t teams = kWarpThreads / shape.getTeam();
  Value number = ptx::toI32(e, modulo(e, team.getNumber(), teams));
  // More teams than rows.
  Value hasRow = teams > stagedRows
                     ? ptx::isLessI(e, number, ptx::i32(e, stagedRows))
                     : Value();
  if (hasRow)
    number = ptx::moduloI(e, number, stagedRows);
  for (int64_t first = 0; first < stagedRows; first += teams) {
    Value firstOfTeams = ptx::plusI(e, firstRow, first * rowStep);
    // Rows that are only stored cost less than the branch.
    Value exists = first > 0 && projection.buffers.spec
                       ? ptx::isLessI(e, firstOfTeams, rows)
                       : Value();
    runIf(e, exists, [&](Emitter &e) {
      Value row = ptx::plusI(e, firstOfTeams, ptx::timesI(e, number, rowStep));
      storeRow(e, team, both(e, hasRow, ptx::isLessI(e, row, rows)),
               ptx::plusI(e, number, first), row, head, tile);
    });
  }
}

void OutputTile::storeRow(Emitter &e, const Team &team, Value hasRow,
                          Value staged, Value row, Value head,
                          Value tile) const {
  const QuantBuffers &buffers = projection.buffers;
  Value segment = plus(e, times(e, head, projection.getTilesPerHead()), tile);
  Tile output(e, team, getTileShape(projection, shape), segment, hasRow);
  Value values = loadStaged(e, output, staged);
  if (!buffers.spec)
    return storePlain(e, output, row, head, values);
  if (buffers.spec.numerics == Numerics::Exact)
    values = roundTo(e, values, projection.elements);
  quantizeTile(e, buffers, constants, projection.alignment,
               ptx::toIndex(e, row), output, values);
}

RowView OutputTile::getPlainRow(Emitter &e, Value row, Value head) const {
  const QuantBuffers &buffers = projection.buffers;
  RowView view = projection.alignment.getVector(buffers.codes);
  if (projection.isPerHead()) {
    view.leading = getPosition(e, buffers.codes, row);
    view.leading.push_back(head);
    return view;
  }
  Value outputRow = ptx::toIndex(e, row);
  if (buffers.rowOffset)
    outputRow = plus(e, outputRow, buffers.rowOffset);
  view.leading = {outputRow};
  return view;
}

void OutputTile::storePlain(Emitter &e, const Tile &tile, Value row, Value head,
                            Value values) const {
  RowView view = getPlainRow(e, row, head);
  Value column = tile.getColumn(0);
  if (projection.isPerHead())
    column = minus(e, column, times(e, head, projection.width));
  runIf(e, tile.getInside(0), [&](Emitter &e) {
    view.store(e, fromF32(e, values, view.getElementType()), column);
  });
}
