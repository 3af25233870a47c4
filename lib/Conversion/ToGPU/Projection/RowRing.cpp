//===- RowRing.cpp - slices of rows of x in shared memory -----------------===//

#include "RowRing.h"
#include "../NVIDIA/GlobalMemory.h"
#include "../NVIDIA/Warp.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;
using namespace mlafuse::kernel::projection;

static constexpr int64_t kChunkBytes = 16, kBarrierBytes = 8;
static constexpr int64_t kBoxChunks = ptx::SwizzledTile::kBoxColumns / kChunk;
static constexpr int64_t kTileRows = ProjectionLayout::kGroupRows;

/// Where row `row` (i32) of a tile is.
static Value getRowPlace(Emitter &e, Value row) {
  return ptx::plusI(
      e, ptx::timesI(e, ptx::moduloI(e, row, RowRing::kRowStep), kWarpRows),
      ptx::dividedByI(e, row, RowRing::kRowStep));
}

void RowRing::initBarriers(Emitter &e) const {
  for (int64_t i = 0; i < layout.fullBarriers; ++i)
    ptx::SharedBarrier{start + (layout.full + i * kBarrierBytes)}.init(
        e, ProjectionLayout::kGroupThreads);
  for (int64_t i = 0; i < layout.stages; ++i)
    ptx::SharedBarrier{start + (layout.free + i * kBarrierBytes)}.init(
        e, ProjectionLayout::kGroupWarps);
}

RowRing::Slot RowRing::getSlot(Emitter &e, Value turn) const {
  auto at = [&](int64_t first, Value number, int64_t bytes) {
    return start.advance(e, ptx::timesI(e, number, bytes)) + first;
  };
  Value slot = ptx::moduloI(e, turn, layout.stages);
  Value barrier = ptx::moduloI(e, turn, layout.fullBarriers);
  auto parity = [&](int64_t count) {
    return ptx::moduloI(e, ptx::dividedByI(e, turn, count), 2);
  };
  // A slot that was never used is free.
  Value before =
      arith::XOrIOp::create(e, parity(layout.stages), ptx::i32(e, 1));
  return {{at(layout.ring, slot, layout.slotBytes), kTileRows},
          {at(layout.full, barrier, kBarrierBytes)},
          {at(layout.free, slot, kBarrierBytes)},
          parity(layout.fullBarriers),
          before};
}

ptx::Registers RowRing::loadOperands(Emitter &e, const Slot &slot,
                                     int64_t slice, Value thread) const {
  // Lane l names row l mod 16, and the first or the second 8 values of K.
  Value lane = ptx::moduloI(e, thread, kWarpThreads);
  Value warp = ptx::dividedByI(e, thread, kWarpThreads);
  Value row = ptx::plusI(e, ptx::timesI(e, warp, kWarpRows),
                         ptx::moduloI(e, lane, kWarpRows));
  Value half = ptx::dividedByI(e, lane, kWarpRows);
  constexpr int64_t chunks = kProductDepth / kChunk;
  ptx::Registers operands;
  for (int64_t i = 0; i < p.getSliceDepth(slice) / kProductDepth; ++i) {
    Value chunk = ptx::plusI(e, half, i * chunks % kBoxChunks);
    llvm::append_range(
        operands,
        ptx::loadMatrices(
            e, slot.rows.getChunk(e, row, chunk, i * chunks / kBoxChunks),
            /*transposed=*/false));
  }
  return operands;
}

//===----------------------------------------------------------------------===//
// The loader
//===----------------------------------------------------------------------===//

std::optional<RowRing::Copies> RowRing::getCopies(Emitter &e, Value head,
                                                  Value thread) const {
  int64_t rowChunks = p.getSliceDepth(0) / kChunk;
  int64_t rowStep = ProjectionLayout::kGroupThreads / rowChunks;
  std::optional<int64_t> rowBytes = getRowBytes(e);
  if (!p.alignment.isWideForm() || !rowBytes ||
      ProjectionLayout::kGroupThreads % rowChunks != 0 ||
      rowStep % kRowStep != 0)
    return std::nullopt;
  Value row = ptx::dividedByI(e, thread, rowChunks);
  Value chunk = ptx::moduloI(e, thread, rowChunks);
  Value from = ptx::plusI(e, getAddress(e, row, head),
                          ptx::toI64(e, ptx::timesI(e, chunk, kChunkBytes)));
  ptx::SwizzledTile tile = {ptx::Address{start.base}, kTileRows};
  Value to =
      tile.skipBoxes(e, ptx::dividedByI(e, chunk, kBoxChunks))
          .getChunk(e, getRowPlace(e, row), ptx::moduloI(e, chunk, kBoxChunks))
          .get(e);
  return Copies{row, from, to, rowStep, rowStep * *rowBytes};
}

void RowRing::load(Emitter &e, const RowTiles &tiles, Value head, Value thread,
                   const std::optional<Copies> &copies) const {
  scf::ForOp::create(
      e, tiles.first, tiles.end, tiles.step, ptx::i32(e, 0),
      [&](OpBuilder &builder, Location loc, Value tile, ValueRange carried) {
        Emitter inner(loc, builder);
        Value turn = carried.front();
        loadTile(inner, tiles, tile, turn, head, thread, copies);
        scf::YieldOp::create(inner, ptx::plusI(inner, turn, layout.slices));
      });
}

void RowRing::loadTile(Emitter &e, const RowTiles &tiles, Value tile,
                       Value turn, Value head, Value thread,
                       const std::optional<Copies> &copies) const {
  Value firstRow = ptx::timesI(e, tile, kTileRows);
  Value rows = arith::SubIOp::create(e, tiles.rows, firstRow);
  for (int64_t slice = 0; slice < layout.slices; ++slice) {
    Slot slot = getSlot(e, ptx::plusI(e, turn, slice));
    slot.free.wait(e, slot.freeParity);
    if (copies && p.getSliceDepth(slice) == p.getSliceDepth(0))
      copySlice(e, slot, slice, *copies, firstRow, rows);
    else
      loadSlice(e, slot, slice, firstRow, rows, head, thread);
    if (p.alignment.isWideForm())
      slot.full.arriveWithCopies(e);
    else
      slot.full.arrive(e);
  }
}

void RowRing::copySlice(Emitter &e, const Slot &slot, int64_t slice,
                        const Copies &copies, Value firstRow,
                        Value rows) const {
  int64_t rowBytes = copies.stepBytes / copies.rowStep;
  Value from = ptx::plusI(e, copies.from,
                          ptx::timesI(e, ptx::toI64(e, firstRow), rowBytes));
  int64_t begin = slice * p.schedule.tileDepth / kChunk * kChunkBytes;
  ptx::Address slotStart = slot.rows.start;
  Value slotBytes = ptx::minusI(e, slotStart.base, start.base);
  Value behindLast = ptx::minusI(e, copies.row, rows);
  auto copyRow = [&](Emitter &e, int64_t first) {
    // A row's place is the first one's and a constant whose bits that one does
    // not have, and so is the order of its chunks.
    int64_t places = first / kRowStep;
    Value chunk = arith::XOrIOp::create(
        e, copies.to, ptx::i32(e, places % kBoxChunks * kChunkBytes));
    ptx::Address to = {ptx::plusI(e, chunk, slotBytes),
                       slotStart.offset +
                           places * ptx::SwizzledTile::kRowBytes};
    runIf(e, ptx::isLessI(e, behindLast, ptx::i32(e, -first)), [&](Emitter &e) {
      ptx::copyAsync16(e, to, from, Value(),
                       first / copies.rowStep * copies.stepBytes + begin);
    });
  };
  copyRow(e, 0);
  // With few rows the first copy is all, and a launch has executed little code
  // before it: code is not in the instruction cache yet.
  runIf(e, ptx::isLessI(e, ptx::i32(e, copies.rowStep), rows), [&](Emitter &e) {
    for (int64_t first = copies.rowStep; first < kTileRows;
         first += copies.rowStep)
      copyRow(e, first);
  });
}

void RowRing::loadSlice(Emitter &e, const Slot &slot, int64_t slice,
                        Value firstRow, Value rows, Value head,
                        Value thread) const {
  constexpr int64_t threads = ProjectionLayout::kGroupThreads;
  int64_t rowChunks = p.getSliceDepth(slice) / kChunk;
  int64_t begin = slice * p.schedule.tileDepth;
  // Threads that are whole rows keep their chunk of a row.
  bool keepsChunk = threads % rowChunks == 0;
  Value row = ptx::dividedByI(e, thread, rowChunks);
  Value chunk = ptx::moduloI(e, thread, rowChunks);
  Value address = getAddress(e, arith::AddIOp::create(e, firstRow, row), head);
  for (int64_t first = 0; first < kTileRows * rowChunks; first += threads) {
    Value current;
    Place source;
    if (keepsChunk) {
      int64_t step = first / rowChunks;
      current = ptx::plusI(e, row, step);
      source = getPlaceBehind(
          e, address, arith::AddIOp::create(e, firstRow, row), step, head);
    } else {
      Value number = ptx::plusI(e, thread, first);
      current = ptx::dividedByI(e, number, rowChunks);
      chunk = ptx::moduloI(e, number, rowChunks);
      source = {
          getAddress(e, arith::AddIOp::create(e, firstRow, current), head), 0};
    }
    Value bytes = ptx::timesI(e, chunk, kChunkBytes);
    Value box = ptx::dividedByI(e, chunk, kBoxChunks);
    ptx::Address to = slot.rows.skipBoxes(e, box).getChunk(
        e, getRowPlace(e, current), ptx::moduloI(e, chunk, kBoxChunks));
    runIf(e, ptx::isLessI(e, current, rows), [&](Emitter &e) {
      if (p.alignment.isWideForm())
        return ptx::copyAsync16(
            e, to, ptx::plusI(e, source.address, ptx::toI64(e, bytes)), Value(),
            source.offset + begin / kChunk * kChunkBytes);
      Value column = ptx::plusI(e, ptx::timesI(e, chunk, kChunk), begin);
      ptx::storeShared(e, to,
                       loadChunk(e, arith::AddIOp::create(e, firstRow, current),
                                 column, head));
    });
  }
}

Value RowRing::getAddress(Emitter &e, Value row, Value head) const {
  if (!p.alignment.isWideForm())
    return {};
  SmallVector<Value, 3> position = getPosition(e, p.x, row);
  position.push_back(head);
  Value address = ptx::getGlobalAddress(e, p.x);
  for (auto [dim, index] : llvm::enumerate(position))
    address = ptx::plusI(
        e, address,
        ptx::timesI(e, ptx::toI64(e, index), getStrideBytes(e, p.x, dim)));
  return address;
}

RowRing::Place RowRing::getPlaceBehind(Emitter &e, Value address, Value row,
                                       int64_t step, Value head) const {
  if (!address || step == 0)
    return {address, 0};
  if (cast<MemRefType>(p.x.getType()).getRank() > 3)
    return {getAddress(e, ptx::plusI(e, row, step), head), 0};
  // The instruction adds a constant without registers.
  if (std::optional<int64_t> bytes = getRowBytes(e))
    return {address, *bytes * step};
  Value stride = getStrideBytes(e, p.x, 0);
  return {ptx::plusI(e, address, ptx::timesI(e, stride, step)), 0};
}

std::optional<int64_t> RowRing::getRowBytes(Emitter &e) const {
  if (cast<MemRefType>(p.x.getType()).getRank() > 3)
    return std::nullopt;
  std::optional<int64_t> bytes = getConstantIntValue(getStrideBytes(e, p.x, 0));
  if (bytes && !llvm::isInt<32>(*bytes * (kTileRows + 1)))
    return std::nullopt;
  return bytes;
}

ptx::Registers RowRing::loadChunk(Emitter &e, Value row, Value column,
                                  Value head) const {
  RowView view = p.alignment.getVector(p.x);
  view.leading = getPosition(e, p.x, row);
  view.leading.push_back(head);
  Value values =
      vector::BitCastOp::create(e, VectorType::get({4}, e.getI32Type()),
                                view.load(e, ptx::toIndex(e, column), kChunk));
  ptx::Registers words;
  for (int64_t i = 0; i < 4; ++i)
    words.push_back(vector::ExtractOp::create(e, values, i));
  return words;
}
