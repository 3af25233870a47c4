//===- SplitPlan.cpp - who attends to which keys --------------------------===//

#include "SplitPlan.h"
#include "../NVIDIA/GlobalMemory.h"
#include "../NVIDIA/Warp.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
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
/// Values of FirstKeys that are found with the plan: all but the request.
static constexpr size_t kFirstKeysSize = 4;

//===----------------------------------------------------------------------===//
// The plan
//===----------------------------------------------------------------------===//

SplitPlan::SplitPlan(Emitter &e, Kernel &kernel, const AttentionInputs &inputs,
                     const AttentionSchedule &schedule,
                     const SplitBuffers &buffers, Value block,
                     ValueRange offsets, SplitLine::Wait wait,
                     FirstAddress address, Aside aside)
    : inputs(inputs), schedule(schedule), buffers(buffers),
      rowTiles(toI32(e, buffers.rowTiles)),
      line(inputs, schedule, toI32(e, buffers.groups)) {
  group = arith::DivUIOp::create(e, block, rowTiles);
  rowTile = arith::RemUIOp::create(e, block, rowTiles);
  SmallVector<Value> ofGroups;
  for (Value offset : offsets)
    ofGroups.push_back(plusI(e, group, offset));
  auto make = [&](Emitter &e, const SplitDivision &division,
                  const LinePlace &place, SplitLine::Wait wait) {
    setDivision(e, division);
    return findFirstKeys(e, place, wait, address);
  };
  SplitLine::Early early = {};
  if (address)
    early = {make, kFirstKeysSize};
  auto emitAside = [&](Emitter &e, const SplitDivision &division,
                       const LinePlace &place) {
    setDivision(e, division);
    Part part = getPart(e, place.request, place.unit, place.length);
    aside.emit(e, getFirstKeys(e, part, place), part.end);
  };
  places =
      line.find(e, kernel, ofGroups, wait, early, {aside.isWarp, emitAside});
  setDivision(e, line.getDivision());
  if (!address)
    return;
  ValueRange made = line.getEarly();
  Value exist =
      arith::CmpIOp::create(e, arith::CmpIPredicate::ne, made[0], i32(e, 0));
  firstKeys = {exist, places.front().request, made[1], made[2], made[3]};
}

void SplitPlan::setDivision(Emitter &e, const SplitDivision &division) {
  line.setDivision(division);
  begin = timesI(e, group, division.unitsPerGroup);
  end = plusI(e, begin, division.unitsPerGroup);
}

/// Without `loaded`; `part` is what the group has of the request at `place`.
FirstKeys SplitPlan::getFirstKeys(Emitter &e, const Part &part,
                                  const LinePlace &place) const {
  Value exist = both(e, isPart(e, place.request, place.unit),
                     hasKeys(e, part, place.unit));
  return {exist, place.request, part.keys, part.firstBlock, /*loaded=*/{}};
}

/// What FirstKeys has beside the request, if the first of the group's parts may
/// be at `place`. Begins the wait, if there is one.
ptx::Registers SplitPlan::findFirstKeys(Emitter &e, const LinePlace &place,
                                        SplitLine::Wait wait,
                                        FirstAddress address) {
  FirstKeys first = getFirstKeys(
      e, getPart(e, place.request, place.unit, place.length), place);
  Value from = address(e, first);
  ptx::Registers made = {
      arith::ExtUIOp::create(e, e.getI32Type(), first.exist).getResult(),
      first.keys, first.block};
  if (wait) {
    const SplitDivision &division = line.getDivision();
    ptx::Registers known(made);
    known.append({division.unit, division.unitsPerGroup, division.overhead,
                  place.request, place.unit, place.end, from});
    wait(e, known);
  }
  Value isAny =
      arith::CmpIOp::create(e, arith::CmpIPredicate::ne, from, ptx::i64(e, 0));
  made.append(ptx::loadGlobalIf(e, isAny, from, e.getI32Type(), 1));
  return made;
}

SplitPlan SplitPlan::create(Emitter &e, Kernel &kernel,
                            const AttentionInputs &inputs,
                            const AttentionSchedule &schedule,
                            const SplitBuffers &buffers, SplitLine::Wait wait,
                            FirstAddress address, Aside aside) {
  SplitPlan plan(e, kernel, inputs, schedule, buffers,
                 toI32(e, kernel.getBlock()), i32(e, 0), wait, address, aside);
  if (!aside.isWarp)
    Kernel::barrier(e);
  return plan;
}

/// A request that goes on in the next group has that one's first unit, and one
/// that came from the group before has this one's.
static Value getOffset(Emitter &e, Value slot) {
  return minusI(e, i32(e, 1), slot);
}

SplitPlan SplitPlan::createForCombining(Emitter &e, Kernel &kernel,
                                        const AttentionInputs &inputs,
                                        const AttentionSchedule &schedule,
                                        const SplitBuffers &buffers,
                                        Value block, Value slot) {
  ptx::Registers offsets;
  if (slot)
    offsets = {getOffset(e, slot)};
  else
    offsets = {getOffset(e, i32(e, 0)), getOffset(e, i32(e, 1))};
  return SplitPlan(e, kernel, inputs, schedule, buffers, block, offsets,
                   /*wait=*/{}, /*address=*/{}, /*aside=*/{});
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
  part.blocks = line.getBlocks(e, part.keys);
  part.start = plusI(e, unit, line.getDivision().overhead);
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
  Value slot = timesI(e, group, SplitBuffers::kSlotsPerGroup);
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
    function_ref<ptx::Registers(Emitter &, const Part &, ValueRange)> body,
    bool looksAhead) const {
  auto branch = scf::IfOp::create(
      e, isPart(e, places.front().request, places.front().unit),
      [&](OpBuilder &builder, Location loc) {
        Emitter e(loc, builder);
        scf::YieldOp::create(e, walk(e, state, body, looksAhead));
      },
      [&](OpBuilder &builder, Location loc) {
        scf::YieldOp::create(builder, loc, state);
      });
  return ptx::Registers(branch.getResults());
}

void SplitPlan::forEachCountedPart(
    Emitter &e,
    function_ref<ptx::Registers(Emitter &, const Part &, Value, Value)> body,
    bool looksAhead) const {
  ptx::Registers none = {i32(e, 0), i32(e, 0)};
  forEachPart(
      e, none,
      [&](Emitter &e, const Part &part, ValueRange state) {
        return body(e, part, state[0], state[1]);
      },
      looksAhead);
}

Value kernel::keepHasNext(Emitter &e, const Part &part) {
  return ptx::holdsInAnyLane(e, part.hasNext);
}

Value SplitPlan::isPart(Emitter &e, Value request, Value unit) const {
  return both(e, isLessI(e, request, inputs.getRequests()),
              isLessI(e, unit, end));
}

ptx::Registers SplitPlan::walk(Emitter &e, ValueRange state, PartBody body,
                               bool looksAhead) const {
  constexpr int64_t kOwnState = 4, kNextState = 2;
  const LinePlace &first = places.front();
  ptx::Registers initial = {first.request, first.unit, first.end, first.length};
  llvm::append_range(initial, state);
  SmallVector<Type> types(kNextState, e.getI32Type());
  llvm::append_range(types, state.getTypes());
  auto loop = scf::WhileOp::create(
      e, types, initial,
      [&](OpBuilder &builder, Location loc, ValueRange values) {
        Emitter e(loc, builder);
        Value unit = values[1], nextUnit = values[2];
        Part part = getPart(e, values[0], unit, values[3]);
        Value request = plusI(e, values[0], 1);
        if (looksAhead)
          part.hasNext = isPart(e, request, nextUnit);
        ptx::Registers results =
            addPart(e, part, unit, values.drop_front(kOwnState), body);
        Value goesOn =
            looksAhead ? results.pop_back_val() : isPart(e, request, nextUnit);
        ptx::Registers next = {request, nextUnit};
        llvm::append_range(next, results);
        scf::ConditionOp::create(e, goesOn, next);
      },
      [&](OpBuilder &builder, Location loc, ValueRange values) {
        Emitter e(loc, builder);
        Value request = values[0], unit = values[1];
        Value length = inputs.loadLength(e, request);
        Value blocks = line.getBlocks(e, inputs.getKeys(e, request, length));
        Value end = plusI(e, unit, line.getDivision().getUnits(e, blocks));
        ptx::Registers next = {request, unit, end, length};
        llvm::append_range(next, values.drop_front(kNextState));
        scf::YieldOp::create(e, next);
      });
  return ptx::Registers(loop.getResults().drop_front(kNextState));
}

/// Whether the group has the first unit of the request that begins at `unit`,
/// which reaches into it.
Value SplitPlan::begins(Emitter &e, Value unit) const {
  return arith::CmpIOp::create(e, arith::CmpIPredicate::sle, begin, unit);
}

/// Whether the group has keys of it: of a request that is never cut the one
/// that has its first unit.
Value SplitPlan::hasKeys(Emitter &e, const Part &part, Value unit) const {
  Value isAny = isLessI(e, part.firstBlock, part.end);
  return schedule.splits == 1 ? both(e, begins(e, unit), isAny) : isAny;
}

/// The state behind the part that begins at `unit`, and part.hasNext if that is
/// known.
ptx::Registers SplitPlan::addPart(Emitter &e, const Part &part, Value unit,
                                  ValueRange state, PartBody body) const {
  // A request belongs to the groups that have keys of it; without keys to the
  // one that has its first unit.
  Value first = begins(e, unit);
  Value isMine = arith::SelectOp::create(e, ptx::isEqualI(e, part.blocks, 0),
                                         first, hasKeys(e, part, unit));
  auto branch = scf::IfOp::create(
      e, isMine,
      [&](OpBuilder &builder, Location loc) {
        Emitter e(loc, builder);
        scf::YieldOp::create(e, body(e, part, state));
      },
      [&](OpBuilder &builder, Location loc) {
        ptx::Registers results(state);
        if (part.hasNext)
          results.push_back(part.hasNext);
        scf::YieldOp::create(builder, loc, results);
      });
  return ptx::Registers(branch.getResults());
}

CutPart SplitPlan::getCutPart(Emitter &e, Value slot) const {
  Value isLater =
      arith::CmpIOp::create(e, arith::CmpIPredicate::ne, slot, i32(e, 0));
  LinePlace place = places.front();
  if (places.size() > 1) {
    const LinePlace &later = places.back();
    place = {select(e, isLater, later.request, place.request),
             select(e, isLater, later.unit, place.unit),
             select(e, isLater, later.end, place.end),
             select(e, isLater, later.length, place.length)};
  }
  Part part = getPart(e, place.request, place.unit, place.length);
  Value isInSlot =
      arith::CmpIOp::create(e, arith::CmpIPredicate::eq, isLater,
                            arith::CmpIOp::create(e, arith::CmpIPredicate::ne,
                                                  part.firstBlock, i32(e, 0)));
  Value hasKeys = both(e, isLessI(e, part.request, inputs.getRequests()),
                       isLessI(e, part.firstBlock, part.end));
  Value isCut = arith::XOrIOp::create(e, part.isWhole,
                                      arith::ConstantIntOp::create(e, 1, 1));
  FewDivisor ofGroup(e, line.getDivision().unitsPerGroup);
  Value firstGroup = ofGroup.getFloor(e, part.start);
  Value lastGroup =
      ofGroup.getFloor(e, plusI(e, plusI(e, part.start, part.blocks), -1));
  return {both(e, isInSlot, both(e, hasKeys, isCut)), part.request,
          plusI(e, minusI(e, lastGroup, firstGroup), 1),
          minusI(e, group, firstGroup)};
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Value SplitPlan::getRowGroup(Emitter &e, Value slot, Value group) const {
  Value slots =
      timesI(e, toI32(e, buffers.groups), SplitBuffers::kSlotsPerGroup);
  Value first =
      timesI(e, rowTile, schedule.tileRows / SplitBuffers::kGroupRows);
  return plusI(e, timesI(e, plusI(e, first, group), slots), slot);
}

/// A row group of `part` in a buffer of rows of `width` f32.
Value SplitPlan::getPartialRows(Emitter &e, const Part &part, Value group,
                                Value buffer, int64_t width) const {
  Value number = getRowGroup(e, part.slot, group ? group : i32(e, 0));
  return plusI(e, ptx::getGlobalAddress(e, buffer),
               timesI(e, toI64(e, number),
                      SplitBuffers::kGroupRows * width * kF32Bytes));
}

Value SplitPlan::getPartialOutputs(Emitter &e, const Part &part,
                                   Value group) const {
  return getPartialRows(e, part, group, buffers.outputs,
                        inputs.getProblem().latent);
}

Value SplitPlan::getPartialRow(Emitter &e, const Part &part, Value row) const {
  constexpr int64_t rows = SplitBuffers::kGroupRows;
  int64_t rowBytes = inputs.getProblem().latent * kF32Bytes;
  Value bytes = timesI(e, ptx::moduloI(e, row, rows), rowBytes);
  return plusI(e, getPartialOutputs(e, part, ptx::dividedByI(e, row, rows)),
               toI64(e, bytes));
}

Value SplitPlan::getPartialSums(Emitter &e, const Part &part,
                                Value group) const {
  return getPartialRows(e, part, group, buffers.sums, 1);
}

Value kernel::getScaleOffset(Emitter &e, int64_t columns, Value half) {
  return plusI(e, timesI(e, half, 2 * kF32Bytes),
               columns * getElementBytes(PartFormat::ScaledF16));
}

Value kernel::getScaleAddress(Emitter &e, Value row, int64_t columns,
                              Value half) {
  return plusI(e, row, toI64(e, getScaleOffset(e, columns, half)));
}
