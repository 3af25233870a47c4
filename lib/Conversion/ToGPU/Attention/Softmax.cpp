//===- Softmax.cpp - softmax over key blocks in registers -----------------===//

#include "Softmax.h"
#include "../NVIDIA/Warp.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"
#include <limits>

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;
using ptx::i32;

static constexpr int64_t kWordBits = 32;
/// Registers of an accumulator's 8 columns: (+8 rows, +1 column).
static constexpr int64_t kStepRegisters = 4;

static Value minusInfinity(Emitter &e) {
  return rows::constant(e, -std::numeric_limits<double>::infinity());
}

static Value isMinusInfinity(Emitter &e, Value x) {
  return arith::CmpFOp::create(e, arith::CmpFPredicate::OEQ, x,
                               minusInfinity(e));
}

static Value select(Emitter &e, Value condition, Value a, Value b) {
  return arith::SelectOp::create(e, condition, a, b);
}

/// The row (0 or 1) of register `i` of an accumulator.
static int64_t getThreadRow(int64_t i) { return i / 2 % kThreadRows; }

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
    int64_t column = i / kStepRegisters * 8 + i % 2;
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
  return {{none, none}, {zero, zero}};
}

ptx::Registers SoftmaxState::pack() const {
  return {largest[0], largest[1], sum[0], sum[1]};
}

SoftmaxState SoftmaxState::unpack(ValueRange registers) {
  assert(registers.size() == 4);
  return {{registers[0], registers[1]}, {registers[2], registers[3]}};
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

Softmax::Softmax(Emitter &e, double softmaxScale, Value keyScale) {
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

/// Folds over the lanes of a row.
static Value foldRow(Emitter &e, Value value, Combine combine) {
  for (int64_t offset : {1, 2})
    value = combine(e, value, ptx::exchange(e, value, offset));
  return value;
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
    Value most;
    for (auto [i, score] : llvm::enumerate(prepared))
      if (getThreadRow(i) == row)
        most = most ? largest(e, most, score) : score;
    most = largest(e, state.largest[row], foldRow(e, most, largest));
    block.state.largest[row] = most;
    // Nothing is subtracted from scores of nothing.
    Value zero = rows::constant(e, 0);
    Value scaled = mul(e, most, scale);
    base[row] = select(e, isMinusInfinity(e, most), zero,
                       arith::NegFOp::create(e, scaled));
    block.rescale[row] = ptx::exp2Fast(
        e, ptx::fusedMultiplyAdd(e, state.largest[row], scale, base[row]));
    block.state.sum[row] = mul(e, state.sum[row], block.rescale[row]);
  }
  for (auto [i, score] : llvm::enumerate(prepared)) {
    int64_t row = getThreadRow(i);
    Value p =
        ptx::exp2Fast(e, ptx::fusedMultiplyAdd(e, score, scale, base[row]));
    block.probabilities.push_back(p);
    block.state.sum[row] = add(e, block.state.sum[row], p);
  }
  return block;
}

SoftmaxResult Softmax::finish(Emitter &e, const SoftmaxState &state) const {
  SoftmaxResult result;
  for (int64_t row = 0; row < kThreadRows; ++row) {
    Value sum = foldRow(e, state.sum[row], add);
    Value isEmpty = isMinusInfinity(e, state.largest[row]);
    result.inverse[row] =
        select(e, isEmpty, rows::constant(e, 0),
               arith::DivFOp::create(e, rows::constant(e, 1), sum).getResult());
    Value log = ptx::fusedMultiplyAdd(e, state.largest[row], scale,
                                      ptx::log2Fast(e, sum));
    result.log2Sum[row] = select(e, isEmpty, minusInfinity(e), log);
  }
  return result;
}

Value kernel::toNaturalLog(Emitter &e, Value log2) {
  return mul(e, log2, rows::constant(e, llvm::numbers::ln2));
}

//===----------------------------------------------------------------------===//
// Operands of products
//===----------------------------------------------------------------------===//

ptx::Registers kernel::packProbabilities(Emitter &e, Type elements,
                                         ValueRange probabilities,
                                         int64_t step) {
  ptx::Registers packed;
  int64_t first = step * 2 * kStepRegisters;
  for (int64_t i = first; i < first + 2 * kStepRegisters; i += 2)
    packed.push_back(
        ptx::packPair(e, elements, probabilities[i], probabilities[i + 1]));
  return packed;
}

ptx::Registers kernel::scaleRows(Emitter &e, ValueRange accumulator,
                                 ArrayRef<Value> factors) {
  ptx::Registers scaled;
  for (auto [i, value] : llvm::enumerate(accumulator))
    scaled.push_back(mul(e, value, factors[getThreadRow(i)]));
  return scaled;
}
