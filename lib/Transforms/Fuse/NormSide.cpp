//===- NormSide.cpp - a norm, in whichever op it is -----------------------===//

#include "NormSide.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlafuse;

ValueRange NormSide::getInits() const {
  ValueRange inits = op->getOperands().take_back(
      cast<DestinationStyleOpInterface>(op).getNumDpsInits());
  return inits.slice(firstInit, numInits);
}

ResultRange NormSide::getResults() const {
  return op->getResults().slice(firstInit, numInits);
}

std::optional<unsigned> NormSide::getResidualIndex() const {
  if (!residual)
    return std::nullopt;
  return spec ? (spec.hasScaleResult() ? 2 : 1) : 1;
}

std::optional<unsigned> NormSide::getUnquantizedIndex() const {
  if (!spec)
    return 0;
  unsigned index = 1 + (spec.hasScaleResult() ? 1 : 0) + (residual ? 1 : 0);
  if (index >= numInits)
    return std::nullopt;
  return index;
}

Value NormSide::getNormalized() const {
  std::optional<unsigned> index = getUnquantizedIndex();
  return index && op->getNumResults() ? Value(getResults()[*index]) : Value();
}

Type NormSide::getIntermediateType() const {
  if (spec && spec.numerics == Numerics::Contracted)
    return Float32Type::get(op->getContext());
  return cast<ShapedType>(input.getType()).getElementType();
}

template <typename OpT>
static NormSide getPlainSide(OpT op) {
  NormSide side;
  side.op = op;
  side.input = op.getInput();
  side.weight = op.getWeight();
  side.count = op.getNumActualTokens();
  side.epsilon = op.getEpsilonAttr();
  side.rounding = op.getRounding();
  side.weightOffset = op.getWeightOffset();
  side.numInits = op.getInits().size();
  return side;
}

/// Both sides of a dual op, without quantization.
template <typename OpT>
static SmallVector<NormSide, 2> getDualSides(OpT op) {
  NormSide q, kv;
  for (NormSide *side : {&q, &kv}) {
    side->op = op;
    side->count = op.getNumActualTokens();
    side->rounding = op.getRounding();
    side->weightOffset = op.getWeightOffset();
    side->numInits = 1;
  }
  q.input = op.getQC();
  q.weight = op.getQWeight();
  q.epsilon = op.getQEpsilonAttr();
  kv.input = op.getKvC();
  kv.weight = op.getKvWeight();
  kv.epsilon = op.getKvEpsilonAttr();
  kv.firstInit = 1;
  return {q, kv};
}

static SmallVector<NormSide, 2> getSides(DualRMSNormQuantizeOp op) {
  SmallVector<NormSide, 2> sides = getDualSides(op);
  NormSide &q = sides[0], &kv = sides[1];
  q.spec = op.getQQuantSpec();
  q.scale = op.getQScale();
  q.scaleUb = op.getQScaleUb();
  q.globalScale = op.getQGlobalScale();
  kv.spec = op.getKvQuantSpec();
  kv.scale = op.getKvScale();
  kv.scaleUb = op.getKvScaleUb();
  kv.globalScale = op.getKvGlobalScale();
  auto count = [](const DualSideInits &inits) {
    return static_cast<unsigned>(
        llvm::count_if(ArrayRef{inits.codes, inits.scale, inits.unquantized},
                       [](Value init) { return static_cast<bool>(init); }));
  };
  q.numInits = kv.firstInit = count(op.getQInits());
  kv.numInits = count(op.getKvInits());
  return sides;
}

SmallVector<NormSide, 2> mlafuse::getNormSides(Operation *op) {
  using Sides = SmallVector<NormSide, 2>;
  return llvm::TypeSwitch<Operation *, Sides>(op)
      .Case([](RMSNormOp norm) { return Sides{getPlainSide(norm)}; })
      .Case([](AddRMSNormOp norm) {
        NormSide side = getPlainSide(norm);
        side.residual = norm.getResidual();
        return Sides{side};
      })
      .Case([](RMSNormQuantizeOp norm) {
        NormSide side = getPlainSide(norm);
        side.residual = norm.getResidual();
        side.spec = norm.getQuantSpec();
        side.scale = norm.getScale();
        side.scaleUb = norm.getScaleUb();
        side.globalScale = norm.getGlobalScale();
        side.rowOffset = norm.getRowOffset();
        return Sides{side};
      })
      .Case([](DualRMSNormOp norm) { return getDualSides(norm); })
      .Case([](DualRMSNormQuantizeOp norm) { return getSides(norm); })
      .Default([](Operation *) { return Sides(); });
}

std::optional<NormSide> mlafuse::getNormOf(Value value) {
  if (Operation *op = value.getDefiningOp())
    for (const NormSide &side : getNormSides(op))
      if (side.getNormalized() == value)
        return side;
  return std::nullopt;
}
