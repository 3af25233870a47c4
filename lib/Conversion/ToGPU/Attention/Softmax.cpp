//===- Softmax.cpp - softmax over key blocks in registers -----------------===//

#include "Softmax.h"
#include "../NVIDIA/Warp.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;
using ptx::i32;

static constexpr int64_t kWordBits = 32;

//===----------------------------------------------------------------------===//
// Masks
//===----------------------------------------------------------------------===//

ColumnMask kernel::limitColumns(Emitter &e, ArrayRef<Value> existing,
                                Value limit) {
  ColumnMask mask;
  for (auto [word, columns] : llvm::enumerate(existing)) {
    Value count = ptx::plusI(e, limit, -static_cast<int64_t>(word) * kWordBits);
    count = arith::MaxSIOp::create(e, count, i32(e, 0));
    count = arith::MinSIOp::create(e, count, i32(e, kWordBits));
    // A shift by 32 of 64 bits is one of a word by all its bits.
    Value ones = arith::ShLIOp::create(
        e, ptx::i64(e, -1), arith::ExtUIOp::create(e, e.getI64Type(), count));
    Value below = arith::XOrIOp::create(e, ptx::toI32(e, ones), i32(e, -1));
    mask.push_back(arith::AndIOp::create(e, columns, below));
  }
  return mask;
}

/// Scores of columns outside of the masks as -inf.
static ptx::Registers maskScores(Emitter &e, ValueRange scores,
                                 ArrayRef<ColumnMask> masks) {
  // Bit 0 becomes the thread's first column of every 8.
  Value lane = ptx::getLane(e);
  Value shift = ptx::timesI(e, ptx::moduloI(e, lane, 4), 2);
  ColumnMask shifted[kThreadRows];
  for (int64_t row = 0; row < kThreadRows; ++row)
    for (Value word : masks[row])
      shifted[row].push_back(arith::ShRUIOp::create(e, word, shift));
  Value low = minusInfinity(e);
  ptx::Registers masked;
  for (auto [i, score] : llvm::enumerate(scores)) {
    int64_t column = getThreadColumn(i);
    Value word = shifted[getThreadRow(i)][column / kWordBits];
    Value bit = arith::AndIOp::create(
        e, word, i32(e, static_cast<int32_t>(1u << column % kWordBits)));
    masked.push_back(select(e, ptx::isEqualI(e, bit, 0), low, score));
  }
  return masked;
}

//===----------------------------------------------------------------------===//
// State
//===----------------------------------------------------------------------===//

SoftmaxState SoftmaxState::create(Emitter &e) {
  Value none = minusInfinity(e), zero = rows::constant(e, 0);
  return {{none, none}, {zero, zero}, {zero, zero}};
}

ptx::Registers SoftmaxState::pack() const {
  return {largest[0], largest[1], sum[0], sum[1], roundedSum[0], roundedSum[1]};
}

SoftmaxState SoftmaxState::unpack(ValueRange registers) {
  assert(registers.size() == kRegisters);
  return {{registers[0], registers[1]},
          {registers[2], registers[3]},
          {registers[4], registers[5]}};
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

Softmax::Softmax(Emitter &e, Type elements, double softmaxScale, Value keyScale)
    : elements(elements) {
  double inBase2 = softmaxScale * llvm::numbers::log2e;
  // A factor above zero keeps the order of scores, and -inf.
  if (!keyScale && softmaxScale > 0) {
    scale = rows::constant(e, inBase2);
    return;
  }
  scale = rows::constant(e, 1);
  factor = rows::constant(e, inBase2);
  if (keyScale)
    factor = mul(e, factor, keyScale);
}

ptx::Registers Softmax::prepare(Emitter &e, ValueRange scores) const {
  ptx::Registers prepared(scores);
  if (factor)
    for (Value &score : prepared)
      score = mul(e, score, factor);
  return prepared;
}

SoftmaxBlock Softmax::addBlock(Emitter &e, ValueRange scores,
                               ArrayRef<ColumnMask> masks,
                               const SoftmaxState &state) const {
  ptx::Registers prepared = prepare(e, scores);
  if (!masks.empty())
    prepared = maskScores(e, prepared, masks);
  SoftmaxBlock block;
  Value base[kThreadRows];
  for (int64_t row = 0; row < kThreadRows; ++row) {
    Value most = largest(e, state.largest[row], findLargest(e, prepared, row));
    block.state.largest[row] = most;
    // Nothing is subtracted from scores of nothing.
    Value zero = rows::constant(e, 0);
    Value scaled = mul(e, most, scale);
    base[row] = select(e, isMinusInfinity(e, most), zero,
                       arith::NegFOp::create(e, scaled));
    block.rescale[row] = ptx::exp2Fast(
        e, ptx::fusedMultiplyAdd(e, state.largest[row], scale, base[row]));
    block.state.sum[row] = mul(e, state.sum[row], block.rescale[row]);
    block.state.roundedSum[row] =
        mul(e, state.roundedSum[row], block.rescale[row]);
  }
  // A few at a time: as f32 they are many registers.
  constexpr size_t kStep = 2 * kThreadRows;
  for (size_t i = 0; i < prepared.size(); i += kStep) {
    ptx::Registers probabilities =
        exponentiate(e, ArrayRef<Value>(prepared).slice(i, kStep), scale, base);
    addToRows(e, probabilities, block.state.sum);
    ptx::Registers pairs = packPairs(e, elements, probabilities);
    addPairsToRows(e, elements, pairs, block.state.roundedSum);
    llvm::append_range(block.probabilities, pairs);
  }
  return block;
}

SoftmaxResult Softmax::finish(Emitter &e, const SoftmaxState &state) const {
  SoftmaxResult result;
  for (int64_t row = 0; row < kThreadRows; ++row) {
    Value sum = foldRow(e, state.sum[row], add);
    Value rounded = foldRow(e, state.roundedSum[row], add);
    // Not by the largest score: no comparison sees that all of them are NaN.
    Value isEmpty = arith::CmpFOp::create(e, arith::CmpFPredicate::OEQ, sum,
                                          rows::constant(e, 0));
    result.inverse[row] = select(
        e, isEmpty, rows::constant(e, 0),
        arith::DivFOp::create(e, rows::constant(e, 1), rounded).getResult());
    Value log = ptx::fusedMultiplyAdd(e, state.largest[row], scale,
                                      ptx::log2Fast(e, sum));
    result.log2Sum[row] = select(e, isEmpty, minusInfinity(e), log);
  }
  return result;
}

Value kernel::toNaturalLog(Emitter &e, Value log2) {
  return mul(e, log2, rows::constant(e, llvm::numbers::ln2));
}
