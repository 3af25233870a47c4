//===- NarrowScores.cpp - the role that makes scores ----------------------===//
//
// A warp has 16 keys of a block, as the columns of two products of 8. A lane
// reads 16 codes of a key at once: they are the right operands of four
// products, whose left operands NarrowQueries has in the same order.
//
//===----------------------------------------------------------------------===//

#include "NarrowScores.h"
#include "../NVIDIA/Warp.h"
#include "../NVIDIA/Warpgroup.h"
#include "CodeConverter.h"
#include "Fragments.h"
#include "NarrowQueries.h"
#include "NarrowSoftmax.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;
using ptx::i32;
using ptx::plusI;
using ptx::Registers;
using ptx::timesI;

static constexpr int64_t kLanes = 32, kQuad = 4;
static constexpr int64_t kLoadBytes = 16;
/// Products side by side, their keys, and registers of their D and A.
static constexpr int64_t kTiles = 2, kTileKeys = 8;
static constexpr int64_t kProductSums = 4;
static constexpr int64_t kOperand = NarrowQueries::kOperand;
static constexpr int64_t kProductColumns = 16;
static constexpr int64_t kScores = NarrowScore::kScores;
static_assert(kScores == kTiles * kProductSums);
/// Products of a chunk of codes.
static constexpr int64_t kChunkProducts = 4;
/// Sums of every second product, so that a product does not wait for the last.
static constexpr int64_t kChains = 2;

namespace {

class NarrowScores {
public:
  NarrowScores(Emitter &e, const NarrowBlock &block,
               const AttentionInputs &inputs, const SplitPlan &plan,
               Value thread)
      : block(block), inputs(inputs), plan(plan),
        warp(ptx::dividedByI(e, thread, kLanes)),
        lane(ptx::moduloI(e, thread, kLanes)),
        quad(ptx::moduloI(e, lane, kQuad)), softmax(e, block, warp, lane),
        converter(inputs.getProblem()) {
    ptx::raiseRegisters(e, NarrowBlock::kScoreRegisters);
    const AttentionProblem &problem = inputs.getProblem();
    LatentAttentionOp op = problem.op;
    firstKey = timesI(e, warp, NarrowBlock::kWarpKeys);
    ownKey = plusI(e, firstKey,
                   NarrowBlock::getKey(e, ptx::dividedByI(e, lane, kQuad)));
    place = plusI(e, timesI(e, ownKey, block.getPitch()),
                  timesI(e, quad, kLoadBytes));
    scale = constant(e, op.getSoftmaxScale().convertToDouble() *
                            llvm::numbers::log2e);
    if (op.getKScale())
      scale = mul(e, scale, inputs.loadKScale(e));
  }

  void emit(Emitter &e) {
    Registers start = RingPlaces::create(e, 0, 1).pack();
    plan.forEachPart(e, start,
                     [&](Emitter &e, const Part &part, ValueRange state) {
                       return emitPart(e, part, state);
                     });
  }

private:
  Registers emitPart(Emitter &e, const Part &part, ValueRange state) {
    NarrowQueries queries =
        NarrowQueries::load(e, block, inputs, plan, part, warp, lane);
    for (Value &factor : queries.scales)
      factor = factor ? mul(e, factor, scale) : scale;
    Registers carried(state);
    NarrowState::create(e, block).pack(carried);
    auto loop = scf::ForOp::create(
        e, part.firstBlock, part.end, i32(e, 1), carried,
        [&](OpBuilder &builder, Location loc, Value number, ValueRange state) {
          Emitter e(loc, builder);
          scf::YieldOp::create(e, addBlock(e, part, number, queries, state));
        });
    ValueRange rest = loop.getResults();
    RingPlaces places = RingPlaces::unpack(rest);
    softmax.end(e, NarrowState::unpack(rest, block), places.message);
    return places.passMessage(e).pack();
  }

  Registers addBlock(Emitter &e, const Part &part, Value number,
                     const NarrowQueries &queries, ValueRange state) const {
    RingPlaces places = RingPlaces::unpack(state);
    RingPlace stage = places.stage;
    NarrowState softmaxState = NarrowState::unpack(state, block);
    block.getFull(e, stage.slot).wait(e, stage.parity);
    ptx::Address keys = block.getKeys(e, stage.slot);
    NarrowScore score = multiplyKeys(e, queries, keys);
    hideMissing(e, stage.slot, score.scores);
    hideUnseen(e, part, number, score.scores);
    softmax.publish(e, score, softmaxState, places.message);
    Registers next = places.passBlock(e, block.getStages()).pack();
    softmaxState.pack(next);
    return next;
  }

  //===--------------------------------------------------------------------===//
  // Products
  //===--------------------------------------------------------------------===//

  static Registers createSums(Emitter &e) {
    return Registers(kScores, constant(e, 0));
  }

  static void multiply(Emitter &e, Type elements, Registers &sums, int64_t tile,
                       ValueRange a, ValueRange b) {
    int64_t first = tile * kProductSums;
    Registers d = ptx::multiplyWarp(
        e, elements, ValueRange(sums).slice(first, kProductSums), a, b);
    llvm::copy(d, sums.begin() + first);
  }

  /// 16 bytes of the lane's key of a tile, `offset` from its chunk 0.
  Registers loadKeys(Emitter &e, ptx::Address keys, int64_t tile,
                     int64_t offset) const {
    return ptx::loadShared(e,
                           keys.advance(e, place) +
                               (tile * kTileKeys * block.getPitch() + offset),
                           e.getI32Type(), 4);
  }

  /// A word of codes as the right operand of a product. Those with a scale are
  /// numbers of bf16, which the op takes them for.
  Registers convert(Emitter &e, Value codes, Value tileScale) const {
    return tileScale ? converter.convertScaled(e, codes, tileScale)
                     : ptx::widenCodes(e, codes);
  }

  /// Adds the products of a chunk of codes, in turn to the sums of each chain.
  /// `tileScales` are those of the lane's key of each tile; null: 1.
  void addChunk(Emitter &e, const NarrowQueries &queries, ptx::Address keys,
                int64_t chunk, const Value (&tileScales)[kTiles],
                Registers (&chains)[kChains]) const {
    Registers codes[kTiles];
    for (int64_t tile = 0; tile < kTiles; ++tile)
      codes[tile] = loadKeys(e, keys, tile, chunk * NarrowBlock::kChunk);
    for (int64_t i = 0; i < kChunkProducts; ++i) {
      int64_t number = chunk * kChunkProducts + i;
      ValueRange a =
          ValueRange(queries.codes).slice(number * kOperand, kOperand);
      for (int64_t tile = 0; tile < kTiles; ++tile)
        multiply(e, block.getScoreElements(e), chains[number % kChains], tile,
                 a, convert(e, codes[tile][i], tileScales[tile]));
    }
  }

  NarrowScore multiplyKeys(Emitter &e, const NarrowQueries &queries,
                           ptx::Address keys) const {
    Registers chains[kChains];
    for (Registers &chain : chains)
      chain = createSums(e);
    Registers ownScales[kTiles];
    if (block.hasTileScales())
      for (int64_t tile = 0; tile < kTiles; ++tile)
        ownScales[tile] = loadScales(
            e, keys, plusI(e, ownKey, tile * kTileKeys), e.getF32Type());
    int64_t chunks = queries.codes.size() / (kChunkProducts * kOperand);
    for (int64_t chunk = 0; chunk < chunks; ++chunk) {
      Value tileScales[kTiles];
      if (block.hasTileScales())
        for (int64_t tile = 0; tile < kTiles; ++tile)
          tileScales[tile] = ownScales[tile][chunk * NarrowBlock::kChunk /
                                             NarrowBlock::kGroupColumns];
      addChunk(e, queries, keys, chunk, tileScales, chains);
    }
    if (block.hasTileScales())
      addRope(e, keys, chains);

    NarrowScore score;
    for (int64_t i = 0; i < kScores; ++i)
      score.scores.push_back(mul(e, add(e, chains[0][i], chains[1][i]),
                                 queries.scales[getThreadRow(i)]));
    if (block.hasTileScales())
      for (int64_t i = 0; i < NarrowScore::kKeys; ++i)
        score.scales[i] = loadScales(
            e, keys, plusI(e, firstKey, getScoreKey(e, i)), e.getI32Type());
    return score;
  }

  /// Those of a key's groups.
  Registers loadScales(Emitter &e, ptx::Address keys, Value key,
                       Type type) const {
    CacheSpec cache = inputs.getProblem().getCache();
    return ptx::loadShared(e,
                           keys.advance(e, timesI(e, key, block.getPitch())) +
                               cache.getScaleOffset(),
                           type, block.getGroups());
  }

  /// The rope columns, bf16: a load has the right operands of two products.
  void addRope(Emitter &e, ptx::Address keys,
               Registers (&chains)[kChains]) const {
    constexpr int64_t atOnce = 2;
    const AttentionProblem &problem = inputs.getProblem();
    int64_t offset = problem.getCache().getRopeOffset();
    int64_t products = problem.rope / kProductColumns;
    for (int64_t first = 0; first < products; first += atOnce) {
      Registers b[kTiles];
      for (int64_t tile = 0; tile < kTiles; ++tile)
        b[tile] = loadKeys(e, keys, tile,
                           offset + first / atOnce * kQuad * kLoadBytes);
      for (int64_t i = 0; i < atOnce; ++i) {
        Registers a = NarrowQueries::loadRope(e, block, lane, first + i);
        for (int64_t tile = 0; tile < kTiles; ++tile)
          multiply(e, e.getBF16Type(), chains[i % kChains], tile, a,
                   ValueRange(b[tile]).slice(2 * i, 2));
      }
    }
  }

  //===--------------------------------------------------------------------===//
  // Keys that are not to be seen
  //===--------------------------------------------------------------------===//

  static void
  changeScores(Emitter &e, Value condition, Registers &scores,
               function_ref<Value(Emitter &, int64_t score)> keeps) {
    Registers before = scores;
    auto branch = scf::IfOp::create(
        e, condition,
        [&](OpBuilder &builder, Location loc) {
          Emitter e(loc, builder);
          Registers changed;
          for (int64_t i = 0; i < kScores; ++i)
            changed.push_back(arith::SelectOp::create(e, keeps(e, i), before[i],
                                                      minusInfinity(e)));
          scf::YieldOp::create(e, changed);
        },
        [&](OpBuilder &builder, Location loc) {
          scf::YieldOp::create(builder, loc, before);
        });
    scores = Registers(branch.getResults());
  }

  /// A key of the lane's scores, among the warp's.
  Value getScoreKey(Emitter &e, int64_t key) const {
    return plusI(e, NarrowBlock::getQuadKey(e, quad, key % 2),
                 key / 2 * kTileKeys);
  }

  void hideMissing(Emitter &e, Value stage, Registers &scores) const {
    Value exist = ptx::loadShared(
        e, block.getExist(e, stage).advance(e, timesI(e, warp, 4)),
        e.getI32Type())[0];
    Value isAny =
        arith::CmpIOp::create(e, arith::CmpIPredicate::ne, exist, i32(e, -1));
    changeScores(e, isAny, scores, [&](Emitter &e, int64_t i) -> Value {
      Value bits = arith::ShRUIOp::create(
          e, exist, getScoreKey(e, NarrowScore::getKey(i)));
      return arith::TruncIOp::create(e, e.getI1Type(), bits);
    });
  }

  /// Queries before the last of a request see fewer keys.
  void hideUnseen(Emitter &e, const Part &part, Value number,
                  Registers &scores) const {
    LatentAttentionOp op = inputs.getProblem().op;
    auto type = cast<MemRefType>(op.getQ().getType());
    if (op.getIndices() || type.getDimSize(1) == 1)
      return;
    Value begin = timesI(e, number, NarrowBlock::kBlockKeys);
    Value end = plusI(e, begin, NarrowBlock::kBlockKeys);
    Value firstRow = timesI(e, plan.getRowTile(), NarrowBlock::kTileRows);
    auto getVisible = [&](Emitter &e, Value row) {
      return inputs.getVisibleKeys(e, part.length, row);
    };
    // The tile's first row sees the fewest.
    Value isAny = ptx::isLessI(e, getVisible(e, firstRow), end);
    changeScores(e, isAny, scores, [&](Emitter &e, int64_t i) -> Value {
      Value row = plusI(e, ptx::dividedByI(e, lane, kQuad),
                        getThreadRow(i) * kTileKeys);
      Value key = plusI(e, plusI(e, begin, firstKey),
                        getScoreKey(e, NarrowScore::getKey(i)));
      return ptx::isLessI(e, key, getVisible(e, plusI(e, firstRow, row)));
    });
  }

  const NarrowBlock &block;
  const AttentionInputs &inputs;
  const SplitPlan &plan;
  Value warp, lane, quad;
  NarrowSoftmax softmax;
  CodeConverter converter;
  Value firstKey; ///< Of the warp, in a block.
  Value ownKey;   ///< That the lane reads, of tile 0.
  Value place;    ///< Of the lane's chunk 0 in a stage, bytes.
  Value scale;    ///< Of scores, in units of log2(e), with that of all keys.
};

} // namespace

void kernel::emitNarrowScores(Emitter &e, const NarrowBlock &block,
                              const AttentionInputs &inputs,
                              const SplitPlan &plan, Value thread) {
  NarrowScores(e, block, inputs, plan, thread).emit(e);
}
