//===- FuseNorms.cpp - norms take their quantizations over in order -------===//
//
// A norm takes over one of several quantizations, and of two whose scales need
// the other's norm only one can be fused. Which one must not depend on where
// they stand, so they are tried in an order that is read off what they are.
//
//===----------------------------------------------------------------------===//

#include "Legality.h"
#include "Phases.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace mlafuse;

namespace {
/// What orders two quantizations, most important first. For want of any
/// difference the text decides.
struct Rank {
  std::string form;      ///< Key, layout and rule.
  unsigned codes, begin; ///< Argument that is written; column of the norm.
  SmallVector<unsigned> arguments; ///< Of the norm.
  size_t position;

  bool operator<(const Rank &other) const {
    auto tie = [](const Rank &rank) {
      return std::tie(rank.form, rank.codes, rank.begin, rank.arguments,
                      rank.position);
    };
    return tie(*this) < tie(other);
  }
};
} // namespace

/// Index of the argument that `value` is, or the largest number.
static unsigned getArgument(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  return argument ? argument.getArgNumber() : ~0u;
}

static Rank getRank(QuantizeOp quant, const NormSide &norm, size_t position) {
  Rank rank;
  llvm::raw_string_ostream(rank.form)
      << quant.getKey() << "/"
      << static_cast<int>(quant.getQuantSpec().getLayout()) << "/"
      << quant.getScaleRuleAttr();
  rank.codes = getArgument(quant.getCodesInit());
  std::optional<ColumnRange> range = getColumnRange(norm);
  rank.begin = range ? range->begin : 0;
  for (Value operand : norm.op->getOperands())
    rank.arguments.push_back(getArgument(operand));
  rank.position = position;
  return rank;
}

LogicalResult mlafuse::fuseNorms(ModuleOp module,
                                 const FrozenRewritePatternSet &patterns) {
  std::vector<std::pair<Rank, Operation *>> quants;
  module.walk<WalkOrder::PreOrder>([&](QuantizeOp quant) {
    if (std::optional<NormSide> norm = getNormOf(quant.getInput()))
      quants.push_back({getRank(quant, *norm, quants.size()), quant});
  });
  llvm::sort(quants,
             [](const auto &a, const auto &b) { return a.first < b.first; });
  GreedyRewriteConfig config;
  config.enableFolding(false).setStrictness(
      GreedyRewriteStrictness::ExistingOps);
  for (auto &[rank, quant] : quants)
    if (failed(applyOpPatternsGreedily({quant}, patterns, config)))
      return failure();
  return success();
}
