//===- PrepareKernels.cpp - Memory spaces and block sizes -----------------===//

#include "Patterns.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/AttrTypeSubElements.h"

using namespace mlir;
using namespace mlafuse;

static LogicalResult checkKernel(gpu::GPUFuncOp kernel) {
  if (!kernel.getKnownBlockSize())
    return kernel.emitOpError(
        "needs 'known_block_size', which the compiled kernel is bound to");
  WalkResult result = kernel.walk([](Operation *op) {
    if (isa<memref::AllocOp, memref::AllocaOp, gpu::AllocOp>(op))
      op->emitOpError("is not possible in a kernel: its memory is in its "
                      "arguments and workgroup attributions");
    else if (auto dim = dyn_cast<gpu::GridDimOp>(op))
      dim.emitOpError("needs a library on AMD; pass the size as an argument");
    else if (auto cast = dyn_cast<memref::MemorySpaceCastOp>(op);
             cast && !cast.getDest().getType().getMemorySpace() &&
             cast.getSource().getType().getMemorySpace())
      cast.emitOpError("leaves the source's memory space unknown, and memory "
                       "without a space is global here");
    else
      return WalkResult::advance();
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

/// An access through an address space that is not known costs a check of the
/// space, on AMD also a counter of its own. Whatever is not workgroup memory
/// came in by an argument.
static void moveToGlobalMemory(gpu::GPUFuncOp kernel) {
  auto global = gpu::AddressSpaceAttr::get(kernel.getContext(),
                                           gpu::AddressSpace::Global);
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](MemRefType type) -> std::optional<Type> {
    if (type.getMemorySpace())
      return std::nullopt;
    return MemRefType::get(type.getShape(), type.getElementType(),
                           type.getLayout(), global);
  });
  replacer.recursivelyReplaceElementsIn(kernel, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
}

LogicalResult mlafuse::prepareKernels(gpu::GPUModuleOp kernels) {
  for (auto kernel : kernels.getOps<gpu::GPUFuncOp>()) {
    if (failed(checkKernel(kernel)))
      return failure();
    moveToGlobalMemory(kernel);
    StringRef align = LLVM::LLVMDialect::getAlignAttrName();
    auto bytes = IntegerAttr::get(IntegerType::get(kernel.getContext(), 64),
                                  Chip::kAccessBytes);
    for (unsigned i = 0; i < kernel.getNumWorkgroupAttributions(); ++i)
      if (!kernel.getWorkgroupAttributionAttr(i, align))
        kernel.setWorkgroupAttributionAttr(i, align, bytes);
  }
  return success();
}
