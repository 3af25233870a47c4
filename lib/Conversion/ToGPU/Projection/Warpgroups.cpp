//===- Warpgroups.cpp - head_projection by products of four warps ---------===//
//
// A block keeps the weights of a head (or of as many of its columns as there is
// room for) in shared memory, and its warpgroups take tiles of 64 rows in turn:
//
//   all threads:  copies of w, slice by slice | barriers of the slices
//   warpgroup:    slices of x -> registers ...| product of a slice | ... |
//   store
//
// Warpgroups do not wait for each other: while one stores, others multiply and
// have rows on the way. A warpgroup has `stages` slices of x in registers: one
// that is multiplied, the others on the way, those of its next tile among them.
//
//===----------------------------------------------------------------------===//

#include "../NVIDIA/Barriers.h"
#include "../NVIDIA/Warpgroup.h"
#include "OutputTile.h"
#include "RowFragments.h"
#include "WeightTile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;
using namespace mlafuse::kernel::projection;

static constexpr int64_t kWarpgroupRows = 64, kWarpgroupThreads = 128;

namespace {

/// What a block has in shared memory: the weights of neighbouring tiles of a
/// head, barriers for the slices of each, and memory of each warp.
struct BlockLayout {
  BlockLayout(const Projection &projection, int64_t tiles)
      : tiles(tiles),
        units(projection.heads * projection.getTilesPerHead() / tiles),
        warpgroups(projection.schedule.tileRows / kWarpgroupRows),
        tileBytes(
            WeightLoader::getBytes(projection, projection.getPaddedDepth())),
        stagingBytes(OutputTile::getBytes(projection)),
        weights(memory.add(tiles * tileBytes, ptx::SharedLayout::kAlignment)),
        staging(memory.add(4 * warpgroups * stagingBytes)),
        firstSlices(std::min(getStages(projection), projection.getSlices())),
        tileBarriers(projection.getSlices() - firstSlices + 1),
        barriers(memory.add(8 * tiles * tileBarriers)) {}

  /// Slices of x in registers. What is not aligned is read in many small parts:
  /// less of it fits.
  static int64_t getStages(const Projection &projection) {
    return projection.alignment.isWideForm() ? projection.schedule.stages : 2;
  }

  /// The number of a slice's barrier, of its tile's. The slices whose x is
  /// there from the beginning have one: behind each barrier a fence waits for
  /// all of the thread's reads, those of x ahead among them.
  int64_t getBarrier(int64_t slice) const {
    return std::max<int64_t>(0, slice - firstSlices + 1);
  }
  bool isFirstOfBarrier(int64_t slice) const {
    return slice == 0 || getBarrier(slice) != getBarrier(slice - 1);
  }

  /// With as many tiles as a block has room for; at least one.
  static BlockLayout choose(const Projection &projection, const Chip &chip) {
    int64_t most = projection.getTilesPerHead();
    for (int64_t tiles = most; tiles > 1; --tiles)
      if (most % tiles == 0)
        if (BlockLayout layout(projection, tiles);
            layout.memory.getBytes() <= chip.sharedBytes)
          return layout;
    return BlockLayout(projection, 1);
  }

  ptx::SharedLayout memory;
  int64_t tiles; ///< Of a block.
  int64_t units; ///< Blocks with different weights.
  int64_t warpgroups, tileBytes, stagingBytes;
  int64_t weights, staging; ///< Offsets.
  int64_t firstSlices, tileBarriers;
  int64_t barriers; ///< Offset.
};

class WarpgroupKernel {
public:
  WarpgroupKernel(const Projection &projection, const BlockLayout &layout,
                  Kernel &kernel)
      : p(projection), layout(layout), kernel(kernel),
        product{projection.columns, projection.elements} {}

  /// Each tile of weights has `splits` (an index) blocks, which share the rows;
  /// the output has room for so many.
  void emit(Emitter &e, Value splits, Value roomForRows);

private:
  /// Of tile 0.
  ptx::SharedBarrier getBarrier(int64_t slice) const {
    return {start + (layout.barriers + 8 * layout.getBarrier(slice))};
  }
  ptx::SwizzledTile getWeights(int64_t tile) const {
    return {start + (layout.weights + tile * layout.tileBytes),
            p.getPaddedDepth()};
  }
  void initBarriers(Emitter &e) const;
  /// Has all threads start all copies of the weights.
  void loadWeights(Emitter &e) const;
  void emitItems(Emitter &e, Value firstItem, Value lastItem,
                 const OutputTile &output);
  ptx::Registers multiplySlice(Emitter &e, int64_t slice, ValueRange sums,
                               ValueRange fragments, ptx::MatrixOperand weights,
                               Value tile, Value isNew) const;

  /// Where item number `item` of all is, a tile of 64 rows and one of the
  /// block: this warp's first row, and the latter (i32).
  struct Item {
    Value firstRow, tile;
  };
  Item locate(Emitter &e, Value item, Value thread) const {
    Value warp = ptx::moduloI(e, ptx::dividedByI(e, thread, kWarpThreads), 4);
    Value rowTile = ptx::dividedByI(e, item, layout.tiles);
    return {ptx::plusI(e, ptx::timesI(e, rowTile, kWarpgroupRows),
                       ptx::timesI(e, warp, kWarpRows)),
            ptx::moduloI(e, item, layout.tiles)};
  }
  RowFragments getFragments(Emitter &e, const Item &item, Value thread) const {
    Value lane = ptx::moduloI(e, thread, kWarpThreads);
    return RowFragments(e, p, lane, readHead(e), item.firstRow, rows);
  }

  /// The head of this block, and the first of its tiles (indices).
  Value readHead(Emitter &e) const {
    return ptx::toIndex(e, ptx::dividedByI(e, readUnit(e), getParts()));
  }
  Value readFirstTile(Emitter &e) const {
    Value part = ptx::moduloI(e, readUnit(e), getParts());
    return ptx::toIndex(e, ptx::timesI(e, part, layout.tiles));
  }
  Value readUnit(Emitter &e) const {
    return ptx::moduloI(e, ptx::readBlock(e), layout.units);
  }
  int64_t getParts() const { return layout.units / p.heads; }

  const Projection &p;
  const BlockLayout &layout;
  Kernel &kernel;
  ptx::WarpgroupProduct product;
  ptx::Address start;
  Value rows; ///< i32.
};

} // namespace

void WarpgroupKernel::emit(Emitter &e, Value splits, Value roomForRows) {
  start = ptx::getSharedStart(e);

  loadWeights(e);
  if (p.startsEarly)
    ptx::waitForPreviousLaunch(e);
  // The next launch may take this one's wait for its own of all before.
  ptx::startNextLaunch(e);

  Value stored = getStoredRows(e, p, roomForRows);
  Value tiles = ceilDiv(e, stored, kWarpgroupRows);
  Value each = arith::CeilDivUIOp::create(e, tiles, splits);
  Value split = dividedBy(e, kernel.getBlock(), layout.units);
  Value first = arith::MulIOp::create(e, split, each);
  Value last = arith::MinUIOp::create(e, tiles, plus(e, first, each));
  rows = ptx::toI32(e, stored);
  runIf(e, isLess(e, first, last), [&](Emitter &e) {
    emitItems(e, ptx::toI32(e, times(e, first, layout.tiles)),
              ptx::toI32(e, times(e, last, layout.tiles)),
              OutputTile(e, kernel, p, start + layout.staging));
  });
  // Copies that no product has waited for.
  ptx::waitCopies(e, 0);
}

void WarpgroupKernel::initBarriers(Emitter &e) const {
  runIf(e, isEqual(e, kernel.getThread(), 0), [&](Emitter &e) {
    for (int64_t i = 0; i < layout.tiles * layout.tileBarriers; ++i)
      ptx::SharedBarrier{start + (layout.barriers + 8 * i)}.init(
          e, kernel.getThreads());
    ptx::fenceBarrierInit(e);
  });
  Kernel::barrier(e);
}

void WarpgroupKernel::loadWeights(Emitter &e) const {
  WeightLoader loader(e, p, kernel.getThread(), kernel.getThreads(),
                      readHead(e));
  Value firstOfHead = readFirstTile(e);
  int64_t slices = p.getSlices();
  for (int64_t tile = 0; tile < layout.tiles; ++tile) {
    Value column = times(e, plus(e, firstOfHead, tile), p.columns);
    for (int64_t slice = 0; slice < slices; ++slice) {
      loader.load(e, slice, column, getWeights(tile),
                  slice * p.schedule.tileDepth);
      // The first copies are on their way meanwhile.
      if (tile == 0 && slice == 0)
        initBarriers(e);
      if (slice + 1 < slices && !layout.isFirstOfBarrier(slice + 1))
        continue;
      ptx::SharedBarrier barrier = getBarrier(slice);
      barrier.place = barrier.place + 8 * tile * layout.tileBarriers;
      if (p.alignment.isWideForm())
        barrier.arriveWithCopies(e);
      else
        barrier.arrive(e);
    }
  }
}

ptx::Registers WarpgroupKernel::multiplySlice(Emitter &e, int64_t slice,
                                              ValueRange sums,
                                              ValueRange fragments,
                                              ptx::MatrixOperand weights,
                                              Value tile, Value isNew) const {
  if (layout.isFirstOfBarrier(slice))
    runIf(e, isNew, [&](Emitter &e) {
      ptx::SharedBarrier barrier = getBarrier(slice);
      barrier.place = barrier.place.advance(
          e, ptx::timesI(e, tile, 8 * layout.tileBarriers));
      barrier.wait(e, ptx::i32(e, 0));
      ptx::fenceMatrixUnits(e);
    });
  if (layout.tiles > 1)
    weights = weights.advance(e, ptx::timesI(e, tile, layout.tileBytes));
  ptx::fenceProducts(e);
  ptx::Registers result(sums);
  int64_t begin = slice * p.schedule.tileDepth;
  for (int64_t i = 0; i < p.getSliceDepth(slice) / kProductDepth; ++i)
    result = ptx::multiply(
        e, product, result, RowFragments::getOperand(fragments, i),
        weights.get(e, begin + i * kProductDepth), weights.getMajor());
  ptx::commitProducts(e);
  return result;
}

void WarpgroupKernel::emitItems(Emitter &e, Value firstItem, Value lastItem,
                                const OutputTile &output) {
  // Slices of x on the way at the end of an item: of the next one.
  int64_t slices = p.getSlices(), ahead = layout.firstSlices;
  ptx::Registers ring;
  Value thread = ptx::toI32(e, kernel.getThread());
  Value begin =
      ptx::plusI(e, firstItem, ptx::dividedByI(e, thread, kWarpgroupThreads));
  RowFragments first = getFragments(e, locate(e, begin, thread), thread);
  for (int64_t slice = 0; slice < ahead; ++slice)
    llvm::append_range(ring, first.load(e, slice));

  auto loop = scf::ForOp::create(e, begin, lastItem,
                                 ptx::i32(e, layout.warpgroups), ring);
  OpBuilder::InsertionGuard guard(e);
  e.setInsertionPointToStart(loop.getBody());
  // What follows from the thread's number is computed here: ahead of the loop
  // it would take registers.
  thread = ptx::readThread(e);
  ptx::SwizzledTile tile = getWeights(0);
  tile.start.base = ptx::opaque(e, tile.start.base);
  ptx::MatrixOperand weights(e, tile, ptx::Major::MN);
  Value number = loop.getInductionVar();
  Item item = locate(e, number, thread);
  RowFragments current = getFragments(e, item, thread);
  RowFragments following = getFragments(
      e, locate(e, ptx::plusI(e, number, layout.warpgroups), thread), thread);
  // Each warpgroup meets every tile of the block within so many items.
  Value isNew = ptx::isLessI(
      e, number, ptx::plusI(e, firstItem, layout.warpgroups * layout.tiles));

  ValueRange carried = loop.getRegionIterArgs();
  SmallVector<ptx::Registers> fragments;
  for (int64_t slice = 0; slice < ahead; ++slice) {
    int64_t count = RowFragments::getRegisters(p, slice);
    fragments.emplace_back(carried.take_front(count));
    carried = carried.drop_front(count);
  }
  auto loadNext = [&] {
    int64_t slice = fragments.size();
    return slice < slices ? current.load(e, slice)
                          : following.load(e, slice - slices);
  };
  ptx::Registers sums;
  for (int64_t slice = 0; slice < slices; ++slice) {
    sums = multiplySlice(e, slice, sums, fragments[slice], weights, item.tile,
                         isNew);
    // A slice's registers are filled again when its products are done.
    if (slice == 0)
      continue;
    ptx::waitProducts(e, 1, {});
    fragments.push_back(loadNext());
  }
  sums = ptx::waitProducts(e, 0, sums);
  output.stage(e, sums);
  fragments.push_back(loadNext());

  runIf(e, ptx::isLessI(e, item.firstRow, rows), [&](Emitter &e) {
    Value tile = plus(e, readFirstTile(e), ptx::toIndex(e, item.tile));
    output.store(e, item.firstRow, rows, readHead(e), tile);
  });

  ptx::Registers yielded;
  for (int64_t slice = 0; slice < ahead; ++slice)
    llvm::append_range(yielded, fragments[slices + slice]);
  scf::YieldOp::create(e, yielded);
}

//===----------------------------------------------------------------------===//
// Launch
//===----------------------------------------------------------------------===//

void projection::launchWarpgroups(Emitter &e, const Chip &chip,
                                  const Projection &projection, Value rows,
                                  const ScalePadding &padding) {
  BlockLayout layout = BlockLayout::choose(projection, chip);
  // Few heads leave multiprocessors for more than one block of each.
  int64_t mostSplits =
      std::max<int64_t>(1, chip.multiprocessors / layout.units);
  Value splits = arith::MinUIOp::create(e, ceilDiv(e, rows, kWarpgroupRows),
                                        rows::index(e, mostSplits));
  BlockGrid grid{times(e, splits, layout.units),
                 layout.warpgroups * kWarpgroupThreads,
                 layout.memory.getBytes()};
  launchBlocks(
      e, chip, projection, grid, padding, [&](Emitter &e, Kernel &kernel) {
        WarpgroupKernel(projection, layout, kernel).emit(e, splits, rows);
      });
}
