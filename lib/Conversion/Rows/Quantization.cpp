//===- Quantization.cpp - scales of rows and where they lie ---------------===//

#include "Quantization.h"
#include "MLAFuse/Conversion/Numerics.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::rows;

static Value divide(Emitter &e, Value a, Value b) {
  return arith::DivFOp::create(e, a, b);
}

static Value reciprocal(Emitter &e, Value x) {
  return divide(e, constant(e, 1), x);
}

QuantConstants rows::loadConstants(Emitter &e, const QuantBuffers &buffers) {
  QuantConstants constants;
  if (buffers.scale) {
    constants.scale = loadScalar(e, buffers.scale);
    constants.inverseScale = reciprocal(e, constants.scale);
  }
  if (buffers.scaleUb)
    constants.scaleUb = loadScalar(e, buffers.scaleUb);
  if (buffers.globalScale) {
    constants.globalScale = loadScalar(e, buffers.globalScale);
    constants.inverseGlobal = reciprocal(e, constants.globalScale);
  }
  return constants;
}

Value rows::computeScale(Emitter &e, const EffectiveRule &rule, Value absMax,
                         Value scaleUb) {
  if (scaleUb) {
    Value above =
        arith::CmpFOp::create(e, arith::CmpFPredicate::OGT, absMax, scaleUb);
    absMax = arith::SelectOp::create(e, above, scaleUb, absMax);
  }
  Value scale = divide(e, absMax, constant(e, rule.max));
  if (rule.floorOnScale)
    scale = maximum(e, scale, constant(e, rule.floor));
  if (rule.ue8m0)
    scale = ue8m0RoundUp(e, e.getLoc(), scale);
  return scale;
}

SmallVector<Value, 2> rows::getScaleIndices(Emitter &e, ScaleLayout layout,
                                            Value scales, Value row,
                                            Value group) {
  switch (layout) {
  case ScaleLayout::RowMajor:
    return {row, group};
  case ScaleLayout::ColumnMajor:
  case ScaleLayout::TMAAligned:
    return {group, row};
  case ScaleLayout::PackedUE8M0:
    return {arith::DivUIOp::create(e, group, index(e, 4)), row};
  case ScaleLayout::Swizzled128x4: {
    // ((t/128)*(columns/4) + g/4)*512 + (t%32)*16 + ((t/32)%4)*4 + g%4, as row
    // and column of storage that is `columns` = align(G, 4) wide.
    int64_t columns = cast<MemRefType>(scales.getType()).getDimSize(1);
    auto div = [&](Value a, int64_t b) -> Value {
      return arith::DivUIOp::create(e, a, index(e, b));
    };
    auto rem = [&](Value a, int64_t b) -> Value {
      return arith::RemUIOp::create(e, a, index(e, b));
    };
    auto times = [&](Value a, int64_t b) -> Value {
      return arith::MulIOp::create(e, a, index(e, b));
    };
    auto plus = [&](Value a, Value b) -> Value {
      return arith::AddIOp::create(e, a, b);
    };
    Value tile = plus(times(div(row, 128), columns / 4), div(group, 4));
    Value linear = plus(plus(times(tile, 512), times(rem(row, 32), 16)),
                        plus(times(rem(div(row, 32), 4), 4), rem(group, 4)));
    return {div(linear, columns), rem(linear, columns)};
  }
  }
  llvm_unreachable("unknown scale layout");
}

Value rows::clampRows(Emitter &e, const QuantBuffers &buffers, Value rows) {
  if (!buffers.rowOffset)
    return rows;
  Value total = rows::getRowCount(e, buffers.codes);
  Value isInside = arith::CmpIOp::create(e, arith::CmpIPredicate::ule,
                                         buffers.rowOffset, total);
  Value left = arith::SelectOp::create(
      e, isInside, minus(e, total, buffers.rowOffset), index(e, 0));
  return arith::MinUIOp::create(e, rows, left);
}

GroupScale rows::makeScale(Emitter &e, const QuantBuffers &buffers,
                           const QuantConstants &constants, Value absMax,
                           ConversionForm form) {
  QuantKeyAttr key = buffers.spec.key;
  EffectiveRule rule = buffers.spec.getEffectiveRule();
  Location loc = e.getLoc();
  Divisor divisor;
  if (key.isMX()) {
    // emax of the data type: 2^emax is the power of two in its largest value.
    int emax = llvm::Log2_64(static_cast<uint64_t>(key.getDataTypeMax()));
    divisor.exponent = mxExponent(e, loc, absMax, emax);
    Value byte = arith::TruncIOp::create(e, e.getI8Type(), divisor.exponent);
    return {arith::BitcastOp::create(e, key.getScaleType(), byte), divisor};
  }
  if (key.isNVFP4()) {
    Value sixth = constant(e, 1.0f / 6.0f);
    Value scale = mul(e, constants.globalScale, mul(e, absMax, sixth));
    Type type = key.getScaleType(), f32 = e.getF32Type();
    bool isOp = form == ConversionForm::Op;
    Value stored = isOp ? arith::TruncFOp::create(e, type, scale).getResult()
                        : roundFromF32(e, loc, scale, type);
    Value used = isOp ? arith::ExtFOp::create(e, f32, stored).getResult()
                      : extendToF32(e, loc, stored);
    Value zero = constant(e, 0);
    Value isZero =
        arith::CmpFOp::create(e, arith::CmpFPredicate::OEQ, used, zero);
    divisor.inverse = arith::SelectOp::create(
        e, isZero, zero, reciprocal(e, mul(e, used, constants.inverseGlobal)));
    return {stored, divisor};
  }
  Value scale = computeScale(e, rule, absMax, constants.scaleUb);
  divisor.scale = scale;
  // Dividing by a power of two is multiplying by its exact reciprocal.
  if (rule.reciprocal || rule.ue8m0)
    divisor.inverse = reciprocal(e, scale);
  return {scale, divisor};
}
