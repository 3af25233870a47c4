//===- CacheSpec.cpp - the paged latent cache -----------------------------===//

#include "CacheSpec.h"
#include "MLAFuse/Conversion/Numerics.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::rows;

Value CacheSpec::getCapacity(Emitter &e) const {
  return arith::MulIOp::create(
      e, memref::DimOp::create(e, buffer, rows::index(e, 0)),
      memref::DimOp::create(e, buffer, rows::index(e, 1)));
}

RowView CacheSpec::getSlot(Emitter &e, Value slot) const {
  Value pageSize = memref::DimOp::create(e, buffer, rows::index(e, 1));
  return {buffer,
          {arith::DivUIOp::create(e, slot, pageSize),
           arith::RemUIOp::create(e, slot, pageSize)}};
}

Value rows::computeTileScale(Emitter &e, ScaleRuleAttr rule, Value absMax) {
  // vLLM's writer: an arbitrary f32 scale, not below the least normal f32.
  double floor =
      rule && rule.getFloor() ? rule.getFloor().getValueAsDouble() : 0x1p-126;
  Value scale = maximum(
      e, arith::DivFOp::create(e, absMax, constant(e, CacheSpec::kCodeMax)),
      constant(e, floor));
  if (rule && rule.getUe8m0())
    scale = ue8m0RoundUp(e, e.getLoc(), scale);
  return scale;
}
