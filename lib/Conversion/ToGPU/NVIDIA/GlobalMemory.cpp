//===- GlobalMemory.cpp - global memory at any alignment ------------------===//

#include "GlobalMemory.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
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

ptx::Registers ptx::loadF32x4If(Emitter &e, Value condition, Value address) {
  Value flag = arith::ExtUIOp::create(e, e.getI32Type(), condition);
  SmallVector<Type> types(4, e.getF32Type());
  return emitAsm(e,
                 "{\n.reg .pred holds;\nsetp.ne.b32 holds, $5, 0;\n"
                 "mov.f32 $0, 0f00000000;\nmov.f32 $1, 0f00000000;\n"
                 "mov.f32 $2, 0f00000000;\nmov.f32 $3, 0f00000000;\n"
                 "@holds ld.global.v4.f32 {$0, $1, $2, $3}, [$4];\n}",
                 TypeRange(types), {address, flag}, Effect::Memory);
}
