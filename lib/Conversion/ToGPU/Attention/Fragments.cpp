//===- Fragments.cpp - a thread's part of an accumulator ------------------===//

#include "Fragments.h"
#include "../NVIDIA/Warp.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include <limits>

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;

Value kernel::foldRow(Emitter &e, Value value, Combine combine) {
  for (int64_t offset : {1, 2})
    value = combine(e, value, ptx::exchange(e, value, offset));
  return value;
}

Value kernel::findLargestOfLane(Emitter &e, ValueRange registers, int64_t row) {
  ptx::Registers left;
  for (auto [i, value] : llvm::enumerate(registers))
    if (getThreadRow(i) == row)
      left.push_back(value);
  // By twos: a chain is as long as it has links.
  while (left.size() > 1) {
    ptx::Registers next;
    for (size_t i = 0; i + 1 < left.size(); i += 2)
      next.push_back(largest(e, left[i], left[i + 1]));
    if (left.size() % 2)
      next.push_back(left.back());
    left = next;
  }
  return left.front();
}

Value kernel::findLargest(Emitter &e, ValueRange registers, int64_t row) {
  return foldRow(e, findLargestOfLane(e, registers, row), largest);
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

void kernel::addPairsToRows(Emitter &e, Type elements, ValueRange pairs,
                            MutableArrayRef<Value> sums) {
  for (auto [i, pair] : llvm::enumerate(pairs)) {
    auto [low, high] = ptx::unpackPair(e, elements, pair);
    Value &sum = sums[getThreadRow(2 * i)];
    sum = add(e, sum, add(e, low, high));
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

Value kernel::minusInfinity(Emitter &e) {
  return rows::constant(e, -std::numeric_limits<double>::infinity());
}

Value kernel::isMinusInfinity(Emitter &e, Value value) {
  return arith::CmpFOp::create(e, arith::CmpFPredicate::OEQ, value,
                               minusInfinity(e));
}

Value kernel::finiteOrZero(Emitter &e, Value value) {
  return arith::SelectOp::create(e, isMinusInfinity(e, value),
                                 rows::constant(e, 0), value);
}
