//===- AttentionOps.cpp - verifiers and roles of the attention ops --------===//

#include "AttentionVerify.h"
#include "MLAFuse/IR/MLAFuse.h"
#include "Verify.h"

using namespace mlir;
using namespace mlafuse;

static constexpr int64_t kDynamic = ShapedType::kDynamic;

/// Product of two sizes, or kDynamic.
static int64_t multiply(int64_t a, int64_t b) {
  return ShapedType::isDynamic(a) || ShapedType::isDynamic(b) ? kDynamic
                                                              : a * b;
}

//===----------------------------------------------------------------------===//
// Destinations by role
//===----------------------------------------------------------------------===//

template <typename OpT>
static Value getScaleInitOf(OpT op) {
  bool hasScale = op.getOutputQuant().hasScaleResult();
  return hasScale && op.getInits().size() > 1 ? op.getInits()[1] : Value();
}

template <typename OpT>
static Value getLseInitOf(OpT op) {
  size_t index = op.getOutputQuant().hasScaleResult() ? 2 : 1;
  return index < op.getInits().size() ? op.getInits()[index] : Value();
}

#define MLAFUSE_OUTPUT_ROLES(OP)                                               \
  Value OP::getScaleInit() { return getScaleInitOf(*this); }                   \
  Value OP::getLseInit() { return getLseInitOf(*this); }
MLAFUSE_OUTPUT_ROLES(HeadProjectionOp)
MLAFUSE_OUTPUT_ROLES(DecodeOp)
MLAFUSE_OUTPUT_ROLES(PrefillOp)
MLAFUSE_OUTPUT_ROLES(MergeAttnStatesOp)
MLAFUSE_OUTPUT_ROLES(AttentionBatchOp)
#undef MLAFUSE_OUTPUT_ROLES

Value LatentAttentionOp::getLseInit() {
  return getInits().size() > 1 ? getInits()[1] : Value();
}

int64_t LatentAttentionOp::getLatentWidth() {
  return getShape(getOutputInit())[3];
}
int64_t LatentAttentionOp::getRopeWidth() {
  return getQPe() ? getShape(getQPe())[3]
                  : getShape(getQ())[3] - getLatentWidth();
}

/// S1, S2 and S4 of an op with a quantizable output.
static LogicalResult verifyDestinations(QuantizableOutput op, ValueRange inits,
                                        bool hasLse) {
  SmallVector<StringRef> roles = {"output"};
  if (op.getOutputQuant().hasScaleResult())
    roles.push_back("scale");
  if (hasLse)
    roles.push_back("[lse]");
  return verifyRowOp(cast<RowOpInterface>(op.getOperation()), inits, roles);
}

//===----------------------------------------------------------------------===//
// Verifiers
//===----------------------------------------------------------------------===//

/// The part of the queries that an operand of its own holds, next to q of
/// `latent` columns.
static LogicalResult verifyRopeQueries(LatentAttentionOp op, int64_t latent) {
  Value q = op.getQ(), qPe = op.getQPe();
  ArrayRef<int64_t> shape = getShape(q);
  if (shape[3] != latent)
    return op.emitOpError() << "with q_pe(...) q has o's " << latent
                            << " columns, got " << q.getType() << " (S5)";
  if (failed(verifyRank(op, qPe, "q_pe", 4)) ||
      failed(verifyRow(op, qPe, "q_pe")))
    return failure();
  if (getShaped(qPe).getElementType() != getShaped(q).getElementType())
    return op.emitOpError() << "q_pe must have q's element type, got "
                            << qPe.getType() << " (C6)";
  return verifyShape(op, qPe, "q_pe",
                     {shape[0], shape[1], shape[2], getShape(qPe)[3]});
}

LogicalResult LatentAttentionOp::verify() {
  if (failed(verifyRowOp(*this, getInits(), {"o", "[lse]"})) ||
      failed(verifyRank(*this, getQ(), "q", 4)) ||
      failed(verifyModelFloat(*this, getQ(), "q", "C1")) ||
      failed(verifyRank(*this, getOutputInit(), "o", 4)) ||
      failed(verifyModelFloat(*this, getOutputInit(), "o", "C1")) ||
      failed(verifyRow(*this, getQ(), "q")) ||
      failed(verifyRow(*this, getOutputInit(), "o")))
    return failure();
  ArrayRef<int64_t> q = getShape(getQ());
  int64_t latent = getLatentWidth();
  if (q[2] == 0)
    return emitOpError() << "q needs at least one head, got "
                         << getQ().getType() << " (S3)";
  if (failed(
          verifyShape(*this, getOutputInit(), "o", {q[0], q[1], q[2], latent})))
    return failure();
  if (getQPe() && failed(verifyRopeQueries(*this, latent)))
    return failure();
  if (getRopeWidth() < 0)
    return emitOpError() << "o has " << latent << " columns, more than q's "
                         << q[3] << " (S5)";
  if (Value lse = getLseInit()) {
    if (!getShaped(lse).getElementType().isF32())
      return emitOpError() << "lse must be f32, got " << lse.getType()
                           << " (S5)";
    if (failed(verifyShape(*this, lse, "lse", q.drop_back())))
      return failure();
  }
  if (failed(verifyPaging(*this, q[0], q[1], getBlockTable(), getSeqLens(),
                          getIndices())) ||
      failed(verifyCache(*this, getCache(), getCacheFormat(), latent,
                         getRopeWidth(), getKScale(), "C3", "C4")) ||
      failed(verifyAttentionSchedule(*this, getScheduleAttr())))
    return failure();
  return verifySoftmaxScale(*this, getSoftmaxScale(), "C5");
}

LogicalResult HeadProjectionOp::verify() {
  if (failed(verifyDestinations(*this, getInits(), /*hasLse=*/false)) ||
      failed(verifyRank(*this, getX(), "x", 4)) ||
      failed(verifyRank(*this, getW(), "w", 3)) ||
      failed(verifyModelFloat(*this, getX(), "x", "C1")) ||
      failed(verifyModelFloat(*this, getW(), "w", "C1")) ||
      failed(verifyStatic(*this, getW(), "w", {0, 1, 2}, "C2")) ||
      failed(verifyProjectionSchedule(*this, getScheduleAttr())))
    return failure();
  ArrayRef<int64_t> x = getShape(getX()), w = getShape(getW());
  if (failed(verifyShape(*this, getX(), "x", {x[0], x[1], w[0], w[1]})))
    return failure();
  if (!getOutputQuant() && getShaped(getOutputInit()).getRank() == 4) {
    if (getRowOffset())
      return emitOpError("row_offset goes with a destination of rank 2 (S5)");
    if (failed(verifyShape(*this, getOutputInit(), "output",
                           {x[0], x[1], w[0], w[2]})))
      return failure();
  }
  return verifyOutput(*this, getQuantOutput(*this),
                      {multiply(x[0], x[1]), w[0] * w[2]}, Value(), {},
                      /*takesRank4=*/true);
}

/// The decode operands of mla_decode and mla_attention.
template <typename OpT>
static LogicalResult verifyDecodeOperands(OpT op) {
  for (auto [name, value, rank] :
       {std::tuple<StringRef, Value, int64_t>{"q_nope", op.getQNope(), 4},
        {"q_pe", op.getQPe(), 4},
        {"w_uk", op.getWUk(), 3},
        {"w_uv", op.getWUv(), 3}}) {
    if (failed(verifyRank(op, value, name, rank)) ||
        failed(verifyModelFloat(op, value, name, "C7")))
      return failure();
    if (getShaped(value).getElementType() !=
        getShaped(op.getQNope()).getElementType())
      return op.emitOpError() << name << " must have q_nope's type, got "
                              << value.getType() << " (C7)";
  }
  if (failed(verifyStatic(op, op.getWUk(), "w_uk", {0, 1, 2}, "C6")) ||
      failed(verifyStatic(op, op.getWUv(), "w_uv", {0, 1, 2}, "C6")) ||
      failed(verifyStatic(op, op.getQPe(), "q_pe", {3}, "C6")))
    return failure();
  ArrayRef<int64_t> q = getShape(op.getQNope()), uk = getShape(op.getWUk());
  int64_t rope = getShape(op.getQPe())[3];
  if (failed(verifyShape(op, op.getQNope(), "q_nope",
                         {q[0], q[1], uk[0], uk[1]})) ||
      failed(verifyShape(op, op.getQPe(), "q_pe", {q[0], q[1], uk[0], rope})) ||
      failed(verifyShape(op, op.getWUv(), "w_uv",
                         {uk[0], uk[2], getShape(op.getWUv())[2]})) ||
      failed(verifyPaging(op, q[0], q[1], op.getBlockTable(), op.getSeqLens(),
                          op.getIndices())) ||
      failed(verifyCache(op, op.getCache(), op.getCacheFormat(), uk[2], rope,
                         op.getKScale(), "C3", "C4")))
    return failure();
  return verifySoftmaxScale(op, op.getSoftmaxScale(), "C5");
}

LogicalResult DecodeOp::verify() {
  if (failed(verifyDestinations(*this, getInits(), /*hasLse=*/true)) ||
      failed(verifyDecodeOperands(*this)) ||
      failed(verifyAttentionSchedule(*this, getScheduleAttr())))
    return failure();
  ArrayRef<int64_t> q = getShape(getQNope()), uv = getShape(getWUv());
  return verifyOutput(*this, getQuantOutput(*this),
                      {multiply(q[0], q[1]), uv[0] * uv[2]}, getLseInit(),
                      {q[0], q[1], uv[0]});
}

/// The prefill operands of mla_prefill and mla_attention.
template <typename OpT>
static LogicalResult verifyPrefillOperands(OpT op) {
  Type element = getShaped(op.getQ()).getElementType();
  for (auto [name, value] : {std::pair<StringRef, Value>{"q", op.getQ()},
                             {"k", op.getK()},
                             {"v", op.getV()}}) {
    if (failed(verifyRank(op, value, name, 3)) ||
        failed(verifyStatic(op, value, name, {1, 2}, "C2")))
      return failure();
    if (!isModelFloat(element) || getShaped(value).getElementType() != element)
      return op.emitOpError()
             << "q, k, v and k_pe must have one type, bf16, f16 or f32, got "
             << name << " of " << value.getType() << " (C1)";
  }
  ArrayRef<int64_t> q = getShape(op.getQ()), k = getShape(op.getK());
  int64_t keyWidth = q[2];
  if (Value kPe = op.getKPe()) {
    if (failed(verifyRank(op, kPe, "k_pe", 2)) ||
        failed(verifyStatic(op, kPe, "k_pe", {1}, "C2")))
      return failure();
    if (getShaped(kPe).getElementType() != element)
      return op.emitOpError()
             << "q, k, v and k_pe must have one type, got k_pe of "
             << kPe.getType() << " (C1)";
    keyWidth -= getShape(kPe)[1];
    if (failed(verifyShape(op, kPe, "k_pe", {k[0], getShape(kPe)[1]})))
      return failure();
  }
  if (failed(verifyShape(op, op.getK(), "k", {k[0], q[1], keyWidth})) ||
      failed(verifyShape(op, op.getV(), "v",
                         {k[0], q[1], getShape(op.getV())[2]})))
    return failure();
  Type i32 = IntegerType::get(op.getContext(), 32);
  if (failed(verifyVector(op, op.getCuSeqlensQ(), "cu_seqlens_q", kDynamic, i32,
                          "C3")) ||
      failed(verifyVector(op, op.getCuSeqlensK(), "cu_seqlens_k",
                          getShape(op.getCuSeqlensQ())[0], i32, "C3")))
    return failure();
  return verifySoftmaxScale(op, op.getSoftmaxScale(), "C4");
}

LogicalResult PrefillOp::verify() {
  if (failed(verifyDestinations(*this, getInits(), /*hasLse=*/true)) ||
      failed(verifyPrefillOperands(*this)))
    return failure();
  ArrayRef<int64_t> q = getShape(getQ());
  return verifyOutput(*this, getQuantOutput(*this),
                      {q[0], q[1] * getShape(getV())[2]}, getLseInit(),
                      {q[0], q[1]});
}

LogicalResult MergeAttnStatesOp::verify() {
  if (failed(verifyDestinations(*this, getInits(), /*hasLse=*/true)) ||
      failed(verifyRank(*this, getOA(), "o_a", 3)) ||
      failed(verifyModelFloat(*this, getOA(), "o_a", "C1")) ||
      failed(verifyStatic(*this, getOA(), "o_a", {1, 2}, "C3")))
    return failure();
  ArrayRef<int64_t> o = getShape(getOA());
  if (getShaped(getOB()).getElementType() !=
          getShaped(getOA()).getElementType() ||
      !isCompatibleShape(getShape(getOB()), o))
    return emitOpError() << "o_b must have the type and shape of o_a, got "
                         << getOB().getType() << " (C1)";
  for (auto [name, value] : {std::pair<StringRef, Value>{"lse_a", getLseA()},
                             {"lse_b", getLseB()}}) {
    if (!getShaped(value).getElementType().isF32())
      return emitOpError() << name << " must be f32, got " << value.getType()
                           << " (C2)";
    if (failed(verifyShape(*this, value, name, o.drop_back())))
      return failure();
  }
  return verifyOutput(*this, getQuantOutput(*this), {o[0], o[1] * o[2]},
                      getLseInit(), o.drop_back());
}

LogicalResult AttentionBatchOp::verify() {
  if (failed(verifyDestinations(*this, getInits(), /*hasLse=*/false)) ||
      failed(verifyDecodeOperands(*this)) ||
      failed(verifyPrefillOperands(*this)))
    return failure();
  ArrayRef<int64_t> uv = getShape(getWUv()), v = getShape(getV());
  if (uv[0] != v[1] || uv[2] != v[2])
    return emitOpError() << "decode has " << uv[0] << " heads of " << uv[2]
                         << ", prefill " << v[1] << " of " << v[2]
                         << ": they must be the same (C8)";
  return verifyOutput(*this, getQuantOutput(*this), {kDynamic, uv[0] * uv[2]},
                      Value(), {});
}
