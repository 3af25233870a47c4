//===- Contract.cpp - fused ops with an f32 intermediate ------------------===//
//
// fused(x) {numerics = exact} ==> fused(x) {numerics = contracted}
//
// Not a fusion: it changes results, in the last bits, and runs only where a
// user asks for it. A norm then rounds once, at its end.
//
//===----------------------------------------------------------------------===//

#include "MLAFuse/Transforms/Passes.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlafuse {
#define GEN_PASS_DEF_MLAFUSECONTRACT
#include "MLAFuse/Transforms/Passes.h.inc"
} // namespace mlafuse

using namespace mlir;
using namespace mlafuse;

/// An f32 model has nothing to round: both numerics are one.
static bool isNarrow(Value input) {
  return !getElementTypeOrSelf(input).isF32();
}

template <typename OpT>
static void contractNorm(OpT op, Value input) {
  if (!isNarrow(input))
    return;
  op.setNumerics(Numerics::Contracted);
  op.setRounding(Rounding::Result);
}

namespace {
struct Contract : public mlafuse::impl::MLAFuseContractBase<Contract> {
  void runOnOperation() override {
    auto contracted = NumericsAttr::get(&getContext(), Numerics::Contracted);
    getOperation()->walk([&](Operation *op) {
      llvm::TypeSwitch<Operation *>(op)
          .Case([](RMSNormQuantizeOp norm) {
            contractNorm(norm, norm.getInput());
          })
          .Case([](DualRMSNormQuantizeOp norm) {
            contractNorm(norm, norm.getQC());
          })
          .Case([&](QuantizableOutput output) {
            if (output.getOutputQuant() && isNarrow(op->getOperand(0)))
              op->setAttr("numerics", contracted);
          });
    });
  }
};
} // namespace
