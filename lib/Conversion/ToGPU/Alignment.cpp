//===- Alignment.cpp - how wide the accesses of a kernel may be -----------===//

#include "Alignment.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <numeric>

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;

static int64_t getElementBytes(Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  return llvm::divideCeil(type.getElementTypeBitWidth(), 8);
}

Value kernel::collapseRows(Emitter &e, Value buffer) {
  if (!buffer)
    return buffer;
  auto type = cast<MemRefType>(buffer.getType());
  if (type.getRank() <= 2 || !type.getLayout().isIdentity())
    return buffer;
  SmallVector<ReassociationIndices> groups(2);
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    groups[dim + 1 == type.getRank()].push_back(dim);
  return memref::CollapseShapeOp::create(e, buffer, groups);
}

/// The largest power of two that divides both.
static int64_t powerOfTwoIn(int64_t a, int64_t b) {
  int64_t common = std::gcd(a, b);
  return common & -common;
}

void Alignment::add(Value buffer, int64_t lanes) {
  if (!buffer)
    return;
  auto type = cast<MemRefType>(buffer.getType());
  int64_t bytes = getElementBytes(buffer);
  int64_t alignment = std::min(lanes * bytes, Chip::kAccessBytes);
  auto [strides, offset] = type.getStridesAndOffset();
  for (int64_t stride : ArrayRef(strides).drop_back())
    if (!ShapedType::isDynamic(stride) && stride != 0)
      alignment = powerOfTwoIn(alignment, stride * bytes);
  if (!ShapedType::isDynamic(offset) && offset != 0)
    alignment = powerOfTwoIn(alignment, offset * bytes);
  for (auto &[known, least] : alignments)
    if (known == buffer) {
      least = std::min(least, alignment);
      return;
    }
  alignments.emplace_back(buffer, alignment);
}

int64_t Alignment::lookUp(Value buffer) const {
  for (auto [known, alignment] : alignments)
    if (known == buffer)
      return isWide ? alignment : getElementBytes(buffer);
  llvm_unreachable("a buffer that was not added");
}

RowView Alignment::getRow(Emitter &e, Value buffer, Value row) const {
  if (!buffer)
    return {};
  RowView view = rows::getRow(e, buffer, row);
  view.alignment = lookUp(buffer);
  return view;
}

RowView Alignment::getVector(Value buffer) const {
  return buffer ? RowView{buffer, {}, lookUp(buffer)} : RowView();
}

/// True if address and dynamic strides of every buffer allow wide accesses;
/// null if nothing is to be checked.
Value Alignment::emitCheck(Emitter &e) const {
  Value ok;
  auto require = [&](Value bytes, int64_t alignment) {
    Value low = arith::AndIOp::create(e, bytes, rows::index(e, alignment - 1));
    Value holds = arith::CmpIOp::create(e, arith::CmpIPredicate::eq, low,
                                        rows::index(e, 0));
    ok = ok ? arith::AndIOp::create(e, ok, holds).getResult() : holds;
  };
  for (auto [buffer, alignment] : alignments) {
    int64_t bytes = getElementBytes(buffer);
    if (alignment <= bytes)
      continue;
    auto type = cast<MemRefType>(buffer.getType());
    auto metadata = memref::ExtractStridedMetadataOp::create(e, buffer);
    Value address = memref::ExtractAlignedPointerAsIndexOp::create(e, buffer);
    require(plus(e, address, times(e, metadata.getOffset(), bytes)), alignment);
    auto [strides, offset] = type.getStridesAndOffset();
    for (auto [dim, stride] : llvm::enumerate(ArrayRef(strides).drop_back()))
      if (ShapedType::isDynamic(stride))
        require(times(e, metadata.getStrides()[dim], bytes), alignment);
  }
  return ok;
}

void Alignment::dispatch(Emitter &e, function_ref<void(Emitter &)> body) {
  Value isAligned = emitCheck(e);
  isWide = true;
  if (!isAligned)
    return body(e);
  scf::IfOp::create(
      e, isAligned,
      [&](OpBuilder &builder, Location loc) {
        Emitter inner(loc, builder);
        body(inner);
        scf::YieldOp::create(inner);
      },
      [&](OpBuilder &builder, Location loc) {
        isWide = false;
        Emitter inner(loc, builder);
        body(inner);
        scf::YieldOp::create(inner);
      });
}
