//===- WarpAttention.cpp - latent_attention by mma.sync -------------------===//
//
// A block of threads has a tile of query rows in shared memory, and some blocks
// of keys. Its warps are row groups of 16 rows times column groups of the
// output. Each warp makes the probabilities of its rows for itself, those of a
// row group alike, so that warps share nothing but the tiles.
//
//===----------------------------------------------------------------------===//

#include "WarpAttention.h"
#include "../NVIDIA/Barriers.h"
#include "../NVIDIA/GlobalMemory.h"
#include "../NVIDIA/Warp.h"
#include "Softmax.h"
#include "TileLoader.h"
#include "WarpTile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;
using ptx::i32;
using ptx::plusI;
using ptx::timesI;

/// Rows of a row group, and the step of column groups.
static constexpr int64_t kWarpRows = 16;
static constexpr int64_t kColumnStep = 16;
/// Columns of an accumulator that a thread has next to each other.
static constexpr int64_t kPair = 2;
/// Of the softmax; the sums of values follow.
static constexpr int64_t kStateSize = SoftmaxState::kRegisters;

namespace {

/// How warps share a tile.
struct WarpGrid {
  int64_t rowGroups, columnGroups, columns;

  static FailureOr<WarpGrid> get(const AttentionProblem &problem,
                                 const AttentionSchedule &schedule,
                                 const Chip &chip) {
    constexpr int64_t box = ptx::SwizzledTile::kBoxColumns;
    WarpGrid grid;
    grid.rowGroups = schedule.tileRows / kWarpRows;
    grid.columnGroups = schedule.warps / grid.rowGroups;
    bool hasAll = grid.rowGroups * grid.columnGroups == schedule.warps &&
                  problem.latent % (grid.columnGroups * kColumnStep) == 0;
    grid.columns = hasAll ? problem.latent / grid.columnGroups : 0;
    if (hasAll && (grid.columns % box == 0 || box % grid.columns == 0))
      return grid;
    LatentAttentionOp op = problem.op;
    return op.emitOpError()
           << "has a schedule for " << chip.name << " whose " << schedule.warps
           << " warps do not share a tile of tile_rows = " << schedule.tileRows
           << " and " << problem.latent << " latent columns: it takes row "
           << "groups of " << kWarpRows << " times column groups that are a "
           << "multiple or a part of " << box;
  }
};

class WarpAttention {
public:
  WarpAttention(Emitter &e, Kernel &kernel, const AttentionInputs &inputs,
                const AttentionSchedule &schedule, const SplitBuffers &buffers,
                const WarpGrid &grid)
      : problem(inputs.getProblem()), inputs(inputs), schedule(schedule),
        buffers(buffers), grid(grid), layout(schedule, problem.getWidth()),
        start(ptx::getSharedStart(e)),
        queries{start + layout.queries, schedule.tileRows},
        plan(SplitPlan::create(e, kernel, inputs, schedule, buffers)),
        locator(e, inputs), queryLoader(inputs, kernel, queries),
        keyLoader(inputs, locator, kernel, start, layout, schedule.blockKeys) {
    kernel.setDynamicShared(layout.bytes);
    Value warp = ptx::dividedByI(e, ptx::toI32(e, kernel.getThread()),
                                 kernel.getChip().subgroupSize);
    firstRow = timesI(e, ptx::moduloI(e, warp, grid.rowGroups), kWarpRows);
    firstColumn =
        timesI(e, ptx::dividedByI(e, warp, grid.rowGroups), grid.columns);
    if (problem.format == CacheFormat::FP8)
      keyScale = inputs.loadKScale(e);
  }

  void emit(Emitter &e) {
    using Order = WarpMatrices::Order;
    ptx::SwizzledTile tile = keyLoader.getTile();
    WarpMatrices a(e, queries, Order::RowsFirst, firstRow, Value());
    WarpMatrices keys(e, tile, Order::ColumnsFirst, Value(), Value());
    WarpMatrices values(e, tile, Order::RowsFirst, Value(), firstColumn);
    Softmax softmax(e, problem.elements,
                    problem.op.getSoftmaxScale().convertToDouble(), keyScale);
    plan.forEachPart(e, [&](Emitter &e, const Part &part) {
      loadFirst(e, part);
      ptx::Registers state = SoftmaxState::create(e).pack();
      llvm::append_range(state, createAccumulator(e, grid.columns));
      auto loop = scf::ForOp::create(
          e, part.firstBlock, part.end, i32(e, 1), state,
          [&](OpBuilder &builder, Location loc, Value block, ValueRange state) {
            Emitter e(loc, builder);
            Value number = arith::SubIOp::create(e, block, part.firstBlock);
            Value stage = ptx::moduloI(e, number, schedule.stages);
            Value offset = keyLoader.getOffset(e, stage);
            ptx::waitCopies(e, schedule.stages - 1);
            Kernel::barrier(e);
            ptx::Registers next = addBlock(e, part, block, stage, softmax, a,
                                           keys.advance(e, offset),
                                           values.advance(e, offset), state);
            loadNext(e, part, plusI(e, block, schedule.stages), stage);
            scf::YieldOp::create(e, next);
          });
      finish(e, part, softmax, loop.getResults());
    });
  }

private:
  /// The queries and as many blocks as there are stages.
  void loadFirst(Emitter &e, const Part &part) const {
    // Of a part without blocks nothing has waited for the queries: they must
    // not land on this one's.
    ptx::waitCopies(e, 0);
    queryLoader.load(e, part.request, plan.getRowTile());
    for (int64_t stage = 0; stage < schedule.stages; ++stage)
      loadNext(e, part, plusI(e, part.firstBlock, stage), i32(e, stage));
  }

  /// Brings block `block`, if the part has it, once all warps are done with the
  /// stage.
  void loadNext(Emitter &e, const Part &part, Value block, Value stage) const {
    Value isPart = ptx::isLessI(e, block, part.end);
    runIf(e, isPart,
          [&](Emitter &e) { keyLoader.locate(e, part, block, stage); });
    Kernel::barrier(e);
    runIf(e, isPart, [&](Emitter &e) { keyLoader.load(e, stage); });
    // Also where there is none: groups are counted.
    ptx::commitCopies(e);
  }

  /// The thread's rows, r and r + 8: numbers in the tile, and in the request.
  Value getTileRow(Emitter &e, int64_t which) const {
    Value row = plusI(e, firstRow, ptx::dividedByI(e, ptx::getLane(e), 4));
    return plusI(e, row, which * kWarpRows / 2);
  }
  Value getRow(Emitter &e, int64_t which) const {
    Value tile = timesI(e, plan.getRowTile(), schedule.tileRows);
    return plusI(e, tile, getTileRow(e, which));
  }

  ptx::Registers addBlock(Emitter &e, const Part &part, Value block,
                          Value stage, const Softmax &softmax,
                          const WarpMatrices &a, const WarpMatrices &keys,
                          const WarpMatrices &values, ValueRange state) const {
    ptx::Registers scores = multiplyKeys(
        e, problem.elements, a, keys, schedule.blockKeys, problem.getWidth());
    SmallVector<Value> existing = keyLoader.getExisting(e, stage);
    Value firstKey = timesI(e, block, schedule.blockKeys);
    ColumnMask masks[kThreadRows];
    for (int64_t which = 0; which < kThreadRows; ++which) {
      Value visible = inputs.getVisibleKeys(e, part.length, getRow(e, which));
      masks[which] = limitColumns(e, existing,
                                  arith::SubIOp::create(e, visible, firstKey));
    }
    SoftmaxBlock result = softmax.addBlock(
        e, scores, masks, SoftmaxState::unpack(state.take_front(kStateSize)));
    ptx::Registers sums =
        scaleRows(e, state.drop_front(kStateSize), result.rescale);
    ptx::Registers next = result.state.pack();
    llvm::append_range(next, addValues(e, problem.elements, sums,
                                       result.probabilities, values,
                                       schedule.blockKeys));
    return next;
  }

  void finish(Emitter &e, const Part &part, const Softmax &softmax,
              ValueRange state) const {
    SoftmaxResult result =
        softmax.finish(e, SoftmaxState::unpack(state.take_front(kStateSize)));
    Value factors[kThreadRows];
    for (int64_t which = 0; which < kThreadRows; ++which)
      factors[which] = keyScale ? mul(e, result.inverse[which], keyScale)
                                : result.inverse[which];
    ptx::Registers sums = scaleRows(e, state.drop_front(kStateSize), factors);
    scf::IfOp::create(
        e, part.isWhole,
        [&](OpBuilder &builder, Location loc) {
          Emitter e(loc, builder);
          storeResult(e, part, result, sums);
          scf::YieldOp::create(e);
        },
        [&](OpBuilder &builder, Location loc) {
          Emitter e(loc, builder);
          if (buffers.mayCut())
            storePart(e, part, result, sums);
          scf::YieldOp::create(e);
        });
  }

  /// Rows that count.
  void storeResult(Emitter &e, const Part &part, const SoftmaxResult &result,
                   ValueRange sums) const {
    Value rows = inputs.getRows(e, part.request);
    Value requestRow = inputs.getFirstRow(e, part.request);
    for (int64_t which = 0; which < kThreadRows; ++which) {
      Value row = getRow(e, which);
      runIf(e, ptx::isLessI(e, row, rows), [&](Emitter &e) {
        Value globalRow = plusI(e, requestRow, row);
        storeRow(e, inputs.getOutput(e, globalRow), problem.outputElements,
                 problem.getOutputAlignment(), sums, which);
        runIf(e, isFirstOfRow(e), [&](Emitter &e) {
          inputs.storeLSE(e, globalRow, toNaturalLog(e, result.log2Sum[which]));
        });
      });
    }
  }

  /// Rows that do not count are written too: the slot has room for them.
  void storePart(Emitter &e, const Part &part, const SoftmaxResult &result,
                 ValueRange sums) const {
    static_assert(kWarpRows == SplitBuffers::kGroupRows);
    Value group = ptx::dividedByI(e, firstRow, kWarpRows);
    Value outputs = plan.getPartialOutputs(e, part, group);
    Value logarithms = plan.getPartialSums(e, part, group);
    constexpr int64_t bytes = 4;
    for (int64_t which = 0; which < kThreadRows; ++which) {
      Value row = ptx::moduloI(e, getTileRow(e, which), kWarpRows);
      Value address = plusI(
          e, outputs, ptx::toI64(e, timesI(e, row, problem.latent * bytes)));
      storeRow(e, address, e.getF32Type(), Chip::kAccessBytes, sums, which);
      runIf(e, isFirstOfRow(e), [&](Emitter &e) {
        ptx::storeGlobal(
            e, plusI(e, logarithms, ptx::toI64(e, timesI(e, row, bytes))),
            result.log2Sum[which]);
      });
    }
  }

  /// Whether the thread is the one of its row that stores what the row has one
  /// of.
  Value isFirstOfRow(Emitter &e) const {
    Value isFirstLane =
        ptx::isEqualI(e, ptx::moduloI(e, ptx::getLane(e), 4), 0);
    return both(e, isFirstLane, ptx::isEqualI(e, firstColumn, 0));
  }

  /// The thread's columns of row `which`, at the row's `address`.
  void storeRow(Emitter &e, Value address, Type elements, int64_t alignment,
                ValueRange sums, int64_t which) const {
    int64_t bytes = elements.getIntOrFloatBitWidth() / 8;
    Value column = plusI(e, firstColumn,
                         timesI(e, ptx::moduloI(e, ptx::getLane(e), 4), kPair));
    Value first = plusI(e, address, ptx::toI64(e, timesI(e, column, bytes)));
    auto type = VectorType::get(kPair, elements);
    for (size_t i = kPair * which; i < sums.size(); i += 2 * kPair) {
      ValueRange pair = sums.slice(i, kPair);
      Value values;
      if (elements.isF32())
        values = vector::FromElementsOp::create(e, type, pair);
      else
        values = LLVM::BitcastOp::create(
            e, type, ptx::packPair(e, elements, pair[0], pair[1]));
      ptx::storeAligned(e, plusI(e, first, i / 4 * 8 * bytes), values,
                        std::min(alignment, kPair * bytes));
    }
  }

  AttentionProblem problem;
  const AttentionInputs &inputs;
  AttentionSchedule schedule;
  const SplitBuffers &buffers;
  WarpGrid grid;
  WarpLayout layout;
  ptx::Address start;
  ptx::SwizzledTile queries;
  SplitPlan plan;
  KeyLocator locator;
  QueryLoader queryLoader;
  KeyLoader keyLoader;
  Value firstRow, firstColumn; ///< Of the warp, in the tile.
  Value keyScale;              ///< Null but for an fp8 cache.
};

} // namespace

LogicalResult kernel::launchWarpAttention(Emitter &e, const Chip &chip,
                                          const AttentionProblem &problem,
                                          const AttentionSchedule &schedule,
                                          const SplitBuffers &buffers) {
  FailureOr<WarpGrid> grid = WarpGrid::get(problem, schedule, chip);
  if (failed(grid))
    return failure();
  Kernel kernel(e, chip, buffers.getGrid(e), rows::index(e, 1),
                schedule.warps * chip.subgroupSize);
  Emitter body = kernel.getBody();
  if (chip.overlapsLaunches()) {
    kernel.setOverlapsPrevious();
    ptx::waitForPreviousLaunch(body);
    ptx::startNextLaunch(body);
  }
  AttentionInputs inputs(body, problem);
  WarpAttention(body, kernel, inputs, schedule, buffers, *grid).emit(body);
  return success();
}
