//===- CombineShare.cpp - which warps combine which part ------------------===//

#include "CombineShare.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;
using ptx::i32;

/// Rows of a request up to which combining them is a matter of latency, not of
/// bytes.
static constexpr int64_t kFewRows = 32;

CombineForm CombineForm::get(const AttentionProblem &problem) {
  return problem.hasAtMostRows(kFewRows) ? CombineForm{3, true}
                                         : CombineForm{2, false};
}

static CutPart choose(Emitter &e, Value isFirst, ArrayRef<CutPart> cuts) {
  return {select(e, isFirst, cuts[0].exists, cuts[1].exists),
          select(e, isFirst, cuts[0].request, cuts[1].request),
          select(e, isFirst, cuts[0].parts, cuts[1].parts),
          select(e, isFirst, cuts[0].number, cuts[1].number)};
}

CombineShare CombineShare::create(Emitter &e, const SplitPlan &plan,
                                  const CombineForm &form, Value number) {
  CombineShare share;
  if (form.hasSlots) {
    share.unit = i32(e, 0);
    share.units = i32(e, form.getUnits());
    share.cut = plan.getCutPart(e, number);
    return share;
  }
  CutPart cuts[] = {plan.getCutPart(e, i32(e, 0)),
                    plan.getCutPart(e, i32(e, 1))};
  static_assert(std::size(cuts) == SplitBuffers::kSlotsPerGroup);
  constexpr int64_t slots = SplitBuffers::kSlotsPerGroup;
  static_assert(kCombineShares == slots);
  Value haveBoth = both(e, cuts[0].exists, cuts[1].exists);
  share.unit = select(e, haveBoth, i32(e, 0), number);
  share.units = select(e, haveBoth, i32(e, form.getUnits() / slots),
                       i32(e, form.getUnits()));
  Value isFirst =
      select(e, haveBoth, ptx::isEqualI(e, number, 0), cuts[0].exists);
  share.cut = choose(e, isFirst, cuts);
  return share;
}
