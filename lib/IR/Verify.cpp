//===- Verify.cpp - checks that the ops' verifiers share ------------------===//

#include "Verify.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlafuse;

std::string mlafuse::shapeToString(ArrayRef<int64_t> shape) {
  std::string text = "[";
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(shape, os, [&](int64_t size) {
    if (ShapedType::isDynamic(size))
      os << "?";
    else
      os << size;
  });
  os << "]";
  return text;
}

bool mlafuse::isCompatibleShape(ArrayRef<int64_t> a, ArrayRef<int64_t> b) {
  if (a.size() != b.size())
    return false;
  return llvm::all_of(llvm::zip(a, b), [](auto sizes) {
    auto [left, right] = sizes;
    return left == right || ShapedType::isDynamic(left) ||
           ShapedType::isDynamic(right);
  });
}

bool mlafuse::isModelFloat(Type type) {
  return isa<BFloat16Type, Float16Type, Float32Type>(type);
}

bool mlafuse::isVectorOf(Value value, int64_t size, Type elementType) {
  ShapedType type = getShaped(value);
  return type.getElementType() == elementType &&
         isCompatibleShape(type.getShape(), {size});
}

/// Sizes are multiplied, scaled and aligned from here on: none may be so large
/// that this overflows. No memory holds as many elements.
static LogicalResult verifySize(Operation *op, ShapedType type) {
  constexpr int64_t most = int64_t(1) << 40;
  int64_t elements = 1;
  for (int64_t size : type.getShape()) {
    if (ShapedType::isDynamic(size) || size == 0)
      continue;
    if (size > most / elements)
      return op->emitOpError()
             << "operands have at most 2^40 elements, got " << type << " (S5)";
    elements *= size;
  }
  return success();
}

static LogicalResult verifyLayout(RowOpInterface op) {
  bool hasTensor = false, hasMemRef = false;
  for (Value operand : op->getOperands()) {
    auto shaped = dyn_cast<ShapedType>(operand.getType());
    if (shaped && failed(verifySize(op, shaped)))
      return failure();
    hasTensor |= isa<TensorType>(operand.getType());
    auto memref = dyn_cast<MemRefType>(operand.getType());
    if (!memref)
      continue;
    hasMemRef = true;
    int64_t offset;
    SmallVector<int64_t> strides;
    if (succeeded(memref.getStridesAndOffset(strides, offset)) &&
        !strides.empty() && !ShapedType::isDynamic(strides.back()) &&
        strides.back() != 1)
      return op->emitOpError()
             << "the innermost stride of every memref must be 1, got " << memref
             << " (S1)";
  }
  if (hasTensor && hasMemRef)
    return op->emitOpError()
           << "operands must be all tensors or all memrefs (S1)";
  return success();
}

LogicalResult mlafuse::verifyRowOp(RowOpInterface op, ValueRange inits,
                                   ArrayRef<StringRef> roles) {
  if (failed(verifyLayout(op)))
    return failure();

  size_t most = roles.size();
  size_t least = llvm::count_if(
      roles, [](StringRef role) { return !role.starts_with("["); });
  if (inits.size() < least || inits.size() > most)
    return op->emitOpError() << "takes destinations " << llvm::join(roles, ", ")
                             << ", got " << inits.size() << " (S2)";
  SmallVector<Type> types;
  appendTensorTypes(inits, types);
  if (op->getResultTypes() != TypeRange(types))
    return op->emitOpError()
           << "must have one result per tensor destination, of its type (S2)";

  Value count = op.getTokenCount();
  if (count && !isVectorOf(count, 1, IntegerType::get(op.getContext(), 32)))
    return op->emitOpError() << "num_actual_tokens must be 1 x i32, got "
                             << count.getType() << " (S4)";
  return success();
}

LogicalResult mlafuse::verifyRow(Operation *op, Value value, StringRef name) {
  ArrayRef<int64_t> shape = getShape(value);
  if (shape.empty() || ShapedType::isDynamic(shape.back()) || !shape.back())
    return op->emitOpError()
           << name << " needs a static innermost dimension that is not zero, "
           << "got " << value.getType() << " (S3)";
  return success();
}

LogicalResult mlafuse::verifyShape(Operation *op, Value value, StringRef name,
                                   ArrayRef<int64_t> shape) {
  if (!isCompatibleShape(getShape(value), shape))
    return op->emitOpError()
           << name << " must have shape " << shapeToString(shape) << ", got "
           << value.getType() << " (S5)";
  return success();
}

LogicalResult mlafuse::verifyRank(Operation *op, Value value, StringRef name,
                                  int64_t rank) {
  if (getShaped(value).getRank() != rank)
    return op->emitOpError() << name << " must have rank " << rank << ", got "
                             << value.getType() << " (S5)";
  return success();
}

LogicalResult mlafuse::verifyModelFloat(Operation *op, Value value,
                                        StringRef name, StringRef label) {
  if (!isModelFloat(getShaped(value).getElementType()))
    return op->emitOpError() << name << " must be bf16, f16 or f32, got "
                             << value.getType() << " (" << label << ")";
  return success();
}

LogicalResult mlafuse::verifyVector(Operation *op, Value value, StringRef name,
                                    int64_t size, Type elementType,
                                    StringRef label) {
  if (!isVectorOf(value, size, elementType))
    return op->emitOpError() << name << " must be " << shapeToString({size})
                             << " of " << elementType << ", got "
                             << value.getType() << " (" << label << ")";
  return success();
}

LogicalResult mlafuse::verifyNorm(Operation *op, Value input, Value weight,
                                  Value result, APFloat epsilon,
                                  bool weightOffset, StringRef side) {
  std::string inputName = (side + "input").str();
  if (failed(verifyRow(op, input, inputName)) ||
      failed(verifyModelFloat(op, input, inputName, "C1")))
    return failure();
  if (result) {
    Type element = getShaped(result).getElementType();
    if (element != getShaped(input).getElementType() && !element.isF32())
      return op->emitOpError()
             << side << "result must have the input's type or f32, got "
             << result.getType() << " (C1)";
    if (failed(
            verifyShape(op, result, (side + "result").str(), getShape(input))))
      return failure();
  }
  if (weight && (getShaped(weight).getRank() != 1 ||
                 getShape(weight).front() != getShape(input).back() ||
                 !isModelFloat(getShaped(weight).getElementType())))
    return op->emitOpError()
           << side << "weight must be " << shapeToString(getShape(input).back())
           << " of bf16, f16 or f32, got " << weight.getType() << " (C2)";
  if (!epsilon.isFinite() || (epsilon.isNegative() && !epsilon.isZero()))
    return op->emitOpError()
           << side << "epsilon must be finite and not negative (C3)";
  if (weightOffset && !weight)
    return op->emitOpError() << side << "weight_offset needs a weight (C4)";
  return success();
}

LogicalResult mlafuse::verifyNormNumerics(Operation *op, Numerics numerics,
                                          Rounding rounding) {
  if (numerics == Numerics::Contracted && rounding != Rounding::Result)
    return op->emitOpError() << "contracted numerics round once: they go with "
                                "rounding = result (Q10)";
  return success();
}

LogicalResult mlafuse::verifyCache(Operation *op, Value cache,
                                   CacheFormat format, int64_t latent,
                                   int64_t rope, Value kScale,
                                   StringRef cacheLabel, StringRef scaleLabel) {
  if (failed(verifyRank(op, cache, "cache", 3)))
    return failure();
  MLIRContext *context = op->getContext();
  Type element = format == CacheFormat::BF16 ? Type(BFloat16Type::get(context))
                 : format == CacheFormat::FP8
                     ? Type(Float8E4M3FNType::get(context))
                     : Type(IntegerType::get(context, 8));
  int64_t row = latent + rope;
  if (format == CacheFormat::FP8DSMLA) {
    if (latent % 128 != 0)
      return op->emitOpError()
             << "fp8_ds_mla needs a latent width in tiles of 128, got "
             << latent << " (" << cacheLabel << ")";
    row = latent + 4 * (latent / 128) + 2 * rope;
  }
  if (getShaped(cache).getElementType() != element || getShape(cache)[2] != row)
    return op->emitOpError()
           << stringifyCacheFormat(format) << " cache must be "
           << shapeToString({ShapedType::kDynamic, ShapedType::kDynamic, row})
           << " of " << element << ", got " << cache.getType() << " ("
           << cacheLabel << ")";
  bool wanted = format == CacheFormat::FP8;
  if (wanted != static_cast<bool>(kScale))
    return op->emitOpError()
           << "k_scale(...) is given for cache_format fp8 and for no other ("
           << scaleLabel << ")";
  if (kScale)
    return verifyVector(op, kScale, "k_scale", 1, Float32Type::get(context),
                        scaleLabel);
  return success();
}
