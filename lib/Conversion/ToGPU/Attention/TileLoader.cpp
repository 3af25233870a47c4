//===- TileLoader.cpp - rows of queries and keys in shared memory ---------===//

#include "TileLoader.h"
#include "../NVIDIA/GlobalMemory.h"
#include "../NVIDIA/Warp.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;
using ptx::i32;
using ptx::i64;
using ptx::plusI;
using ptx::timesI;
using ptx::toI32;
using ptx::toI64;

static constexpr int64_t kChunkBytes = 16;
/// 16-bit columns of a chunk.
static constexpr int64_t kChunkColumns = 8;
static constexpr int64_t kBoxChunks =
    ptx::SwizzledTile::kBoxColumns / kChunkColumns;
static constexpr int64_t kRegisters = 4;
static constexpr int64_t kFoundBytes = WarpLayout::kFoundBytes;
static constexpr int64_t kFlagBytes = WarpLayout::kFlagBytes;
static constexpr int64_t kFlagKeys = WarpLayout::kFlagKeys;

/// Deals `count` chunks of work to the threads of the block.
static void forEachOfBlock(Emitter &e, const Kernel &kernel, int64_t count,
                           function_ref<void(Emitter &, Value i)> body) {
  Value first = toI32(e, kernel.getThread());
  scf::ForOp::create(
      e, first, i32(e, count), i32(e, kernel.getThreads()), ValueRange(),
      [&](OpBuilder &builder, Location loc, Value i, ValueRange) {
        Emitter e(loc, builder);
        body(e, i);
        scf::YieldOp::create(e);
      });
}

/// Chunk `chunk` (i32) of a row, of all boxes.
static ptx::Address getTileChunk(Emitter &e, const ptx::SwizzledTile &tile,
                                 Value row, Value chunk) {
  Value box = ptx::dividedByI(e, chunk, kBoxChunks);
  ptx::Address place =
      tile.getChunk(e, row, ptx::moduloI(e, chunk, kBoxChunks));
  return place.advance(e, timesI(e, box, tile.getBoxBytes()));
}

static Value selectBytes(Emitter &e, Value exists) {
  return arith::SelectOp::create(e, exists, i32(e, kChunkBytes), i32(e, 0));
}

/// 16 bytes at `address`, or zeros where `bytes` is 0.
static Value loadChunk(Emitter &e, Value address, Value bytes,
                       int64_t alignment) {
  auto type = VectorType::get(kRegisters, e.getI32Type());
  Value zero = arith::ConstantOp::create(e, e.getZeroAttr(type));
  Value exists =
      arith::CmpIOp::create(e, arith::CmpIPredicate::ne, bytes, i32(e, 0));
  return valueIf(e, exists, zero, [&](Emitter &e) {
    return ptx::loadAligned(e, address, type, alignment);
  });
}

/// Brings a chunk as it is; zeros where `bytes` is 0.
static void copyChunk(Emitter &e, ptx::Address to, Value address, Value bytes,
                      int64_t alignment) {
  if (alignment == kChunkBytes)
    return ptx::copyAsync16(e, to, address, bytes);
  Value chunk = loadChunk(e, address, bytes, alignment);
  ptx::Registers registers;
  for (int64_t i = 0; i < kRegisters; ++i)
    registers.push_back(vector::ExtractOp::create(e, chunk, i));
  ptx::storeShared(e, to, registers);
}

//===----------------------------------------------------------------------===//
// Queries
//===----------------------------------------------------------------------===//

void QueryLoader::load(Emitter &e, Value request, Value rowTile) const {
  const AttentionProblem &problem = inputs.getProblem();
  Value firstTileRow = timesI(e, rowTile, tile.rows);
  Value rows = inputs.getRows(e, request);
  Value firstRow = plusI(e, inputs.getFirstRow(e, request), firstTileRow);
  auto copy = [&](int64_t width, int64_t column, bool isRope) {
    int64_t chunks = width / kChunkColumns;
    forEachOfBlock(e, kernel, tile.rows * chunks, [&](Emitter &e, Value i) {
      Value row = ptx::dividedByI(e, i, chunks);
      Value chunk = ptx::moduloI(e, i, chunks);
      Value exists = ptx::isLessI(e, plusI(e, firstTileRow, row), rows);
      // An address that is in bounds for rows that are not.
      Value source = arith::SelectOp::create(e, exists, plusI(e, firstRow, row),
                                             i32(e, 0));
      Value address = isRope ? inputs.getRopeQuery(e, source)
                             : inputs.getLatentQuery(e, source);
      address = plusI(e, address, toI64(e, timesI(e, chunk, kChunkBytes)));
      Value target = plusI(e, chunk, column / kChunkColumns);
      copyChunk(e, getTileChunk(e, tile, row, target), address,
                selectBytes(e, exists), problem.getQueryAlignment());
    });
  };
  copy(problem.latent, 0, /*isRope=*/false);
  if (problem.rope)
    copy(problem.rope, problem.latent, /*isRope=*/true);
}

//===----------------------------------------------------------------------===//
// Keys
//===----------------------------------------------------------------------===//

/// A key of a stage.
struct KeyLoader::Row {
  Value key;     ///< Of the block, i32.
  Value offset;  ///< Of the stage, i32.
  Value address; ///< i64.
  Value bytes;   ///< i32: 16, or 0 if the key does not exist.
};

KeyLoader::KeyLoader(const AttentionInputs &inputs, const KeyLocator &locator,
                     const Kernel &kernel, ptx::Address start,
                     const WarpLayout &layout, int64_t keys)
    : inputs(inputs), locator(locator), kernel(kernel), keys(keys),
      stageBytes(layout.stageBytes), tile{start + layout.keys, keys},
      found(start + layout.found), flags(start + layout.flags) {}

Value KeyLoader::getOffset(Emitter &e, Value stage) const {
  return timesI(e, stage, stageBytes);
}

void KeyLoader::locate(Emitter &e, const Part &part, Value block,
                       Value stage) const {
  Value first = timesI(e, block, keys);
  forEachOfBlock(e, kernel, keys, [&](Emitter &e, Value i) {
    KeyAddress key =
        locator.find(e, part.request, part.keys, plusI(e, first, i));
    Value high = arith::ShRUIOp::create(e, key.address, i64(e, 32));
    Value index = plusI(e, timesI(e, stage, keys), i);
    ptx::storeShared(e, found.advance(e, timesI(e, index, kFoundBytes)),
                     {toI32(e, key.address), toI32(e, high),
                      selectBytes(e, key.exists), i32(e, 0)});
  });
}

void KeyLoader::load(Emitter &e, Value stage) const {
  const AttentionProblem &problem = inputs.getProblem();
  forEachOfBlock(e, kernel, keys, [&](Emitter &e, Value i) {
    Value index = plusI(e, timesI(e, stage, keys), i);
    ptx::Registers row = ptx::loadShared(
        e, found.advance(e, timesI(e, index, kFoundBytes)), e.getI32Type(), 4);
    Value flag = plusI(e, timesI(e, stage, llvm::alignTo(keys, kFlagKeys)), i);
    ptx::storeShared(e, flags.advance(e, timesI(e, flag, kFlagBytes)), row[2]);
  });
  switch (problem.format) {
  case CacheFormat::BF16:
    return problem.convertsKeys()
               ? convertHalves(e, stage, 0, 0, problem.getWidth())
               : copy(e, stage);
  case CacheFormat::FP8:
    return convertCodes(e, stage, problem.getWidth());
  case CacheFormat::FP8DSMLA:
    convertCodes(e, stage, problem.latent);
    if (problem.rope)
      convertHalves(e, stage, problem.getCache().getRopeOffset(),
                    problem.latent, problem.rope);
  }
}

SmallVector<Value> KeyLoader::getExisting(Emitter &e, Value stage) const {
  SmallVector<Value> words;
  int64_t stageFlags = llvm::alignTo(keys, kFlagKeys);
  Value flag = plusI(e, timesI(e, stage, stageFlags), ptx::getLane(e));
  ptx::Address place = flags.advance(e, timesI(e, flag, kFlagBytes));
  for (int64_t first = 0; first < keys; first += kFlagKeys)
    words.push_back(ptx::ballot(
        e, ptx::loadShared(e, place + first * kFlagBytes, e.getI32Type())
               .front()));
  return words;
}

ptx::Address KeyLoader::getChunk(Emitter &e, const Row &row,
                                 Value chunk) const {
  return getTileChunk(e, tile, row.key, chunk).advance(e, row.offset);
}

void KeyLoader::forEachChunk(
    Emitter &e, Value stage, int64_t chunks,
    function_ref<void(Emitter &, const Row &, Value chunk)> body) const {
  Value offset = getOffset(e, stage);
  forEachOfBlock(e, kernel, keys * chunks, [&](Emitter &e, Value i) {
    Value key = ptx::dividedByI(e, i, chunks);
    Value index = plusI(e, timesI(e, stage, keys), key);
    ptx::Registers entry = ptx::loadShared(
        e, found.advance(e, timesI(e, index, kFoundBytes)), e.getI32Type(), 4);
    auto widen = [&](Value value) -> Value {
      return arith::ExtUIOp::create(e, e.getI64Type(), value);
    };
    Value high = arith::ShLIOp::create(e, widen(entry[1]), i64(e, 32));
    Value address = arith::OrIOp::create(e, high, widen(entry[0]));
    body(e, {key, offset, address, entry[2]}, ptx::moduloI(e, i, chunks));
  });
}

void KeyLoader::copy(Emitter &e, Value stage) const {
  const AttentionProblem &problem = inputs.getProblem();
  int64_t chunks = problem.getWidth() / kChunkColumns;
  forEachChunk(e, stage, chunks, [&](Emitter &e, const Row &row, Value chunk) {
    Value byte = toI64(e, timesI(e, chunk, kChunkBytes));
    copyChunk(e, getChunk(e, row, chunk), plusI(e, row.address, byte),
              row.bytes, problem.getCacheAlignment());
  });
}

/// The bits of a chunk as f32: `elements` are what they hold.
static ptx::Registers widen(Emitter &e, Value chunk, Type elements) {
  int64_t count = kChunkBytes * 8 / elements.getIntOrFloatBitWidth();
  auto bits = VectorType::get(
      count, e.getIntegerType(elements.getIntOrFloatBitWidth()));
  Value values = vector::BitCastOp::create(e, bits, chunk);
  values = toF32(
      e, arith::BitcastOp::create(e, VectorType::get(count, elements), values));
  ptx::Registers registers;
  for (int64_t i = 0; i < count; ++i)
    registers.push_back(vector::ExtractOp::create(e, values, i));
  return registers;
}

/// Rounds eight f32 and writes them.
static void storeChunk(Emitter &e, ptx::Address to, Type elements,
                       ArrayRef<Value> values) {
  ptx::Registers pairs;
  for (int64_t i = 0; i < kChunkColumns; i += 2)
    pairs.push_back(ptx::packPair(e, elements, values[i], values[i + 1]));
  ptx::storeShared(e, to, pairs);
}

/// bf16 columns from `sourceByte` of the row on; they become columns from
/// `column` on.
void KeyLoader::convertHalves(Emitter &e, Value stage, int64_t sourceByte,
                              int64_t column, int64_t width) const {
  const AttentionProblem &problem = inputs.getProblem();
  forEachChunk(
      e, stage, width / kChunkColumns,
      [&](Emitter &e, const Row &row, Value chunk) {
        Value byte =
            toI64(e, plusI(e, timesI(e, chunk, kChunkBytes), sourceByte));
        Value halves = loadChunk(e, plusI(e, row.address, byte), row.bytes,
                                 problem.getCacheAlignment());
        storeChunk(e, getChunk(e, row, plusI(e, chunk, column / kChunkColumns)),
                   problem.elements, widen(e, halves, e.getBF16Type()));
      });
}

/// What the op takes the values of fp8_ds_mla rows for.
static void roundToBF16(Emitter &e, MutableArrayRef<Value> values) {
  Type bf16 = e.getBF16Type();
  for (size_t i = 0; i < values.size(); i += 2)
    std::tie(values[i], values[i + 1]) = ptx::unpackPair(
        e, bf16, ptx::packPair(e, bf16, values[i], values[i + 1]));
}

/// f8E4M3FN columns from the row's start on. An `fp8` cache's scale is a factor
/// of scores and of outputs instead; codes alone are exact in 16 bits.
void KeyLoader::convertCodes(Emitter &e, Value stage, int64_t width) const {
  const AttentionProblem &problem = inputs.getProblem();
  bool hasScales = problem.format == CacheFormat::FP8DSMLA;
  int64_t chunkColumns = kChunkBytes;
  forEachChunk(e, stage, width / chunkColumns,
               [&](Emitter &e, const Row &row, Value chunk) {
                 Value column = timesI(e, chunk, chunkColumns);
                 Value codes =
                     loadChunk(e, plusI(e, row.address, toI64(e, column)),
                               row.bytes, problem.getCacheAlignment());
                 ptx::Registers values =
                     widen(e, codes, Float8E4M3FNType::get(e.getContext()));
                 if (hasScales) {
                   Value group = ptx::dividedByI(e, column, CacheSpec::kTile);
                   Value scale = loadScale(e, row, group);
                   for (Value &value : values)
                     value = mul(e, value, scale);
                   if (!problem.elements.isBF16())
                     roundToBF16(e, values);
                 }
                 for (int64_t half = 0; half < 2; ++half) {
                   Value target = plusI(e, timesI(e, chunk, 2), half);
                   storeChunk(e, getChunk(e, row, target), problem.elements,
                              ArrayRef(values).slice(half * kChunkColumns,
                                                     kChunkColumns));
                 }
               });
}

/// The scale of a tile of a fp8_ds_mla row; 0 of one that does not exist.
Value KeyLoader::loadScale(Emitter &e, const Row &row, Value group) const {
  const AttentionProblem &problem = inputs.getProblem();
  constexpr int64_t bytes = 4;
  Value byte =
      plusI(e, timesI(e, group, bytes), problem.getCache().getScaleOffset());
  Value exists =
      arith::CmpIOp::create(e, arith::CmpIPredicate::ne, row.bytes, i32(e, 0));
  return valueIf(e, exists, rows::constant(e, 0), [&](Emitter &e) {
    return ptx::loadAligned(e, plusI(e, row.address, toI64(e, byte)),
                            e.getF32Type(),
                            std::min(bytes, problem.getCacheAlignment()));
  });
}
