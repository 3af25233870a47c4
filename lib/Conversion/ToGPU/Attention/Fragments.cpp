//===- Fragments.cpp - a thread's part of an accumulator ------------------===//

#include "Fragments.h"
#include "../NVIDIA/Warp.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
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
  return foldPairwise(e, left, largest);
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

ptx::Registers kernel::transposeQuad(Emitter &e, ValueRange registers) {
  // 2 x 2 of ever larger squares: what is off the diagonal changes lanes.
  ptx::Registers all(registers);
  Value lane = ptx::getLane(e);
  for (int64_t mask : {1, 2}) {
    Value isSecond = arith::CmpIOp::create(
        e, arith::CmpIPredicate::ne,
        arith::AndIOp::create(e, lane, ptx::i32(e, mask)), ptx::i32(e, 0));
    for (int64_t i = 0; i < static_cast<int64_t>(all.size()); ++i) {
      if (i & mask)
        continue;
      Value &first = all[i], &second = all[i + mask];
      Value given =
          arith::SelectOp::create(e, isSecond, first, second).getResult();
      Value taken = ptx::exchange(e, given, mask);
      first = arith::SelectOp::create(e, isSecond, taken, first);
      second = arith::SelectOp::create(e, isSecond, second, taken);
    }
  }
  return all;
}

Value kernel::differInAnyLane(Emitter &e, ValueRange values,
                              ValueRange others) {
  Value differs;
  for (auto [value, other] : llvm::zip_equal(values, others)) {
    Value here =
        arith::CmpFOp::create(e, arith::CmpFPredicate::UNE, value, other);
    differs =
        differs ? arith::OrIOp::create(e, differs, here).getResult() : here;
  }
  return ptx::holdsInAnyLane(e, differs);
}

ptx::Registers kernel::changeReferences(Emitter &e, ValueRange sums,
                                        ValueRange before, ValueRange now,
                                        function_ref<int64_t(int64_t)> getRow) {
  auto branch = scf::IfOp::create(
      e, differInAnyLane(e, now, before),
      [&](OpBuilder &builder, Location loc) {
        Emitter e(loc, builder);
        ptx::Registers factors, changed;
        for (auto [from, to] : llvm::zip_equal(before, now))
          factors.push_back(
              ptx::exp2Fast(e, subtract(e, from, finiteOrZero(e, to))));
        for (auto [i, sum] : llvm::enumerate(sums))
          changed.push_back(mul(e, sum, factors[getRow(i)]));
        scf::YieldOp::create(e, changed);
      },
      [&](OpBuilder &builder, Location loc) {
        scf::YieldOp::create(builder, loc, sums);
      });
  return ptx::Registers(branch.getResults());
}
