//===- Fragments.cpp - a thread's part of an accumulator ------------------===//

#include "Fragments.h"
#include "../NVIDIA/Warp.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include <limits>

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;

/// Of f32: bits behind the exponent, its bias, and the largest exponent whose
/// inverse is normal.
static constexpr int64_t kExponentShift = 23, kBias = 127, kMaxExponent = 253;
/// Largest magnitudes are brought to 2 to this, or up to twice as much.
static constexpr int64_t kTarget = 14;

Value kernel::foldRow(Emitter &e, Value value, Combine combine) {
  for (int64_t offset : {1, 2})
    value = combine(e, value, ptx::exchange(e, value, offset));
  return value;
}

Value kernel::findLargest(Emitter &e, ValueRange registers, int64_t row) {
  Value most;
  for (auto [i, value] : llvm::enumerate(registers))
    if (getThreadRow(i) == row)
      most = most ? largest(e, most, value) : value;
  return foldRow(e, most, largest);
}

ptx::Registers kernel::scaleRows(Emitter &e, ValueRange registers,
                                 ArrayRef<Value> factors) {
  ptx::Registers scaled;
  for (auto [i, value] : llvm::enumerate(registers))
    scaled.push_back(mul(e, value, factors[getThreadRow(i)]));
  return scaled;
}

void kernel::addToRows(Emitter &e, ValueRange registers,
                       MutableArrayRef<Value> sums) {
  for (auto [i, value] : llvm::enumerate(registers)) {
    Value &sum = sums[getThreadRow(i)];
    sum = add(e, sum, value);
  }
}

ptx::Registers kernel::exponentiate(Emitter &e, ValueRange registers,
                                    Value scale, ArrayRef<Value> shifts) {
  ptx::Registers results;
  for (auto [i, value] : llvm::enumerate(registers))
    results.push_back(ptx::exp2Fast(
        e, ptx::fusedMultiplyAdd(e, value, scale, shifts[getThreadRow(i)])));
  return results;
}

ptx::Registers kernel::packPairs(Emitter &e, Type elements,
                                 ValueRange registers) {
  ptx::Registers pairs;
  for (size_t i = 0; i < registers.size(); i += 2)
    pairs.push_back(ptx::packPair(e, elements, registers[i], registers[i + 1]));
  return pairs;
}

static Value getPowerOfTwo(Emitter &e, Value exponent) {
  Value bits = arith::ShLIOp::create(e, exponent, ptx::i32(e, kExponentShift));
  return arith::BitcastOp::create(e, e.getF32Type(), bits);
}

std::pair<Value, Value> kernel::bringNear(Emitter &e, Value number) {
  Value magnitude = math::AbsFOp::create(e, number);
  Value bits = arith::BitcastOp::create(e, e.getI32Type(), magnitude);
  Value exponent = arith::ShRUIOp::create(e, bits, ptx::i32(e, kExponentShift));
  Value up = arith::MinSIOp::create(
      e, arith::SubIOp::create(e, ptx::i32(e, kTarget + 2 * kBias), exponent),
      ptx::i32(e, kMaxExponent));
  up = arith::SelectOp::create(e, ptx::isEqualI(e, bits, 0), ptx::i32(e, kBias),
                               up);
  Value down = arith::SubIOp::create(e, ptx::i32(e, 2 * kBias), up);
  return {getPowerOfTwo(e, up), getPowerOfTwo(e, down)};
}

Value kernel::minusInfinity(Emitter &e) {
  return rows::constant(e, -std::numeric_limits<double>::infinity());
}

Value kernel::isMinusInfinity(Emitter &e, Value value) {
  return arith::CmpFOp::create(e, arith::CmpFPredicate::OEQ, value,
                               minusInfinity(e));
}
