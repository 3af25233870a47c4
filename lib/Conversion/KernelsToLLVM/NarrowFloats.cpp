//===- NarrowFloats.cpp - f8 and f4 conversions of a chip -----------------===//
//
// truncf(f32 -> f8)                ==> bitcast(encode)
// bitcast(truncf(f32 -> f4)) to i8 ==> encode
// extf(f8 -> f32)                  ==> decode(bitcast)
// extf(bitcast i8 to f4 -> f32)    ==> decode
// truncf(f32 -> bf16)              ==> by pairs, or in software
// extf(bf16 -> f32)                ==> bitcast(shift)
// truncf(f32 -> f16)               ==> truncf to_nearest_even, on AMD
//
//===----------------------------------------------------------------------===//

#include "NarrowFloats.h"
#include "MLAFuse/Conversion/Numerics.h"
#include "Patterns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlafuse;

Value mlafuse::slice(ImplicitLocOpBuilder &b, Value v, int64_t first,
                     int64_t size) {
  if (size == cast<VectorType>(v.getType()).getDimSize(0))
    return v;
  return vector::ExtractStridedSliceOp::create(b, v, first, size, 1);
}

Value mlafuse::padToMultiple(ImplicitLocOpBuilder &b, Value v,
                             int64_t multiple) {
  auto type = cast<VectorType>(v.getType());
  int64_t size = llvm::alignTo(type.getDimSize(0), multiple);
  if (size == type.getDimSize(0))
    return v;
  auto padded = VectorType::get(size, type.getElementType());
  Value zeros = arith::ConstantOp::create(b, b.getZeroAttr(padded));
  return vector::InsertStridedSliceOp::create(b, v, zeros, 0, 1);
}

Value mlafuse::viewAs(ImplicitLocOpBuilder &b, Value v, Type element) {
  auto type = cast<VectorType>(v.getType());
  int64_t bits = type.getDimSize(0) * type.getElementTypeBitWidth();
  return vector::BitCastOp::create(
      b, VectorType::get(bits / element.getIntOrFloatBitWidth(), element), v);
}

SmallVector<Value> mlafuse::getElements(ImplicitLocOpBuilder &b, Value v) {
  SmallVector<Value> elements;
  for (int64_t i = 0, e = cast<VectorType>(v.getType()).getDimSize(0); i < e;
       ++i)
    elements.push_back(vector::ExtractOp::create(b, v, i));
  return elements;
}

Value mlafuse::fromElements(ImplicitLocOpBuilder &b, ArrayRef<Value> elements) {
  auto type = VectorType::get(elements.size(), elements.front().getType());
  return vector::FromElementsOp::create(b, type, elements);
}

static bool isF8(Type element) {
  return isa<Float8E4M3FNType, Float8E4M3FNUZType, Float8E5M2Type>(element);
}

/// A scalar or a vector of any rank as a vector of rank 1.
static Value flatten(ImplicitLocOpBuilder &b, Value v) {
  auto type = dyn_cast<VectorType>(v.getType());
  if (!type)
    return vector::BroadcastOp::create(b, VectorType::get(1, v.getType()), v);
  if (type.getRank() == 1)
    return v;
  auto flat = VectorType::get(type.getNumElements(), type.getElementType());
  return vector::ShapeCastOp::create(b, flat, v);
}

/// The inverse of flatten: to the shape of `like`.
static Value unflatten(ImplicitLocOpBuilder &b, Value v, Type like) {
  auto type = dyn_cast<VectorType>(like);
  if (!type)
    return vector::ExtractOp::create(b, v, 0);
  if (type.getRank() == 1)
    return v;
  auto flat = cast<VectorType>(v.getType());
  return vector::ShapeCastOp::create(
      b, VectorType::get(type.getShape(), flat.getElementType()), v);
}

static Value castFloat(ImplicitLocOpBuilder &b, Value v, Type element) {
  Type type = withElementType(v.getType(), element);
  if (v.getType() == type)
    return v;
  if (element.getIntOrFloatBitWidth() >
      getElementTypeOrSelf(v.getType()).getIntOrFloatBitWidth())
    return arith::ExtFOp::create(b, type, v);
  return arith::TruncFOp::create(b, type, v);
}

static bool isPaired(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector && vector.getNumElements() % 2 == 0;
}

static bool roundsToNearestEven(arith::TruncFOp op) {
  return op.getRoundingmode().value_or(arith::RoundingMode::to_nearest_even) ==
         arith::RoundingMode::to_nearest_even;
}

namespace {

class ChipConversions {
public:
  explicit ChipConversions(const Chip &chip) : chip(chip) {}

  Value encode(ImplicitLocOpBuilder &b, Value x, Type element) const {
    if (!chip.converts(element))
      return software::encode(b, x, element);
    return chip.vendor == Vendor::NVIDIA ? nvidia::encode(b, x, element)
                                         : amd::encode(b, x, element);
  }

  Value decode(ImplicitLocOpBuilder &b, Value bytes, Type element) const {
    if (!chip.converts(element))
      return software::decode(b, bytes, element);
    return chip.vendor == Vendor::NVIDIA ? nvidia::decode(b, bytes, element)
                                         : amd::decode(b, bytes, element);
  }

private:
  const Chip &chip;
};

struct LowerTruncToF8 : OpRewritePattern<arith::TruncFOp> {
  LowerTruncToF8(MLIRContext *context, const Chip &chip)
      : OpRewritePattern(context), conversions(chip) {}

  LogicalResult matchAndRewrite(arith::TruncFOp op,
                                PatternRewriter &rewriter) const override {
    Type element = getElementTypeOrSelf(op.getType());
    if (!isF8(element) || !roundsToNearestEven(op))
      return rewriter.notifyMatchFailure(op, "not to f8, to nearest even");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value x = flatten(b, castFloat(b, op.getIn(), b.getF32Type()));
    Value codes = unflatten(b, conversions.encode(b, x, element), op.getType());
    rewriter.replaceOpWithNewOp<arith::BitcastOp>(op, op.getType(), codes);
    return success();
  }

  ChipConversions conversions;
};

struct LowerTruncToF4 : OpRewritePattern<vector::BitCastOp> {
  LowerTruncToF4(MLIRContext *context, const Chip &chip)
      : OpRewritePattern(context), conversions(chip) {}

  LogicalResult matchAndRewrite(vector::BitCastOp op,
                                PatternRewriter &rewriter) const override {
    Type element = op.getSourceVectorType().getElementType();
    auto trunc = op.getSource().getDefiningOp<arith::TruncFOp>();
    if (!trunc || !isa<Float4E2M1FNType>(element) ||
        !op.getResultVectorType().getElementType().isInteger() ||
        op.getSourceVectorType().getShape().back() % 2 ||
        !roundsToNearestEven(trunc))
      return rewriter.notifyMatchFailure(op, "not to packed f4");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value x = flatten(b, castFloat(b, trunc.getIn(), b.getF32Type()));
    // Bytes, or integers that are several.
    SmallVector<int64_t> shape(op.getSourceVectorType().getShape());
    shape.back() /= 2;
    Value bytes = unflatten(b, conversions.encode(b, x, element),
                            VectorType::get(shape, b.getI8Type()));
    rewriter.replaceOpWithNewOp<vector::BitCastOp>(op, op.getType(), bytes);
    return success();
  }

  ChipConversions conversions;
};

struct LowerExtension : OpRewritePattern<arith::ExtFOp> {
  LowerExtension(MLIRContext *context, const Chip &chip)
      : OpRewritePattern(context), conversions(chip) {}

  LogicalResult matchAndRewrite(arith::ExtFOp op,
                                PatternRewriter &rewriter) const override {
    Type element = getElementTypeOrSelf(op.getIn().getType());
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value bytes;
    if (isF8(element) || isa<Float8E8M0FNUType>(element)) {
      bytes = arith::BitcastOp::create(
          b, withElementType(op.getIn().getType(), b.getI8Type()), op.getIn());
    } else if (isa<Float4E2M1FNType>(element)) {
      auto cast = op.getIn().getDefiningOp<vector::BitCastOp>();
      if (!cast || !cast.getSourceVectorType().getElementType().isInteger(8))
        return rewriter.notifyMatchFailure(op, "not from packed f4");
      bytes = cast.getSource();
    } else {
      return rewriter.notifyMatchFailure(op, "not from f8 or f4");
    }
    Value x = conversions.decode(b, flatten(b, bytes), element);
    Type to = getElementTypeOrSelf(op.getType());
    rewriter.replaceOp(op, castFloat(b, unflatten(b, x, op.getType()), to));
    return success();
  }

  ChipConversions conversions;
};

/// f32 to bf16: pairs where PTX has an instruction, software where the chip has
/// none. LLVM does what is left.
struct LowerTruncToBF16 : OpRewritePattern<arith::TruncFOp> {
  LowerTruncToBF16(MLIRContext *context, const Chip &chip)
      : OpRewritePattern(context), chip(chip) {}

  LogicalResult matchAndRewrite(arith::TruncFOp op,
                                PatternRewriter &rewriter) const override {
    Type element = getElementTypeOrSelf(op.getType());
    if (!element.isBF16() || !getElementTypeOrSelf(op.getIn()).isF32() ||
        !roundsToNearestEven(op))
      return rewriter.notifyMatchFailure(op, "not f32 to bf16");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    if (!chip.converts(element)) {
      rewriter.replaceOp(op, roundFromF32(b, op.getLoc(), op.getIn(), element));
      return success();
    }
    if (chip.vendor != Vendor::NVIDIA || !isPaired(op.getType()))
      return rewriter.notifyMatchFailure(op, "LLVM has the instruction");
    Value rounded = nvidia::roundToBF16(b, flatten(b, op.getIn()));
    rewriter.replaceOp(op, unflatten(b, rounded, op.getType()));
    return success();
  }

  const Chip &chip;
};

/// f32 to f16 on AMD: a conversion that states its rounding stays one. LLVM
/// makes any other one of a product into v_fma_mixlo_f16 with an addend of +0,
/// which turns -0 into +0. Without the feature fma-mix-insts it would not, but
/// that takes all of GFX12 with it.
struct LowerTruncToF16 : OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::TruncFOp op,
                                PatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getType()).isF16() || op.getRoundingmode())
      return rewriter.notifyMatchFailure(op, "not to f16 in the default mode");
    rewriter.modifyOpInPlace(
        op, [&] { op.setRoundingmode(arith::RoundingMode::to_nearest_even); });
    return success();
  }
};

/// bf16 to f32, for every chip: an extension that LLVM recognizes is one that
/// it narrows. It computes truncf(mulf(extf(f16), extf(bf16))) in f16, as bf16
/// has the shorter mantissa, though f16 holds neither its largest nor its
/// smallest numbers.
struct LowerBF16Extension : OpRewritePattern<arith::ExtFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::ExtFOp op,
                                PatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getIn()).isBF16() ||
        !getElementTypeOrSelf(op.getType()).isF32())
      return rewriter.notifyMatchFailure(op, "not bf16 to f32");
    if (!isPaired(op.getType())) {
      rewriter.replaceOp(op, extendToF32(rewriter, op.getLoc(), op.getIn()));
      return success();
    }
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value wide = extendPairs(b, flatten(b, op.getIn()));
    rewriter.replaceOp(op, unflatten(b, wide, op.getType()));
    return success();
  }

private:
  /// On words of two values, so that neither is taken apart first.
  static Value extendPairs(ImplicitLocOpBuilder &b, Value x) {
    Type i32 = b.getI32Type();
    Value upper = createInt(b, b.getLoc(), i32, 0xFFFF0000);
    Value sixteen = createInt(b, b.getLoc(), i32, 16);
    SmallVector<Value> values;
    for (Value word : getElements(b, viewAs(b, x, i32))) {
      Value low = arith::ShLIOp::create(b, word, sixteen);
      Value high = arith::AndIOp::create(b, word, upper);
      for (Value bits : {low, high})
        values.push_back(arith::BitcastOp::create(b, b.getF32Type(), bits));
    }
    return fromElements(b, values);
  }
};

} // namespace

void mlafuse::populateNarrowFloatPatterns(RewritePatternSet &patterns,
                                          const Chip &chip) {
  patterns
      .add<LowerTruncToF8, LowerTruncToF4, LowerExtension, LowerTruncToBF16>(
          patterns.getContext(), chip);
  patterns.add<LowerBF16Extension>(patterns.getContext());
  if (chip.vendor == Vendor::AMD)
    patterns.add<LowerTruncToF16>(patterns.getContext());
}
