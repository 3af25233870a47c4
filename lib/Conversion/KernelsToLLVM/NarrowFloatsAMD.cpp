//===- NarrowFloatsAMD.cpp - Narrow floats by AMD's instructions ----------===//
//
// V_CVT_PK_FP8_F32 and V_CVT_PK_BF8_F32 convert two f32 into one half of a
// register, to nearest even. They turn what is too large into NaN or Inf, so
// values are limited first. V_MED3_F32 does that in one instruction, but takes
// NaN for the lower limit: NaN is put back, with the sign that the codes of
// roundFromF32 have. f8E5M2 has several NaNs; so that the code does not depend
// on the one that the instruction picks, it converts a number there, and the
// code is completed afterwards.
//
//===----------------------------------------------------------------------===//

#include "MLAFuse/Conversion/Numerics.h"
#include "NarrowFloats.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "llvm/ADT/APFloat.h"

using namespace mlir;
using namespace mlafuse;

static double getLargest(Type element) {
  return APFloat::getLargest(cast<FloatType>(element).getFloatSemantics())
      .convertToDouble();
}

/// Limits `x` to +-limit; NaN becomes the NaN without a sign.
static Value limitKeepNaN(ImplicitLocOpBuilder &b, Value x, double limit) {
  Type f32 = b.getF32Type();
  Location loc = b.getLoc();
  Value limited =
      ROCDL::FMed3Op::create(b, f32, x, createFloat(b, loc, f32, -limit),
                             createFloat(b, loc, f32, limit));
  Value isNaN = arith::CmpFOp::create(b, arith::CmpFPredicate::UNO, x, x);
  // All bits of the payload are set, as those of the codes' NaN.
  Value nan = arith::BitcastOp::create(
      b, f32, createInt(b, loc, b.getI32Type(), 0x7FFFFFFF));
  return arith::SelectOp::create(b, isNaN, nan, limited);
}

/// Limits `x` to +-limit; NaN becomes +limit.
static Value limitNaNToLargest(ImplicitLocOpBuilder &b, Value x, double limit) {
  Location loc = b.getLoc();
  Value atMost = arith::MinNumFOp::create(
      b, x, createFloat(b, loc, b.getF32Type(), limit));
  return arith::MaxNumFOp::create(b, atMost,
                                  createFloat(b, loc, b.getF32Type(), -limit));
}

/// Turns the code 0x7B of 57344 into 0x7F where `x` is NaN. `x` has the values
/// of the bytes of `words`, in order.
static void completeNaN(ImplicitLocOpBuilder &b, ArrayRef<Value> x,
                        MutableArrayRef<Value> words) {
  Location loc = b.getLoc();
  Value zero = createInt(b, loc, b.getI32Type(), 0);
  for (auto [i, value] : llvm::enumerate(x)) {
    Value isNaN =
        arith::CmpFOp::create(b, arith::CmpFPredicate::UNO, value, value);
    Value missing = createInt(b, loc, b.getI32Type(), 0x04 << (8 * (i % 4)));
    missing = arith::SelectOp::create(b, isNaN, missing, zero);
    words[i / 4] = arith::OrIOp::create(b, words[i / 4], missing);
  }
}

static Value encodePair(ImplicitLocOpBuilder &b, Value low, Value high,
                        Value word, unsigned position, Type element) {
  Type i32 = b.getI32Type();
  if (isa<Float4E2M1FNType>(element)) {
    Value one = createFloat(b, b.getLoc(), b.getF32Type(), 1.0);
    return ROCDL::CvtScaleF32PkFp4F32Op::create(b, i32, word, low, high, one,
                                                position);
  }
  if (isa<Float8E5M2Type>(element))
    return ROCDL::CvtPkBf8F32Op::create(b, i32, low, high, word, position);
  return ROCDL::CvtPkFp8F32Op::create(b, i32, low, high, word, position);
}

Value amd::encode(ImplicitLocOpBuilder &b, Value x, Type element) {
  int64_t size = cast<VectorType>(x.getType()).getDimSize(0);
  bool isFP4 = isa<Float4E2M1FNType>(element);
  double largest = getLargest(element);
  bool isE5M2 = isa<Float8E5M2Type>(element);
  SmallVector<Value> unlimited = getElements(b, padToMultiple(b, x, 2));
  SmallVector<Value> values;
  for (Value value : unlimited)
    values.push_back(isFP4 || isE5M2 ? limitNaNToLargest(b, value, largest)
                                     : limitKeepNaN(b, value, largest));

  // A 32-bit word takes so many pairs; an incomplete one ends as it began.
  size_t pairsOfWord = isFP4 ? 4 : 2;
  SmallVector<Value> words;
  for (size_t pair = 0; pair < values.size() / 2; ++pair) {
    if (pair % pairsOfWord == 0)
      words.push_back(LLVM::PoisonOp::create(b, b.getI32Type()));
    words.back() = encodePair(b, values[2 * pair], values[2 * pair + 1],
                              words.back(), pair % pairsOfWord, element);
  }
  if (isE5M2)
    completeNaN(b, unlimited, words);
  Value bytes = viewAs(b, fromElements(b, words), b.getI8Type());
  return slice(b, bytes, 0, isFP4 ? size / 2 : size);
}

Value amd::decode(ImplicitLocOpBuilder &b, Value bytes, Type element) {
  int64_t size = cast<VectorType>(bytes.getType()).getDimSize(0);
  bool isFP4 = isa<Float4E2M1FNType>(element);
  auto pairType = VectorType::get(2, b.getF32Type());
  Value words = viewAs(b, padToMultiple(b, bytes, 4), b.getI32Type());
  SmallVector<Value> values;
  for (Value word : getElements(b, words)) {
    for (unsigned position = 0; position < (isFP4 ? 4 : 2); ++position) {
      Value pair;
      if (isFP4)
        pair = ROCDL::CvtScaleF32PkF32Fp4Op::create(
            b, pairType, word, createFloat(b, b.getLoc(), b.getF32Type(), 1.0),
            position);
      else if (isa<Float8E5M2Type>(element))
        pair = ROCDL::CvtPkF32Bf8Op::create(b, pairType, word, position);
      else
        pair = ROCDL::CvtPkF32Fp8Op::create(b, pairType, word, position);
      llvm::append_range(values, getElements(b, pair));
    }
  }
  values.resize(isFP4 ? 2 * size : size);
  return fromElements(b, values);
}
