//===- Norms.cpp - what the norm ops ask for ------------------------------===//

#include "Norms.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::rows;

static Type getElementType(Value buffer) {
  return cast<MemRefType>(buffer.getType()).getElementType();
}

/// What a fused norm's value is rounded to ahead of the codes.
static Type getQuantizedType(Value input, Numerics numerics) {
  return numerics == Numerics::Exact
             ? getElementType(input)
             : Type(Float32Type::get(input.getContext()));
}

NormProblem rows::getNorms(RMSNormOp op) {
  Value output = op.getInits()[0];
  NormSide side{{op.getInput(), op.getWeight(), Value(), Value(),
                 op.getEpsilon(), op.getRounding(), op.getWeightOffset(),
                 getElementType(output)},
                output,
                {}};
  return {{side}, op.getNumActualTokens()};
}

NormProblem rows::getNorms(AddRMSNormOp op) {
  Value output = op.getInits()[0];
  NormSide side{{op.getInput(), op.getWeight(), op.getResidual(),
                 op.getInits()[1], op.getEpsilon(), op.getRounding(),
                 op.getWeightOffset(), getElementType(output)},
                output,
                {}};
  return {{side}, op.getNumActualTokens()};
}

NormProblem rows::getNorms(RMSNormQuantizeOp op) {
  NormSide side{{op.getInput(), op.getWeight(), op.getResidual(),
                 op.getResidualInit(), op.getEpsilon(), op.getRounding(),
                 op.getWeightOffset(),
                 getQuantizedType(op.getInput(), op.getNumerics())},
                op.getUnquantizedInit(),
                {}};
  side.quant = {op.getQuantSpec(),   side.norm.getWidth(), op.getCodesInit(),
                op.getScaleInit(),   op.getScale(),        op.getScaleUb(),
                op.getGlobalScale(), op.getRowOffset()};
  return {{side}, op.getNumActualTokens()};
}

NormProblem rows::getNorms(DualRMSNormOp op) {
  auto makeSide = [&](Value input, Value weight, Value output,
                      APFloat epsilon) {
    return NormSide{{input, weight, Value(), Value(), epsilon, op.getRounding(),
                     op.getWeightOffset(), getElementType(output)},
                    output,
                    {}};
  };
  return {{makeSide(op.getQC(), op.getQWeight(), op.getInits()[0],
                    op.getQEpsilon()),
           makeSide(op.getKvC(), op.getKvWeight(), op.getInits()[1],
                    op.getKvEpsilon())},
          op.getNumActualTokens()};
}

NormProblem rows::getNorms(DualRMSNormQuantizeOp op) {
  auto makeSide = [&](Value input, Value weight, APFloat epsilon,
                      const QuantSpec &spec, const DualSideInits &inits,
                      Value scale, Value scaleUb, Value globalScale) {
    Type result = spec ? getQuantizedType(input, op.getNumerics())
                       : getElementType(inits.unquantized);
    NormSide side{{input, weight, Value(), Value(), epsilon, op.getRounding(),
                   op.getWeightOffset(), result},
                  inits.unquantized,
                  {}};
    side.quant = {
        spec,    side.norm.getWidth(), inits.codes, inits.scale, scale,
        scaleUb, globalScale,          Value()};
    return side;
  };
  return {{makeSide(op.getQC(), op.getQWeight(), op.getQEpsilon(),
                    op.getQQuantSpec(), op.getQInits(), op.getQScale(),
                    op.getQScaleUb(), op.getQGlobalScale()),
           makeSide(op.getKvC(), op.getKvWeight(), op.getKvEpsilon(),
                    op.getKvQuantSpec(), op.getKvInits(), op.getKvScale(),
                    op.getKvScaleUb(), op.getKvGlobalScale())},
          op.getNumActualTokens()};
}
