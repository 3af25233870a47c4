//===- KeyLocator.cpp - where keys lie in the paged cache -----------------===//

#include "KeyLocator.h"
#include "../NVIDIA/GlobalMemory.h"
#include "../NVIDIA/SharedMemory.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include <numeric>

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;
using ptx::i64;
using ptx::plusI;
using ptx::timesI;
using ptx::toI32;
using ptx::toI64;

/// Strides of a buffer in bytes, i64.
static SmallVector<Value> getByteStrides(Emitter &e, Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  auto metadata = memref::ExtractStridedMetadataOp::create(e, buffer);
  SmallVector<Value> strides;
  for (Value stride : metadata.getStrides())
    strides.push_back(
        timesI(e, toI64(e, stride), type.getElementTypeBitWidth() / 8));
  return strides;
}

KeyLocator::KeyLocator(Emitter &e, const AttentionInputs &inputs)
    : problem(inputs.getProblem()), queries(inputs.getQueries()) {
  LatentAttentionOp op = problem.op;
  Value buffer = op.getCache();
  cache = ptx::getGlobalAddress(e, buffer);
  SmallVector<Value> strides = getByteStrides(e, buffer);
  pageBytes = strides[0];
  rowBytes = strides[1];
  pages = toI32(e, memref::DimOp::create(e, buffer, rows::index(e, 0)));
  pageSize = toI32(e, memref::DimOp::create(e, buffer, rows::index(e, 1)));
}

std::pair<Value, ptx::Registers>
KeyLocator::getEntry(Emitter &e, Value request, Value keys, Value key) const {
  LatentAttentionOp op = problem.op;
  Value known = arith::MinSIOp::create(e, key, plusI(e, keys, -1));
  if (!problem.isSparse())
    return {op.getBlockTable(),
            {request, arith::DivUIOp::create(e, known, pageSize)}};
  return {op.getIndices(),
          {arith::DivUIOp::create(e, request, queries),
           arith::RemUIOp::create(e, request, queries), known}};
}

Value KeyLocator::loadEntry(Emitter &e, Value request, Value keys,
                            Value key) const {
  auto [buffer, coordinates] = getEntry(e, request, keys, key);
  SmallVector<Value> indices;
  for (Value coordinate : coordinates)
    indices.push_back(
        arith::IndexCastOp::create(e, e.getIndexType(), coordinate));
  return memref::LoadOp::create(e, buffer, indices);
}

Value KeyLocator::getEntryAddress(Emitter &e, Value request, Value keys,
                                  Value key) const {
  auto [buffer, coordinates] = getEntry(e, request, keys, key);
  Value address = ptx::getGlobalAddress(e, buffer);
  for (auto [coordinate, stride] :
       llvm::zip_equal(coordinates, getByteStrides(e, buffer)))
    address = plusI(e, address, timesI(e, toI64(e, coordinate), stride));
  return address;
}

KeyAddress KeyLocator::locate(Emitter &e, Value entry, Value keys,
                              Value key) const {
  Value page = entry, row;
  if (problem.isSparse()) {
    page = arith::DivUIOp::create(e, entry, pageSize);
    row = arith::RemUIOp::create(e, entry, pageSize);
  } else {
    row = arith::RemUIOp::create(e, key, pageSize);
  }
  // Unsigned: -1 is past every page.
  Value isPage =
      arith::CmpIOp::create(e, arith::CmpIPredicate::ult, page, pages);
  Value exists = both(e, isPage, ptx::isLessI(e, key, keys));
  Value bytes = plusI(e, timesI(e, toI64(e, page), pageBytes),
                      timesI(e, toI64(e, row), rowBytes));
  bytes = arith::SelectOp::create(e, exists, bytes, i64(e, 0));
  return {exists, plusI(e, cache, bytes)};
}

MemRefType KeyLocator::getCacheType() const {
  return cast<MemRefType>(problem.op.getCache().getType());
}

int64_t KeyLocator::getWidthBytes() const {
  MemRefType type = getCacheType();
  return type.getShape().back() * type.getElementTypeBitWidth() / 8;
}

int64_t KeyLocator::getRunKeys(int64_t blockKeys) const {
  int64_t size = getCacheType().getDimSize(1);
  if (problem.isSparse() || ShapedType::isDynamic(size) ||
      getRowBytes() != getWidthBytes())
    return 1;
  return std::gcd(size, blockKeys);
}

std::optional<int64_t> KeyLocator::getRowBytes() const {
  MemRefType type = getCacheType();
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)) ||
      ShapedType::isDynamic(strides[1]))
    return std::nullopt;
  return strides[1] * type.getElementTypeBitWidth() / 8;
}

bool KeyLocator::hasPagesOfBlocks(int64_t blockKeys) const {
  int64_t size = getCacheType().getDimSize(1);
  return !problem.isSparse() && !ShapedType::isDynamic(size) &&
         size % blockKeys == 0 && getRowBytes();
}

SmallVector<KeyAddress> KeyLocator::locateInPage(Emitter &e, Value entry,
                                                 Value keys, Value key,
                                                 int64_t step,
                                                 int64_t count) const {
  SmallVector<KeyAddress> all = {locate(e, entry, keys, key)};
  for (int64_t i = 1; i < count; ++i) {
    Value inside = ptx::isLessI(e, plusI(e, key, i * step), keys);
    all.push_back({both(e, all[0].exists, inside), all[0].address,
                   i * step * *getRowBytes()});
  }
  return all;
}

KeyAddress KeyLocator::find(Emitter &e, Value request, Value keys,
                            Value key) const {
  return locate(e, loadEntry(e, request, keys, key), keys, key);
}
