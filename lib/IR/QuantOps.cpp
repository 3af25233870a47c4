//===- QuantOps.cpp - verifiers of quantize and dequantize ----------------===//

#include "MLAFuse/IR/MLAFuse.h"
#include "Verify.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlafuse;

QuantSpec QuantizeOp::getQuantSpec() {
  return {getKeyAttr(), getScaleLayoutAttr(), getScaleRuleAttr()};
}

OutputQuantization QuantizeOp::getOutputQuantization() {
  return {getLoc(),
          getQuantSpec(),
          llvm::to_vector<2>(getInits()),
          getScale(),
          getScaleUb(),
          getGlobalScale(),
          getNumActualTokens(),
          getRowOffset()};
}

Value QuantizeOp::getScaleInit() {
  return getKey().isDynamic() && getInits().size() > 1 ? getInits()[1]
                                                       : Value();
}

LogicalResult QuantizeOp::verify() {
  SmallVector<StringRef> roles = {"codes"};
  if (getKey().isDynamic())
    roles.push_back("scale");
  if (failed(verifyRowOp(*this, getInits(), roles)) ||
      failed(verifyRow(*this, getInput(), "input")) ||
      failed(verifyModelFloat(*this, getInput(), "input", "C1")))
    return failure();
  return verifyQuantization([&] { return emitOpError(); }, getQuantSpec(),
                            {getShaped(getInput()), getCodesInit(),
                             getScaleInit(), getScale(), getScaleUb(),
                             getGlobalScale(), getRowOffset()});
}

QuantSpec DequantizeOp::getQuantSpec() {
  return {getKeyAttr(), getScaleLayoutAttr(), ScaleRuleAttr()};
}

/// Storage of the scales of a weight of `shape` [K, N].
static SmallVector<int64_t> getWeightScaleShape(QuantKeyAttr key,
                                                ArrayRef<int64_t> shape) {
  auto countGroups = [](int64_t size, int64_t group) -> int64_t {
    if (group == -1)
      return 1;
    return ShapedType::isDynamic(size) ? size : llvm::divideCeil(size, group);
  };
  ArrayRef<int64_t> matrix = shape.take_back(2);
  return {countGroups(matrix[0], key.getGroupRows()),
          countGroups(matrix[1], key.getGroupColumns())};
}

LogicalResult DequantizeOp::verify() {
  if (failed(verifyRowOp(*this, getInits(), {"x"})))
    return failure();
  Value output = getInits()[0];
  if (failed(verifyRow(*this, getInput(), "input")) ||
      failed(verifyRow(*this, output, "destination")) ||
      failed(verifyModelFloat(*this, output, "destination", "C1")))
    return failure();

  QuantSpec spec = getQuantSpec();
  QuantKeyAttr key = spec.key;
  Type codeType =
      key.isFP4() ? IntegerType::get(getContext(), 8) : key.getDataType();
  if (getShaped(getInput()).getElementType() != codeType)
    return emitOpError() << "codes of " << key << " are of " << codeType
                         << ", got " << getInput().getType() << " (Q2)";
  SmallVector<int64_t> unpacked(getShape(getInput()));
  if (key.isFP4())
    unpacked.back() *= 2;
  if (!isCompatibleShape(getShape(output), unpacked))
    return emitOpError() << "destination must have shape "
                         << shapeToString(unpacked) << ", got "
                         << output.getType() << " (C1)";

  if (!getScale())
    return emitOpError("needs scale(...), for every key (C2)");
  SmallVector<int64_t> scaleShape;
  Type scaleElement = key.getScaleType();
  if (key.isWeightKey()) {
    if (spec.layout)
      return emitOpError("scale_layout does not go with a weight's key (Q4)");
    if (unpacked.size() < 2)
      return emitOpError("a weight's key needs codes of rank 2 or more (Q2)");
    scaleShape = getWeightScaleShape(key, unpacked);
  } else {
    // Packed exponents are read as they are: whatever rule made them.
    QuantSpec stored = spec;
    stored.rule =
        ScaleRuleAttr::get(getContext(), {}, false,
                           key.isPerGroup() && !key.isMX() && !key.isNVFP4(),
                           std::nullopt, {}, {});
    if (!key.isPerGroup() || key.isMX() || key.isNVFP4())
      stored.rule = {};
    if (failed(verifyQuantSpec([&] { return emitOpError(); }, stored,
                               unpacked.back())))
      return failure();
    RankedTensorType storage = getScaleStorageType(
        stored, getRowCount(getShaped(getInput())), unpacked.back());
    scaleShape.assign(storage.getShape().begin(), storage.getShape().end());
    scaleElement = storage.getElementType();
  }
  if (getShaped(getScale()).getElementType() != scaleElement ||
      !isCompatibleShape(getShape(getScale()), scaleShape))
    return emitOpError() << "scale must be " << shapeToString(scaleShape)
                         << " of " << scaleElement << ", got "
                         << getScale().getType() << " (Q5)";
  if (static_cast<bool>(getGlobalScale()) != key.isNVFP4())
    return emitOpError(
        "global_scale(...) is given for NVFP4 and for no other key (Q8)");
  if (getGlobalScale())
    return verifyVector(*this, getGlobalScale(), "global_scale", 1,
                        Float32Type::get(getContext()), "Q8");
  return success();
}
