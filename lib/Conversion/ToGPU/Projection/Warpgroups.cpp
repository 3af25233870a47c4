//===- Warpgroups.cpp - head_projection by products of four warps ---------===//
//
// A block keeps the weights of a head (or of as many of its columns as there is
// room for) in shared memory. One warpgroup, the loader, brings tiles of 64
// rows of x there, a ring of slices; the others take the tiles in turn:
//
//   loader:       slices of x ...
//   multiplier 0: tile 0: slice -> registers -> product | ... | store | tile 2
//   multiplier 1: weights | tile 1: ...
//
// While one stores, another multiplies. A slice's slot is free as soon as it is
// in registers. The last multiplier brings the weights: the fence between their
// copies and products waits for all that its thread has on the way, and the
// first tile's products can begin when the first slice of both is there.
//
//===----------------------------------------------------------------------===//

#include "../NVIDIA/Barriers.h"
#include "../NVIDIA/GlobalMemory.h"
#include "../NVIDIA/Warp.h"
#include "../NVIDIA/Warpgroup.h"
#include "OutputTile.h"
#include "RowRing.h"
#include "WeightTile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;
using namespace mlafuse::kernel::projection;

static constexpr int64_t kBarrierBytes = 8;
/// What a prefetch takes a multiple of.
static constexpr int64_t kPrefetchBytes = 16;

namespace {

/// Which weights a block has: neighbouring tiles of a head's columns.
struct BlockWeights {
  BlockWeights(const Projection &projection, int64_t tiles)
      : tiles(tiles), parts(projection.getTilesPerHead() / tiles),
        units(projection.heads * parts),
        layout(projection.schedule, projection.depth, tiles) {}

  /// With as many tiles as a block has room for; at least one. The slices of x
  /// stay where they are for several tiles.
  static BlockWeights choose(const Projection &projection, const Chip &chip) {
    int64_t most = projection.getTilesPerHead();
    if (projection.getSlices() <= projection.schedule.stages)
      for (int64_t tiles = most; tiles > 1; --tiles)
        if (most % tiles == 0)
          if (BlockWeights weights(projection, tiles);
              weights.layout.bytes <= chip.sharedBytes)
            return weights;
    return BlockWeights(projection, 1);
  }

  int64_t tiles; ///< Of a block.
  int64_t parts; ///< Blocks that have a head's weights together.
  int64_t units; ///< Blocks with different weights.
  ProjectionLayout layout;
};

class WarpgroupKernel {
public:
  /// Each part of the weights has `splits` (an index) blocks, which share the
  /// rows; the output has room for so many.
  WarpgroupKernel(Emitter &e, const Projection &projection,
                  const BlockWeights &weights, Kernel &kernel, Value splits,
                  Value roomForRows)
      : p(projection), weights(weights), layout(weights.layout), kernel(kernel),
        splits(splits), roomForRows(roomForRows),
        product{projection.columns, projection.elements},
        start(ptx::getSharedStart(e)), ring(p, layout, start) {}

  void emit(Emitter &e);

private:
  void initBarriers(Emitter &e) const;
  /// The roles have this one behind it, where each needs it first.
  ptx::NamedBarrier getBarriersReady(Emitter &e) const {
    return {e, 1, layout.getThreads()};
  }
  /// Waits for the launch ahead and lets the next one start.
  void meetOtherLaunches(Emitter &e) const;
  RowTiles getRowTiles(Emitter &e) const;

  /// `group` and `thread` (i32): the warpgroup, and the thread in it.
  void emitLoader(Emitter &e, Value thread) const;
  void emitMultiplier(Emitter &e, Value group, Value thread) const;
  void loadWeights(Emitter &e, Value thread) const;
  /// Has them on their way to the L2 cache, which is no read of them: ahead of
  /// the wait for the launch before, which may write them there.
  void prefetchWeights(Emitter &e, Value thread) const;

  /// A tile of rows and one of columns. Values are i32, or i1 for questions.
  struct Item {
    Value rowTile; ///< Of 64 rows.
    Value turn;    ///< Number of the first of its slices.
    Value tile;    ///< Of the block's columns.
    Value isNew;   ///< The first that the warpgroup multiplies by the weights.
    Value isLast;  ///< Of those with the same rows; null: always.
  };
  void emitItem(Emitter &e, const Item &item, const RowTiles &rows,
                const OutputTile &output, Value thread) const;
  ptx::Registers multiplySlice(Emitter &e, int64_t slice, ValueRange sums,
                               ValueRange operands,
                               ptx::MatrixOperand weightTile,
                               const Item &item) const;
  void waitForWeights(Emitter &e, int64_t part, const Item &item) const;

  ptx::SwizzledTile getWeights(int64_t tile) const {
    return {start + (layout.weights + tile * layout.tileBytes), p.depth};
  }
  /// Of tile 0.
  ptx::SharedBarrier getWeightBarrier(int64_t part) const {
    return {start + (layout.weightsFull + part * kBarrierBytes)};
  }

  /// The head of this block, and the first of its tiles (indices).
  Value readHead(Emitter &e) const {
    return ptx::toIndex(e, ptx::dividedByI(e, readUnit(e), weights.parts));
  }
  Value readFirstTile(Emitter &e) const {
    Value part = ptx::moduloI(e, readUnit(e), weights.parts);
    return ptx::toIndex(e, ptx::timesI(e, part, weights.tiles));
  }
  Value readUnit(Emitter &e) const {
    return ptx::moduloI(e, ptx::readBlock(e), weights.units);
  }

  const Projection &p;
  const BlockWeights &weights;
  const ProjectionLayout &layout;
  Kernel &kernel;
  Value splits, roomForRows;
  ptx::WarpgroupProduct product;
  ptx::Address start;
  RowRing ring;
};

} // namespace

void WarpgroupKernel::emit(Emitter &e) {
  initBarriers(e);
  Value thread = ptx::toI32(e, kernel.getThread());
  Value group = ptx::dividedByI(e, thread, ProjectionLayout::kGroupThreads);
  Value member = ptx::moduloI(e, thread, ProjectionLayout::kGroupThreads);
  scf::IfOp::create(
      e, ptx::isLessI(e, group, ptx::i32(e, layout.groups)),
      [&](OpBuilder &builder, Location loc) {
        Emitter inner(loc, builder);
        emitMultiplier(inner, group, member);
        scf::YieldOp::create(inner);
      },
      [&](OpBuilder &builder, Location loc) {
        Emitter inner(loc, builder);
        emitLoader(inner, member);
        scf::YieldOp::create(inner);
      });
}

void WarpgroupKernel::initBarriers(Emitter &e) const {
  runIf(e, isEqual(e, kernel.getThread(), 0), [&](Emitter &e) {
    ring.initBarriers(e);
    for (int64_t i = 0; i < weights.tiles * layout.weightParts; ++i)
      getWeightBarrier(i).init(e, ProjectionLayout::kGroupThreads);
    ptx::fenceBarrierInit(e);
  });
}

void WarpgroupKernel::meetOtherLaunches(Emitter &e) const {
  ptx::waitForPreviousLaunch(e);
  // The next launch may take this one's wait for its own of all before.
  ptx::startNextLaunch(e);
}

RowTiles WarpgroupKernel::getRowTiles(Emitter &e) const {
  Value rows = getStoredRows(e, p, roomForRows);
  Value tiles = ceilDiv(e, rows, ProjectionLayout::kGroupRows);
  Value split = ptx::dividedByI(e, ptx::readBlock(e), weights.units);
  return {split, ptx::toI32(e, splits), ptx::toI32(e, tiles),
          ptx::toI32(e, rows)};
}

//===----------------------------------------------------------------------===//
// Roles
//===----------------------------------------------------------------------===//

void WarpgroupKernel::emitLoader(Emitter &e, Value thread) const {
  if (int64_t registers = layout.getLoaderRegisters())
    ptx::lowerRegisters(e, registers);
  // Ahead of the wait for the launch before, as far as the assembler leaves it.
  Value head = readHead(e);
  std::optional<RowRing::Copies> copies = ring.getCopies(e, head, thread);
  getBarriersReady(e).sync(e);
  meetOtherLaunches(e);
  ring.load(e, getRowTiles(e), head, thread, copies);
}

void WarpgroupKernel::emitMultiplier(Emitter &e, Value group,
                                     Value thread) const {
  if (int64_t registers = layout.getMultiplierRegisters())
    ptx::raiseRegisters(e, registers);
  auto bring = [&](Emitter &e) {
    if (!p.readsWeightsEarly)
      meetOtherLaunches(e);
    loadWeights(e, thread);
    if (p.readsWeightsEarly)
      meetOtherLaunches(e);
  };
  if (layout.groups == 1)
    bring(e);
  else
    scf::IfOp::create(
        e, ptx::isEqualI(e, group, layout.groups - 1),
        [&](OpBuilder &builder, Location loc) {
          Emitter inner(loc, builder);
          bring(inner);
          scf::YieldOp::create(inner);
        },
        [&](OpBuilder &builder, Location loc) {
          Emitter inner(loc, builder);
          if (!p.readsWeightsEarly)
            prefetchWeights(inner, thread);
          getBarriersReady(inner).sync(inner);
          meetOtherLaunches(inner);
          scf::YieldOp::create(inner);
        });
  RowTiles rows = getRowTiles(e);
  OutputTile output(e, kernel, p, start + layout.staging);
  Value step = ptx::timesI(e, rows.step, layout.groups);
  Value first = ptx::plusI(e, rows.first, ptx::timesI(e, rows.step, group));
  Value firstEnd = ptx::plusI(e, rows.first, step);
  auto emitTiles = [&](Emitter &e, Value rowTile, Value turn) {
    Item item = {rowTile, turn, ptx::i32(e, 0),
                 ptx::isLessI(e, rowTile, firstEnd), Value()};
    if (weights.tiles == 1)
      return emitItem(e, item, rows, output, thread);
    scf::ForOp::create(
        e, item.tile, ptx::i32(e, weights.tiles), ptx::i32(e, 1), ValueRange(),
        [&](OpBuilder &builder, Location loc, Value tile, ValueRange) {
          Emitter inner(loc, builder);
          item.tile = tile;
          item.isLast = ptx::isEqualI(inner, tile, weights.tiles - 1);
          emitItem(inner, item, rows, output, thread);
          scf::YieldOp::create(inner);
        });
  };
  scf::ForOp::create(
      e, first, rows.end, step, ptx::timesI(e, group, layout.slices),
      [&](OpBuilder &builder, Location loc, Value rowTile, ValueRange carried) {
        Emitter inner(loc, builder);
        Value turn = carried.front();
        emitTiles(inner, rowTile, turn);
        scf::YieldOp::create(
            inner, ptx::plusI(inner, turn, layout.groups * layout.slices));
      });
  // Copies that no product has waited for.
  ptx::waitCopies(e, 0);
}

void WarpgroupKernel::loadWeights(Emitter &e, Value thread) const {
  WeightLoader loader(e, p, thread, ProjectionLayout::kGroupThreads,
                      readHead(e));
  Value firstOfHead = readFirstTile(e);
  for (int64_t tile = 0; tile < weights.tiles; ++tile) {
    Value column = times(e, plus(e, firstOfHead, tile), p.columns);
    for (int64_t part = 0; part < layout.weightParts; ++part) {
      int64_t begin = part * layout.partDepth;
      loader.load(e, begin, std::min(layout.partDepth, p.depth - begin), column,
                  getWeights(tile), begin);
      // The first copies are on their way meanwhile.
      if (tile == 0 && part == 0)
        getBarriersReady(e).sync(e);
      ptx::SharedBarrier barrier =
          getWeightBarrier(tile * layout.weightParts + part);
      if (p.alignment.isWideForm())
        barrier.arriveWithCopies(e);
      else
        barrier.arrive(e);
    }
  }
}

void WarpgroupKernel::prefetchWeights(Emitter &e, Value thread) const {
  auto type = cast<MemRefType>(p.w.getType());
  int64_t bytes = p.depth * p.width * type.getElementTypeBitWidth() / 8 /
                  ProjectionLayout::kGroupWarps;
  if (weights.parts > 1 || !type.getLayout().isIdentity() ||
      !p.alignment.isWideForm() || bytes % kPrefetchBytes != 0)
    return;
  Value head = ptx::timesI(e, ptx::toI64(e, readHead(e)),
                           bytes * ProjectionLayout::kGroupWarps);
  Value warp = ptx::dividedByI(e, thread, kWarpThreads);
  Value address =
      ptx::plusI(e, ptx::plusI(e, ptx::getGlobalAddress(e, p.w), head),
                 ptx::toI64(e, ptx::timesI(e, warp, bytes)));
  Value isFirst = ptx::isEqualI(e, ptx::moduloI(e, thread, kWarpThreads), 0);
  // With few rows all reads are these, and one of each line is faster.
  Value areMany = ptx::isLessI(e, ptx::i32(e, ProjectionLayout::kGroupRows),
                               ptx::toI32(e, roomForRows));
  ptx::prefetchToL2(e, both(e, isFirst, areMany), address, bytes);
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

ptx::Registers WarpgroupKernel::multiplySlice(Emitter &e, int64_t slice,
                                              ValueRange sums,
                                              ValueRange operands,
                                              ptx::MatrixOperand weightTile,
                                              const Item &item) const {
  if (weights.tiles > 1)
    weightTile =
        weightTile.advance(e, ptx::timesI(e, item.tile, layout.tileBytes));
  ptx::Registers result(sums);
  int64_t begin = slice * p.schedule.tileDepth;
  for (int64_t i = 0; i < p.getSliceDepth(slice) / kProductDepth; ++i) {
    int64_t depth = begin + i * kProductDepth;
    if (depth % layout.partDepth == 0) {
      waitForWeights(e, depth / layout.partDepth, item);
      // Behind the branch too: else the assembler has products wait.
      ptx::fenceProducts(e);
    }
    result = ptx::multiply(e, product, result, operands.slice(4 * i, 4),
                           weightTile.get(e, depth), weightTile.getMajor());
  }
  ptx::commitProducts(e);
  return result;
}

void WarpgroupKernel::waitForWeights(Emitter &e, int64_t part,
                                     const Item &item) const {
  runIf(e, item.isNew, [&](Emitter &e) {
    ptx::SharedBarrier barrier = getWeightBarrier(part);
    barrier.place = barrier.place.advance(
        e, ptx::timesI(e, item.tile, layout.weightParts * kBarrierBytes));
    barrier.wait(e, ptx::i32(e, 0));
    ptx::fenceMatrixUnits(e);
  });
}

void WarpgroupKernel::emitItem(Emitter &e, const Item &item,
                               const RowTiles &rows, const OutputTile &output,
                               Value thread) const {
  Value isFirstLane =
      ptx::isEqualI(e, ptx::moduloI(e, thread, kWarpThreads), 0);
  Value warp = ptx::sameInAllLanes(e, ptx::dividedByI(e, thread, kWarpThreads));
  ptx::MatrixOperand weightTile(e, getWeights(0), ptx::Major::MN);
  ptx::Registers sums;
  for (int64_t slice = 0; slice < layout.slices; ++slice) {
    RowRing::Slot slot = ring.getSlot(e, ptx::plusI(e, item.turn, slice));
    slot.full.wait(e, slot.fullParity);
    // The registers of the slice before the last are filled again.
    if (slice >= 2)
      ptx::waitProducts(e, 1, {});
    ptx::Registers operands = ring.loadOperands(e, slot, slice, thread);
    ptx::syncWarp(e);
    runIf(e, both(e, isFirstLane, item.isLast),
          [&](Emitter &e) { slot.free.arrive(e); });
    sums = multiplySlice(e, slice, sums, operands, weightTile, item);
  }
  sums = ptx::waitProducts(e, 0, sums);

  Value firstRow = ptx::plusI(
      e, ptx::timesI(e, item.rowTile, ProjectionLayout::kGroupRows), warp);
  Value tile = plus(e, readFirstTile(e), ptx::toIndex(e, item.tile));
  output.store(e, sums, firstRow, RowRing::kRowStep, rows.rows, readHead(e),
               tile);
}

//===----------------------------------------------------------------------===//
// Launch
//===----------------------------------------------------------------------===//

void projection::launchWarpgroups(Emitter &e, const Chip &chip,
                                  const Projection &projection, Value rows,
                                  const ScalePadding &padding) {
  BlockWeights weights = BlockWeights::choose(projection, chip);
  // Few heads leave multiprocessors for more than one block of each.
  int64_t mostSplits =
      std::max<int64_t>(1, chip.multiprocessors / weights.units);
  Value splits =
      arith::MinUIOp::create(e, ceilDiv(e, rows, ProjectionLayout::kGroupRows),
                             rows::index(e, mostSplits));
  BlockGrid grid{times(e, splits, weights.units), weights.layout.getThreads(),
                 weights.layout.bytes, /*overlapsPrevious=*/true,
                 weights.layout.getMultiplierRegisters() != 0};
  launchBlocks(e, chip, grid, padding, [&](Emitter &e, Kernel &kernel) {
    WarpgroupKernel(e, projection, weights, kernel, splits, rows).emit(e);
  });
}
