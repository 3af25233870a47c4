//===- CombineShare.cpp - which warps combine which part ------------------===//

#include "CombineShare.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;
using ptx::dividedByI;
using ptx::i32;
using ptx::moduloI;
using ptx::plusI;
using ptx::timesI;

/// Rows of a request up to which combining them is a matter of latency, not of
/// bytes.
static constexpr int64_t kFewRows = 32;

CombineForm CombineForm::get(const AttentionProblem &problem) {
  return problem.hasAtMostRows(kFewRows) ? CombineForm{1, 3, 8, true}
                                         : CombineForm{1, 2, 8, false};
}

static CutPart choose(Emitter &e, Value isFirst, ArrayRef<CutPart> cuts) {
  return {select(e, isFirst, cuts[0].exists, cuts[1].exists),
          select(e, isFirst, cuts[0].request, cuts[1].request),
          select(e, isFirst, cuts[0].parts, cuts[1].parts),
          select(e, isFirst, cuts[0].number, cuts[1].number)};
}

CombineShare CombineShare::create(Emitter &e, const SplitPlan &plan,
                                  const CombineForm &form, Value number,
                                  Value warp) {
  CombineShare share;
  share.ofBlock = dividedByI(e, warp, PartSharing::kWarps);
  share.warp = moduloI(e, warp, PartSharing::kWarps);
  if (form.hasSlots) {
    share.unit = i32(e, 0);
    share.units = i32(e, form.getUnits());
    share.cut = plan.getCutPart(e, number);
    return share;
  }
  CutPart cuts[] = {plan.getCutPart(e, i32(e, 0)),
                    plan.getCutPart(e, i32(e, 1))};
  static_assert(std::size(cuts) == SplitBuffers::kSlotsPerGroup);
  // First units of all blocks come first. Of two parts each has every second.
  Value all = plusI(e, timesI(e, share.ofBlock, kCombineShares), number);
  constexpr int64_t slots = SplitBuffers::kSlotsPerGroup;
  Value haveBoth = both(e, cuts[0].exists, cuts[1].exists);
  share.unit = select(e, haveBoth, dividedByI(e, all, slots), all);
  share.units = select(e, haveBoth, i32(e, form.getUnits() / slots),
                       i32(e, form.getUnits()));
  Value isFirst = select(
      e, haveBoth, ptx::isEqualI(e, moduloI(e, all, slots), 0), cuts[0].exists);
  share.cut = choose(e, isFirst, cuts);
  return share;
}
