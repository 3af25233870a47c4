//===- GlobalMemory.cpp - accesses to global memory -----------------------===//

#include "GlobalMemory.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

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

void ptx::prefetchToL2(Emitter &e, Value condition, Value address,
                       int64_t bytes) {
  Value flag = arith::ExtUIOp::create(e, e.getI32Type(), condition);
  emitAsm(e,
          "{\n.reg .pred p;\nsetp.ne.b32 p, $1, 0;\n@p "
          "cp.async.bulk.prefetch.L2.global [$0], " +
              Twine(bytes) + ";\n}",
          TypeRange(), {address, flag}, Effect::Memory);
}

Value ptx::loadGlobal(Emitter &e, Value address, Type type, int64_t offset) {
  return loadGlobalVector(e, address, type, 1, offset).front();
}

ptx::Registers ptx::loadGlobalVector(Emitter &e, Value address, Type type,
                                     int64_t count, int64_t offset) {
  SmallVector<Type> types(count, type);
  return emitAsm(
      e,
      "ld.global" + vectorSuffix(count) + (type.isF32() ? ".f32 " : ".b32 ") +
          vectorOperands(0, count) + ", " + atOperand(count, offset) + ";",
      TypeRange(types), address, Effect::Memory);
}

ptx::Registers ptx::loadGlobalIf(Emitter &e, Value condition, Value address,
                                 Type type, int64_t count, int64_t offset,
                                 ArrayRef<uint32_t> otherwise) {
  Value flag = arith::ExtUIOp::create(e, e.getI32Type(), condition);
  // Written first: registers that only predicated instructions write are taken
  // to hold something from the loop's round before.
  std::string text = "{\n.reg .pred p;\n";
  for (int64_t i = 0; i < count; ++i)
    text += "mov.b32 $" + std::to_string(i) + ", " +
            std::to_string(otherwise.empty() ? 0 : otherwise[i]) + ";\n";
  text += "setp.ne.b32 p, $" + std::to_string(count + 1) +
          ", 0;\n@p ld.global" + vectorSuffix(count) + ".b32 " +
          vectorOperands(0, count) + ", " + atOperand(count, offset) + ";\n";
  SmallVector<Type> types(count, type);
  return emitAsm(e, text + "}", TypeRange(types), {address, flag},
                 Effect::Memory);
}

Value ptx::peekGlobalIf(Emitter &e, Value condition, Value address) {
  Value flag = arith::ExtUIOp::create(e, e.getI32Type(), condition);
  return emitAsm(e,
                 "{\n.reg .pred p;\nmov.b32 $0, 0;\nsetp.ne.b32 p, $2, 0;\n"
                 "@p ld.relaxed.gpu.global.b32 $0, [$1];\n}",
                 e.getI32Type(), {address, flag}, Effect::Memory);
}

void ptx::storeGlobal(Emitter &e, Value address, ValueRange values,
                      int64_t offset) {
  Registers operands = {address};
  llvm::append_range(operands, values);
  int64_t count = values.size();
  emitAsm(e,
          "st.global" + vectorSuffix(count) +
              (values[0].getType().isF32() ? ".f32 " : ".b32 ") +
              atOperand(0, offset) + ", " + vectorOperands(1, count) + ";",
          TypeRange(), operands, Effect::Memory);
}

void ptx::storeGlobalIf(Emitter &e, Value condition, Value address,
                        ValueRange values, int64_t offset) {
  Registers operands = {address,
                        arith::ExtUIOp::create(e, e.getI32Type(), condition)};
  llvm::append_range(operands, values);
  emitAsm(e,
          "{\n.reg .pred p;\nsetp.ne.b32 p, $1, 0;\n@p st.global" +
              vectorSuffix(values.size()) + ".b32 " + atOperand(0, offset) +
              ", " + vectorOperands(2, values.size()) + ";\n}",
          TypeRange(), operands, Effect::Memory);
}

Value ptx::getGlobalAddress(Emitter &e, Value buffer) {
  Value base =
      toI64(e, memref::ExtractAlignedPointerAsIndexOp::create(e, buffer));
  auto type = cast<MemRefType>(buffer.getType());
  auto [strides, offset] = type.getStridesAndOffset();
  if (offset == 0)
    return base;
  int64_t bytes = type.getElementTypeBitWidth() / 8;
  if (!ShapedType::isDynamic(offset))
    return plusI(e, base, offset * bytes);
  auto metadata = memref::ExtractStridedMetadataOp::create(e, buffer);
  return plusI(e, base, timesI(e, toI64(e, metadata.getOffset()), bytes));
}
