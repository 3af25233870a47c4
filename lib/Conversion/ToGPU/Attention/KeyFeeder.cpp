//===- KeyFeeder.cpp - pieces of key blocks to shared memory --------------===//

#include "KeyFeeder.h"
#include "../NVIDIA/Warp.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;
using ptx::Registers;
using ptx::SwizzledTile;

static constexpr int64_t kChunkBytes = 16;
/// Chunks of a row of a box, and boxes of a half.
static constexpr int64_t kBoxChunks = 8;
static constexpr int64_t kHalfBoxes =
    WarpgroupBlock::kHalf / SwizzledTile::kBoxColumns;
static constexpr int64_t kLatentBoxes = 2 * kHalfBoxes;

static Value plusBytes(Emitter &e, Value address, Value bytes) {
  return arith::AddIOp::create(e, address, ptx::toI64(e, bytes));
}

/// 16 if the key exists, else 0.
static Value getBytes(Emitter &e, const KeyAddress &key) {
  return arith::SelectOp::create(e, key.exists, ptx::i32(e, kChunkBytes),
                                 ptx::i32(e, 0));
}

/// Copies chunk `chunk` (i32, of 8) of 128 bytes of row `row`, from `from` on,
/// to the same chunk of each of `boxes` boxes.
static void copyBoxes(Emitter &e, const SwizzledTile &tile, Value row,
                      Value chunk, Value from, Value bytes, int64_t boxes) {
  ptx::Address to = tile.getChunk(e, row, chunk);
  for (int64_t box = 0; box < boxes; ++box)
    ptx::copyAsync16(e, to + box * tile.getBoxBytes(), from, bytes,
                     box * SwizzledTile::kRowBytes);
}

/// The tile of boxes from box `first` (i32) on.
static SwizzledTile skipBoxes(Emitter &e, const SwizzledTile &tile,
                              Value first) {
  Value bytes = ptx::timesI(e, first, tile.getBoxBytes());
  return {tile.start.advance(e, bytes), tile.rows};
}

namespace {

/// Rows that are stored as the matrix units take them. Eight threads copy the
/// 128 bytes of a row's box at once, and the other boxes one after the other.
class CopyingFeeder : public KeyFeeder {
public:
  CopyingFeeder(Emitter &e, const WarpgroupBlock &block, Value thread)
      : KeyFeeder(e, thread, kBoxChunks), rope(block.getRope()) {}

  bool isShortOfRegisters() const override { return false; }

  void bringHalf(Emitter &e, FindKey find, Value half, const SwizzledTile &tile,
                 const ptx::SharedBarrier &free, Value isFree,
                 const ptx::SharedBarrier &full) const override {
    free.wait(e, isFree);
    Value box = ptx::timesI(e, half, kHalfBoxes);
    SwizzledTile part = skipBoxes(e, tile, box);
    Value skipped = ptx::timesI(e, box, SwizzledTile::kRowBytes);
    copyRows(e, find, part, skipped, kHalfBoxes);
    full.arriveWithCopies(e);
  }

  void bringRope(Emitter &e, FindKey find, const SwizzledTile &tile,
                 const ptx::SharedBarrier &free, Value isFree,
                 const ptx::SharedBarrier &full) const override {
    free.wait(e, isFree);
    Value box = ptx::i32(e, kLatentBoxes);
    if (rope)
      copyRows(e, find, skipBoxes(e, tile, box),
               ptx::timesI(e, box, SwizzledTile::kRowBytes), 1);
    full.arriveWithCopies(e);
  }

private:
  void copyRows(Emitter &e, FindKey find,
                const SwizzledTile &tile, Value skippedBytes,
                int64_t boxes) const {
    Value bytes = arith::AddIOp::create(
        e, skippedBytes, ptx::timesI(e, chunk, kChunkBytes));
    for (int64_t i = 0; i < getRows(); ++i) {
      KeyAddress key = find(e, i);
      copyBoxes(e, tile, getRow(e, i), chunk, plusBytes(e, key.address, bytes),
                getBytes(e, key), boxes);
    }
  }

  int64_t rope;
};

/// Rows of e4m3 codes, which become elements on the way. Sixteen threads load
/// the 256 codes of a row's half at once.
class ConvertingFeeder : public KeyFeeder {
public:
  ConvertingFeeder(Emitter &e, const AttentionInputs &inputs, Value thread)
      : KeyFeeder(e, thread, kHalfChunks), problem(inputs.getProblem()) {}

  bool isShortOfRegisters() const override { return true; }

  void bringHalf(Emitter &e, FindKey find, Value half, const SwizzledTile &tile,
                 const ptx::SharedBarrier &free, Value isFree,
                 const ptx::SharedBarrier &full) const override {
    Value number = ptx::plusI(e, ptx::timesI(e, half, kHalfChunks), chunk);
    Value bytes = ptx::timesI(e, number, kChunkBytes);
    // Two tiles to a half.
    Value scalePlace = ptx::plusI(
        e, ptx::timesI(e, ptx::dividedByI(e, number, kTileChunks), 4),
        problem.getCache().getScaleOffset());
    for (int64_t first = 0; first < getRows(); first += kBatch) {
      Registers codes, scales;
      for (const KeyAddress &key : findBatch(e, find, first)) {
        llvm::append_range(
            codes, loadIf(e, key, plusBytes(e, key.address, bytes), 4));
        if (hasTileScales())
          llvm::append_range(
              scales, loadIf(e, key, plusBytes(e, key.address, scalePlace), 1));
      }
      if (first == 0)
        free.wait(e, isFree);
      for (int64_t i = 0; i < kBatch; ++i) {
        Value scale;
        if (hasTileScales())
          scale = arith::BitcastOp::create(e, e.getF32Type(), scales[i]);
        storeChunks(e, tile, getRow(e, first + i), half,
                    convert(e, ArrayRef(codes).slice(4 * i, 4), scale));
      }
    }
    ptx::fenceMatrixUnits(e);
    full.arrive(e);
  }

  void bringRope(Emitter &e, FindKey find, const SwizzledTile &tile,
                 const ptx::SharedBarrier &free, Value isFree,
                 const ptx::SharedBarrier &full) const override {
    free.wait(e, isFree);
    if (problem.rope == 0)
      return full.arrive(e);
    SwizzledTile rope = skipBoxes(e, tile, ptx::i32(e, kLatentBoxes));
    for (int64_t first = 0; first < getRows(); first += kBatch)
      hasTileScales() ? bringRopeElements(e, find, rope, first)
                      : bringRopeCodes(e, find, rope, first);
    ptx::fenceMatrixUnits(e);
    full.arrive(e);
  }

private:
  /// Rows that are under way at a time.
  static constexpr int64_t kBatch = 4;
  /// Threads of a row, with 16 codes each; chunks of a tile of codes that share
  /// a scale; chunks of a row's rope columns.
  static constexpr int64_t kHalfChunks = WarpgroupBlock::kHalf / kChunkBytes;
  static constexpr int64_t kTileChunks = CacheSpec::kTile / kChunkBytes;
  static constexpr int64_t kRopeChunks =
      SwizzledTile::kBoxColumns / kChunkBytes;

  bool hasTileScales() const { return problem.format == CacheFormat::FP8DSMLA; }

  /// All of a batch before anything is loaded from them: their entries are on
  /// their way together.
  static SmallVector<KeyAddress> findBatch(Emitter &e, FindKey find,
                                           int64_t first) {
    SmallVector<KeyAddress> keys;
    for (int64_t i = first; i < first + kBatch; ++i)
      keys.push_back(find(e, i));
    return keys;
  }

  /// `count` registers from `address`; zeros of a key that does not exist.
  static Registers loadIf(Emitter &e, const KeyAddress &key, Value address,
                          int64_t count) {
    return ptx::loadGlobalIf(e, key.exists, address, count);
  }

  /// 16 codes, times `scale` if there is one, as eight pairs of elements.
  Registers convert(Emitter &e, ValueRange codes, Value scale) const {
    Registers pairs;
    for (Value word : codes)
      for (Value halves : ptx::widenCodes(e, word))
        pairs.push_back(toElements(e, halves, e.getF16Type(), scale));
    return pairs;
  }

  /// A pair of `type` as a pair of the elements that are multiplied.
  Value toElements(Emitter &e, Value pair, Type type, Value scale) const {
    if (!scale && problem.elements == type)
      return pair;
    Value low, high;
    std::tie(low, high) = ptx::unpackPair(e, type, pair);
    if (scale) {
      low = mul(e, low, scale);
      high = mul(e, high, scale);
      // What the op takes the values of such rows for.
      if (!problem.elements.isBF16())
        std::tie(low, high) = ptx::unpackPair(
            e, e.getBF16Type(), ptx::packPair(e, e.getBF16Type(), low, high));
    }
    return ptx::packPair(e, problem.elements, low, high);
  }

  /// 16 elements of this thread's chunk of a half: two chunks of the tile.
  void storeChunks(Emitter &e, const SwizzledTile &tile, Value row, Value half,
                   ValueRange elements) const {
    // Of eight threads that store at once, four take their second chunk first:
    // the others' chunks lie in another box, in the same banks.
    Value turn = ptx::moduloI(e, ptx::dividedByI(e, chunk, 4), 2);
    Value isTurned = ptx::isEqualI(e, turn, 1);
    Value box = ptx::plusI(e, ptx::timesI(e, half, kHalfBoxes),
                           ptx::dividedByI(e, chunk, 4));
    SwizzledTile part = skipBoxes(e, tile, box);
    Value first = ptx::timesI(e, ptx::moduloI(e, chunk, 4), 2);
    for (int64_t i = 0; i < 2; ++i) {
      Registers values;
      for (int64_t j = 0; j < 4; ++j)
        values.push_back(arith::SelectOp::create(
            e, isTurned, elements[4 * (1 - i) + j], elements[4 * i + j]));
      Value which = arith::XOrIOp::create(e, turn, ptx::i32(e, i));
      ptx::storeShared(e, part.getChunk(e, row, ptx::plusI(e, first, which)),
                       values);
    }
  }

  /// Rope columns that are codes, too: four threads have a row's.
  void bringRopeCodes(Emitter &e, FindKey find,
                      const SwizzledTile &tile, int64_t first) const {
    Value isMine = ptx::isLessI(e, chunk, ptx::i32(e, kRopeChunks));
    runIf(e, isMine, [&](Emitter &e) {
      Value bytes = ptx::plusI(e, ptx::timesI(e, chunk, kChunkBytes),
                               problem.latent);
      Registers loaded;
      for (const KeyAddress &key : findBatch(e, find, first)) {
        llvm::append_range(
            loaded, loadIf(e, key, plusBytes(e, key.address, bytes), 4));
      }
      for (int64_t i = 0; i < kBatch; ++i) {
        Registers elements =
            convert(e, ArrayRef(loaded).slice(4 * i, 4), Value());
        for (int64_t j = 0; j < 2; ++j) {
          Value to = ptx::plusI(e, ptx::timesI(e, chunk, 2), j);
          ptx::storeShared(e, tile.getChunk(e, getRow(e, first + i), to),
                           ArrayRef(elements).slice(4 * j, 4));
        }
      }
    });
  }

  /// Rope columns of bf16: eight threads have a row's.
  void bringRopeElements(Emitter &e, FindKey find,
                         const SwizzledTile &tile, int64_t first) const {
    Value isMine = ptx::isLessI(e, chunk, ptx::i32(e, kBoxChunks));
    runIf(e, isMine, [&](Emitter &e) {
      Value bytes = ptx::plusI(e, ptx::timesI(e, chunk, kChunkBytes),
                               problem.getCache().getRopeOffset());
      Registers loaded;
      for (const KeyAddress &key : findBatch(e, find, first)) {
        llvm::append_range(
            loaded, loadIf(e, key, plusBytes(e, key.address, bytes), 4));
      }
      for (int64_t i = 0; i < kBatch; ++i) {
        Registers elements;
        for (Value pair : ArrayRef(loaded).slice(4 * i, 4))
          elements.push_back(toElements(e, pair, e.getBF16Type(), Value()));
        ptx::storeShared(e, tile.getChunk(e, getRow(e, first + i), chunk), elements);
      }
    });
  }

  const AttentionProblem &problem;
};

} // namespace

std::unique_ptr<KeyFeeder> KeyFeeder::create(Emitter &e,
                                             const AttentionInputs &inputs,
                                             const WarpgroupBlock &block,
                                             Value thread) {
  if (inputs.getProblem().format == CacheFormat::BF16)
    return std::make_unique<CopyingFeeder>(e, block, thread);
  return std::make_unique<ConvertingFeeder>(e, inputs, thread);
}
