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
#include "CutRequests.h"
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

static constexpr int64_t kThreads = 512;
static constexpr int64_t kBlocksPerMultiprocessor = 2;
static constexpr int64_t kF32Bytes = 4;
/// Columns of a lane and of a warp.
static constexpr int64_t kLaneColumns = 4;
/// Parts that a warp has under way at a time.
static constexpr int64_t kBatch = 8;
/// Parts at most that are left to a warp alone.
static constexpr int64_t kAloneParts = 2 * kBatch;

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

/// Where the parts of a row are in memory; i64 values.
struct PartRows {
  /// Of part 0, if it was in a slot like others, and from one part to the next.
  Value address, stride;
  Value slotBytes; ///< The first part is in the slot before.

  /// The address of part `part` (i32).
  Value getAddress(Emitter &e, Value part) const {
    Value place = plusI(e, address, timesI(e, toI64(e, part), stride));
    return skipSlot(e, part, place);
  }

  /// Calls `body` with the addresses of `count` parts first, first + step, ...
  void forEach(Emitter &e, Value first, int64_t step, int64_t count,
               function_ref<void(Value address)> body) const {
    // One after the other: addresses of all at a time take too many registers.
    Value between = ptx::opaque(e, timesI(e, stride, step));
    Value place = plusI(e, address, timesI(e, toI64(e, first), stride));
    body(skipSlot(e, first, place));
    for (int64_t i = 1; i < count; ++i) {
      place = plusI(e, place, between);
      body(place);
    }
  }

private:
  Value skipSlot(Emitter &e, Value part, Value place) const {
    Value before = arith::SubIOp::create(e, place, slotBytes);
    return arith::SelectOp::create(e, ptx::isEqualI(e, part, 0), before, place);
  }
};

/// A warp's piece of the work.
struct Piece {
  Value row;              ///< Of the request, i32.
  Value column;           ///< The lane's first, i32.
  Value isLane;           ///< Whether the row has the lane's columns.
  PartRows outputs, sums; ///< Of the lane's columns; of the row.
};

/// What weights of a row's parts are made from.
struct Weights {
  Value base;  ///< The largest logarithm, 0 if all are -inf.
  Value total; ///< Sum of 2^(logarithm - base).
};

class Combiner {
public:
  Combiner(Emitter &e, Kernel &kernel, const AttentionInputs &inputs,
           const AttentionSchedule &schedule, const SplitBuffers &buffers,
           int64_t maxGroups, Value grid)
      : inputs(inputs), problem(inputs.getProblem()), schedule(schedule),
        buffers(buffers), cuts(e, kernel, buffers, maxGroups),
        warpSize(kernel.getChip().subgroupSize), warps(kThreads / warpSize),
        warpColumns(warpSize * kLaneColumns),
        slices(llvm::divideCeil(problem.latent, warpColumns)) {
    thread = toI32(e, kernel.getThread());
    block = toI32(e, kernel.getBlock());
    warp = dividedByI(e, thread, warpSize);
    lane = ptx::getLane(e);
    this->grid = toI32(e, grid);
    rowTiles = toI32(e, buffers.rowTiles);
    shares = kernel.addShared(warps * warpColumns, e.getF32Type());
  }

  void emit(Emitter &e) {
    Value count = cuts.getCount();
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
  void combineRequest(Emitter &e, Value entry, Value number,
                      Value sharing) const {
    CutRequest cut = cuts.get(e, entry);
    Value pieces = timesI(e, inputs.getRows(e, cut.request), slices);
    Value isAlone = isLessI(e, cut.parts, i32(e, kAloneParts + 1));
    scf::IfOp::create(
        e, isAlone,
        [&](OpBuilder &builder, Location loc) {
          Emitter e(loc, builder);
          Value first = plusI(e, timesI(e, number, warps), warp);
          forRange(e, first, pieces, timesI(e, sharing, warps),
                   [&](Emitter &e, Value i) {
                     combineAlone(e, cut, getPiece(e, cut, i));
                   });
          scf::YieldOp::create(e);
        },
        [&](OpBuilder &builder, Location loc) {
          Emitter e(loc, builder);
          forRange(e, number, pieces, sharing, [&](Emitter &e, Value i) {
            combineTogether(e, cut, getPiece(e, cut, i));
          });
          scf::YieldOp::create(e);
        });
  }

  //===--------------------------------------------------------------------===//
  // Parts
  //===--------------------------------------------------------------------===//

  PartRows getPartRows(Emitter &e, const CutRequest &cut, Value row,
                       Value buffer, int64_t width) const {
    int64_t rowBytes = width * kF32Bytes;
    PartRows rows;
    // Opaque: what follows is cheap, and not worth registers for all pieces.
    rows.slotBytes = timesI(e, toI64(e, ptx::opaque(e, rowTiles)),
                            schedule.tileRows * rowBytes);
    rows.stride = timesI(e, rows.slotBytes, SplitBuffers::kSlotsPerGroup);
    Value slot =
        plusI(e, timesI(e, cut.firstGroup, SplitBuffers::kSlotsPerGroup), 1);
    // Tiles of a slot lie one after the other, and so do rows.
    Value bytes = plusI(e, timesI(e, toI64(e, slot), rows.slotBytes),
                        timesI(e, toI64(e, row), rowBytes));
    rows.address = plusI(e, ptx::getGlobalAddress(e, buffer), bytes);
    return rows;
  }

  /// The base-2 logarithm of a part's sum for the piece's row.
  Value loadSum(Emitter &e, const Piece &piece, Value part) const {
    return ptx::loadGlobal(e, piece.sums.getAddress(e, part), e.getF32Type());
  }

  Piece getPiece(Emitter &e, const CutRequest &cut, Value i) const {
    Piece piece;
    piece.row = dividedByI(e, i, slices);
    piece.column = plusI(e, timesI(e, moduloI(e, i, slices), warpColumns),
                         timesI(e, lane, kLaneColumns));
    piece.isLane = isLessI(e, piece.column, i32(e, problem.latent));
    piece.outputs =
        getPartRows(e, cut, piece.row, buffers.outputs, problem.latent);
    piece.outputs.address = plusI(e, piece.outputs.address,
                                  toI64(e, timesI(e, piece.column, kF32Bytes)));
    piece.sums = getPartRows(e, cut, piece.row, buffers.sums, 1);
    return piece;
  }

  static Value minusInfinity(Emitter &e) {
    return rows::constant(e, -std::numeric_limits<double>::infinity());
  }

  /// `logarithm`, or 0 for -inf: what is subtracted from others.
  static Value getBase(Emitter &e, Value logarithm) {
    Value none = minusInfinity(e);
    Value isNone =
        arith::CmpFOp::create(e, arith::CmpFPredicate::OEQ, logarithm, none);
    return arith::SelectOp::create(e, isNone, rows::constant(e, 0), logarithm);
  }

  static Value getRatio(Emitter &e, Value logarithm, Value base) {
    return ptx::exp2Fast(e, arith::SubFOp::create(e, logarithm, base));
  }

  /// Lanes look at different parts, once each.
  Weights getWeights(Emitter &e, const CutRequest &cut,
                     const Piece &piece) const {
    auto loop = scf::ForOp::create(
        e, lane, cut.parts, i32(e, warpSize),
        ValueRange{minusInfinity(e), rows::constant(e, 0)},
        [&](OpBuilder &builder, Location loc, Value part, ValueRange state) {
          Emitter e(loc, builder);
          Value logarithm = loadSum(e, piece, part);
          Value most = largest(e, state[0], logarithm);
          Value base = getBase(e, most);
          Value sum = add(e, mul(e, state[1], getRatio(e, state[0], base)),
                          getRatio(e, logarithm, base));
          scf::YieldOp::create(e, ValueRange{most, sum});
        });
    auto overLanes = [&](Value value, Combine combine) {
      for (int64_t offset = 1; offset < warpSize; offset *= 2)
        value = combine(e, value, ptx::exchange(e, value, offset));
      return value;
    };
    Value ofLane = loop.getResult(0);
    Weights weights;
    weights.base = getBase(e, overLanes(ofLane, largest));
    weights.total = overLanes(
        mul(e, loop.getResult(1), getRatio(e, ofLane, weights.base)), add);
    return weights;
  }

  /// Adds parts first, first + step, ... kBatch of them, as far as there are.
  ptx::Registers addBatch(Emitter &e, const CutRequest &cut, const Piece &piece,
                          Value first, int64_t step, ValueRange sums,
                          function_ref<Weights(Emitter &)> getWeights) const {
    SmallVector<Value> isPart;
    SmallVector<ptx::Registers> columns;
    SmallVector<Value> logarithms;
    piece.outputs.forEach(e, first, step, kBatch, [&](Value address) {
      Value part = plusI(e, first, isPart.size() * step);
      isPart.push_back(isLessI(e, part, cut.parts));
      columns.push_back(
          ptx::loadF32x4If(e, both(e, isPart.back(), piece.isLane), address));
    });
    piece.sums.forEach(e, first, step, kBatch, [&](Value address) {
      Value exists = isPart[logarithms.size()];
      logarithms.push_back(
          valueIf(e, exists, minusInfinity(e), [&](Emitter &e) {
            return ptx::loadGlobal(e, address, e.getF32Type());
          }));
    });
    // After the loads, which take longest.
    Weights weights = getWeights(e);
    ptx::Registers next(sums);
    for (int64_t i = 0; i < kBatch; ++i) {
      Value weight = getRatio(e, logarithms[i], weights.base);
      for (auto [sum, value] : llvm::zip(next, columns[i]))
        sum = ptx::fusedMultiplyAdd(e, weight, value, sum);
    }
    return next;
  }

  static ptx::Registers zeros(Emitter &e) {
    return ptx::Registers(kLaneColumns, rows::constant(e, 0));
  }

  /// Parts first, first + step, ... of a row; also what their weights are of.
  std::pair<ptx::Registers, Weights> addParts(Emitter &e, const CutRequest &cut,
                                              const Piece &piece, Value first,
                                              int64_t step) const {
    Weights weights;
    ptx::Registers sums =
        addBatch(e, cut, piece, first, step, zeros(e), [&](Emitter &e) {
          return weights = getWeights(e, cut, piece);
        });
    int64_t round = kBatch * step;
    auto loop = scf::ForOp::create(
        e, plusI(e, first, round), cut.parts, i32(e, round), sums,
        [&](OpBuilder &builder, Location loc, Value first, ValueRange state) {
          Emitter e(loc, builder);
          scf::YieldOp::create(e, addBatch(e, cut, piece, first, step, state,
                                           [&](Emitter &) { return weights; }));
        });
    return {ptx::Registers(loop.getResults()), weights};
  }

  /// All parts by one warp.
  void combineAlone(Emitter &e, const CutRequest &cut,
                    const Piece &piece) const {
    auto [sums, weights] = addParts(e, cut, piece, i32(e, 0), 1);
    store(e, cut, piece, weights, sums);
  }

  /// Every warp a part in turn; warp 0 adds what they came to, in order.
  void combineTogether(Emitter &e, const CutRequest &cut,
                       const Piece &piece) const {
    auto [sums, weights] = addParts(e, cut, piece, warp, warps);
    auto getPlace = [&](Emitter &e, Value warp, int64_t column) -> Value {
      Value first =
          plusI(e, timesI(e, warp, warpColumns), timesI(e, lane, kLaneColumns));
      return ptx::toIndex(e, plusI(e, first, column));
    };
    for (auto [i, value] : llvm::enumerate(sums))
      memref::StoreOp::create(e, value, shares, getPlace(e, warp, i));
    Kernel::barrier(e);
    runIf(e, ptx::isEqualI(e, warp, 0), [&, &weights = weights](Emitter &e) {
      ptx::Registers all = zeros(e);
      for (int64_t other = 0; other < warps; ++other)
        for (auto [i, sum] : llvm::enumerate(all))
          sum = add(
              e, sum,
              memref::LoadOp::create(e, shares, getPlace(e, i32(e, other), i)));
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
      Value rounded =
          fromF32(e, vector::FromElementsOp::create(e, type, values), elements);
      int64_t bytes = elements.getIntOrFloatBitWidth() / 8;
      Value column = toI64(e, timesI(e, piece.column, bytes));
      ptx::storeAligned(
          e, plusI(e, inputs.getOutput(e, row), column), rounded,
          std::min(problem.getOutputAlignment(), kLaneColumns * bytes));
    });
    runIf(e, ptx::isEqualI(e, piece.column, 0), [&](Emitter &e) {
      Value log2 = add(e, weights.base, ptx::log2Fast(e, weights.total));
      inputs.storeLSE(e, row,
                      arith::SelectOp::create(e, isEmpty, minusInfinity(e),
                                              toNaturalLog(e, log2)));
    });
  }

  const AttentionInputs &inputs;
  const AttentionProblem &problem;
  const AttentionSchedule &schedule;
  const SplitBuffers &buffers;
  CutRequests cuts;
  int64_t warpSize, warps, warpColumns, slices;
  Value thread, block, warp, lane, grid, rowTiles;
  Value shares; ///< Shared memory: a block's warps' sums of one row.
};

} // namespace

void kernel::launchCombine(Emitter &e, const Chip &chip,
                           const AttentionProblem &problem,
                           const AttentionSchedule &schedule,
                           const SplitBuffers &buffers) {
  if (!buffers.mayCut())
    return;
  Value grid = rows::index(e, chip.multiprocessors * kBlocksPerMultiprocessor);
  Kernel kernel(e, chip, grid, rows::index(e, 1), kThreads);
  kernel.setBlocksPerMultiprocessor(kBlocksPerMultiprocessor);
  Emitter body = kernel.getBody();
  if (chip.overlapsLaunches()) {
    kernel.setOverlapsPrevious();
    ptx::waitForPreviousLaunch(body);
  }
  AttentionInputs inputs(body, problem);
  Combiner(body, kernel, inputs, schedule, buffers,
           SplitBuffers::getMaxGroups(schedule, chip), grid)
      .emit(body);
}
