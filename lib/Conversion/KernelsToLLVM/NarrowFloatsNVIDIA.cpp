//===- NarrowFloatsNVIDIA.cpp - Narrow floats by PTX's cvt ----------------===//
//
// cvt.rn.satfinite takes two f32, saturates numbers and infinities, and gives
// the codes of NaN that roundFromF32 gives: 0x7F for f8, +6 for f4. Both
// formats decode to f16, which holds all their values.
//
//===----------------------------------------------------------------------===//

#include "MLAFuse/Conversion/Numerics.h"
#include "NarrowFloats.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace mlafuse;

Value nvidia::encode(ImplicitLocOpBuilder &b, Value x, Type element) {
  int64_t size = cast<VectorType>(x.getType()).getDimSize(0);
  SmallVector<Value> values = getElements(b, padToMultiple(b, x, 2));
  SmallVector<Value> pairs;
  for (size_t i = 0; i < values.size(); i += 2) {
    // The first operand goes to the upper half of the result.
    Value low = values[i], high = values[i + 1];
    if (isa<Float4E2M1FNType>(element))
      pairs.push_back(NVVM::ConvertF32x2ToF4x2Op::create(
          b, b.getI8Type(), high, low, /*relu=*/false, element));
    else
      pairs.push_back(NVVM::ConvertF32x2ToF8x2Op::create(
          b, b.getI16Type(), high, low, NVVM::FPRoundingMode::RN,
          NVVM::SaturationMode::SATFINITE, /*relu=*/false, element));
  }
  Value codes = fromElements(b, pairs);
  if (isa<Float4E2M1FNType>(element))
    return codes;
  return slice(b, viewAs(b, codes, b.getI8Type()), 0, size);
}

Value nvidia::roundToBF16(ImplicitLocOpBuilder &b, Value x) {
  // LLVM pairs only what is stored at once.
  auto pairType = VectorType::get(2, b.getBF16Type());
  SmallVector<Value> values = getElements(b, x), words;
  for (size_t i = 0; i < values.size(); i += 2) {
    Value pair = NVVM::ConvertF32x2ToBF16x2Op::create(
        b, pairType, /*src_hi=*/values[i + 1], /*src_lo=*/values[i],
        /*random_bits=*/Value(), NVVM::FPRoundingMode::RN,
        NVVM::SaturationMode::NONE, /*relu=*/false);
    words.push_back(LLVM::BitcastOp::create(b, b.getI32Type(), pair));
  }
  return viewAs(b, fromElements(b, words), b.getBF16Type());
}

Value nvidia::decode(ImplicitLocOpBuilder &b, Value bytes, Type element) {
  auto halfPair = VectorType::get(2, b.getF16Type());
  auto bytePair = VectorType::get(2, b.getI8Type());
  SmallVector<Value> values;
  auto append = [&](Value pair) {
    Value wide =
        arith::ExtFOp::create(b, VectorType::get(2, b.getF32Type()), pair);
    llvm::append_range(values, getElements(b, wide));
  };
  if (isa<Float4E2M1FNType>(element)) {
    for (Value pair : getElements(b, bytes))
      append(NVVM::ConvertF4x2ToF16x2Op::create(b, halfPair, pair,
                                                /*relu=*/false, element));
    return fromElements(b, values);
  }
  int64_t size = cast<VectorType>(bytes.getType()).getDimSize(0);
  Value pairs = viewAs(b, padToMultiple(b, bytes, 2), b.getI16Type());
  for (Value pair : getElements(b, pairs))
    append(NVVM::ConvertF8x2ToF16x2Op::create(
        b, halfPair, LLVM::BitcastOp::create(b, bytePair, pair),
        /*relu=*/false, element));
  values.resize(size);
  return fromElements(b, values);
}
