//===- GlobalMemory.cpp - global memory at any alignment ------------------===//

#include "GlobalMemory.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;

static Value toPointer(Emitter &e, Value address) {
  auto type = LLVM::LLVMPointerType::get(
      e.getContext(), static_cast<unsigned>(NVVM::NVVMMemorySpace::Global));
  return LLVM::IntToPtrOp::create(e, type, address);
}

Value ptx::loadAligned(Emitter &e, Value address, Type type,
                       int64_t alignment) {
  return LLVM::LoadOp::create(e, type, toPointer(e, address), alignment);
}

void ptx::storeAligned(Emitter &e, Value address, Value value,
                       int64_t alignment) {
  LLVM::StoreOp::create(e, value, toPointer(e, address), alignment);
}
