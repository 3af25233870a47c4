//===- Aggregated.cpp - ops that are made of others -----------------------===//
//
// mla_decode(q_nope, q_pe, cache) ==>
//   head_projection(latent_attention(head_projection(q_nope), q_pe))
// mla_attention(decode operands, prefill operands) ==>
//   mla_prefill(prefill operands) into rows from decode_rows on of
//   mla_decode(decode operands) into the first rows
//
//===----------------------------------------------------------------------===//

#include "MLAFuse/IR/MLAFuse.h"
#include "MLAFuse/IR/PartLocation.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlafuse;

FailureOr<SmallVector<Value>> DecodeOp::decomposeOperation(OpBuilder &builder) {
  Value lse = getLseInit();
  if (getNumResults() == 0)
    return failure();
  Location loc = getPartLocation(*this);
  Type element = getElementTypeOrSelf(getQNope());
  SmallVector<OpFoldResult> latentSizes =
      tensor::getMixedSizes(builder, loc, getQNope());
  latentSizes.back() =
      builder.getIndexAttr(cast<ShapedType>(getWUk().getType()).getShape()[2]);
  Value queries = tensor::EmptyOp::create(builder, loc, latentSizes, element);
  auto absorbed = HeadProjectionOp::create(
      builder, loc, getQNope(), getWUk(), /*scale=*/Value(),
      /*scale_ub=*/Value(), /*global_scale=*/Value(), getNumActualTokens(),
      /*row_offset=*/Value(), queries, QuantKeyAttr(), ScaleLayoutAttr(),
      ScaleRuleAttr(), Numerics::Exact, ScheduleAttr());

  // A q_pe of no columns has nothing to add.
  bool hasRope = cast<ShapedType>(getQPe().getType()).getShape()[3] != 0;
  SmallVector<Value> inits = {
      tensor::EmptyOp::create(builder, loc, latentSizes, element)};
  if (lse)
    inits.push_back(lse);
  auto attention = LatentAttentionOp::create(
      builder, loc, absorbed->getResult(0), getCache(),
      hasRope ? getQPe() : Value(), getBlockTable(), getSeqLens(), getIndices(),
      getKScale(), getNumActualTokens(), inits, getSoftmaxScaleAttr(),
      getCacheFormatAttr(), getScheduleAttr());

  size_t taken = getOutputQuant().hasScaleResult() ? 2 : 1;
  auto output = HeadProjectionOp::create(
      builder, loc, attention->getResult(0), getWUv(), getScale(), getScaleUb(),
      getGlobalScale(), getNumActualTokens(), getRowOffset(),
      getInits().take_front(taken), getKeyAttr(), getScaleLayoutAttr(),
      getScaleRuleAttr(), getNumericsAttr(), ScheduleAttr());
  SmallVector<Value> results(output.getResults());
  if (lse)
    results.push_back(attention->getResult(1));
  return results;
}

//===----------------------------------------------------------------------===//
// mla_attention
//===----------------------------------------------------------------------===//

/// A count for one part of the batch: `compute` of the whole count, on the
/// device.
static Value splitCount(OpBuilder &builder, Location loc, Value count,
                        function_ref<Value(OpBuilder &, Value whole)> compute) {
  auto type = cast<RankedTensorType>(count.getType());
  Value init = tensor::EmptyOp::create(builder, loc, type.getShape(),
                                       type.getElementType());
  AffineMap identity = builder.getMultiDimIdentityMap(1);
  auto part = linalg::GenericOp::create(
      builder, loc, TypeRange{type}, ValueRange{count}, ValueRange{init},
      ArrayRef<AffineMap>{identity, identity},
      ArrayRef<utils::IteratorType>{utils::IteratorType::parallel},
      [&](OpBuilder &builder, Location loc, ValueRange arguments) {
        linalg::YieldOp::create(builder, loc, compute(builder, arguments[0]));
      });
  return part.getResult(0);
}

FailureOr<SmallVector<Value>>
AttentionBatchOp::decomposeOperation(OpBuilder &builder) {
  if (getNumResults() == 0)
    return failure();
  Location loc = getPartLocation(*this);
  Value decodeOffset = getRowOffset();
  if (!decodeOffset)
    decodeOffset = arith::ConstantIndexOp::create(builder, loc, 0);
  Value prefillOffset =
      arith::AddIOp::create(builder, loc, decodeOffset, getDecodeRows());

  Value decodeCount, prefillCount;
  if (Value count = getNumActualTokens()) {
    Value rows = arith::IndexCastOp::create(builder, loc, builder.getI32Type(),
                                            getDecodeRows());
    Value zero = arith::ConstantIntOp::create(builder, loc, 0, 32);
    decodeCount =
        splitCount(builder, loc, count, [&](OpBuilder &builder, Value whole) {
          return arith::MinSIOp::create(builder, loc, whole, rows);
        });
    prefillCount =
        splitCount(builder, loc, count, [&](OpBuilder &builder, Value whole) {
          Value rest = arith::SubIOp::create(builder, loc, whole, rows);
          return arith::MaxSIOp::create(builder, loc, rest, zero);
        });
  }
  auto decode = DecodeOp::create(
      builder, loc, getQNope(), getQPe(), getWUk(), getWUv(), getCache(),
      getBlockTable(), getSeqLens(), getIndices(), getKScale(), getScale(),
      getScaleUb(), getGlobalScale(), decodeCount, decodeOffset, getInits(),
      getSoftmaxScaleAttr(), getCacheFormatAttr(), getKeyAttr(),
      getScaleLayoutAttr(), getScaleRuleAttr(), getNumericsAttr(),
      ScheduleAttr());
  auto prefill = PrefillOp::create(
      builder, loc, getQ(), getK(), getV(), getCuSeqlensQ(), getCuSeqlensK(),
      getKPe(), getScale(), getScaleUb(), getGlobalScale(), prefillCount,
      prefillOffset, decode->getResults(), getSoftmaxScaleAttr(),
      getCausalAttr(), getKeyAttr(), getScaleLayoutAttr(), getScaleRuleAttr(),
      getNumericsAttr());
  return SmallVector<Value>(prefill->getResults());
}
