//===- Atomics.cpp - Atomics in the scope they need -----------------------===//
//
// No other device and no host thread takes part, so the scope is the device,
// or the block for workgroup memory; a wider one writes back caches. An atomic
// whose result is used may be the counter by which the last block knows that it
// is the last, and orders the accesses around it; one whose result nobody reads
// has nothing to order.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlafuse;

static std::optional<LLVM::AtomicBinOp> getBinOp(arith::AtomicRMWKind kind) {
  switch (kind) {
  case arith::AtomicRMWKind::addi:
    return LLVM::AtomicBinOp::add;
  case arith::AtomicRMWKind::maxu:
    return LLVM::AtomicBinOp::umax;
  case arith::AtomicRMWKind::maxs:
    return LLVM::AtomicBinOp::max;
  case arith::AtomicRMWKind::minu:
    return LLVM::AtomicBinOp::umin;
  case arith::AtomicRMWKind::mins:
    return LLVM::AtomicBinOp::min;
  case arith::AtomicRMWKind::assign:
    return LLVM::AtomicBinOp::xchg;
  default:
    return std::nullopt;
  }
}

namespace {

struct LowerAtomic : ConvertOpToLLVMPattern<memref::AtomicRMWOp> {
  LowerAtomic(const LLVMTypeConverter &converter, const Chip &chip)
      : ConvertOpToLLVMPattern(converter, /*benefit=*/2), chip(chip) {}

  LogicalResult
  matchAndRewrite(memref::AtomicRMWOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    std::optional<LLVM::AtomicBinOp> kind = getBinOp(op.getKind());
    if (!kind || !op.getType().isInteger())
      return rewriter.notifyMatchFailure(op, "not a plain integer atomic");
    MemRefType type = op.getMemRefType();
    bool isBlock =
        gpu::GPUDialect::isWorkgroupMemoryAddressSpace(type.getMemorySpace());
    bool isNVIDIA = chip.vendor == Vendor::NVIDIA;
    StringRef scope = isBlock ? (isNVIDIA ? "block" : "workgroup")
                              : (isNVIDIA ? "device" : "agent");
    auto ordering = op.use_empty() ? LLVM::AtomicOrdering::monotonic
                                   : LLVM::AtomicOrdering::acq_rel;
    Value pointer = getStridedElementPtr(
        rewriter, op.getLoc(), type, adaptor.getMemref(), adaptor.getIndices());
    rewriter.replaceOpWithNewOp<LLVM::AtomicRMWOp>(
        op, *kind, pointer, adaptor.getValue(), ordering, scope);
    return success();
  }

  const Chip &chip;
};

} // namespace

void mlafuse::populateAtomicPatterns(const LLVMTypeConverter &converter,
                                     RewritePatternSet &patterns,
                                     const Chip &chip) {
  patterns.add<LowerAtomic>(converter, chip);
}
