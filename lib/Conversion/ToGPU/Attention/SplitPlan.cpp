//===- SplitPlan.cpp - who attends to which keys --------------------------===//

#include "SplitPlan.h"
#include "../NVIDIA/GlobalMemory.h"
#include "../NVIDIA/SharedMemory.h"
#include "../NVIDIA/Warp.h"
#include "BlockReduction.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;
using ptx::i32;
using ptx::isLessI;
using ptx::maxI;
using ptx::minI;
using ptx::minusI;
using ptx::plusI;
using ptx::timesI;
using ptx::toI32;
using ptx::toI64;

static constexpr int64_t kF32Bytes = 4;

//===----------------------------------------------------------------------===//
// The plan
//===----------------------------------------------------------------------===//

SplitPlan::SplitPlan(Emitter &e, Kernel &kernel, const AttentionInputs &inputs,
                     const AttentionSchedule &schedule,
                     const SplitBuffers &buffers)
    : inputs(inputs), schedule(schedule), buffers(buffers) {
  Value block = toI32(e, kernel.getBlock());
  rowTiles = toI32(e, buffers.rowTiles);
  groups = toI32(e, buffers.groups);
  group = arith::DivUIOp::create(e, block, rowTiles);
  rowTile = arith::RemUIOp::create(e, block, rowTiles);
  setStart(inputs.getProblem().isSparse() ? planEqual(e)
                                          : planByLengths(e, kernel));
  // Whoever calls storeEntry comes after the barrier.
  if (!inputs.getProblem().readsEarly)
    runIf(e, isEqual(e, kernel.getThread(), 0),
          [&](Emitter &e) { clearParts(e); });
  begin = getBegin(e, division);
  end = plusI(e, begin, division.unitsPerGroup);
  Kernel::barrier(e);
}

Value SplitPlan::getBlocks(Emitter &e, Value keys) const {
  return ceilDivI(e, keys, i32(e, schedule.blockKeys));
}

void SplitPlan::setStart(ValueRange values) {
  firstRequest = values[0];
  firstUnit = values[1];
  firstLength = values[2];
  division = {values[3], values[4], values[5]};
}

/// `request`'s length; 0 if there is no such request.
Value SplitPlan::loadLengthOrZero(Emitter &e, Value request,
                                  Value exists) const {
  return valueIf(e, exists, i32(e, 0),
                 [&](Emitter &e) { return inputs.loadLength(e, request); });
}

Value SplitPlan::getRequestBlocks(Emitter &e, Value request,
                                  Value length) const {
  return getBlocks(e, inputs.getKeys(e, request, length));
}

Value SplitPlan::loadRequestBlocks(Emitter &e, Value request) const {
  return getRequestBlocks(e, request, inputs.loadLength(e, request));
}

Value SplitPlan::plusOverhead(Emitter &e, Value blocks) const {
  return plusI(e, blocks, schedule.splitOverhead);
}

SplitDivision SplitPlan::divide(Emitter &e, Value total, Value most) const {
  return divideWork(e, schedule, {groups, inputs.getRequests(), total, most});
}

Value SplitPlan::getBegin(Emitter &e, const SplitDivision &division) const {
  return timesI(e, group, division.unitsPerGroup);
}

/// With indices all requests cost the same.
ptx::Registers SplitPlan::planEqual(Emitter &e) const {
  Value requests = inputs.getRequests();
  Value length = inputs.loadLength(e, i32(e, 0));
  Value blocks = getRequestBlocks(e, i32(e, 0), length);
  Value cost = plusOverhead(e, blocks);
  SplitDivision division = divide(e, timesI(e, requests, cost), cost);
  Value padded = division.getUnits(e, blocks);
  Value first = minI(
      e, arith::DivUIOp::create(e, getBegin(e, division), padded), requests);
  return {first,         timesI(e, first, padded), length,
          division.unit, division.unitsPerGroup,   division.overhead};
}

/// Every warp for itself, without waiting for others: a lane has a request.
ptx::Registers SplitPlan::planByLanes(Emitter &e, Kernel &kernel) const {
  int64_t lanes = kernel.getChip().subgroupSize;
  Value requests = inputs.getRequests();
  Value lane = ptx::getLane(e);
  Value isRequest = isLessI(e, lane, requests);
  Value length = loadLengthOrZero(e, lane, isRequest);
  Value zero = i32(e, 0);
  auto ifRequest = [&](Value value) -> Value {
    return arith::SelectOp::create(e, isRequest, value, zero);
  };
  Value blocks = getRequestBlocks(e, lane, length);
  Value cost = ifRequest(plusOverhead(e, blocks));
  SplitDivision division =
      divide(e, ptx::sumOverLanes(e, cost), ptx::largestOverLanes(e, cost));
  Value padded = ifRequest(division.getUnits(e, blocks));
  Value ends = padded;
  for (int64_t offset = 1; offset < lanes; offset *= 2) {
    auto shuffle =
        gpu::ShuffleOp::create(e, ends, offset, lanes, gpu::ShuffleMode::UP);
    ends = plusI(e, ends,
                 arith::SelectOp::create(e, shuffle.getValid(),
                                         shuffle.getShuffleResult(), zero)
                     .getResult());
  }
  // The first request that ends beyond the group's first unit.
  Value isBeyond = isLessI(e, getBegin(e, division), ends);
  Value beyond =
      ptx::ballot(e, arith::ExtUIOp::create(e, e.getI32Type(), isBeyond));
  Value found = math::CountTrailingZerosOp::create(e, beyond);
  auto ofFound = [&](Value value) { return ptx::ofLane(e, value, found); };
  Value unit = ofFound(minusI(e, ends, padded));
  return {minI(e, found, requests), unit,
          ofFound(length),          division.unit,
          division.unitsPerGroup,   division.overhead};
}

/// Each thread has a run of requests. The one whose run has the group's first
/// unit tells the others the request that has it.
ptx::Registers SplitPlan::planByThreads(Emitter &e, Kernel &kernel) const {
  Value requests = inputs.getRequests();
  Value thread = toI32(e, kernel.getThread());
  Value run = ceilDivI(e, requests, i32(e, kernel.getThreads()));
  Value first = timesI(e, thread, run);
  Value last = minI(e, plusI(e, first, run), requests);
  BlockReduction reduction(e, kernel);
  using Kind = BlockReduction::Kind;
  /// Folds the key blocks of the thread's run into `count` values.
  auto overRun = [&](int64_t count, auto fold) {
    SmallVector<Value> initial(count, i32(e, 0));
    auto loop = scf::ForOp::create(
        e, first, last, i32(e, 1), initial,
        [&](OpBuilder &builder, Location loc, Value request, ValueRange state) {
          Emitter e(loc, builder);
          ptx::Registers next = fold(e, loadRequestBlocks(e, request), state);
          scf::YieldOp::create(e, next);
        });
    return loop.getResults();
  };

  ValueRange sumAndMost = overRun(2, [&](Emitter &e, Value blocks,
                                         ValueRange state) {
    Value cost = plusOverhead(e, blocks);
    return ptx::Registers{plusI(e, state[0], cost), maxI(e, state[1], cost)};
  });
  ptx::Registers all =
      reduction.reduce(e, sumAndMost, {Kind::Sum, Kind::Largest});
  SplitDivision division = divide(e, all[0], all[1]);
  Value begin = getBegin(e, division);

  Value sum =
      overRun(1, [&](Emitter &e, Value blocks, ValueRange state) {
        return ptx::Registers{plusI(e, state[0], division.getUnits(e, blocks))};
      }).front();
  // Where there is nothing for the group.
  Value shared = kernel.addShared(2, e.getI32Type());
  Value requestPlace = rows::index(e, 0), unitPlace = rows::index(e, 1);
  runIf(e, isEqual(e, kernel.getThread(), 0), [&](Emitter &e) {
    memref::StoreOp::create(e, requests, shared, requestPlace);
  });
  Value before = reduction.sumBefore(e, sum);
  Value isAfter =
      arith::CmpIOp::create(e, arith::CmpIPredicate::sle, before, begin);
  Value isMine = both(e, isAfter, isLessI(e, begin, plusI(e, before, sum)));
  runIf(e, isMine, [&](Emitter &e) {
    // Ends within the run: the sum of all of it is beyond `begin`.
    auto walk = scf::WhileOp::create(
        e, SmallVector<Type>(3, e.getI32Type()), ValueRange{first, before},
        [&](OpBuilder &builder, Location loc, ValueRange state) {
          Emitter e(loc, builder);
          Value units = division.getUnits(e, loadRequestBlocks(e, state[0]));
          Value next = plusI(e, state[1], units);
          Value isBefore =
              arith::CmpIOp::create(e, arith::CmpIPredicate::sle, next, begin);
          scf::ConditionOp::create(e, isBefore,
                                   ValueRange{state[0], state[1], next});
        },
        [&](OpBuilder &builder, Location loc, ValueRange state) {
          Emitter e(loc, builder);
          scf::YieldOp::create(e, ValueRange{plusI(e, state[0], 1), state[2]});
        });
    memref::StoreOp::create(e, walk.getResult(0), shared, requestPlace);
    memref::StoreOp::create(e, walk.getResult(1), shared, unitPlace);
  });
  Kernel::barrier(e);
  Value request = memref::LoadOp::create(e, shared, requestPlace);
  Value unit = memref::LoadOp::create(e, shared, unitPlace);
  return {request,
          unit,
          loadLengthOrZero(e, request, isLessI(e, request, requests)),
          division.unit,
          division.unitsPerGroup,
          division.overhead};
}

ptx::Registers SplitPlan::planByLengths(Emitter &e, Kernel &kernel) const {
  int64_t lanes = kernel.getChip().subgroupSize;
  Value requests = inputs.getRequests();
  auto branch = scf::IfOp::create(
      e, isLessI(e, requests, i32(e, lanes + 1)),
      [&](OpBuilder &builder, Location loc) {
        Emitter e(loc, builder);
        scf::YieldOp::create(e, planByLanes(e, kernel));
      },
      [&](OpBuilder &builder, Location loc) {
        Emitter e(loc, builder);
        scf::YieldOp::create(e, planByThreads(e, kernel));
      });
  return ptx::Registers(branch.getResults());
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

Part SplitPlan::getPart(Emitter &e, Value request, Value unit,
                        Value length) const {
  Part part;
  part.request = request;
  part.length = length;
  part.keys = inputs.getKeys(e, request, part.length);
  part.blocks = getBlocks(e, part.keys);
  part.start = plusI(e, unit, division.overhead);
  Value zero = i32(e, 0);
  auto clampToBlocks = [&](Value unit) {
    Value block = minusI(e, unit, part.start);
    return minI(e, maxI(e, block, zero), part.blocks);
  };
  if (schedule.splits == 1) {
    part.firstBlock = zero;
    part.end = part.blocks;
  } else {
    part.firstBlock = clampToBlocks(begin);
    part.end = clampToBlocks(end);
  }
  Value isFirst = ptx::isEqualI(e, part.firstBlock, 0);
  Value isLast =
      arith::CmpIOp::create(e, arith::CmpIPredicate::eq, part.end, part.blocks);
  part.isWhole = both(e, isFirst, isLast);
  Value slot = getFirstSlot(e);
  part.slot = arith::SelectOp::create(e, isFirst, slot, plusI(e, slot, 1));
  return part;
}

void SplitPlan::forEachPart(
    Emitter &e, function_ref<void(Emitter &, const Part &)> body) const {
  forEachPart(e, ValueRange(), [&](Emitter &e, const Part &part, ValueRange) {
    body(e, part);
    return ptx::Registers();
  });
}

ptx::Registers SplitPlan::forEachPart(
    Emitter &e, ValueRange state,
    function_ref<ptx::Registers(Emitter &, const Part &, ValueRange)> body)
    const {
  constexpr int64_t kOwnState = 3;
  auto isPart = [&](Emitter &e, Value request, Value unit) {
    return both(e, isLessI(e, request, inputs.getRequests()),
                isLessI(e, unit, end));
  };
  ptx::Registers initial = {firstRequest, firstUnit, firstLength};
  llvm::append_range(initial, state);
  auto loop = scf::WhileOp::create(
      e, ValueRange(initial).getTypes(), initial,
      [&](OpBuilder &builder, Location loc, ValueRange values) {
        Emitter e(loc, builder);
        scf::ConditionOp::create(e, isPart(e, values[0], values[1]), values);
      },
      [&](OpBuilder &builder, Location loc, ValueRange values) {
        Emitter e(loc, builder);
        Value unit = values[1];
        ValueRange state = values.drop_front(kOwnState);
        Part part = getPart(e, values[0], unit, values[2]);
        // A request belongs to the groups that have keys of it; without keys,
        // or never cut, to the one that has its first unit.
        Value begins =
            arith::CmpIOp::create(e, arith::CmpIPredicate::sle, begin, unit);
        Value isMine = begins;
        if (schedule.splits != 1)
          isMine = arith::SelectOp::create(
              e, ptx::isEqualI(e, part.blocks, 0), begins,
              isLessI(e, part.firstBlock, part.end));
        auto branch = scf::IfOp::create(
            e, isMine,
            [&](OpBuilder &builder, Location loc) {
              Emitter e(loc, builder);
              scf::YieldOp::create(e, body(e, part, state));
            },
            [&](OpBuilder &builder, Location loc) {
              scf::YieldOp::create(builder, loc, state);
            });
        Value request = plusI(e, values[0], 1);
        Value nextUnit = plusI(e, unit, division.getUnits(e, part.blocks));
        ptx::Registers next = {
            request, nextUnit,
            loadLengthOrZero(e, request, isPart(e, request, nextUnit))};
        llvm::append_range(next, branch.getResults());
        scf::YieldOp::create(e, next);
      });
  return llvm::to_vector(
      llvm::map_range(loop.getResults().drop_front(kOwnState),
                      [](OpResult result) -> Value { return result; }));
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Value SplitPlan::getFirstSlot(Emitter &e) const {
  return timesI(e, group, SplitBuffers::kSlotsPerGroup);
}

/// Row tiles have the same parts: one of them writes.
void SplitPlan::storeEntry(Emitter &e, Value slot,
                           ArrayRef<Value> fields) const {
  runIf(e, ptx::isEqualI(e, rowTile, 0), [&](Emitter &e) {
    for (auto [field, value] : llvm::enumerate(fields))
      memref::StoreOp::create(
          e, value, buffers.parts,
          ValueRange{ptx::toIndex(e, slot), rows::index(e, field)});
  });
}

void SplitPlan::clearParts(Emitter &e) const {
  if (!buffers.mayCut())
    return;
  Value none = i32(e, 0);
  for (int64_t i = 0; i < SplitBuffers::kSlotsPerGroup; ++i)
    storeEntry(e, plusI(e, getFirstSlot(e), i), {none, none, none});
}

void SplitPlan::storePart(Emitter &e, const Part &part) const {
  if (!buffers.mayCut())
    return;
  Value isCut = arith::XOrIOp::create(e, part.isWhole,
                                      arith::ConstantIntOp::create(e, 1, 1));
  runIf(e, isCut, [&](Emitter &e) {
    auto getGroup = [&](Value unit) -> Value {
      return arith::DivUIOp::create(e, unit, division.unitsPerGroup);
    };
    Value firstGroup = getGroup(part.start);
    Value lastGroup = getGroup(plusI(e, plusI(e, part.start, part.blocks), -1));
    Value count = plusI(e, minusI(e, lastGroup, firstGroup), 1);
    storeEntry(e, part.slot,
               {part.request, count, minusI(e, group, firstGroup)});
  });
}

/// The number of the tile among those of all slots, i64.
Value SplitPlan::getPartialTile(Emitter &e, const Part &part) const {
  return toI64(e, plusI(e, timesI(e, part.slot, rowTiles), rowTile));
}

Value SplitPlan::getPartialOutputs(Emitter &e, const Part &part) const {
  int64_t bytes = schedule.tileRows * inputs.getProblem().latent * kF32Bytes;
  return plusI(e, ptx::getGlobalAddress(e, buffers.outputs),
               timesI(e, getPartialTile(e, part), bytes));
}

Value SplitPlan::getPartialSums(Emitter &e, const Part &part) const {
  return plusI(
      e, ptx::getGlobalAddress(e, buffers.sums),
      timesI(e, getPartialTile(e, part), schedule.tileRows * kF32Bytes));
}

Value kernel::getScaleAddress(Emitter &e, Value row, int64_t columns,
                              Value half) {
  Value bytes = timesI(e, half, 2 * kF32Bytes);
  return plusI(e, plusI(e, row, toI64(e, bytes)),
               columns * getElementBytes(PartFormat::ScaledF16));
}
