//===- SplitLine.cpp - all requests' work, one after the other ------------===//

#include "SplitLine.h"
#include "../NVIDIA/Barriers.h"
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

/// Of a warp; requests that it takes without the others.
static constexpr int64_t kLanes = 32;
/// Registers of a SplitDivision and of a LinePlace.
static constexpr int64_t kDivisionSize = 3, kPlaceSize = 4;

/// Hardware barriers: no kernel has others of these numbers.
static constexpr int64_t kOthersBarrier = 14, kToldBarrier = 15;

static ptx::Registers pack(const SplitDivision &division) {
  return {division.unit, division.unitsPerGroup, division.overhead};
}

static SplitDivision unpackDivision(ValueRange all) {
  return {all[0], all[1], all[2]};
}

static LinePlace unpackPlace(ValueRange all) {
  return {all[0], all[1], all[2], all[3]};
}

/// Waits, and adds what `early` makes to a division and places.
static void addEarly(Emitter &e, ptx::Registers &all, SplitLine::Wait wait,
                     SplitLine::Early early) {
  if (early.make) {
    LinePlace place = unpackPlace(ValueRange(all).drop_front(kDivisionSize));
    llvm::append_range(all, early.make(e, unpackDivision(all), place, wait));
  } else if (wait) {
    // All but the length are not negative.
    assert(all.size() == kDivisionSize + kPlaceSize);
    wait(e, ValueRange(all).drop_back());
  }
}

SmallVector<LinePlace> SplitLine::find(Emitter &e, Kernel &kernel,
                                       ValueRange ofGroups, Wait wait,
                                       Early early, Aside aside) {
  ptx::Registers all = aside.isWarp
                           ? findBeside(e, kernel, ofGroups, wait, early, aside)
                           : findAny(e, kernel, ofGroups, wait, early);
  size_t found = all.size() - early.count;
  ofEarly.assign(all.begin() + found, all.end());
  all.truncate(found);
  division = unpackDivision(all);
  SmallVector<LinePlace> places;
  for (size_t i = kDivisionSize; i < all.size(); i += kPlaceSize)
    places.push_back(unpackPlace(ValueRange(all).drop_front(i)));
  return places;
}

static Value getFirstUnit(Emitter &e, Value group,
                          const SplitDivision &division) {
  return timesI(e, group, division.unitsPerGroup);
}

Value SplitLine::getBlocks(Emitter &e, Value keys) const {
  return ceilDivI(e, keys, i32(e, schedule.blockKeys));
}

Value SplitLine::loadLengthOrZero(Emitter &e, Value request,
                                  Value exists) const {
  return valueIf(e, exists, i32(e, 0),
                 [&](Emitter &e) { return inputs.loadLength(e, request); });
}

Value SplitLine::getRequestBlocks(Emitter &e, Value request,
                                  Value length) const {
  return getBlocks(e, inputs.getKeys(e, request, length));
}

Value SplitLine::loadRequestBlocks(Emitter &e, Value request) const {
  return getRequestBlocks(e, request, inputs.loadLength(e, request));
}

Value SplitLine::plusOverhead(Emitter &e, Value blocks) const {
  return plusI(e, blocks, schedule.splitOverhead);
}

SplitDivision SplitLine::divide(Emitter &e, Value total, Value most) const {
  return divideWork(e, schedule,
                    {groups, inputs.getRequests(), total, most, Value()});
}

/// With indices all requests cost the same.
ptx::Registers SplitLine::findEqual(Emitter &e, ValueRange ofGroups) const {
  Value requests = inputs.getRequests();
  Value length = inputs.loadLength(e, i32(e, 0));
  Value blocks = getRequestBlocks(e, i32(e, 0), length);
  Value cost = plusOverhead(e, blocks);
  SplitDivision division = divide(e, timesI(e, requests, cost), cost);
  Value padded = division.getUnits(e, blocks);
  ptx::Registers all = pack(division);
  for (Value group : ofGroups) {
    Value unit = getFirstUnit(e, group, division);
    Value first = minI(e, arith::DivUIOp::create(e, unit, padded), requests);
    Value begin = timesI(e, first, padded);
    all.append({first, begin, plusI(e, begin, padded), length});
  }
  return all;
}

/// `length` is that of the lane's request, of which `each` groups have a part
/// at most; lengths are such that SmallDivisor takes their blocks. Instructions
/// that follow each other are most of what a small batch's plan takes: hence
/// no division, and the largest of quotients in place of the largest's.
ptx::Registers SplitLine::divideLanes(Emitter &e, Value length,
                                      const SmallDivisor &each,
                                      ValueRange ofGroups) const {
  constexpr int64_t lanes = kLanes;
  Value requests = inputs.getRequests();
  Value lane = ptx::getLane(e);
  Value isRequest = isLessI(e, lane, requests);
  Value zero = i32(e, 0);
  auto ifRequest = [&](Value value) -> Value {
    return arith::SelectOp::create(e, isRequest, value, zero);
  };
  // Of rows that do not count, lanes beyond the requests have fewer than none.
  Value blocks = ifRequest(getRequestBlocks(e, lane, length));
  Value aligned = ptx::largestOverLanes(e, each.getParts(e, blocks));
  Value cost = ifRequest(plusOverhead(e, blocks));
  Value most = ptx::largestOverLanes(e, cost);
  RuledDivision division =
      divideWork(e, schedule,
                 {groups, requests, ptx::sumOverLanes(e, cost), most, aligned});
  Value parts = SmallDivisor(e, aligned).getParts(e, blocks);
  Value padded = ifRequest(
      select(e, division.isAligned, timesI(e, parts, aligned),
             select(e, division.isWhole, most, plusOverhead(e, blocks))));
  Value ends = padded;
  for (int64_t offset = 1; offset < lanes; offset *= 2) {
    auto shuffle =
        gpu::ShuffleOp::create(e, ends, offset, lanes, gpu::ShuffleMode::UP);
    ends = plusI(e, ends,
                 arith::SelectOp::create(e, shuffle.getValid(),
                                         shuffle.getShuffleResult(), zero)
                     .getResult());
  }
  Value begins = minusI(e, ends, padded);
  ptx::Registers all = pack(division);
  // Not of a uniform register, which ptxas does not keep where roles part.
  all.back() = ptx::ofLane(e, all.back(), lane);
  for (Value group : ofGroups) {
    // The first request that ends beyond the group's first unit.
    Value isBeyond = isLessI(e, getFirstUnit(e, group, division), ends);
    Value beyond =
        ptx::ballot(e, arith::ExtUIOp::create(e, e.getI32Type(), isBeyond));
    Value found = math::CountTrailingZerosOp::create(e, beyond);
    found = minI(e, found, requests);
    auto ofFound = [&](Value value) { return ptx::ofLane(e, value, found); };
    all.append({found, ofFound(begins), ofFound(ends), ofFound(length)});
  }
  return all;
}

/// Every warp for itself, without waiting for others: a lane has a request.
ptx::Registers SplitLine::findByLanes(Emitter &e, ValueRange ofGroups,
                                      Wait wait, Early early) const {
  Value requests = inputs.getRequests();
  Value lane = ptx::getLane(e);
  Value isRequest = isLessI(e, lane, requests);
  auto peek = [&](Emitter &e) { return inputs.peekLength(e, lane, isRequest); };
  Value length = peek(e);
  Value each =
      SmallDivisor(e, maxI(e, requests, i32(e, 1))).getFloor(e, groups);
  SmallDivisor ofEach(e, limitGroups(e, schedule, each));
  if (!wait) {
    ptx::Registers all = divideLanes(e, length, ofEach, ofGroups);
    addEarly(e, all, wait, early);
    return all;
  }

  size_t found = kDivisionSize + kPlaceSize * ofGroups.size();
  SmallVector<Type> types(1 + found + early.count, e.getI32Type());
  auto loop = scf::WhileOp::create(
      e, types, length,
      [&](OpBuilder &builder, Location loc, ValueRange state) {
        Emitter e(loc, builder);
        ptx::Registers all = divideLanes(e, state[0], ofEach, ofGroups);
        addEarly(e, all, wait, early);
        Value now = peek(e);
        Value changed =
            arith::CmpIOp::create(e, arith::CmpIPredicate::ne, now, state[0]);
        all.insert(all.begin(), now);
        scf::ConditionOp::create(e, ptx::holdsInAnyLane(e, changed), all);
      },
      [&](OpBuilder &builder, Location loc, ValueRange state) {
        scf::YieldOp::create(builder, loc, state[0]);
      });
  return ptx::Registers(loop.getResults().drop_front());
}

/// The request from `first` on, which begins at unit `before`, that has unit
/// `begin`: it is known to exist. And its first unit.
std::pair<Value, Value> SplitLine::walkTo(Emitter &e, Value begin, Value first,
                                          Value before,
                                          const SplitDivision &division) const {
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
  return {walk.getResult(0), walk.getResult(1)};
}

/// Each thread has a run of requests. The one whose run has the group's first
/// unit tells the others the request that has it.
ptx::Registers SplitLine::findByThreads(Emitter &e, Kernel &kernel,
                                        ValueRange ofGroups) const {
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

  Value sum =
      overRun(1, [&](Emitter &e, Value blocks, ValueRange state) {
        return ptx::Registers{plusI(e, state[0], division.getUnits(e, blocks))};
      }).front();
  // Where there is nothing for a group.
  Value shared = kernel.addShared(2 * ofGroups.size(), e.getI32Type());
  auto getPlace = [&](Emitter &e, int64_t i, int64_t field) {
    return rows::index(e, 2 * i + field);
  };
  runIf(e, isEqual(e, kernel.getThread(), 0), [&](Emitter &e) {
    for (size_t i = 0; i < ofGroups.size(); ++i)
      memref::StoreOp::create(e, requests, shared, getPlace(e, i, 0));
  });
  Value before = reduction.sumBefore(e, sum);
  for (auto [i, group] : llvm::enumerate(ofGroups)) {
    Value begin = getFirstUnit(e, group, division);
    Value isAfter =
        arith::CmpIOp::create(e, arith::CmpIPredicate::sle, before, begin);
    Value isMine = both(e, isAfter, isLessI(e, begin, plusI(e, before, sum)));
    runIf(e, isMine, [&, i = i](Emitter &e) {
      auto [request, unit] = walkTo(e, begin, first, before, division);
      memref::StoreOp::create(e, request, shared, getPlace(e, i, 0));
      memref::StoreOp::create(e, unit, shared, getPlace(e, i, 1));
    });
  }
  Kernel::barrier(e);
  ptx::Registers results = pack(division);
  for (size_t i = 0; i < ofGroups.size(); ++i) {
    Value request = memref::LoadOp::create(e, shared, getPlace(e, i, 0));
    Value unit = memref::LoadOp::create(e, shared, getPlace(e, i, 1));
    Value length = loadLengthOrZero(e, request, isLessI(e, request, requests));
    Value blocks = getRequestBlocks(e, request, length);
    results.append(
        {request, unit, plusI(e, unit, division.getUnits(e, blocks)), length});
  }
  return results;
}

Value SplitLine::areFew(Emitter &e) const {
  Value isFew = isLessI(e, inputs.getRequests(), i32(e, kLanes + 1));
  Value isShort = isLessI(e, inputs.getKeyLimit(),
                          i32(e, SmallDivisor::kEnd * schedule.blockKeys));
  return both(e, isFew, isShort);
}

ptx::Registers SplitLine::findByLengths(Emitter &e, Kernel &kernel,
                                        ValueRange ofGroups, Wait wait,
                                        Early early) const {
  auto branch = scf::IfOp::create(
      e, areFew(e),
      [&](OpBuilder &builder, Location loc) {
        Emitter e(loc, builder);
        scf::YieldOp::create(e, findByLanes(e, ofGroups, wait, early));
      },
      [&](OpBuilder &builder, Location loc) {
        Emitter e(loc, builder);
        if (wait)
          wait(e, {});
        ptx::Registers all = findByThreads(e, kernel, ofGroups);
        addEarly(e, all, {}, early);
        scf::YieldOp::create(e, all);
      });
  return ptx::Registers(branch.getResults());
}

ptx::Registers SplitLine::findAny(Emitter &e, Kernel &kernel,
                                  ValueRange ofGroups, Wait wait,
                                  Early early) const {
  if (!inputs.getProblem().isSparse())
    return findByLengths(e, kernel, ofGroups, wait, early);
  ptx::Registers all = findEqual(e, ofGroups);
  addEarly(e, all, wait, early);
  return all;
}

ptx::Registers SplitLine::findBeside(Emitter &e, Kernel &kernel,
                                     ValueRange ofGroups, Wait wait,
                                     Early early, Aside aside) const {
  bool isSparse = inputs.getProblem().isSparse();
  int64_t threads = kernel.getThreads();
  // That all are there but the one warp, and that it is told.
  ptx::NamedBarrier others(e, kOthersBarrier, threads);
  ptx::NamedBarrier told(e, kToldBarrier, threads);
  int64_t size = kDivisionSize + kPlaceSize * ofGroups.size();
  Value shared = kernel.addShared(size, e.getI32Type());
  Value isAside = isSparse ? aside.isWarp : both(e, aside.isWarp, areFew(e));
  auto branch = scf::IfOp::create(
      e, isAside,
      [&](OpBuilder &builder, Location loc) {
        Emitter e(loc, builder);
        others.arrive(e);
        ptx::Registers guessed = isSparse ? findEqual(e, ofGroups)
                                          : findByLanes(e, ofGroups, {}, {});
        aside.emit(e, unpackDivision(guessed),
                   unpackPlace(ValueRange(guessed).drop_front(kDivisionSize)));
        told.sync(e);
        // It is over, but each thread that reads or writes has to know.
        wait(e, {});
        ptx::Registers all;
        for (int64_t i = 0; i < size; ++i)
          all.push_back(memref::LoadOp::create(e, shared, rows::index(e, i)));
        all.append(early.count, i32(e, 0));
        scf::YieldOp::create(e, all);
      },
      [&](OpBuilder &builder, Location loc) {
        Emitter e(loc, builder);
        ptx::Registers all = findAny(e, kernel, ofGroups, wait, early);
        // All threads have the same.
        for (int64_t i = 0; i < size; ++i)
          memref::StoreOp::create(e, all[i], shared, rows::index(e, i));
        others.sync(e);
        auto tell = [&](Emitter &e) { told.arrive(e); };
        if (isSparse)
          tell(e);
        else
          runIf(e, areFew(e), tell);
        scf::YieldOp::create(e, all);
      });
  return ptx::Registers(branch.getResults());
}
