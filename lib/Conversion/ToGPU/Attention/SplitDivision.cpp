//===- SplitDivision.cpp - how large the groups' parts are ----------------===//

#include "SplitDivision.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;
using ptx::i32;
using ptx::plusI;
using ptx::timesI;

/// Aligned parts may be larger than equal ones by 1/64 per try.
static constexpr int64_t kTrySteps = 64;
/// And parts of whole requests by 1/16 and some blocks: what a cut costs.
static constexpr int64_t kWholeSlack = 16;
static constexpr int64_t kWholeSlackUnits = 4;

static Value maxI(Emitter &e, Value a, Value b) {
  return arith::MaxSIOp::create(e, a, b);
}

Value kernel::ceilDivI(Emitter &e, Value a, Value b) {
  return arith::DivUIOp::create(e, plusI(e, a, plusI(e, b, -1)), b);
}

Value SplitDivision::pad(Emitter &e, Value cost) const {
  return timesI(e, ceilDivI(e, cost, unit), unit);
}

SplitDivision kernel::divideWork(
    Emitter &e, const AttentionSchedule &schedule, const SplitWork &work,
    function_ref<Value(Emitter &, const TriedParts &)> findAligned) {
  auto select = [&](Value condition, Value a, Value b) -> Value {
    return arith::SelectOp::create(e, condition, a, b);
  };
  Value one = i32(e, 1), zero = i32(e, 0);
  Value equal = maxI(e, ceilDivI(e, work.total, work.groups), one);
  // A request of cost c has at most ceil(c / units of a group) parts where
  // requests are aligned, else one more.
  Value aligned = equal;
  Value cutting = equal;
  if (schedule.splits > 0)
    aligned = maxI(e, equal, ceilDivI(e, work.most, i32(e, schedule.splits)));
  if (schedule.splits > 1)
    cutting =
        maxI(e, equal, ceilDivI(e, work.most, i32(e, schedule.splits - 1)));

  Value isFew = arith::CmpIOp::create(e, arith::CmpIPredicate::sle,
                                      work.requests, work.groups);
  TriedParts tried{aligned, ceilDivI(e, aligned, i32(e, kTrySteps))};
  Value found = valueIf(e, isFew, zero,
                        [&](Emitter &e) { return findAligned(e, tried); });
  Value isAligned =
      arith::CmpIOp::create(e, arith::CmpIPredicate::ne, found, zero);

  Value whole = arith::MulIOp::create(
      e, ceilDivI(e, work.requests, work.groups), work.most);
  Value slack =
      plusI(e, ptx::dividedByI(e, equal, kWholeSlack), kWholeSlackUnits);
  Value isNear = arith::CmpIOp::create(e, arith::CmpIPredicate::sle, whole,
                                       plusI(e, equal, slack));
  Value isMany =
      arith::XOrIOp::create(e, isFew, arith::ConstantIntOp::create(e, 1, 1));
  Value isWhole = both(e, isMany, isNear);

  SplitDivision division;
  division.unit = select(isAligned, found, select(isWhole, work.most, one));
  division.unitsPerGroup =
      select(isAligned, found, select(isWhole, whole, cutting));
  return division;
}
