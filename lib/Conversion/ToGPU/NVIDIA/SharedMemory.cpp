//===- SharedMemory.cpp - dynamic shared memory of a block ----------------===//

#include "SharedMemory.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;

ptx::Address ptx::getSharedStart(Emitter &e) {
  auto space =
      gpu::AddressSpaceAttr::get(e.getContext(), gpu::AddressSpace::Workgroup);
  auto type = MemRefType::get({ShapedType::kDynamic}, e.getI8Type(),
                              MemRefLayoutAttrInterface(), space);
  Value memory = gpu::DynamicSharedMemoryOp::create(e, type);
  Value address = getSharedAddress(e, memory).get(e);
  Value up = plusI(e, address, SharedLayout::kAlignment - 1);
  return {arith::AndIOp::create(e, up, i32(e, -SharedLayout::kAlignment))};
}

ptx::Address ptx::getSharedAddress(Emitter &e, Value buffer) {
  return {toI32(e, memref::ExtractAlignedPointerAsIndexOp::create(e, buffer))};
}

Value ptx::loadSharedIf(Emitter &e, Value condition, Address from,
                        uint32_t otherwise) {
  Value flag = arith::ExtUIOp::create(e, e.getI32Type(), condition);
  return emitAsm(e,
                 "{\n.reg .pred p;\nmov.b32 $0, " + Twine(otherwise) +
                     ";\nsetp.ne.b32 p, $2, 0;\n@p ld.shared.b32 $0, " +
                     atOperand(1, from.offset) + ";\n}",
                 e.getI32Type(), {from.base, flag}, Effect::Memory);
}

ptx::Registers ptx::loadShared(Emitter &e, Address from, Type type,
                               int64_t count) {
  SmallVector<Type> types(count, type);
  return emitAsm(
      e,
      "ld.shared" + vectorSuffix(count) + (type.isF32() ? ".f32 " : ".b32 ") +
          vectorOperands(0, count) + ", " + atOperand(count, from.offset) + ";",
      TypeRange(types), from.base, Effect::Memory);
}

void ptx::storeShared(Emitter &e, Address to, ValueRange values) {
  Registers operands = {to.base};
  llvm::append_range(operands, values);
  int64_t count = values.size();
  emitAsm(e,
          "st.shared" + vectorSuffix(count) +
              (values[0].getType().isF32() ? ".f32 " : ".b32 ") +
              atOperand(0, to.offset) + ", " + vectorOperands(1, count) + ";",
          TypeRange(), operands, Effect::Memory);
}

void ptx::copyAsync16(Emitter &e, Address to, Value from, Value bytes,
                      int64_t fromOffset) {
  Registers operands = {to.base, from};
  std::string text = "cp.async.cg.shared.global.L2::128B " +
                     atOperand(0, to.offset) + ", " + atOperand(1, fromOffset) +
                     ", 16";
  if (bytes) {
    text += ", $2";
    operands.push_back(bytes);
  }
  emitAsm(e, text + ";", TypeRange(), operands, Effect::Memory);
}

void ptx::commitCopies(Emitter &e) {
  emitAsm(e, "cp.async.commit_group;", TypeRange(), {}, Effect::Memory);
}

void ptx::waitCopies(Emitter &e, int64_t pending) {
  emitAsm(e, "cp.async.wait_group " + std::to_string(pending) + ";",
          TypeRange(), {}, Effect::Memory);
}

ptx::Address ptx::SwizzledTile::getChunk(Emitter &e, Value row, Value chunk,
                                         int64_t box) const {
  Value swizzled =
      arith::XOrIOp::create(e, chunk, arith::AndIOp::create(e, row, i32(e, 7)));
  Value bytes = arith::AddIOp::create(e, timesI(e, row, kRowBytes),
                                      timesI(e, swizzled, 16));
  return start.advance(e, bytes) + box * getBoxBytes();
}
