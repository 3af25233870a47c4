//===- SplitDivision.cpp - how large the groups' parts are ----------------===//

#include "SplitDivision.h"
#include "../NVIDIA/Warp.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;
using ptx::i32;
using ptx::maxI;
using ptx::plusI;
using ptx::timesI;

/// What a cut costs: whole requests may take 1/16 and some units more than
/// equal parts, aligned ones, which are cut but have no group with two parts,
/// 1/8 and a unit.
static constexpr int64_t kWholeSlack = 16, kWholeSlackUnits = 4;
static constexpr int64_t kAlignedSlack = 8, kAlignedSlackUnits = 1;

Value kernel::ceilDivI(Emitter &e, Value a, Value b) {
  return arith::DivUIOp::create(e, plusI(e, a, plusI(e, b, -1)), b);
}

// With a whole number v and half of one more, (v +- 1/2) / d is 1 / 2d away
// from a whole number at least. Rounding moves it by 2^-22 of itself: by less,
// for v < 2^21.

static Value toFloat(Emitter &e, Value value) {
  return arith::SIToFPOp::create(e, e.getF32Type(), value);
}

SmallDivisor::SmallDivisor(Emitter &e, Value divisor)
    : inverse(ptx::reciprocalFast(e, toFloat(e, divisor))) {}

static Value divide(Emitter &e, Value value, double half, Value inverse) {
  Value moved = add(e, toFloat(e, value), constant(e, half));
  return arith::FPToSIOp::create(e, e.getI32Type(), mul(e, moved, inverse));
}

Value SmallDivisor::getFloor(Emitter &e, Value value) const {
  return divide(e, value, 0.5, inverse);
}

// -1/2 becomes 0.
Value SmallDivisor::getParts(Emitter &e, Value value) const {
  return plusI(e, divide(e, value, -0.5, inverse), 1);
}

FewDivisor::FewDivisor(Emitter &e, Value divisor)
    : divisor(divisor), inverse(ptx::reciprocalFast(e, toFloat(e, divisor))) {}

// Rounding moves a quotient by less than 2^-21 of itself: it is one too many or
// too few at most, which the rest tells.
Value FewDivisor::getFloor(Emitter &e, Value value) const {
  Value near = arith::FPToSIOp::create(e, e.getI32Type(),
                                       mul(e, toFloat(e, value), inverse));
  Value rest = ptx::minusI(e, value, timesI(e, near, divisor));
  Value isMore =
      arith::CmpIOp::create(e, arith::CmpIPredicate::sge, rest, divisor);
  Value isLess = ptx::isLessI(e, rest, i32(e, 0));
  return select(e, isMore, plusI(e, near, 1),
                select(e, isLess, plusI(e, near, -1), near));
}

Value SplitDivision::getUnits(Emitter &e, Value blocks) const {
  Value cost = maxI(e, plusI(e, blocks, overhead), i32(e, 1));
  return timesI(e, ceilDivI(e, cost, unit), unit);
}

/// Whether `units` are few enough next to those of equal parts.
static Value isNear(Emitter &e, Value units, Value cutting, int64_t slack,
                    int64_t slackUnits) {
  Value more = plusI(e, ptx::dividedByI(e, cutting, slack), slackUnits);
  return arith::CmpIOp::create(e, arith::CmpIPredicate::sle, units,
                               plusI(e, cutting, more));
}

Value kernel::limitGroups(Emitter &e, const AttentionSchedule &schedule,
                          Value each) {
  each = maxI(e, each, i32(e, 1));
  return schedule.splits > 0 ? ptx::minI(e, each, i32(e, schedule.splits))
                             : each;
}

RuledDivision kernel::divideWork(Emitter &e, const AttentionSchedule &schedule,
                                 const SplitWork &work) {
  Value one = i32(e, 1);
  Value equal = maxI(e, ceilDivI(e, work.total, work.groups), one);
  // Of a request's c units, wherever it begins, are ceil(c / units of a group)
  // parts and one more at most.
  Value cutting = equal;
  if (schedule.splits > 1)
    cutting =
        maxI(e, equal, ceilDivI(e, work.most, i32(e, schedule.splits - 1)));

  Value isFew = arith::CmpIOp::create(e, arith::CmpIPredicate::sle,
                                      work.requests, work.groups);
  Value aligned = work.aligned;
  if (!aligned) {
    Value each =
        arith::DivUIOp::create(e, work.groups, maxI(e, work.requests, one));
    each = limitGroups(e, schedule, each);
    Value blocks = plusI(e, work.most, -schedule.splitOverhead);
    aligned = maxI(e, ceilDivI(e, blocks, each), one);
  }
  Value isAligned = both(
      e, isFew, isNear(e, aligned, cutting, kAlignedSlack, kAlignedSlackUnits));

  // Or as many requests for each group.
  Value whole = arith::MulIOp::create(
      e, ceilDivI(e, work.requests, work.groups), work.most);
  Value isMany =
      arith::XOrIOp::create(e, isFew, arith::ConstantIntOp::create(e, 1, 1));
  Value isWhole =
      both(e, isMany, isNear(e, whole, cutting, kWholeSlack, kWholeSlackUnits));

  Value units = select(e, isWhole, whole, cutting);
  return {{select(e, isAligned, aligned, select(e, isWhole, work.most, one)),
           select(e, isAligned, aligned, units),
           select(e, isAligned, i32(e, 0), i32(e, schedule.splitOverhead))},
          isAligned,
          isWhole};
}
