//===- ConvertingLoader.cpp - loaders of keys that are converted ----------===//
//
// A warp has 16 keys of a block. Each of its lanes 0 to 15 finds one, and the
// others take its address from there: lanes 16 w to 16 w + 15 load the 256
// codes of a half of keys w, w + 2, ... at once. Loads are some rows ahead of
// what is converted and stored.
//
//===----------------------------------------------------------------------===//

#include "ConvertingLoader.h"
#include "../NVIDIA/GlobalMemory.h"
#include "../NVIDIA/Warp.h"
#include "CodeConverter.h"
#include "QueryFeeder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <limits>

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;
using ptx::dividedByI;
using ptx::i32;
using ptx::moduloI;
using ptx::plusI;
using ptx::Registers;
using ptx::SwizzledTile;
using ptx::timesI;

static constexpr int64_t kLanes = 32;
static constexpr int64_t kChunkBytes = 16;
static constexpr int64_t kChunkRegisters = 4;
/// Keys of a warp, and lanes of a row's half.
static constexpr int64_t kWarpKeys =
    WarpgroupBlock::kBlockKeys / WarpgroupBlock::kGroupWarps;
static constexpr int64_t kRowLanes = WarpgroupBlock::kHalf / kChunkBytes;
/// Rows of the tile between two keys of the same parity of a warp.
static constexpr int64_t kRowStep = 2 * WarpgroupBlock::kGroupWarps;
static constexpr int64_t kHalfBoxes =
    WarpgroupBlock::kHalf / SwizzledTile::kBoxColumns;
/// Blocks that a row is on its way to the L2 cache ahead of its use.
static constexpr int64_t kBlocksAhead = 2;
/// Rows that are loaded ahead, and converted at a time.
static constexpr int64_t kRowsAhead = 4, kRowsAtOnce = 2;

namespace {

class ConvertingLoader {
public:
  ConvertingLoader(Emitter &e, const WarpgroupBlock &block,
                   const AttentionInputs &inputs, const SplitPlan &plan,
                   const KeyLocator &locator, Value thread, bool isFirst)
      : block(block), inputs(inputs), plan(plan), locator(locator),
        problem(inputs.getProblem()), converter(problem), isFirst(isFirst),
        thread(thread), warp(dividedByI(e, thread, kLanes)),
        lane(moduloI(e, thread, kLanes)) {
    ptx::lowerRegisters(e, block.getLoaderRegisters());
    Value key = moduloI(e, lane, kWarpKeys);
    ownRow = getKeyRow(e, moduloI(e, key, 2), dividedByI(e, key, 2));
    isUpper = arith::CmpIOp::create(e, arith::CmpIPredicate::sge, lane,
                                    i32(e, kWarpKeys));
  }

  void emit(Emitter &e) {
    plan.forEachCountedPart(
        e, [&](Emitter &e, const Part &part, Value blocks, Value parts) {
          return emitPart(e, part, blocks, parts);
        });
  }

private:
  Registers emitPart(Emitter &e, const Part &part, Value blocks, Value parts) {
    Value hasBlocks = ptx::isLessI(e, part.firstBlock, part.end);
    Value entry = valueIf(e, hasBlocks, i32(e, 0), [&](Emitter &e) {
      return loadEntry(e, part, part.firstBlock);
    });
    auto loop = scf::ForOp::create(
        e, part.firstBlock, part.end, i32(e, 1), ValueRange{blocks, entry},
        [&](OpBuilder &builder, Location loc, Value number, ValueRange state) {
          Emitter e(loc, builder);
          KeyAddress key =
              locator.locate(e, state[1], part.keys, getOwnKey(e, number));
          // A block ahead, while this one is brought.
          Value next = loadEntry(e, part, plusI(e, number, 1));
          if (isFirst)
            prefetch(e, part, number, key);
          emitBlock(e, key, state[0]);
          // Behind the first block: attenders need both, and the queries'
          // memory is free later.
          Value isStart = arith::CmpIOp::create(e, arith::CmpIPredicate::eq,
                                                number, part.firstBlock);
          if (!isFirst)
            runIf(e, isStart, [&](Emitter &e) {
              // Addresses are computed here: registers are few in the loop.
              Part here = part;
              here.request = ptx::opaque(e, part.request);
              bringQueries(e, block, inputs, plan, ptx::opaque(e, thread), here,
                           parts);
            });
          scf::YieldOp::create(e, ValueRange{plusI(e, state[0], 1), next});
        });
    Value used = arith::ExtUIOp::create(e, e.getI32Type(), hasBlocks);
    return {loop.getResult(0), plusI(e, parts, used)};
  }

  //===--------------------------------------------------------------------===//
  // Keys
  //===--------------------------------------------------------------------===//

  /// The row of the tile of key 2 `pair` + `parity` of the warp.
  Value getKeyRow(Emitter &e, Value parity, Value pair) const {
    Value first = plusI(e, timesI(e, warp, 2), parity);
    return plusI(e, first, timesI(e, pair, kRowStep));
  }

  /// The key that this lane finds: one of block `number`, or, of the first
  /// loader's upper lanes, one that will be needed.
  Value getOwnKey(Emitter &e, Value number) const {
    if (isFirst)
      number = arith::SelectOp::create(e, isUpper,
                                       plusI(e, number, kBlocksAhead), number);
    return plusI(e, timesI(e, number, WarpgroupBlock::kBlockKeys), ownRow);
  }

  Value loadEntry(Emitter &e, const Part &part, Value number) const {
    return locator.loadEntry(e, part.request, part.keys, getOwnKey(e, number));
  }

  /// What is converted passes through registers, too few to hide the latency of
  /// memory.
  void prefetch(Emitter &e, const Part &part, Value number,
                const KeyAddress &key) const {
    Value isPart = ptx::isLessI(e, plusI(e, number, kBlocksAhead), part.end);
    LatentAttentionOp op = problem.op;
    auto type = cast<MemRefType>(op.getCache().getType());
    int64_t bytes = type.getDimSize(2) * type.getElementTypeBitWidth() / 8;
    ptx::prefetchToL2(e, both(e, both(e, isUpper, isPart), key.exists),
                      key.address, bytes);
  }

  /// A key of the warp: 0 if it does not exist.
  Value takeAddress(Emitter &e, Value lowHalf, Value highHalf,
                    Value source) const {
    Value high = ptx::ofLane(e, highHalf, source);
    return ptx::joinI64(e, ptx::ofLane(e, lowHalf, source), high);
  }

  /// `count` registers of a row, `bytes` (i32) from its address on; zeros of
  /// one that does not exist.
  Registers load(Emitter &e, Value address, Value bytes, int64_t count) const {
    Value exists = arith::CmpIOp::create(e, arith::CmpIPredicate::ne, address,
                                         ptx::i64(e, 0));
    return ptx::loadGlobalIf(e, exists, plusI(e, address, ptx::toI64(e, bytes)),
                             e.getI32Type(), count);
  }

  //===--------------------------------------------------------------------===//
  // Blocks
  //===--------------------------------------------------------------------===//

  void emitBlock(Emitter &e, const KeyAddress &key, Value blocks) const {
    Value stage = moduloI(e, blocks, WarpgroupBlock::kStages);
    Value round = moduloI(e, dividedByI(e, blocks, WarpgroupBlock::kStages), 2);
    // A piece that was never used is free.
    Value isFree = arith::XOrIOp::create(e, round, i32(e, 1));
    Value address =
        arith::SelectOp::create(e, key.exists, key.address, ptx::i64(e, 0));
    Value low = ptx::toI32(e, address);
    Value high = ptx::toI32(
        e, arith::ShRUIOp::create(e, address, ptx::i64(e, 32)).getResult());
    SwizzledTile tile = block.getKeys(e, stage);
    Value piece = i32(e, WarpgroupBlock::kRopePiece);
    if (isFirst) {
      bringHalf(e, low, high, stage, stage, isFree, tile);
      block.getRopeFree(e, stage).wait(e, isFree);
      tellMissing(e, key.exists, stage);
    } else {
      bringHalf(e, low, high, arith::XOrIOp::create(e, stage, i32(e, 1)), stage,
                isFree, tile);
      bringRope(e, low, high, stage, isFree, tile);
    }
    block.getFull(e, stage, piece).arrive(e);
  }

  void bringHalf(Emitter &e, Value low, Value high, Value half, Value stage,
                 Value isFree, const SwizzledTile &tile) const {
    Value chunk = moduloI(e, lane, kRowLanes);
    Value which = dividedByI(e, lane, kRowLanes);
    Value number = plusI(e, timesI(e, half, kRowLanes), chunk);
    Value bytes = timesI(e, number, kChunkBytes);
    Value scaleBytes = plusI(
        e, timesI(e, dividedByI(e, number, CacheSpec::kTile / kChunkBytes), 4),
        problem.getCache().getScaleOffset());

    // Of eight threads that store at once, four take their second chunk first:
    // the others' chunks lie in another box, in the same banks.
    Value turn = moduloI(e, dividedByI(e, chunk, 4), 2);
    Value isTurned = ptx::isEqualI(e, turn, 1);
    SwizzledTile part = tile.skipBoxes(
        e, plusI(e, timesI(e, half, kHalfBoxes), dividedByI(e, chunk, 4)));
    Value row = getKeyRow(e, which, i32(e, 0));
    ptx::Address places[2];
    for (int64_t i = 0; i < 2; ++i) {
      Value first = timesI(e, moduloI(e, chunk, 4), 2);
      Value target = plusI(
          e, first, arith::XOrIOp::create(e, turn, i32(e, i)).getResult());
      places[i] = part.getChunk(e, row, target);
    }

    constexpr int64_t rows = kWarpKeys / 2;
    SmallVector<Registers> codes(rows);
    Registers scales(rows);
    auto loadRow = [&](int64_t i) {
      Value address = takeAddress(e, low, high, plusI(e, which, 2 * i));
      codes[i] = load(e, address, bytes, kChunkRegisters);
      if (converter.hasTileScales())
        scales[i] = load(e, address, scaleBytes, 1).front();
    };
    auto storeRow = [&](Emitter &e, int64_t i, ValueRange pairs) {
      int64_t skipped = i * kRowStep * SwizzledTile::kRowBytes;
      for (int64_t j = 0; j < 2; ++j)
        ptx::storeShared(e, places[j] + skipped,
                         pairs.slice(j * kChunkRegisters, kChunkRegisters));
    };
    /// Codes in the order in which they are stored.
    auto turnCodes = [&](int64_t i) {
      Registers turned;
      for (int64_t j = 0; j < kChunkRegisters; ++j)
        turned.push_back(arith::SelectOp::create(
            e, isTurned, codes[i][(j + 2) % kChunkRegisters], codes[i][j]));
      return turned;
    };

    for (int64_t i = 0; i < kRowsAhead; ++i)
      loadRow(i);
    block.getHalfFree(e, stage, half, WarpgroupBlock::kKeyParts - 1)
        .wait(e, isFree);
    for (int64_t first = 0; first < rows; first += kRowsAtOnce) {
      Registers words;
      for (int64_t i = first; i < first + kRowsAtOnce; ++i) {
        if (converter.hasTileScales()) {
          Value scale = arith::BitcastOp::create(e, e.getF32Type(), scales[i]);
          storeRow(e, i, converter.convertScaled(e, turnCodes(i), scale));
        } else {
          llvm::append_range(words, turnCodes(i));
        }
      }
      if (!words.empty())
        converter.convertNumbers(e, words, [&](Emitter &e, ValueRange pairs) {
          for (int64_t i = 0; i < kRowsAtOnce; ++i)
            storeRow(e, first + i, pairs.slice(i * 8, 8));
        });
      for (int64_t i = first + kRowsAhead;
           i < std::min(first + kRowsAhead + kRowsAtOnce, rows); ++i)
        loadRow(i);
    }
    ptx::fenceMatrixUnits(e);
    block.getFull(e, stage, half).arrive(e);
  }

  /// The rope columns, a box: codes like the others, or bf16.
  void bringRope(Emitter &e, Value low, Value high, Value stage, Value isFree,
                 const SwizzledTile &tile) const {
    ptx::SharedBarrier free = block.getRopeFree(e, stage);
    if (problem.rope == 0)
      return free.wait(e, isFree);
    SwizzledTile rope =
        tile.skipBoxes(e, i32(e, problem.latent / SwizzledTile::kBoxColumns));
    bool isCodes = !converter.hasTileScales();
    // What follows from it is cheap, and not worth registers over the loop.
    Value lane = ptx::opaque(e, this->lane);
    int64_t bytes = isCodes ? problem.rope : 2 * problem.rope;
    int64_t lanes = bytes / kChunkBytes, keysAtOnce = kLanes / lanes;
    int64_t count = kWarpKeys / keysAtOnce;
    Value chunk = moduloI(e, lane, lanes);
    Value which = dividedByI(e, lane, lanes);
    Value place =
        plusI(e, timesI(e, chunk, kChunkBytes),
              isCodes ? problem.latent : problem.getCache().getRopeOffset());
    SmallVector<Registers> loaded;
    for (int64_t i = 0; i < count; ++i)
      loaded.push_back(
          load(e, takeAddress(e, low, high, plusI(e, which, i * keysAtOnce)),
               place, kChunkRegisters));
    free.wait(e, isFree);
    Value row = getKeyRow(e, moduloI(e, which, 2), dividedByI(e, which, 2));
    auto store = [&](Emitter &e, int64_t i, Value target, ValueRange pairs) {
      int64_t skipped = i * keysAtOnce / 2 * kRowStep * SwizzledTile::kRowBytes;
      ptx::storeShared(e, rope.getChunk(e, row, target) + skipped, pairs);
    };
    for (int64_t i = 0; i < count; ++i) {
      if (!isCodes) {
        store(e, i, chunk, converter.convertBF16(e, loaded[i]));
        continue;
      }
      converter.convertNumbers(e, loaded[i], [&](Emitter &e, ValueRange pairs) {
        for (int64_t j = 0; j < 2; ++j)
          store(e, i, plusI(e, timesI(e, chunk, 2), j),
                pairs.slice(j * kChunkRegisters, kChunkRegisters));
      });
    }
    ptx::fenceMatrixUnits(e);
  }

  /// Which keys do not exist.
  void tellMissing(Emitter &e, Value exists, Value stage) const {
    Value isLower = arith::XOrIOp::create(
        e, isUpper, arith::ConstantIntOp::create(e, 1, 1));
    runIf(e, isLower, [&](Emitter &e) {
      Value bias = arith::SelectOp::create(
          e, exists, rows::constant(e, 0),
          rows::constant(e, -std::numeric_limits<double>::infinity()));
      ptx::storeShared(
          e, block.getBias(e, stage).advance(e, timesI(e, ownRow, 4)), bias);
    });
    Value lacks =
        arith::XOrIOp::create(e, exists, arith::ConstantIntOp::create(e, 1, 1));
    Value anyLacks = ptx::holdsInAnyLane(e, both(e, isLower, lacks));
    runIf(e, ptx::isEqualI(e, lane, 0), [&](Emitter &e) {
      ptx::storeShared(
          e, block.getMissing(e, stage).advance(e, timesI(e, warp, 4)),
          arith::ExtUIOp::create(e, e.getI32Type(), anyLacks).getResult());
    });
  }

  const WarpgroupBlock &block;
  const AttentionInputs &inputs;
  const SplitPlan &plan;
  const KeyLocator &locator;
  const AttentionProblem &problem;
  CodeConverter converter;
  bool isFirst;
  Value thread, warp, lane;
  Value ownRow;  ///< Of the tile: of the key that this lane finds.
  Value isUpper; ///< Whether the lane is not one of the first kWarpKeys.
};

} // namespace

void kernel::emitConvertingLoader(Emitter &e, const WarpgroupBlock &block,
                                  const AttentionInputs &inputs,
                                  const SplitPlan &plan,
                                  const KeyLocator &locator, Value thread,
                                  bool isFirst) {
  ConvertingLoader(e, block, inputs, plan, locator, thread, isFirst).emit(e);
}
