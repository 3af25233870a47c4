//===- NormOps.cpp - verifiers and roles of the norms ---------------------===//

#include "MLAFuse/IR/MLAFuse.h"
#include "Verify.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlafuse;

/// The `index`th destination, or null: accessors must survive invalid ops.
static Value getInitOrNull(ValueRange inits, size_t index) {
  return index < inits.size() ? inits[index] : Value();
}

LogicalResult RMSNormOp::verify() {
  if (failed(verifyRowOp(*this, getInits(), {"y"})))
    return failure();
  return verifyNorm(*this, getInput(), getWeight(), getInits()[0], getEpsilon(),
                    getWeightOffset());
}

/// C5 of add_rms_norm.
static LogicalResult verifyResidual(Operation *op, Value input, Value residual,
                                    Value destination) {
  Type element = getShaped(input).getElementType();
  for (Value value : {residual, destination})
    if (getShaped(value).getElementType() != element ||
        !isCompatibleShape(getShape(value), getShape(input)))
      return op->emitOpError() << "residual and its destination must have the "
                                  "shape and type of the input, got "
                               << value.getType() << " (C5)";
  return success();
}

LogicalResult AddRMSNormOp::verify() {
  if (failed(verifyRowOp(*this, getInits(), {"y", "residual"})) ||
      failed(verifyNorm(*this, getInput(), getWeight(), getInits()[0],
                        getEpsilon(), getWeightOffset())))
    return failure();
  return verifyResidual(*this, getInput(), getResidual(), getInits()[1]);
}

//===----------------------------------------------------------------------===//
// RMSNormQuantizeOp
//===----------------------------------------------------------------------===//

QuantSpec RMSNormQuantizeOp::getQuantSpec() {
  return {getKeyAttr(), getScaleLayoutAttr(), getScaleRuleAttr(),
          getNumerics()};
}

Value RMSNormQuantizeOp::getScaleInit() {
  return getKey().isDynamic() ? getInitOrNull(getInits(), 1) : Value();
}

Value RMSNormQuantizeOp::getResidualInit() {
  if (!getResidual())
    return {};
  return getInitOrNull(getInits(), getKey().isDynamic() ? 2 : 1);
}

Value RMSNormQuantizeOp::getUnquantizedInit() {
  return getInitOrNull(getInits(), 1 + (getKey().isDynamic() ? 1 : 0) +
                                       (getResidual() ? 1 : 0));
}

LogicalResult RMSNormQuantizeOp::verify() {
  SmallVector<StringRef> roles = {"codes"};
  if (getKey().isDynamic())
    roles.push_back("scale");
  if (getResidual())
    roles.push_back("residual");
  roles.push_back("[unquantized]");
  if (failed(verifyRowOp(*this, getInits(), roles)) ||
      failed(verifyNorm(*this, getInput(), getWeight(), getUnquantizedInit(),
                        getEpsilon(), getWeightOffset())) ||
      failed(verifyNormNumerics(*this, getNumerics(), getRounding())))
    return failure();
  if (getResidual() && failed(verifyResidual(*this, getInput(), getResidual(),
                                             getResidualInit())))
    return failure();
  return verifyQuantization([&] { return emitOpError(); }, getQuantSpec(),
                            {getShaped(getInput()), getCodesInit(),
                             getScaleInit(), getScale(), getScaleUb(),
                             getGlobalScale(), getRowOffset()});
}

//===----------------------------------------------------------------------===//
// Dual norms
//===----------------------------------------------------------------------===//

/// C4 of dual_rms_norm: one projection's rows on both sides.
static LogicalResult verifySameRows(Operation *op, Value q, Value kv) {
  ShapedType qType = getShaped(q), kvType = getShaped(kv);
  if (qType.getElementType() != kvType.getElementType() ||
      !isCompatibleShape(qType.getShape().drop_back(),
                         kvType.getShape().drop_back()))
    return op->emitOpError()
           << "q and kv sides must have the same type and leading dimensions, "
           << "got " << qType << " and " << kvType << " (C4)";
  return success();
}

LogicalResult DualRMSNormOp::verify() {
  if (failed(verifyRowOp(*this, getInits(), {"q", "kv"})) ||
      failed(verifyNorm(*this, getQC(), getQWeight(), getInits()[0],
                        getQEpsilon(), getWeightOffset(), "q ")) ||
      failed(verifyNorm(*this, getKvC(), getKvWeight(), getInits()[1],
                        getKvEpsilon(), getWeightOffset(), "kv ")))
    return failure();
  return verifySameRows(*this, getQC(), getKvC());
}

QuantSpec DualRMSNormQuantizeOp::getQQuantSpec() {
  return {getQKeyAttr(), getQScaleLayoutAttr(), getQScaleRuleAttr(),
          getNumerics()};
}

QuantSpec DualRMSNormQuantizeOp::getKvQuantSpec() {
  return {getKvKeyAttr(), getKvScaleLayoutAttr(), getKvScaleRuleAttr(),
          getNumerics()};
}

/// Destinations that a side has at least.
static size_t getLeastInits(const QuantSpec &spec) {
  return spec.hasScaleResult() ? 2 : 1;
}

/// How many destinations the q side has. Whether a side with a key has the
/// optional unquantized value shows in the number of destinations; where both
/// could have it and one does, its element type tells: a model float belongs to
/// the q side if it stands where the q side's would.
static size_t countQInits(DualRMSNormQuantizeOp op) {
  QuantSpec q = op.getQQuantSpec(), kv = op.getKvQuantSpec();
  size_t least = getLeastInits(q);
  size_t total = op.getInits().size();
  if (!q || total <= least + getLeastInits(kv))
    return std::min(least, total);
  ShapedType next = getShaped(op.getInits()[least]);
  bool isUnquantized = isModelFloat(next.getElementType()) &&
                       isCompatibleShape(next.getShape(), getShape(op.getQC()));
  // Without a kv key the kv side starts with a model float too, but then the
  // extra destination can only be the q side's.
  return isUnquantized || !kv ? least + 1 : least;
}

static DualSideInits getSideInits(const QuantSpec &spec, ValueRange inits) {
  DualSideInits side;
  if (!spec) {
    side.unquantized = getInitOrNull(inits, 0);
    return side;
  }
  side.codes = getInitOrNull(inits, 0);
  if (spec.hasScaleResult())
    side.scale = getInitOrNull(inits, 1);
  side.unquantized = getInitOrNull(inits, getLeastInits(spec));
  return side;
}

DualSideInits DualRMSNormQuantizeOp::getQInits() {
  ValueRange inits = getInits();
  return getSideInits(getQQuantSpec(), inits.take_front(countQInits(*this)));
}

DualSideInits DualRMSNormQuantizeOp::getKvInits() {
  ValueRange inits = getInits();
  return getSideInits(getKvQuantSpec(), inits.drop_front(countQInits(*this)));
}

/// C5, C6 and the rules of norms and quantization, for one side.
static LogicalResult verifySide(DualRMSNormQuantizeOp op, StringRef side,
                                const QuantSpec &spec, Value input,
                                Value weight, APFloat epsilon,
                                const DualSideInits &inits, Value scale,
                                Value scaleUb, Value globalScale) {
  if (failed(verifyNorm(op, input, weight, inits.unquantized, epsilon,
                        op.getWeightOffset(), side)))
    return failure();
  if (!spec) {
    if (spec.layout || spec.rule || scale || scaleUb || globalScale)
      return op.emitOpError()
             << side << "scale operands, layout and rule need a " << side
             << "key (C6)";
    return success();
  }
  return verifyQuantization([&] { return op.emitOpError(); }, spec,
                            {getShaped(input), inits.codes, inits.scale, scale,
                             scaleUb, globalScale, /*rowOffset=*/Value()},
                            side);
}

LogicalResult DualRMSNormQuantizeOp::verify() {
  QuantSpec q = getQQuantSpec(), kv = getKvQuantSpec();
  if (!q && !kv)
    return emitOpError("needs q_key or kv_key; without a key it is "
                       "'mlafuse.dual_rms_norm' (C5)");
  SmallVector<StringRef> roles;
  auto addSide = [&](const QuantSpec &spec, StringRef codes, StringRef scale,
                     StringRef bare, StringRef unquantized) {
    if (!spec) {
      roles.push_back(bare);
      return;
    }
    roles.push_back(codes);
    if (spec.hasScaleResult())
      roles.push_back(scale);
    roles.push_back(unquantized);
  };
  addSide(q, "q codes", "q scale", "q", "[q unquantized]");
  addSide(kv, "kv codes", "kv scale", "kv", "[kv unquantized]");
  if (failed(verifyRowOp(*this, getInits(), roles)) ||
      failed(verifyNormNumerics(*this, getNumerics(), getRounding())) ||
      failed(verifySide(*this, "q ", q, getQC(), getQWeight(), getQEpsilon(),
                        getQInits(), getQScale(), getQScaleUb(),
                        getQGlobalScale())) ||
      failed(verifySide(*this, "kv ", kv, getKvC(), getKvWeight(),
                        getKvEpsilon(), getKvInits(), getKvScale(),
                        getKvScaleUb(), getKvGlobalScale())))
    return failure();
  // Destinations beyond the roles of both sides would belong to nobody.
  DualSideInits qInits = getQInits(), kvInits = getKvInits();
  size_t used = 0;
  for (Value init : {qInits.codes, qInits.scale, qInits.unquantized,
                     kvInits.codes, kvInits.scale, kvInits.unquantized})
    used += init ? 1 : 0;
  if (used != getInits().size())
    return emitOpError() << "takes destinations " << llvm::join(roles, ", ")
                         << ", got " << getInits().size() << " (S2)";
  return verifySameRows(*this, getQC(), getKvC());
}
