//===- QuantSpec.cpp - what a quantization means, and whether it is legal -===//

#include "MLAFuse/IR/QuantSpec.h"
#include "MLAFuse/IR/MLAFuse.h"
#include "Verify.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlafuse;

EffectiveRule QuantSpec::getEffectiveRule() const {
  EffectiveRule effective;
  effective.max = key.getDataTypeMax();
  if (rule && rule.getMax())
    effective.max = rule.getMax().getValueAsDouble();
  else if (rule && rule.getMaxFnuz() &&
           isa<Float8E4M3FNUZType>(key.getDataType()))
    effective.max = rule.getMaxFnuz().getValueAsDouble();

  // NVFP4 and MX scales have an arithmetic of their own, without options.
  if (key.isNVFP4() || key.isMX())
    return effective;
  effective.reciprocal = key.isPerTensor();
  if (key.isDynamic()) {
    if (key.isPerGroup()) {
      effective.floor = 1e-10f;
    } else {
      // vLLM's min_scaling_factor, 1 / (max * 512), in f32.
      effective.floor = 1.0f / (static_cast<float>(effective.max) * 512.0f);
      effective.floorOnScale = true;
    }
  }
  if (!rule)
    return effective;
  if (rule.getFloor()) {
    effective.floor = static_cast<float>(rule.getFloor().getValueAsDouble());
    effective.floorOnScale = rule.getFloorOnScale();
  }
  effective.ue8m0 = rule.getUe8m0();
  if (rule.getReciprocal())
    effective.reciprocal = *rule.getReciprocal();
  return effective;
}

int64_t mlafuse::getRowCount(ShapedType type) {
  int64_t rows = 1;
  for (int64_t size : type.getShape().drop_back()) {
    if (ShapedType::isDynamic(size))
      return ShapedType::kDynamic;
    rows *= size;
  }
  return rows;
}

RankedTensorType mlafuse::getScaleStorageType(const QuantSpec &spec,
                                              int64_t rows, int64_t width) {
  Type element = spec.key.getScaleType();
  if (spec.key.isPerTensor())
    return RankedTensorType::get({1}, element);
  auto align = [](int64_t size, int64_t to) {
    return ShapedType::isDynamic(size)
               ? size
               : static_cast<int64_t>(llvm::alignTo(size, to));
  };
  int64_t groups = width / spec.getGroupSize(width);
  switch (spec.getLayout()) {
  case ScaleLayout::RowMajor:
    return RankedTensorType::get({rows, groups}, element);
  case ScaleLayout::ColumnMajor:
    return RankedTensorType::get({groups, rows}, element);
  case ScaleLayout::TMAAligned:
    return RankedTensorType::get({groups, align(rows, 4)}, element);
  case ScaleLayout::PackedUE8M0:
    return RankedTensorType::get(
        {static_cast<int64_t>(llvm::divideCeil(groups, 4)), align(rows, 4)},
        IntegerType::get(element.getContext(), 32));
  case ScaleLayout::Swizzled128x4:
    return RankedTensorType::get({align(rows, 128), align(groups, 4)}, element);
  }
  llvm_unreachable("unknown scale layout");
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

/// Q4: which layouts go with which key.
static bool isLayoutOfKey(QuantKeyAttr key, ScaleLayout layout) {
  if (key.isPerToken())
    return layout == ScaleLayout::RowMajor;
  if (key.isNVFP4() || key.isMX())
    return layout == ScaleLayout::RowMajor ||
           layout == ScaleLayout::Swizzled128x4;
  return layout != ScaleLayout::Swizzled128x4;
}

static LogicalResult verifyRule(function_ref<InFlightDiagnostic()> emitError,
                                const QuantSpec &spec, StringRef side) {
  if (!spec.rule)
    return success();
  QuantKeyAttr key = spec.key;
  if (key.isNVFP4() || key.isMX())
    return emitError() << side << "scale_rule does not apply to " << key
                       << ", whose arithmetic has no options (Q9)";
  if (key.getIsStatic() && (spec.rule.getFloor() || spec.rule.getUe8m0()))
    return emitError() << side
                       << "scale_rule of a static key has neither a floor nor "
                          "a rounding: the scale is an input (Q9)";
  if (spec.getEffectiveRule().max > key.getDataTypeMax())
    return emitError() << side << "scale_rule has max "
                       << spec.getEffectiveRule().max << ", but "
                       << key.getDataType() << " holds no more than "
                       << key.getDataTypeMax() << " (Q9)";
  return success();
}

LogicalResult
mlafuse::verifyQuantSpec(function_ref<InFlightDiagnostic()> emitError,
                         const QuantSpec &spec, int64_t width, StringRef side) {
  QuantKeyAttr key = spec.key;
  if (key.isWeightKey())
    return emitError() << side << "key " << key
                       << " is for weights: only 'mlafuse.dequantize' takes "
                          "it (Q1)";
  int64_t group = spec.getGroupSize(width);
  if (width % group != 0)
    return emitError() << side << "rows of " << width
                       << " do not divide into groups of " << group << " (Q3)";
  if (spec.layout) {
    if (key.isPerTensor())
      return emitError() << side << "scale_layout does not go with " << key
                         << ", which has one scale (Q4)";
    if (!isLayoutOfKey(key, spec.getLayout()))
      return emitError() << side << "scale_layout '"
                         << stringifyScaleLayout(spec.getLayout())
                         << "' does not go with " << key << " (Q4)";
    if (spec.getLayout() == ScaleLayout::PackedUE8M0 &&
        !spec.getEffectiveRule().ue8m0)
      return emitError() << side
                         << "scale_layout 'packed_ue8m0' stores exponents: it "
                            "needs a scale_rule with rounding = ue8m0 (Q4)";
  }
  return verifyRule(emitError, spec, side);
}

static LogicalResult
verifyScaleOperand(function_ref<InFlightDiagnostic()> emitError, Value scale,
                   bool wanted, StringRef side, StringRef name, StringRef keys,
                   StringRef label) {
  if (!scale && wanted)
    return emitError() << side << "key needs " << side << name << "(...), as "
                       << keys << " do (" << label << ")";
  if (scale && !wanted)
    return emitError() << side << name << "(...) is for " << keys << " only ("
                       << label << ")";
  if (scale && !isVectorOf(scale, 1, Float32Type::get(scale.getContext())))
    return emitError() << side << name << " must be 1 x f32, got "
                       << scale.getType() << " (" << label << ")";
  return success();
}

LogicalResult
mlafuse::verifyQuantization(function_ref<InFlightDiagnostic()> emitError,
                            const QuantSpec &spec,
                            const QuantOperands &operands, StringRef side) {
  QuantKeyAttr key = spec.key;
  ShapedType data = operands.data;
  int64_t width = data.getShape().back();
  if (failed(verifyQuantSpec(emitError, spec, width, side)))
    return failure();

  // Q2, Q11.
  auto codes = cast<ShapedType>(operands.codes.getType());
  Type codeType =
      key.isFP4() ? IntegerType::get(key.getContext(), 8) : key.getDataType();
  if (codes.getElementType() != codeType)
    return emitError() << side << "codes of " << key << " are of " << codeType
                       << ", got " << codes.getElementType() << " (Q2)";
  SmallVector<int64_t> wanted(data.getShape());
  if (key.isFP4())
    wanted.back() = width / 2;
  bool hasOffset = static_cast<bool>(operands.rowOffset);
  if (codes.getRank() != data.getRank() ||
      codes.getShape().back() != wanted.back())
    return emitError() << side << "codes must have shape "
                       << shapeToString(wanted) << ", got " << codes << " (Q2)";
  if (!hasOffset && !isCompatibleShape(codes.getShape(), wanted))
    return emitError() << side << "codes must have shape "
                       << shapeToString(wanted) << ", got " << codes
                       << "; without row_offset they have as many rows as the "
                          "input (Q11)";

  // Q5.
  if (key.isDynamic()) {
    int64_t rows = getRowCount(codes);
    if (ShapedType::isDynamic(rows) && !hasOffset)
      rows = getRowCount(data);
    RankedTensorType storage = getScaleStorageType(spec, rows, width);
    auto scale = cast<ShapedType>(operands.scaleInit.getType());
    if (scale.getElementType() != storage.getElementType() ||
        !isCompatibleShape(scale.getShape(), storage.getShape()))
      return emitError() << side << "scale destination must be "
                         << shapeToString(storage.getShape()) << " of "
                         << storage.getElementType() << ", got " << scale
                         << " (Q5)";
  }

  // Q6 to Q8.
  if (failed(verifyScaleOperand(emitError, operands.scale, key.getIsStatic(),
                                side, "scale", "static keys", "Q6")))
    return failure();
  bool takesBound = key.isDynamic() && (key.isPerToken() || key.isPerTensor());
  if (operands.scaleUb &&
      failed(verifyScaleOperand(emitError, operands.scaleUb, takesBound, side,
                                "scale_ub", "dynamic token and tensor keys",
                                "Q7")))
    return failure();
  return verifyScaleOperand(emitError, operands.globalScale, key.isNVFP4(),
                            side, "global_scale", "NVFP4 keys", "Q8");
}

FailureOr<QuantKeyAttr>
mlafuse::inferOutputQuantKey(function_ref<InFlightDiagnostic()> emitError,
                             ShapedType outputType, ShapedType blockScaleType,
                             bool hasTensorScale) {
  MLIRContext *context = outputType.getContext();
  bool isFP8 = isa<Float8E4M3FNType>(outputType.getElementType());
  if (!blockScaleType) {
    if (!hasTensorScale)
      return QuantKeyAttr();
    if (isFP8)
      return QuantKeyAttr::getByName(context, "fp8_static_tensor_sym");
    emitError() << "an output of " << outputType.getElementType()
                << " with one scale has no key; static FP8 is f8E4M3FN";
    return failure();
  }
  if (hasTensorScale) {
    if (outputType.getElementType().isInteger(8))
      return QuantKeyAttr::getByName(context, "nvfp4_dynamic");
    emitError() << "an output with a global and a block scale is NVFP4, packed "
                   "as i8, got "
                << outputType.getElementType();
    return failure();
  }
  ArrayRef<int64_t> output = outputType.getShape();
  int64_t width = output.empty() ? ShapedType::kDynamic : output.back();
  int64_t groups =
      blockScaleType.getRank() == 2 ? blockScaleType.getShape()[1] : 0;
  if (!isFP8 || ShapedType::isDynamic(width) || groups <= 0) {
    emitError() << "block scales go with rows of f8E4M3FN and are T x G with a "
                   "static G, got "
                << outputType << " and " << blockScaleType;
    return failure();
  }
  if (width % groups != 0) {
    emitError() << groups << " scales do not divide rows of " << width
                << " into equal groups";
    return failure();
  }
  if (groups == 1)
    return QuantKeyAttr::getByName(context, "fp8_dynamic_token_sym");
  int64_t size = width / groups;
  if (size != 64 && size != 128) {
    emitError() << "groups of " << size << " (rows of " << width << ", "
                << groups << " scales): kernels exist for groups of 64 and 128";
    return failure();
  }
  return QuantKeyAttr::getByName(context, size == 64 ? "fp8_dynamic_64_sym"
                                                     : "fp8_dynamic_128_sym");
}
