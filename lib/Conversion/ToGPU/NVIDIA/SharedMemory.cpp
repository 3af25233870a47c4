//===- SharedMemory.cpp - dynamic shared memory of a block ----------------===//

#include "SharedMemory.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;

int64_t ptx::SharedLayout::add(int64_t bytes, int64_t alignment) {
  int64_t offset = llvm::alignTo(used, alignment);
  used = offset + bytes;
  return offset;
}

ptx::Address ptx::getSharedStart(Emitter &e) {
  auto space = gpu::AddressSpaceAttr::get(e.getContext(),
                                          gpu::AddressSpace::Workgroup);
  auto type = MemRefType::get({ShapedType::kDynamic}, e.getI8Type(),
                              MemRefLayoutAttrInterface(), space);
  Value memory = gpu::DynamicSharedMemoryOp::create(e, type);
  Value address = toI32(
      e, memref::ExtractAlignedPointerAsIndexOp::create(e, memory));
  Value up = plusI(e, address, SharedLayout::kAlignment - 1);
  return {arith::AndIOp::create(e, up, i32(e, -SharedLayout::kAlignment))};
}

/// "[$i+offset]".
static std::string at(unsigned operand, int64_t offset) {
  return "[$" + std::to_string(operand) + "+" + std::to_string(offset) + "]";
}

static std::string getVector(int64_t count) {
  return count == 1 ? "" : ".v" + std::to_string(count);
}

static std::string getOperands(unsigned first, int64_t count) {
  return count == 1 ? "$" + std::to_string(first)
                    : ptx::listOperands(first, count);
}

ptx::Registers ptx::loadShared(Emitter &e, Address from, Type type,
                               int64_t count) {
  SmallVector<Type> types(count, type);
  return emitAsm(e,
                 "ld.shared" + getVector(count) +
                     (type.isF32() ? ".f32 " : ".b32 ") +
                     getOperands(0, count) + ", " + at(count, from.offset) +
                     ";",
                 TypeRange(types), from.base, Effect::Memory);
}

void ptx::storeShared(Emitter &e, Address to, ValueRange values) {
  Registers operands = {to.base};
  llvm::append_range(operands, values);
  int64_t count = values.size();
  emitAsm(e,
          "st.shared" + getVector(count) +
              (values[0].getType().isF32() ? ".f32 " : ".b32 ") +
              at(0, to.offset) + ", " + getOperands(1, count) + ";",
          TypeRange(), operands, Effect::Memory);
}

void ptx::copyAsync16(Emitter &e, Address to, Value from, Value bytes,
                      int64_t fromOffset) {
  Registers operands = {to.base, from};
  std::string text = "cp.async.cg.shared.global.L2::128B " +
                     at(0, to.offset) + ", " + at(1, fromOffset) + ", 16";
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

void ptx::prefetchToL2(Emitter &e, Value condition, Value address,
                       int64_t bytes) {
  Value flag = arith::ExtUIOp::create(e, e.getI32Type(), condition);
  emitAsm(e,
          "{\n.reg .pred p;\nsetp.ne.b32 p, $1, 0;\n@p "
          "cp.async.bulk.prefetch.L2.global [$0], " +
              Twine(bytes) + ";\n}",
          TypeRange(), {address, flag}, Effect::Memory);
}

ptx::Registers ptx::loadGlobal16(Emitter &e, Value address, int64_t offset) {
  SmallVector<Type> types(4, e.getI32Type());
  return emitAsm(e,
                 "ld.global.v4.b32 {$0, $1, $2, $3}, " + at(4, offset) + ";",
                 TypeRange(types), address, Effect::Memory);
}

Value ptx::loadGlobal(Emitter &e, Value address, Type type, int64_t offset) {
  std::string width = type.isF32() ? "f32" : "b32";
  return emitAsm(e, "ld.global." + width + " $0, " + at(1, offset) + ";", type,
                 address, Effect::Memory);
}

ptx::Registers ptx::loadGlobalIf(Emitter &e, Value condition, Value address,
                                 int64_t count) {
  Value flag = arith::ExtUIOp::create(e, e.getI32Type(), condition);
  // Zeros first: registers that only predicated instructions write are taken to
  // hold something from the loop's round before.
  std::string text = "{\n.reg .pred p;\n";
  for (int64_t i = 0; i < count; ++i)
    text += "mov.b32 $" + std::to_string(i) + ", 0;\n";
  text += "setp.ne.b32 p, $" + std::to_string(count + 1) +
          ", 0;\n@p ld.global" + getVector(count) + ".b32 " +
          getOperands(0, count) + ", " + at(count, 0) + ";\n";
  SmallVector<Type> types(count, e.getI32Type());
  return emitAsm(e, text + "}", TypeRange(types), {address, flag},
                 Effect::Memory);
}

void ptx::storeGlobal16(Emitter &e, Value address, ValueRange values,
                        int64_t offset) {
  assert(values.size() == 4);
  storeGlobal(e, address, values, offset);
}

void ptx::storeGlobal(Emitter &e, Value address, ValueRange values,
                      int64_t offset) {
  Registers operands = {address};
  llvm::append_range(operands, values);
  int64_t count = values.size();
  emitAsm(e,
          "st.global" + getVector(count) +
              (values[0].getType().isF32() ? ".f32 " : ".b32 ") +
              at(0, offset) + ", " + getOperands(1, count) + ";",
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

ptx::Address ptx::SwizzledTile::getChunk(Emitter &e, Value row, Value chunk,
                                         int64_t box) const {
  Value swizzled = arith::XOrIOp::create(
      e, chunk, arith::AndIOp::create(e, row, i32(e, 7)));
  Value bytes = arith::AddIOp::create(e, timesI(e, row, kRowBytes),
                                      timesI(e, swizzled, 16));
  return start.advance(e, bytes) + box * getBoxBytes();
}
