//===- AttentionProblem.cpp - latent_attention as kernels see it ----------===//

#include "AttentionProblem.h"
#include "../NVIDIA/GlobalMemory.h"
#include "../NVIDIA/SharedMemory.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;
using ptx::i32;
using ptx::plusI;
using ptx::timesI;
using ptx::toI32;
using ptx::toI64;

//===----------------------------------------------------------------------===//
// What chips can do
//===----------------------------------------------------------------------===//

/// Columns that a swizzled box has. Warps share boxes of the output evenly.
static constexpr int64_t kMinLatent = 64;
static constexpr int64_t kRopeStep = 16;
static constexpr int64_t kMaxLatent = 512;
static constexpr int64_t kMaxRope = 64;

static Type getElements(Value buffer) {
  return cast<MemRefType>(buffer.getType()).getElementType();
}

static LogicalResult verifyWidths(const AttentionProblem &problem,
                                  const Chip &chip) {
  if (!llvm::isPowerOf2_64(problem.latent) || problem.latent < kMinLatent ||
      problem.latent > kMaxLatent)
    return problem.op.emitOpError()
           << "has " << problem.latent << " latent columns; the kernel for "
           << chip.name << " takes powers of two from " << kMinLatent << " to "
           << kMaxLatent;
  if (problem.rope % kRopeStep || problem.rope > kMaxRope)
    return problem.op.emitOpError()
           << "has " << problem.rope << " rope columns; the kernel for "
           << chip.name << " takes multiples of " << kRopeStep << " up to "
           << kMaxRope;
  return success();
}

FailureOr<AttentionProblem> AttentionProblem::get(LatentAttentionOp op,
                                                  const Chip &chip) {
  if (!chip.multipliesWarps())
    return op.emitOpError()
           << "has no kernel for " << chip.name
           << ": it multiplies matrices by instructions of NVIDIA's chips; "
              "--target=cpu runs every op";
  AttentionProblem problem{op,
                           getSize(op.getQ(), 2),
                           op.getLatentWidth(),
                           op.getRopeWidth(),
                           getElements(op.getQ()),
                           getElements(op.getOutputInit()),
                           op.getCacheFormat()};
  if (problem.elements.isF32())
    return op.emitOpError()
           << "has queries of f32, " << op.getQ().getType()
           << "; the matrix units of " << chip.name
           << " take bf16 or f16: round the queries, or run it with "
              "--target=cpu";
  if (failed(verifyWidths(problem, chip)))
    return failure();
  return problem;
}

static int64_t getAlignment(Value buffer, bool isAligned) {
  return isAligned ? Chip::kAccessBytes
                   : getElements(buffer).getIntOrFloatBitWidth() / 8;
}

int64_t AttentionProblem::getQueryAlignment() const {
  LatentAttentionOp op = this->op;
  return getAlignment(op.getQ(), isAligned);
}

int64_t AttentionProblem::getCacheAlignment() const {
  LatentAttentionOp op = this->op;
  return getAlignment(op.getCache(), isAligned);
}

int64_t AttentionProblem::getOutputAlignment() const {
  LatentAttentionOp op = this->op;
  return getAlignment(op.getOutputInit(), isAligned);
}

CacheSpec AttentionProblem::getCache() const {
  LatentAttentionOp op = this->op;
  return {op.getCache(), format, latent, rope, Value()};
}

bool AttentionProblem::hasAtMostRows(int64_t count) const {
  if (isSparse())
    return heads <= count;
  LatentAttentionOp op = this->op;
  int64_t queries = cast<MemRefType>(op.getQ().getType()).getDimSize(1);
  return !ShapedType::isDynamic(queries) && queries * heads <= count;
}

Value AttentionProblem::getRequests(Emitter &e) const {
  LatentAttentionOp op = this->op;
  Value requests = memref::DimOp::create(e, op.getQ(), rows::index(e, 0));
  if (!isSparse())
    return requests;
  return arith::MulIOp::create(
      e, requests, memref::DimOp::create(e, op.getQ(), rows::index(e, 1)));
}

Value AttentionProblem::getRowsPerRequest(Emitter &e) const {
  if (isSparse())
    return rows::index(e, heads);
  LatentAttentionOp op = this->op;
  return times(e, memref::DimOp::create(e, op.getQ(), rows::index(e, 1)),
               heads);
}

//===----------------------------------------------------------------------===//
// In a kernel
//===----------------------------------------------------------------------===//

AttentionInputs::AttentionInputs(Emitter &e, const AttentionProblem &problem)
    : problem(problem) {
  LatentAttentionOp op = problem.op;
  Value s = memref::DimOp::create(e, op.getQ(), rows::index(e, 1));
  Value batch = memref::DimOp::create(e, op.getQ(), rows::index(e, 0));
  queries = toI32(e, s);
  rowsPerRequest = toI32(e, problem.getRowsPerRequest(e));
  Value tokens = toI32(e, getActualRows(e, arith::MulIOp::create(e, batch, s),
                                        op.getNumActualTokens()));
  actualRows = timesI(e, tokens, problem.heads);
  Value limit;
  if (problem.isSparse()) {
    requests = tokens;
    limit = memref::DimOp::create(e, op.getIndices(), rows::index(e, 2));
  } else {
    requests = arith::CeilDivUIOp::create(e, tokens, queries);
    limit = arith::MulIOp::create(
        e, memref::DimOp::create(e, op.getBlockTable(), rows::index(e, 1)),
        memref::DimOp::create(e, op.getCache(), rows::index(e, 1)));
    // Lengths are i32.
    limit = arith::MinSIOp::create(
        e, limit, rows::index(e, std::numeric_limits<int32_t>::max()));
  }
  keyLimit = toI32(e, limit);
}

Value AttentionInputs::loadLength(Emitter &e, Value request) const {
  LatentAttentionOp op = problem.op;
  if (problem.isSparse())
    return keyLimit;
  Value i = arith::IndexCastOp::create(e, e.getIndexType(), request);
  return memref::LoadOp::create(e, op.getSeqLens(), ValueRange{i});
}

Value AttentionInputs::peekLength(Emitter &e, Value request,
                                  Value exists) const {
  LatentAttentionOp op = problem.op;
  Value buffer = op.getSeqLens();
  auto metadata = memref::ExtractStridedMetadataOp::create(e, buffer);
  Value stride = toI64(e, metadata.getStrides().front());
  Value bytes = timesI(e, timesI(e, toI64(e, request), stride), 4);
  return ptx::peekGlobalIf(e, exists,
                           plusI(e, ptx::getGlobalAddress(e, buffer), bytes));
}

/// No fewer than none, no more than the table names.
Value AttentionInputs::clampKeys(Emitter &e, Value keys) const {
  return arith::MinSIOp::create(e, arith::MaxSIOp::create(e, keys, i32(e, 0)),
                                keyLimit);
}

Value AttentionInputs::getKeys(Emitter &e, Value request, Value length) const {
  LatentAttentionOp op = problem.op;
  if (problem.isSparse())
    return length;
  if (!op.getNumActualTokens())
    return clampKeys(e, length);
  Value counted = ptx::dividedByI(e, getRows(e, request), problem.heads);
  Value skipped = arith::SubIOp::create(e, queries, counted);
  return clampKeys(e, arith::SubIOp::create(e, length, skipped));
}

Value AttentionInputs::getVisibleKeys(Emitter &e, Value length,
                                      Value row) const {
  if (problem.isSparse())
    return length;
  Value query = ptx::dividedByI(e, row, problem.heads);
  Value before = arith::SubIOp::create(e, plusI(e, query, 1), queries);
  return clampKeys(e, plusI(e, length, before));
}

Value AttentionInputs::mayHide(Emitter &e, Value length, Value firstRow,
                               Value end) const {
  LatentAttentionOp op = problem.op;
  auto type = cast<MemRefType>(op.getQ().getType());
  if (problem.isSparse() || type.getDimSize(1) == 1)
    return {};
  // The first row sees the fewest.
  return ptx::isLessI(e, getVisibleKeys(e, length, firstRow), end);
}

Value AttentionInputs::getRows(Emitter &e, Value request) const {
  Value left = arith::SubIOp::create(e, actualRows, getFirstRow(e, request));
  return arith::MinSIOp::create(e, left, rowsPerRequest);
}

Value AttentionInputs::getFirstRow(Emitter &e, Value request) const {
  return timesI(e, request, rowsPerRequest);
}

/// The address of row `row` of [B, S, H] rows of a buffer.
Value AttentionInputs::getRowAddress(Emitter &e, Value buffer,
                                     Value row) const {
  auto type = cast<MemRefType>(buffer.getType());
  int64_t bytes = type.getElementTypeBitWidth() / 8;
  Value base = ptx::getGlobalAddress(e, buffer);
  if (type.getLayout().isIdentity()) {
    int64_t width = type.getRank() == 4 ? type.getDimSize(3) : 1;
    return plusI(e, base, timesI(e, toI64(e, row), width * bytes));
  }
  Value token = ptx::dividedByI(e, row, problem.heads);
  Value coordinates[] = {arith::DivUIOp::create(e, token, queries),
                         arith::RemUIOp::create(e, token, queries),
                         ptx::moduloI(e, row, problem.heads)};
  auto metadata = memref::ExtractStridedMetadataOp::create(e, buffer);
  for (auto [coordinate, stride] :
       llvm::zip(coordinates, metadata.getStrides())) {
    Value elements = timesI(e, toI64(e, coordinate), toI64(e, stride));
    base = plusI(e, base, timesI(e, elements, bytes));
  }
  return base;
}

Value AttentionInputs::getLatentQuery(Emitter &e, Value globalRow) const {
  LatentAttentionOp op = problem.op;
  return getRowAddress(e, op.getQ(), globalRow);
}

Value AttentionInputs::getRopeQuery(Emitter &e, Value globalRow) const {
  LatentAttentionOp op = problem.op;
  if (problem.rope == 0)
    return {};
  if (op.getQPe())
    return getRowAddress(e, op.getQPe(), globalRow);
  int64_t bytes = problem.elements.getIntOrFloatBitWidth() / 8;
  return plusI(e, getLatentQuery(e, globalRow), problem.latent * bytes);
}

Value AttentionInputs::getOutput(Emitter &e, Value globalRow) const {
  LatentAttentionOp op = problem.op;
  return getRowAddress(e, op.getOutputInit(), globalRow);
}

Value AttentionInputs::loadKScale(Emitter &e) const {
  LatentAttentionOp op = problem.op;
  return loadScalar(e, op.getKScale());
}

void AttentionInputs::storeLSE(Emitter &e, Value globalRow, Value lse) const {
  LatentAttentionOp op = problem.op;
  if (Value buffer = op.getLseInit())
    ptx::storeGlobal(e, getRowAddress(e, buffer, globalRow), lse);
}
