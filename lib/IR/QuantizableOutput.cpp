//===- QuantizableOutput.cpp - taking over a following quantization -------===//
//
// All ops with a quantizable output share one operand layout for it, so one
// rebuild serves them: it renames no operand and knows no op, and a new operand
// of an op cannot break it.
//
//===----------------------------------------------------------------------===//

#include "MLAFuse/IR/MLAFuse.h"

using namespace mlir;
using namespace mlafuse;

static Type getElement(Value value) {
  return cast<ShapedType>(value.getType()).getElementType();
}
static int64_t getSize(Value value, unsigned dim) {
  return cast<ShapedType>(value.getType()).getDimSize(dim);
}

/// What the op computes in and rounds its unquantized result to.
static Type getModelType(HeadProjectionOp op) { return getElement(op.getX()); }
static Type getModelType(DecodeOp op) { return getElement(op.getQNope()); }
static Type getModelType(PrefillOp op) { return getElement(op.getQ()); }
static Type getModelType(MergeAttnStatesOp op) {
  return getElement(op.getOA());
}
static Type getModelType(AttentionBatchOp op) {
  return getElement(op.getQNope());
}

/// Copies `op` with other destinations and quantization operands.
template <typename OpT>
static OpT rebuild(OpBuilder &builder, OpT op, Location loc, ValueRange inits,
                   const QuantSpec &spec, const std::array<Value, 3> &scales,
                   Value count, Value rowOffset) {
  Operation *copy = Operation::create(
      loc, op->getName(), TypeRange(), op->getOperands(),
      op->getDiscardableAttrDictionary(), op->getPropertiesStorage(),
      BlockRange(), /*numRegions=*/0);
  auto result = cast<OpT>(copy);
  result.getInitsMutable().assign(inits);
  auto assign = [](MutableOperandRange range, Value value) {
    range.assign(value ? ValueRange(value) : ValueRange());
  };
  assign(result.getScaleMutable(), scales[0]);
  assign(result.getScaleUbMutable(), scales[1]);
  assign(result.getGlobalScaleMutable(), scales[2]);
  assign(result.getNumActualTokensMutable(), count);
  assign(result.getRowOffsetMutable(), rowOffset);
  result.setKeyAttr(spec.key);
  result.setScaleLayoutAttr(spec.layout);
  result.setScaleRuleAttr(spec.rule);
  result.setNumerics(spec.numerics);

  // Result types follow from the destinations, which an op cannot change once
  // it exists.
  SmallVector<Type> types;
  appendTensorTypes(inits, types);
  Operation *final = Operation::create(
      loc, copy->getName(), types, copy->getOperands(),
      copy->getDiscardableAttrDictionary(), copy->getPropertiesStorage(),
      BlockRange(), /*numRegions=*/0);
  copy->erase();
  builder.insert(final);
  return cast<OpT>(final);
}

template <typename OpT>
static Operation *buildQuantizedOp(OpBuilder &builder, OpT op,
                                   const OutputQuantization &quantization) {
  auto inits = llvm::to_vector<6>(quantization.inits);
  llvm::append_range(inits, op.getInits().drop_front());
  QuantSpec spec = quantization.spec;
  // An f32 intermediate of a narrower model is what contracted numerics mean.
  bool isRounded =
      op.getUnquantizedType().getElementType() == getModelType(op);
  spec.numerics = isRounded ? Numerics::Exact : Numerics::Contracted;
  return rebuild(
      builder, op, builder.getFusedLoc({op.getLoc(), quantization.loc}), inits,
      spec,
      {quantization.scale, quantization.scaleUb, quantization.globalScale},
      quantization.numActualTokens, quantization.rowOffset);
}

template <typename OpT>
static Operation *buildUnquantizedOp(OpBuilder &builder, OpT op,
                                     Value destination) {
  SmallVector<Value> inits = {destination};
  size_t taken = op.getOutputQuant().hasScaleResult() ? 2 : 1;
  llvm::append_range(inits, op.getInits().drop_front(taken));
  return rebuild(builder, op, op.getLoc(), inits, QuantSpec(), {},
                 op.getNumActualTokens(), /*rowOffset=*/Value());
}

/// Every op writes rows of [rows, H*V] that any key but a weight's can
/// quantize; what a chip cannot do is the lowering's to say.
template <typename OpT>
static LogicalResult supportsQuant(OpT op, QuantSpec spec,
                                   std::string &reason) {
  if (op.getOutputQuant()) {
    reason = "its output is quantized already";
    return failure();
  }
  if (spec.key.isPerTensor() && spec.key.isDynamic()) {
    reason = "a dynamic per-tensor scale needs all rows before the first code";
    return failure();
  }
  if (op.getUnquantizedType().getRank() != 2) {
    reason = "its destination is per head, not rows of H*V";
    return failure();
  }
  return success();
}

#define MLAFUSE_QUANTIZABLE(OP)                                                \
  QuantSpec OP::getOutputQuant() {                                             \
    return {getKeyAttr(), getScaleLayoutAttr(), getScaleRuleAttr(),            \
            getNumerics()};                                                    \
  }                                                                            \
  LogicalResult OP::supportsOutputQuant(QuantSpec spec, std::string &reason) { \
    return supportsQuant(*this, spec, reason);                                 \
  }                                                                            \
  Operation *OP::buildQuantized(OpBuilder &builder,                            \
                                const OutputQuantization &quantization) {      \
    return buildQuantizedOp(builder, *this, quantization);                     \
  }                                                                            \
  Operation *OP::buildUnquantized(OpBuilder &builder, Value destination) {     \
    return buildUnquantizedOp(builder, *this, destination);                    \
  }
MLAFUSE_QUANTIZABLE(HeadProjectionOp)
MLAFUSE_QUANTIZABLE(DecodeOp)
MLAFUSE_QUANTIZABLE(PrefillOp)
MLAFUSE_QUANTIZABLE(MergeAttnStatesOp)
MLAFUSE_QUANTIZABLE(AttentionBatchOp)
#undef MLAFUSE_QUANTIZABLE

/// The type of an output that has no key now, or of the one that the op would
/// have without its key: f32 for contracted numerics, else the model's type.
template <typename OpT>
static RankedTensorType getUnquantized(OpT op, int64_t width) {
  auto current = cast<ShapedType>(op.getOutputInit().getType());
  if (!op.getOutputQuant())
    return RankedTensorType::get(current.getShape(), current.getElementType());
  Type element = op.getNumerics() == Numerics::Contracted
                     ? Type(Float32Type::get(op.getContext()))
                     : getModelType(op);
  return RankedTensorType::get({current.getShape().front(), width}, element);
}

RankedTensorType HeadProjectionOp::getUnquantizedType() {
  return getUnquantized(*this, getSize(getW(), 0) * getSize(getW(), 2));
}
RankedTensorType DecodeOp::getUnquantizedType() {
  return getUnquantized(*this, getSize(getWUv(), 0) * getSize(getWUv(), 2));
}
RankedTensorType PrefillOp::getUnquantizedType() {
  return getUnquantized(*this, getSize(getV(), 1) * getSize(getV(), 2));
}
RankedTensorType MergeAttnStatesOp::getUnquantizedType() {
  return getUnquantized(*this, getSize(getOA(), 1) * getSize(getOA(), 2));
}
RankedTensorType AttentionBatchOp::getUnquantizedType() {
  return getUnquantized(*this, getSize(getWUv(), 0) * getSize(getWUv(), 2));
}
