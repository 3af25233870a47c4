//===- ScaleStore.cpp - the scales of a row, stored -----------------------===//

#include "ScaleStore.h"
#include "Kernel.h"
#include "MLAFuse/Conversion/Numerics.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;

/// Stores byte number `place` (an index) of an element of `buffer`, little
/// endian.
static void storeByteOf(Emitter &e, Value buffer, ValueRange indices,
                        Value place, Value byte) {
  auto type = cast<MemRefType>(buffer.getType());
  int64_t bytes = type.getElementTypeBitWidth() / 8;
  auto metadata = memref::ExtractStridedMetadataOp::create(e, buffer);
  Value element = metadata.getOffset();
  for (auto [i, stride] : llvm::zip_equal(indices, metadata.getStrides()))
    element = plus(e, element, arith::MulIOp::create(e, i, stride));
  Value address =
      plus(e, memref::ExtractAlignedPointerAsIndexOp::create(e, buffer),
           plus(e, times(e, element, bytes), place));
  // Device memory is address space 1 of either vendor.
  auto pointerType = LLVM::LLVMPointerType::get(e.getContext(), 1);
  Value integer = arith::IndexCastOp::create(e, e.getI64Type(), address);
  Value pointer = LLVM::IntToPtrOp::create(e, pointerType, integer);
  LLVM::StoreOp::create(e, byte, pointer);
}

int64_t ScaleStore::getGroups() const {
  return buffers.width / buffers.spec.getGroupSize(buffers.width);
}

Value ScaleStore::pack(Emitter &e, Value scale, int64_t i) const {
  if (!isPacked(buffers.spec))
    return scale;
  return arith::ShLIOp::create(e, exponentByte(e, e.getLoc(), scale),
                               createInt(e, e.getLoc(), e.getI32Type(), 8 * i));
}

void ScaleStore::store(Emitter &e, Value stored, Value number) const {
  ScaleLayout layout = buffers.spec.getLayout();
  auto storeOne = [&](Emitter &e, Value value, Value number) {
    memref::StoreOp::create(
        e, value, buffers.scales,
        getScaleIndices(e, layout, buffers.scales, row, number));
  };
  storeOne(e, stored, number);
  int64_t groups = getGroups();
  if (layout != ScaleLayout::Swizzled128x4 || groups % 4 == 0)
    return;
  // The storage of a row is whole words: the last group fills its own up.
  runIf(e, isEqual(e, number, groups - 1), [&](Emitter &e) {
    Value zero = arith::ConstantOp::create(
        e, cast<TypedAttr>(e.getZeroAttr(buffers.spec.key.getScaleType())));
    for (int64_t padding = groups; padding % 4; ++padding)
      storeOne(e, zero, rows::index(e, padding));
  });
}

void ScaleStore::storeByte(Emitter &e, Value scale, Value number) const {
  Value byte = arith::TruncIOp::create(e, e.getI8Type(),
                                       exponentByte(e, e.getLoc(), scale));
  auto storeOne = [&](Emitter &e, Value value, Value number) {
    SmallVector<Value, 2> indices = getScaleIndices(
        e, ScaleLayout::PackedUE8M0, buffers.scales, row, number);
    storeByteOf(e, buffers.scales, indices, modulo(e, number, 4), value);
  };
  storeOne(e, byte, number);
  int64_t groups = getGroups();
  if (groups % 4 == 0)
    return;
  // The last group fills its word up.
  runIf(e, isEqual(e, number, groups - 1), [&](Emitter &e) {
    Value zero = createInt(e, e.getLoc(), e.getI8Type(), 0);
    for (int64_t padding = groups; padding % 4; ++padding)
      storeOne(e, zero, rows::index(e, padding));
  });
}
