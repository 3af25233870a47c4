//===- CacheOps.cpp - verifiers of rope and mla_cache_update --------------===//

#include "MLAFuse/IR/MLAFuse.h"
#include "Verify.h"

using namespace mlir;
using namespace mlafuse;

LogicalResult RopeOp::verify() {
  if (failed(verifyRowOp(*this, getInits(), {"y"})) ||
      failed(verifyRank(*this, getInput(), "input", 3)) ||
      failed(verifyModelFloat(*this, getInput(), "input", "C1")))
    return failure();
  ShapedType output = getShaped(getInits()[0]);
  if (output.getElementType() != getShaped(getInput()).getElementType() ||
      !isCompatibleShape(output.getShape(), getShape(getInput())))
    return emitOpError() << "destination must have the type and shape of the "
                            "input, got "
                         << output << " (C1)";
  int64_t width = getShape(getInput()).back();
  if (ShapedType::isDynamic(width) || width <= 0 || width % 2 != 0)
    return emitOpError() << "rotates an even, static number of columns, got "
                         << getInput().getType() << " (C2)";
  if (failed(verifyModelFloat(*this, getCosSin(), "cos_sin", "C2")) ||
      failed(verifyShape(*this, getCosSin(), "cos_sin",
                         {ShapedType::kDynamic, width})))
    return failure();
  return verifyVector(*this, getPositions(), "positions",
                      getShape(getInput())[0],
                      IntegerType::get(getContext(), 64), "C3");
}

LogicalResult CacheUpdateOp::verify() {
  if (failed(verifyRowOp(*this, getInits(), {"cache"})) ||
      failed(verifyRank(*this, getKvC(), "kv_c", 2)) ||
      failed(verifyRank(*this, getKPe(), "k_pe", 2)) ||
      failed(verifyRow(*this, getKvC(), "kv_c")))
    return failure();
  int64_t tokens = getShape(getKvC())[0];
  int64_t latent = getShape(getKvC())[1], rope = getShape(getKPe())[1];
  // NoPE models have no position part: a width of zero.
  if (ShapedType::isDynamic(rope))
    return emitOpError("k_pe needs a static width (S5)");
  if (failed(verifyShape(*this, getKPe(), "k_pe", {tokens, rope})) ||
      failed(verifyVector(*this, getSlotMapping(), "slot_mapping", tokens,
                          IntegerType::get(getContext(), 64), "C3")) ||
      failed(verifyCache(*this, getInits()[0], getCacheFormat(), latent, rope,
                         getKScale(), "C1", "C2")))
    return failure();
  for (auto [name, value] :
       {std::pair<StringRef, Value>{"kv_c", getKvC()}, {"k_pe", getKPe()}}) {
    Type element = getShaped(value).getElementType();
    bool copied = getCacheFormat() == CacheFormat::BF16 ||
                  (getCacheFormat() == CacheFormat::FP8DSMLA && name == "k_pe");
    if (copied ? !element.isBF16() : !isModelFloat(element))
      return emitOpError() << name << " must be "
                           << (copied ? "bf16, which is copied bit for bit"
                                      : "bf16, f16 or f32")
                           << ", got " << value.getType() << " (S5)";
  }
  if (ScaleRuleAttr rule = getScaleRuleAttr())
    if (getCacheFormat() != CacheFormat::FP8DSMLA || rule.getReciprocal() ||
        rule.getMax() || rule.getMaxFnuz() ||
        (rule.getFloor() && !rule.getFloorOnScale()))
      return emitOpError("a scale_rule goes with fp8_ds_mla only, and sets "
                         "only rounding and a floor on the scale (C4)");
  return success();
}
