//===- Aggregated.cpp - ops that are made of others -----------------------===//
//
// mla_decode(q_nope, q_pe, cache) ==>
//   head_projection(latent_attention(concat(head_projection(q_nope), q_pe)))
//
//===----------------------------------------------------------------------===//

#include "MLAFuse/IR/MLAFuse.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlafuse;

/// Joins the absorbed queries and q_pe in one tensor. Both are written into
/// slices of it, which bufferization does in place.
static Value joinQueries(OpBuilder &builder, DecodeOp op) {
  Location loc = op.getLoc();
  int64_t latent = cast<ShapedType>(op.getWUk().getType()).getShape()[2];
  int64_t rope = cast<ShapedType>(op.getQPe().getType()).getShape()[3];
  Type element = getElementTypeOrSelf(op.getQNope());
  SmallVector<OpFoldResult> whole =
      tensor::getMixedSizes(builder, loc, op.getQNope());
  SmallVector<OpFoldResult> latentSizes = whole, ropeSizes = whole;
  whole.back() = builder.getIndexAttr(latent + rope);
  latentSizes.back() = builder.getIndexAttr(latent);
  ropeSizes.back() = builder.getIndexAttr(rope);
  SmallVector<OpFoldResult> latentOffsets(4, builder.getIndexAttr(0));
  SmallVector<OpFoldResult> ropeOffsets = latentOffsets;
  ropeOffsets.back() = builder.getIndexAttr(latent);
  SmallVector<OpFoldResult> strides(4, builder.getIndexAttr(1));

  Value joined = tensor::EmptyOp::create(builder, loc, whole, element);
  Value slice = tensor::ExtractSliceOp::create(
      builder, loc, joined, latentOffsets, latentSizes, strides);
  auto absorbed = HeadProjectionOp::create(
      builder, loc, op.getQNope(), op.getWUk(), Value(), Value(), Value(),
      Value(), Value(), slice, QuantKeyAttr(), ScaleLayoutAttr(),
      ScaleRuleAttr(), Numerics::Exact);
  joined = tensor::InsertSliceOp::create(builder, loc, absorbed->getResult(0),
                                         joined, latentOffsets, latentSizes,
                                         strides);
  return tensor::InsertSliceOp::create(builder, loc, op.getQPe(), joined,
                                       ropeOffsets, ropeSizes, strides);
}

FailureOr<SmallVector<Value>> DecodeOp::decomposeOperation(OpBuilder &builder) {
  // A count also keeps rows of lse as they were, which the attention alone
  // cannot do.
  Value lse = getLseInit();
  if (getNumResults() == 0 || (lse && getNumActualTokens()))
    return failure();
  Location loc = getLoc();
  Value q = joinQueries(builder, *this);
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(builder, loc, q);
  sizes.back() = builder.getIndexAttr(
      cast<ShapedType>(getWUk().getType()).getShape()[2]);
  SmallVector<Value> inits = {tensor::EmptyOp::create(
      builder, loc, sizes, getElementTypeOrSelf(getQNope()))};
  if (lse)
    inits.push_back(lse);
  auto attention = LatentAttentionOp::create(
      builder, loc, q, getCache(), getBlockTable(), getSeqLens(), getIndices(),
      getKScale(), inits, getSoftmaxScaleAttr(), getCacheFormatAttr());

  size_t taken = getOutputQuant().hasScaleResult() ? 2 : 1;
  auto output = HeadProjectionOp::create(
      builder, loc, attention->getResult(0), getWUv(), getScale(),
      getScaleUb(), getGlobalScale(), getNumActualTokens(), getRowOffset(),
      getInits().take_front(taken), getKeyAttr(), getScaleLayoutAttr(),
      getScaleRuleAttr(), getNumericsAttr());
  SmallVector<Value> results(output.getResults());
  if (lse)
    results.push_back(attention->getResult(1));
  return results;
}
