//===- CodeConverter.cpp - cache rows to what is multiplied ---------------===//

#include "CodeConverter.h"
#include "../NVIDIA/Warp.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;
using ptx::Registers;

Value CodeConverter::round(Emitter &e, Value low, Value high) const {
  return ptx::packPair(e, elements, low, high);
}

void CodeConverter::convertNumbers(
    Emitter &e, ValueRange words,
    function_ref<void(Emitter &, ValueRange)> use) const {
  Value isNaN = arith::CmpIOp::create(
      e, arith::CmpIPredicate::ne, ptx::findNaNCodes(e, words), ptx::i32(e, 0));
  scf::IfOp::create(
      e, isNaN,
      [&](OpBuilder &builder, Location loc) {
        Emitter e(loc, builder);
        Registers pairs;
        for (Value word : words)
          for (Value halves : ptx::widenCodes(e, word)) {
            auto [low, high] = ptx::unpackPair(e, e.getF16Type(), halves);
            pairs.push_back(round(e, low, high));
          }
        use(e, pairs);
        scf::YieldOp::create(e);
      },
      [&](OpBuilder &builder, Location loc) {
        Emitter e(loc, builder);
        Registers pairs;
        for (Value word : words)
          llvm::append_range(pairs, ptx::widenNumbers(e, elements, word));
        use(e, pairs);
        scf::YieldOp::create(e);
      });
}

Registers CodeConverter::convertScaled(Emitter &e, ValueRange words,
                                       Value scale) const {
  Type bf16 = e.getBF16Type();
  Registers pairs;
  for (Value word : words)
    for (Value halves : ptx::widenCodes(e, word)) {
      auto [low, high] = ptx::unpackPair(e, e.getF16Type(), halves);
      // What the op takes the values of such rows for.
      Value pair =
          ptx::packPair(e, bf16, mul(e, low, scale), mul(e, high, scale));
      pairs.push_back(convertBF16(e, pair).front());
    }
  return pairs;
}

Registers CodeConverter::convertBF16(Emitter &e, ValueRange pairs) const {
  Registers converted(pairs);
  if (elements.isBF16())
    return converted;
  for (Value &pair : converted) {
    auto [low, high] = ptx::unpackPair(e, e.getBF16Type(), pair);
    pair = round(e, low, high);
  }
  return converted;
}
