//===- Combine.cpp - parts of requests to their results -------------------===//
//
// Blocks of threads are dealt to the requests that are cut, evenly. A warp has
// 128 columns of a row and some of its parts: all parts of it where they are
// few, and then the warps of a block have different rows and columns; else the
// warps of a block share one row's parts.
//
//===----------------------------------------------------------------------===//

#include "Combine.h"
#include "../NVIDIA/Barriers.h"
#include "../NVIDIA/GlobalMemory.h"
#include "../NVIDIA/Warp.h"
#include "Softmax.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"
#include <limits>

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;
using ptx::dividedByI;
using ptx::i32;
using ptx::isLessI;
using ptx::moduloI;
using ptx::plusI;
using ptx::timesI;
using ptx::toI32;
using ptx::toI64;

static constexpr int64_t kThreads = 256;
static constexpr int64_t kBlocksPerMultiprocessor = 4;
static constexpr int64_t kF32Bytes = 4;
/// Columns of a lane and of a warp.
static constexpr int64_t kLaneColumns = 4;
/// Parts that a warp has under way at a time; no more than these many are left
/// to a warp alone.
static constexpr int64_t kBatch = 4;

static void forRange(Emitter &e, Value first, Value end, Value step,
                     function_ref<void(Emitter &, Value)> body) {
  scf::ForOp::create(
      e, first, end, step, ValueRange(),
      [&](OpBuilder &builder, Location loc, Value i, ValueRange) {
        Emitter e(loc, builder);
        body(e, i);
        scf::YieldOp::create(e);
      });
}

namespace {

/// A request that is cut.
struct CutRequest {
  Value request, firstGroup, parts, rows;
};

/// A warp's piece of the work.
struct Piece {
  Value row;    ///< Of the request.
  Value column; ///< The lane's first; all i32.
  Value isLane; ///< Whether the row has the lane's columns.
};

class Combiner {
public:
  Combiner(Emitter &e, Kernel &kernel, const AttentionInputs &inputs,
           const AttentionSchedule &schedule, const SplitBuffers &buffers,
           int64_t maxGroups, Value grid)
      : kernel(kernel), inputs(inputs), problem(inputs.getProblem()),
        schedule(schedule), buffers(buffers),
        warpSize(kernel.getChip().subgroupSize),
        warps(kThreads / warpSize), warpColumns(warpSize * kLaneColumns),
        slices(llvm::divideCeil(problem.latent, warpColumns)) {
    thread = toI32(e, kernel.getThread());
    block = toI32(e, kernel.getBlock());
    warp = dividedByI(e, thread, warpSize);
    lane = ptx::getLane(e);
    this->grid = toI32(e, grid);
    groups = toI32(e, buffers.groups);
    rowTiles = toI32(e, buffers.rowTiles);
    list = kernel.addShared(maxGroups, e.getI32Type());
    warpCounts = kernel.addShared(warps, e.getI32Type());
    shares = kernel.addShared(warps * warpColumns, e.getF32Type());
  }

  void emit(Emitter &e) {
    Value count = listCutRequests(e);
    // Block b works on request b mod `columns` of the list, and on every
    // columns-th after it, as number b / columns of so many blocks.
    Value columns = arith::MinSIOp::create(e, count, grid);
    runIf(e, isLessI(e, i32(e, 0), count), [&](Emitter &e) {
      Value first = arith::RemUIOp::create(e, block, columns);
      Value number = arith::DivUIOp::create(e, block, columns);
      Value last = plusI(e, arith::SubIOp::create(e, grid, first), -1);
      Value sharing = plusI(e, arith::DivUIOp::create(e, last, columns), 1);
      forRange(e, first, count, columns, [&](Emitter &e, Value i) {
        combineRequest(e, i, number, sharing);
      });
    });
  }

private:
  Value toIndex(Emitter &e, Value value) const {
    return arith::IndexCastOp::create(e, e.getIndexType(), value);
  }

  Value loadEntry(Emitter &e, Value group, int64_t field) const {
    return memref::LoadOp::create(
        e, buffers.parts, ValueRange{toIndex(e, group), rows::index(e, field)});
  }

  /// Lists the groups in which a request that is cut begins, in order; returns
  /// how many.
  Value listCutRequests(Emitter &e) const {
    auto loop = scf::ForOp::create(
        e, i32(e, 0), groups, i32(e, kThreads), ValueRange{i32(e, 0)},
        [&](OpBuilder &builder, Location loc, Value first, ValueRange state) {
          Emitter e(loc, builder);
          Value group = plusI(e, first, thread);
          Value parts = valueIf(e, isLessI(e, group, groups), i32(e, 0),
                                [&](Emitter &e) { return loadEntry(e, group, 1); });
          Value bits = ptx::ballot(e, parts);
          runIf(e, ptx::isEqualI(e, lane, 0), [&](Emitter &e) {
            memref::StoreOp::create(e, ptx::countBits(e, bits), warpCounts,
                                    toIndex(e, warp));
          });
          Kernel::barrier(e);
          Value place = state[0], total = state[0];
          for (int64_t i = 0; i < warps; ++i) {
            Value ofWarp =
                memref::LoadOp::create(e, warpCounts, rows::index(e, i));
            Value isBefore = isLessI(e, i32(e, i), warp);
            place = plusI(e, place,
                          arith::SelectOp::create(e, isBefore, ofWarp,
                                                  i32(e, 0))
                              .getResult());
            total = plusI(e, total, ofWarp);
          }
          Value below = arith::ShLIOp::create(e, i32(e, 1), lane);
          below = arith::AndIOp::create(e, bits, plusI(e, below, -1));
          place = plusI(e, place, ptx::countBits(e, below));
          Value isCut = arith::CmpIOp::create(e, arith::CmpIPredicate::ne,
                                              parts, i32(e, 0));
          runIf(e, isCut, [&](Emitter &e) {
            memref::StoreOp::create(e, group, list, toIndex(e, place));
          });
          Kernel::barrier(e);
          scf::YieldOp::create(e, total);
        });
    return loop.getResult(0);
  }

  void combineRequest(Emitter &e, Value entry, Value number,
                      Value sharing) const {
    Value group = memref::LoadOp::create(e, list, toIndex(e, entry));
    CutRequest cut{loadEntry(e, group, 0), group, loadEntry(e, group, 1), {}};
    cut.rows = inputs.getRows(e, cut.request);
    Value pieces = timesI(e, cut.rows, slices);
    Value isAlone = isLessI(e, cut.parts, i32(e, kBatch + 1));
    scf::IfOp::create(
        e, isAlone,
        [&](OpBuilder &builder, Location loc) {
          Emitter e(loc, builder);
          Value first = plusI(e, timesI(e, number, warps), warp);
          forRange(e, first, pieces, timesI(e, sharing, warps),
                   [&](Emitter &e, Value i) {
                     Piece piece = getPiece(e, i);
                     combineAlone(e, cut, piece);
                   });
          scf::YieldOp::create(e);
        },
        [&](OpBuilder &builder, Location loc) {
          Emitter e(loc, builder);
          forRange(e, number, pieces, sharing, [&](Emitter &e, Value i) {
            combineTogether(e, cut, getPiece(e, i));
          });
          scf::YieldOp::create(e);
        });
  }

  Piece getPiece(Emitter &e, Value i) const {
    Value column = plusI(e, timesI(e, moduloI(e, i, slices), warpColumns),
                         timesI(e, lane, kLaneColumns));
    return {dividedByI(e, i, slices), column,
            isLessI(e, column, i32(e, problem.latent))};
  }

  //===--------------------------------------------------------------------===//
  // Parts
  //===--------------------------------------------------------------------===//

  /// The row's place among the rows of all slots' tiles, for part `part`.
  Value getSlotRow(Emitter &e, const CutRequest &cut, Value row,
                   Value part) const {
    Value slot = timesI(e, plusI(e, cut.firstGroup, part),
                        SplitBuffers::kSlotsPerGroup);
    Value isLater = arith::CmpIOp::create(e, arith::CmpIPredicate::ne, part,
                                          i32(e, 0));
    slot = plusI(e, slot,
                 arith::ExtUIOp::create(e, e.getI32Type(), isLater).getResult());
    Value tile = plusI(e, timesI(e, slot, rowTiles),
                       dividedByI(e, row, schedule.tileRows));
    return plusI(e, timesI(e, toI64(e, tile), schedule.tileRows),
                 toI64(e, moduloI(e, row, schedule.tileRows)));
  }

  /// The base-2 logarithm of a part's sum for the row.
  Value loadSum(Emitter &e, const CutRequest &cut, Value row,
                Value part) const {
    Value place = timesI(e, getSlotRow(e, cut, row, part), kF32Bytes);
    return ptx::loadGlobal(
        e, plusI(e, ptx::getGlobalAddress(e, buffers.sums), place),
        e.getF32Type());
  }

  /// The lane's columns of a part; anything if the row has none.
  ptx::Registers loadColumns(Emitter &e, const CutRequest &cut,
                             const Piece &piece, Value part) const {
    Value column = arith::SelectOp::create(e, piece.isLane, piece.column,
                                           i32(e, 0));
    Value element =
        plusI(e, timesI(e, getSlotRow(e, cut, piece.row, part), problem.latent),
              toI64(e, column));
    Value address = plusI(e, ptx::getGlobalAddress(e, buffers.outputs),
                          timesI(e, element, kF32Bytes));
    ptx::Registers values;
    for (Value bits : ptx::loadGlobal16(e, address))
      values.push_back(arith::BitcastOp::create(e, e.getF32Type(), bits));
    return values;
  }

  /// The largest and the sum over all parts of a row, relative to it: what
  /// weights are made from. Lanes look at different parts.
  struct Weights {
    Value base;    ///< The largest logarithm, 0 if all are -inf.
    Value total;   ///< Sum of 2^(logarithm - base).
  };

  Weights getWeights(Emitter &e, const CutRequest &cut, Value row) const {
    Value none =
        rows::constant(e, -std::numeric_limits<double>::infinity());
    auto overParts = [&](Value initial, auto fold) -> Value {
      auto loop = scf::ForOp::create(
          e, lane, cut.parts, i32(e, warpSize), initial,
          [&](OpBuilder &builder, Location loc, Value part, ValueRange state) {
            Emitter e(loc, builder);
            scf::YieldOp::create(
                e, ValueRange{fold(e, state[0], loadSum(e, cut, row, part))});
          });
      return loop.getResult(0);
    };
    auto overLanes = [&](Value value, Combine combine) {
      for (int64_t offset = 1; offset < warpSize; offset *= 2)
        value = combine(e, value, ptx::exchange(e, value, offset));
      return value;
    };
    Value most = overLanes(
        overParts(none, [](Emitter &e, Value a, Value b) {
          return largest(e, a, b);
        }),
        largest);
    Value isNone = arith::CmpFOp::create(e, arith::CmpFPredicate::OEQ, most,
                                         none);
    Weights weights;
    weights.base =
        arith::SelectOp::create(e, isNone, rows::constant(e, 0), most);
    weights.total = overLanes(
        overParts(rows::constant(e, 0),
                  [&](Emitter &e, Value sum, Value logarithm) {
                    return add(e, sum, getWeight(e, weights, logarithm));
                  }),
        add);
    return weights;
  }

  Value getWeight(Emitter &e, const Weights &weights, Value logarithm) const {
    return ptx::exp2Fast(e, arith::SubFOp::create(e, logarithm, weights.base));
  }

  /// Adds parts first, first + step, ... kBatch of them; those past the last
  /// weigh nothing.
  ptx::Registers addBatch(Emitter &e, const CutRequest &cut, const Piece &piece,
                          Value first, int64_t step, ValueRange sums,
                          function_ref<Weights(Emitter &)> getWeights) const {
    SmallVector<Value> isPart;
    SmallVector<ptx::Registers> columns;
    SmallVector<Value> logarithms;
    Value last = plusI(e, cut.parts, -1);
    for (int64_t i = 0; i < kBatch; ++i) {
      Value part = plusI(e, first, i * step);
      isPart.push_back(isLessI(e, part, cut.parts));
      Value known = arith::MinSIOp::create(e, part, last);
      columns.push_back(loadColumns(e, cut, piece, known));
      logarithms.push_back(loadSum(e, cut, piece.row, known));
    }
    // After the loads, which take longest.
    Weights weights = getWeights(e);
    ptx::Registers next(sums);
    for (int64_t i = 0; i < kBatch; ++i) {
      Value weight = arith::SelectOp::create(
          e, isPart[i], getWeight(e, weights, logarithms[i]),
          rows::constant(e, 0));
      for (auto [sum, value] : llvm::zip(next, columns[i]))
        sum = ptx::fusedMultiplyAdd(e, weight, value, sum);
    }
    return next;
  }

  static ptx::Registers zeros(Emitter &e) {
    return ptx::Registers(kLaneColumns, rows::constant(e, 0));
  }

  /// All parts by one warp.
  void combineAlone(Emitter &e, const CutRequest &cut,
                    const Piece &piece) const {
    Weights weights;
    ptx::Registers sums =
        addBatch(e, cut, piece, i32(e, 0), 1, zeros(e), [&](Emitter &e) {
          return weights = getWeights(e, cut, piece.row);
        });
    store(e, cut, piece, weights, sums);
  }

  /// Every warp a part in turn; warp 0 adds what they came to, in order.
  void combineTogether(Emitter &e, const CutRequest &cut,
                       const Piece &piece) const {
    Weights weights;
    ptx::Registers sums =
        addBatch(e, cut, piece, warp, warps, zeros(e), [&](Emitter &e) {
          return weights = getWeights(e, cut, piece.row);
        });
    int64_t round = kBatch * warps;
    auto loop = scf::ForOp::create(
        e, plusI(e, warp, round), cut.parts, i32(e, round), sums,
        [&](OpBuilder &builder, Location loc, Value first, ValueRange state) {
          Emitter e(loc, builder);
          scf::YieldOp::create(
              e, addBatch(e, cut, piece, first, warps, state,
                          [&](Emitter &) { return weights; }));
        });
    auto getPlace = [&](Emitter &e, Value warp, int64_t column) -> Value {
      Value first = plusI(e, timesI(e, warp, warpColumns),
                          timesI(e, lane, kLaneColumns));
      return toIndex(e, plusI(e, first, column));
    };
    for (auto [i, value] : llvm::enumerate(loop.getResults()))
      memref::StoreOp::create(e, value, shares, getPlace(e, warp, i));
    Kernel::barrier(e);
    runIf(e, ptx::isEqualI(e, warp, 0), [&](Emitter &e) {
      ptx::Registers all = zeros(e);
      for (int64_t other = 0; other < warps; ++other)
        for (auto [i, sum] : llvm::enumerate(all))
          sum = add(e, sum,
                    memref::LoadOp::create(e, shares,
                                           getPlace(e, i32(e, other), i)));
      store(e, cut, piece, weights, all);
    });
    // The next piece takes the same memory.
    Kernel::barrier(e);
  }

  void store(Emitter &e, const CutRequest &cut, const Piece &piece,
             const Weights &weights, ArrayRef<Value> sums) const {
    Value row = plusI(e, inputs.getFirstRow(e, cut.request), piece.row);
    Value zero = rows::constant(e, 0);
    Value isEmpty = arith::CmpFOp::create(e, arith::CmpFPredicate::OEQ,
                                          weights.total, zero);
    Value one = rows::constant(e, 1);
    Value inverse = arith::SelectOp::create(
        e, isEmpty, zero,
        arith::DivFOp::create(e, one, weights.total).getResult());
    runIf(e, piece.isLane, [&](Emitter &e) {
      ptx::Registers values;
      for (Value sum : sums)
        values.push_back(mul(e, sum, inverse));
      Type elements = problem.outputElements;
      auto type = VectorType::get(kLaneColumns, e.getF32Type());
      Value rounded = fromF32(
          e, vector::FromElementsOp::create(e, type, values), elements);
      int64_t bytes = elements.getIntOrFloatBitWidth() / 8;
      Value column = toI64(e, timesI(e, piece.column, bytes));
      ptx::storeAligned(
          e, plusI(e, inputs.getOutput(e, row), column), rounded,
          std::min(problem.getOutputAlignment(), kLaneColumns * bytes));
    });
    runIf(e, ptx::isEqualI(e, piece.column, 0), [&](Emitter &e) {
      Value log2 = add(e, weights.base, ptx::log2Fast(e, weights.total));
      Value none =
          rows::constant(e, -std::numeric_limits<double>::infinity());
      inputs.storeLSE(
          e, row,
          arith::SelectOp::create(e, isEmpty, none, toNaturalLog(e, log2)));
    });
  }

  Kernel &kernel;
  const AttentionInputs &inputs;
  const AttentionProblem &problem;
  const AttentionSchedule &schedule;
  const SplitBuffers &buffers;
  int64_t warpSize, warps, warpColumns, slices;
  Value thread, block, warp, lane, grid, groups, rowTiles;
  Value list, warpCounts, shares; ///< In shared memory.
};

} // namespace

void kernel::launchCombine(Emitter &e, const Chip &chip,
                           const AttentionProblem &problem,
                           const AttentionSchedule &schedule,
                           const SplitBuffers &buffers) {
  if (!buffers.mayCut())
    return;
  Value grid =
      rows::index(e, chip.multiprocessors * kBlocksPerMultiprocessor);
  Kernel kernel(e, chip, grid, rows::index(e, 1), kThreads);
  Emitter body = kernel.getBody();
  AttentionInputs inputs(body, problem);
  Combiner(body, kernel, inputs, schedule, buffers,
           SplitBuffers::getMaxGroups(schedule, chip), grid)
      .emit(body);
}
