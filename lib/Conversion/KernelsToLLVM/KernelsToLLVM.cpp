//===- KernelsToLLVM.cpp - Kernels of a chip as LLVM ----------------------===//
//
// The last conversion, and the only one that knows the vendor: first rewrites
// that stay within the shared dialects (narrow floats, lane exchanges, indices,
// views), then structured control flow, then everything to LLVM at once.
//
//===----------------------------------------------------------------------===//

#include "MLAFuse/Conversion/Kernels.h"
#include "MLAFuse/Conversion/Passes.h"
#include "Patterns.h"
#include "mlir/Conversion/AMDGPUToROCDL/AMDGPUToROCDL.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/GPUToNVVM/GPUToNVVMPass.h"
#include "mlir/Conversion/GPUToROCDL/GPUToROCDLPass.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/AMDGPU/Utils/Chipset.h"
#include "mlir/Dialect/Affine/Transforms/Transforms.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlafuse {
#define GEN_PASS_DEF_MLAFUSEKERNELSTOLLVM
#include "MLAFuse/Conversion/Passes.h.inc"
} // namespace mlafuse

using namespace mlir;
using namespace mlafuse;

/// Arithmetic that the chip has in a narrow type.
static LogicalResult narrow(gpu::GPUModuleOp kernels, const Chip &chip) {
  if (!chip.multipliesBF16())
    return success();
  RewritePatternSet patterns(kernels.getContext());
  populateProductPatternsBF16(patterns);
  return applyPatternsGreedily(kernels, std::move(patterns));
}

/// Rewrites within the shared dialects.
static LogicalResult expand(gpu::GPUModuleOp kernels, const Chip &chip) {
  RewritePatternSet patterns(kernels.getContext());
  populateNarrowFloatPatterns(patterns, chip);
  populateIndexPatterns(patterns, chip);
  if (chip.vendor == Vendor::AMD) {
    populateShufflePatternsAMD(patterns, chip);
    populateBarrierPatternsAMD(patterns);
  }
  affine::populateAffineExpandIndexOpsPatterns(patterns);
  populateAffineToStdConversionPatterns(patterns);
  arith::populateCeilFloorDivExpandOpsPatterns(patterns);
  memref::populateExpandStridedMetadataPatterns(patterns);
  vector::populateVectorBitCastLoweringPatterns(patterns);
  vector::populateVectorBroadcastLoweringPatterns(patterns);
  vector::populateVectorShapeCastLoweringPatterns(patterns);
  vector::populateVectorInterleaveLoweringPatterns(patterns);
  vector::populateVectorInsertExtractStridedSliceTransforms(patterns);
  vector::populateVectorFromElementsUnrollPatterns(patterns);
  vector::populateVectorToElementsUnrollPatterns(patterns);
  vector::populateVectorRankReducingFMAPattern(patterns);
  return applyPatternsGreedily(kernels, std::move(patterns));
}

static LogicalResult flattenControlFlow(gpu::GPUModuleOp kernels) {
  RewritePatternSet patterns(kernels.getContext());
  populateSCFToControlFlowConversionPatterns(patterns);
  ConversionTarget target(*kernels.getContext());
  target.addIllegalDialect<scf::SCFDialect>();
  target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
  return applyPartialConversion(kernels, target, std::move(patterns));
}

static void populateVendorPatterns(LLVMTypeConverter &converter,
                                   RewritePatternSet &patterns,
                                   const Chip &chip) {
  if (chip.vendor == Vendor::NVIDIA) {
    configureGpuToNVVMTypeConverter(converter);
    populateGpuToNVVMConversionPatterns(converter, patterns);
    return;
  }
  amdgpu::Chipset chipset = *amdgpu::Chipset::parse(chip.name);
  amdgpu::populateCommonGPUTypeAndAttributeConversions(converter);
  populateGpuToROCDLConversionPatterns(converter, patterns,
                                       gpu::amd::Runtime::HIP, chipset);
  populateAMDGPUToROCDLConversionPatterns(converter, patterns, chipset);
}

static LogicalResult convert(gpu::GPUModuleOp kernels, const Chip &chip) {
  MLIRContext *context = kernels.getContext();
  LowerToLLVMOptions options(context);
  LLVMTypeConverter converter(context, options);
  RewritePatternSet patterns(context);
  populateVendorPatterns(converter, patterns, chip);
  populateAtomicPatterns(converter, patterns, chip);
  arith::populateArithToLLVMConversionPatterns(converter, patterns);
  cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
  populateFinalizeMemRefToLLVMConversionPatterns(converter, patterns);
  populateVectorToLLVMConversionPatterns(converter, patterns);
  ub::populateUBToLLVMConversionPatterns(converter, patterns);
  // Ahead of the vendor's patterns, which call a library for every function.
  populateMathToLLVMConversionPatterns(converter, patterns,
                                       /*approximateLog1p=*/false,
                                       /*benefit=*/2);

  ConversionTarget target(*context);
  target.addLegalDialect<LLVM::LLVMDialect, NVVM::NVVMDialect,
                         ROCDL::ROCDLDialect>();
  target.addLegalOp<gpu::GPUModuleOp>();
  return applyFullConversion(kernels, target, std::move(patterns));
}

/// States the size of blocks, and how many run together, in the vendor's terms.
static void describeKernels(gpu::GPUModuleOp kernels) {
  for (auto kernel : kernels.getOps<LLVM::LLVMFuncOp>()) {
    // maxntid is a bound; the kernel is made for exactly this size.
    StringRef bound = NVVM::NVVMDialect::getMaxntidAttrName();
    if (Attribute size = kernel->removeAttr(bound))
      kernel->setAttr(NVVM::NVVMDialect::getReqntidAttrName(), size);
    if (Attribute blocks = kernel->removeAttr(kBlocksPerMultiprocessorAttr))
      kernel->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(), blocks);
    // Without it AMD's backend takes blocks to have 256 threads at most.
    ROCDL::ROCDLDialect::ReqdWorkGroupSizeAttrHelper required(
        kernel.getContext());
    if (DenseI32ArrayAttr size = required.getAttr(kernel)) {
      std::string threads = std::to_string(size[0] * size[1] * size[2]);
      ROCDL::ROCDLDialect::FlatWorkGroupSizeAttrHelper(kernel.getContext())
          .setAttr(kernel, StringAttr::get(kernel.getContext(),
                                           threads + "," + threads));
    }
  }
}

/// The launch gives dynamic shared memory its size, so it is no variable of the
/// module, which upstream makes it. Kernels lay matrices out from its
/// beginning, which upstream aligns for elements.
static void declareDynamicSharedMemory(gpu::GPUModuleOp kernels) {
  for (auto memory : kernels.getOps<LLVM::GlobalOp>()) {
    auto type = dyn_cast<LLVM::LLVMArrayType>(memory.getType());
    if (!type || type.getNumElements() != 0)
      continue;
    memory.setLinkage(LLVM::Linkage::External);
    memory.setAlignment(Chip::kDynamicSharedAlignment);
  }
}

/// Drops what the conversion leaves unread: a memref's fields are read where
/// they are used, so a parameter that is not needed has no use after this.
static LogicalResult simplify(gpu::GPUModuleOp kernels) {
  return applyPatternsGreedily(kernels,
                               RewritePatternSet(kernels.getContext()));
}

/// A kernel calls nothing: no device library is linked.
static LogicalResult checkCalls(gpu::GPUModuleOp kernels) {
  WalkResult result = kernels.walk([](LLVM::CallOp call) {
    call.emitOpError("of a device library, which is not linked: a kernel "
                     "computes by instructions alone");
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

namespace {

struct KernelsToLLVM
    : public mlafuse::impl::MLAFuseKernelsToLLVMBase<KernelsToLLVM> {
  using MLAFuseKernelsToLLVMBase::MLAFuseKernelsToLLVMBase;

  void runOnOperation() override {
    const Chip *known = findChip(chip);
    if (!known) {
      getOperation().emitError("no chip is named '")
          << chip << "'; known are " << listChips();
      return signalPassFailure();
    }
    for (auto kernels : getOperation().getOps<gpu::GPUModuleOp>()) {
      if (failed(prepareKernels(kernels)) || failed(narrow(kernels, *known)) ||
          failed(expand(kernels, *known)) ||
          failed(flattenControlFlow(kernels)) ||
          failed(convert(kernels, *known)) || failed(simplify(kernels)))
        return signalPassFailure();
      describeKernels(kernels);
      declareDynamicSharedMemory(kernels);
      if (failed(checkCalls(kernels)))
        return signalPassFailure();
    }
  }
};

} // namespace
