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
        quad(ptx::moduloI(e, lane, kQuad)), softmax(e, block, warp, lane) {
    const AttentionProblem &problem = inputs.getProblem();
    LatentAttentionOp op = problem.op;
    firstKey = timesI(e, warp, NarrowBlock::kWarpKeys);
    ownKey = plusI(e, firstKey,
                   NarrowBlock::getKey(e, ptx::dividedByI(e, lane, kQuad)));
    place = plusI(e, timesI(e, ownKey, block.getPitch()),
                  timesI(e, quad, kLoadBytes));
    scale = constant(e, op.getSoftmaxScale().convertToDouble() *
                            llvm::numbers::log2e);
  }

  /// The first part's queries are brought ahead of the wait for registers:
  /// behind keys, which are many more bytes, they would come late.
  void emit(Emitter &e) {
    if (inputs.getProblem().readsEarly)
      ptx::waitForPreviousLaunch(e);
    const FirstKeys &first = plan.getFirstKeys();
    runIf(e, first.exist, [&](Emitter &e) { bringQueries(e, first.request); });
    ptx::raiseRegisters(e, NarrowBlock::kScoreRegisters);
    // Carried: rings, and whether the next part's queries are there.
    Registers start = RingPlaces::create(e, 0, 1).pack();
    start.push_back(
        arith::ExtUIOp::create(e, e.getI32Type(), first.exist).getResult());
    plan.forEachPart(e, start,
                     [&](Emitter &e, const Part &part, ValueRange state) {
                       return emitPart(e, part, state);
                     });
  }

private:
  // What is computed of opaque ones is nothing that the loop has registers for.
  void bringQueries(Emitter &e, Value request) const {
    NarrowQueries::bring(e, block, inputs, plan, request, ptx::opaque(e, warp),
                         ptx::opaque(e, lane));
  }

  Registers emitPart(Emitter &e, const Part &part, ValueRange state) {
    LatentAttentionOp op = inputs.getProblem().op;
    Value keyScale;
    if (op.getKScale())
      keyScale = inputs.loadKScale(e);
    runIf(e, ptx::isEqualI(e, state.back(), 0),
          [&](Emitter &e) { bringQueries(e, part.request); });
    NarrowQueries queries = NarrowQueries::create(
        e, block, inputs, ptx::opaque(e, warp), ptx::opaque(e, lane));
    for (Value &factor : queries.scales) {
      factor = mul(e, factor, scale);
      if (keyScale)
        factor = mul(e, factor, keyScale);
    }
    Registers carried(state.drop_back());
    NarrowState::create(e).pack(carried);
    auto loop = scf::ForOp::create(
        e, part.firstBlock, part.end, i32(e, 1), carried,
        [&](OpBuilder &builder, Location loc, Value number, ValueRange state) {
          Emitter e(loc, builder);
          scf::YieldOp::create(e, addBlock(e, part, number, queries, state));
        });
    ValueRange rest = loop.getResults();
    RingPlaces places = RingPlaces::unpack(rest);
    softmax.end(e, NarrowState::unpack(rest), places.message);
    Registers next = places.passMessage(e).pack();
    next.push_back(i32(e, 0));
    return next;
  }

  Registers addBlock(Emitter &e, const Part &part, Value number,
                     const NarrowQueries &queries, ValueRange state) const {
    RingPlaces places = RingPlaces::unpack(state);
    RingPlace stage = places.stage;
    NarrowState softmaxState = NarrowState::unpack(state);
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

  static void multiply(Emitter &e, Registers &sums, int64_t tile, ValueRange a,
                       ValueRange b) {
    int64_t first = tile * kProductSums;
    Registers d = ptx::multiplyWarp(
        e, e.getF16Type(), ValueRange(sums).slice(first, kProductSums), a, b);
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

  /// Adds the products of a chunk of codes, in turn to the sums of each chain.
  void addChunk(Emitter &e, const NarrowQueries &queries, ptx::Address keys,
                int64_t chunk, Registers (&chains)[kChains]) const {
    Registers codes[kTiles];
    for (int64_t tile = 0; tile < kTiles; ++tile)
      codes[tile] = loadKeys(e, keys, tile, chunk * NarrowBlock::kChunk);
    for (int64_t i = 0; i < kChunkProducts; ++i) {
      int64_t number = chunk * kChunkProducts + i;
      ValueRange a =
          ValueRange(queries.operands).slice(number * kOperand, kOperand);
      for (int64_t tile = 0; tile < kTiles; ++tile)
        multiply(e, chains[number % kChains], tile, a,
                 ptx::widenCodes(e, codes[tile][i]));
    }
  }

  NarrowScore multiplyKeys(Emitter &e, const NarrowQueries &queries,
                           ptx::Address keys) const {
    Registers chains[kChains];
    for (Registers &chain : chains)
      chain = createSums(e);
    int64_t chunks = queries.operands.size() / (kChunkProducts * kOperand);
    for (int64_t chunk = 0; chunk < chunks; ++chunk)
      addChunk(e, queries, keys, chunk, chains);

    NarrowScore score;
    for (int64_t i = 0; i < kScores; ++i)
      score.scores.push_back(mul(e, add(e, chains[0][i], chains[1][i]),
                                 queries.scales[getThreadRow(i)]));
    return score;
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
    Value begin = timesI(e, number, NarrowBlock::kBlockKeys);
    Value end = plusI(e, begin, NarrowBlock::kBlockKeys);
    Value firstRow = timesI(e, plan.getRowTile(), NarrowBlock::kTileRows);
    Value isAny = inputs.mayHide(e, part.length, firstRow, end);
    if (!isAny)
      return;
    changeScores(e, isAny, scores, [&](Emitter &e, int64_t i) -> Value {
      Value row = plusI(e, ptx::dividedByI(e, lane, kQuad),
                        getThreadRow(i) * kTileKeys);
      Value key = plusI(e, plusI(e, begin, firstKey),
                        getScoreKey(e, NarrowScore::getKey(i)));
      Value visible =
          inputs.getVisibleKeys(e, part.length, plusI(e, firstRow, row));
      return ptx::isLessI(e, key, visible);
    });
  }

  const NarrowBlock &block;
  const AttentionInputs &inputs;
  const SplitPlan &plan;
  Value warp, lane, quad;
  NarrowSoftmax softmax;
  Value firstKey; ///< Of the warp, in a block.
  Value ownKey;   ///< That the lane reads, of tile 0.
  Value place;    ///< Of the lane's chunk 0 in a stage, bytes.
  Value scale;    ///< Of scores, in units of log2(e).
};

} // namespace

void kernel::emitNarrowScores(Emitter &e, const NarrowBlock &block,
                              const AttentionInputs &inputs,
                              const SplitPlan &plan, Value thread) {
  NarrowScores(e, block, inputs, plan, thread).emit(e);
}
