//===- PairSiblings.cpp - finding two norms of one projection -------------===//
//
// Two siblings have no common root that a declarative pattern could start from,
// so this step finds them and puts an internal `pair` over both. Candidates are
// taken in the order of their columns, not of their text.
//
//===----------------------------------------------------------------------===//

#include "Legality.h"
#include "Phases.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlafuse;

namespace {
/// A norm of a column range, and what became of it.
struct Sibling {
  NormSide norm;
  ColumnRange range;
  Location loc;
  std::string name;
  size_t order; ///< Among the siblings, in the text.
  bool isPaired = false;
  const Sibling *overlapped = nullptr;
};

/// Keeps the op that replaces a pair.
struct DualListener : public RewriterBase::Listener {
  Operation *dual = nullptr;
  void notifyOperationInserted(Operation *op, OpBuilder::InsertPoint) override {
    if (isa<DualRMSNormOp, DualRMSNormQuantizeOp>(op))
      dual = op;
  }
};
} // namespace

/// The sibling norms of `module`: by source and rows, in column order.
static std::vector<std::vector<Sibling>> collectSiblings(ModuleOp module) {
  llvm::MapVector<Value, std::vector<std::vector<Sibling>>> groups;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!isa<RMSNormOp, AddRMSNormOp, RMSNormQuantizeOp>(op) || op->use_empty())
      return;
    NormSide norm = getNormSides(op).front();
    std::optional<ColumnRange> range = getColumnRange(norm);
    if (!range)
      return;
    auto &sameSource = groups[range->source];
    auto group = llvm::find_if(sameSource, [&](const auto &siblings) {
      return siblings.front().range.hasSameRows(*range);
    });
    if (group == sameSource.end())
      group = sameSource.emplace(group);
    group->push_back({norm, *range, op->getLoc(),
                      op->getName().getStringRef().str(), group->size()});
  });
  std::vector<std::vector<Sibling>> all;
  for (auto &[source, sameSource] : groups)
    for (auto &siblings : sameSource) {
      llvm::sort(siblings, [](const Sibling &a, const Sibling &b) {
        return std::pair(a.range.begin, a.order) <
               std::pair(b.range.begin, b.order);
      });
      if (siblings.size() > 1)
        all.push_back(std::move(siblings));
    }
  return all;
}

/// Columns that several norms of a block read leave open which of them is the
/// sibling of a third: none is.
static void markOverlaps(std::vector<Sibling> &siblings) {
  for (Sibling &a : siblings)
    for (const Sibling &b : siblings)
      if (&a != &b && a.norm.op->getBlock() == b.norm.op->getBlock() &&
          a.range.overlaps(b.range)) {
        a.overlapped = &b;
        break;
      }
}

/// A value of the norm that somebody uses. A match through any result finds it.
static Value getUsedResult(Operation *norm) {
  return *llvm::find_if(norm->getResults(),
                        [](Value result) { return !result.use_empty(); });
}

/// Fuses two siblings through a pair.
static void fusePair(Sibling &q, Sibling &kv, const MotionPlan &plan,
                     const FrozenRewritePatternSet &patterns) {
  IRRewriter rewriter(plan.first->getContext());
  makeNeighbours(rewriter, plan);
  rewriter.setInsertionPointAfter(plan.second);
  Value qValue = getUsedResult(q.norm.op), kvValue = getUsedResult(kv.norm.op);
  auto pair = PairOp::create(rewriter, plan.second->getLoc(), qValue.getType(),
                             kvValue.getType(), qValue, kvValue);
  rewriter.replaceAllUsesExcept(qValue, pair.getQOut(), pair);
  rewriter.replaceAllUsesExcept(kvValue, pair.getKvOut(), pair);

  DualListener listener;
  GreedyRewriteConfig config;
  config.setListener(&listener).enableFolding(false).setStrictness(
      GreedyRewriteStrictness::ExistingOps);
  Operation *qOp = q.norm.op, *kvOp = kv.norm.op;
  (void)applyOpPatternsGreedily({pair.getOperation()}, patterns, config);
  assert(listener.dual && "the patterns take every pair of siblings");
  qOp->erase();
  kvOp->erase();
  q.norm.op = kv.norm.op = listener.dual;
  q.isPaired = kv.isPaired = true;
}

static FusionRecord recordMissed(const Sibling &q, const Sibling &kv,
                                 const Verdict &verdict) {
  FusionRecord record = makeMissed(verdict, kv.loc, q.norm.op, kv.norm.op);
  record.producer = q.name;
  record.consumer = kv.name;
  return record;
}

/// Why two siblings that are not paired with each other are not.
static FusionRecord explain(const Sibling &q, const Sibling &kv) {
  for (const Sibling *side : {&q, &kv})
    if (side->overlapped)
      return recordMissed(q, kv,
                          Verdict::missed(FusionCode::Overlap,
                                          "several norms read the same "
                                          "columns",
                                          side->overlapped->norm.op));
  for (const Sibling *side : {&q, &kv})
    if (side->isPaired)
      return recordMissed(q, kv,
                          Verdict::missed(FusionCode::OtherSibling,
                                          "a sibling is paired with another "
                                          "norm",
                                          side->norm.op));
  MotionPlan plan;
  return recordMissed(q, kv, checkSiblings(q.norm, kv.norm, plan));
}

void mlafuse::fuseSiblings(ModuleOp module,
                           const FrozenRewritePatternSet &patterns,
                           FusionRecords &records) {
  for (std::vector<Sibling> &siblings : collectSiblings(module)) {
    markOverlaps(siblings);
    llvm::DenseSet<std::pair<const Sibling *, const Sibling *>> paired;
    auto forEachPair = [&](auto visit) {
      for (size_t i = 0; i < siblings.size(); ++i)
        for (size_t j = i + 1; j < siblings.size(); ++j)
          visit(siblings[i], siblings[j]);
    };
    forEachPair([&](Sibling &q, Sibling &kv) {
      MotionPlan plan;
      if (q.isPaired || kv.isPaired || q.overlapped || kv.overlapped ||
          !checkSiblings(q.norm, kv.norm, plan).isLegal)
        return;
      fusePair(q, kv, plan, patterns);
      paired.insert({&q, &kv});
    });
    forEachPair([&](Sibling &q, Sibling &kv) {
      // Two norms of the same columns are not a q and a kv side.
      if (!paired.contains({&q, &kv}) && !q.range.overlaps(kv.range))
        records.push_back(explain(q, kv));
    });
  }
}
