//===- NarrowScores.cpp - the role that makes scores ----------------------===//
//
// A warp has 16 keys of every block. While a block's scores become
// probabilities, and warps wait for each other, the next one's are made, if its
// keys are there.
//
//===----------------------------------------------------------------------===//

#include "NarrowScores.h"
#include "../NVIDIA/Warp.h"
#include "../NVIDIA/Warpgroup.h"
#include "Fragments.h"
#include "NarrowProducts.h"
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
static constexpr int64_t kTileKeys = NarrowKeys::kTileKeys;
static constexpr int64_t kScores = NarrowScore::kScores;
/// Chunks of the next block that are multiplied behind a block's message.
static constexpr int64_t kChunksLast = 2;
/// Of queries that NarrowQueries::bring has not brought.
static constexpr int64_t kNotBrought = 0;

namespace {

class NarrowScores {
public:
  NarrowScores(Emitter &e, const NarrowBlock &block,
               const AttentionInputs &inputs, const SplitPlan &plan,
               Value thread)
      : block(block), inputs(inputs), plan(plan),
        warp(ptx::dividedByI(e, thread, kLanes)),
        lane(ptx::moduloI(e, thread, kLanes)),
        quad(ptx::moduloI(e, lane, kQuad)), keys(e, block, warp, lane),
        softmax(e, block, warp, lane) {
    const AttentionProblem &problem = inputs.getProblem();
    LatentAttentionOp op = problem.op;
    firstKey = timesI(e, warp, NarrowBlock::kWarpKeys);
    scale = constant(e, op.getSoftmaxScale().convertToDouble() *
                            llvm::numbers::log2e);
  }

  /// The first part's queries are brought ahead of the wait for registers:
  /// behind keys, which are many more bytes, they would come late.
  void emit(Emitter &e) {
    if (inputs.getProblem().readsEarly)
      ptx::waitForPreviousLaunch(e);
    const FirstKeys &first = plan.getFirstKeys();
    Value brought =
        valueIf(e, first.exist, i32(e, kNotBrought),
                [&](Emitter &e) { return bringQueries(e, first.request); });
    ptx::raiseRegisters(e, NarrowBlock::kScoreRegisters);
    // Carried: rings, and what is known of the next part's queries.
    Registers start = RingPlaces::create(e, 0, 1).pack();
    start.push_back(brought);
    plan.forEachPart(e, start,
                     [&](Emitter &e, const Part &part, ValueRange state) {
                       return emitPart(e, part, state);
                     });
  }

private:
  // What is computed of opaque ones is nothing that the loop has registers for.
  Value bringQueries(Emitter &e, Value request) const {
    return NarrowQueries::bring(e, block, inputs, plan, request,
                                ptx::opaque(e, warp), ptx::opaque(e, lane));
  }

  Registers emitPart(Emitter &e, const Part &part, ValueRange state) {
    LatentAttentionOp op = inputs.getProblem().op;
    Value keyScale;
    if (op.getKScale())
      keyScale = inputs.loadKScale(e);
    Value isBrought = arith::CmpIOp::create(e, arith::CmpIPredicate::ne,
                                            state.back(), i32(e, kNotBrought));
    auto brought = scf::IfOp::create(
        e, isBrought,
        [&](OpBuilder &builder, Location loc) {
          scf::YieldOp::create(builder, loc, state.back());
        },
        [&](OpBuilder &builder, Location loc) {
          Emitter e(loc, builder);
          scf::YieldOp::create(e, bringQueries(e, part.request));
        });
    NarrowQueries queries = NarrowQueries::create(
        e, block, inputs, plan, part.request, brought.getResult(0),
        ptx::opaque(e, warp), ptx::opaque(e, lane));
    for (Value &factor : queries.scales) {
      factor = mul(e, factor, scale);
      if (keyScale)
        factor = mul(e, factor, keyScale);
    }
    Registers carried(state.drop_back());
    NarrowState::create(e).pack(carried);
    llvm::append_range(carried, BlockScores::createNone(e).pack());
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
    next.push_back(i32(e, kNotBrought));
    return next;
  }

  /// Scores of a block, if they are made already.
  struct BlockScores {
    Registers scores;
    Value exist;   ///< NarrowProducts::getExist.
    Value areMade; ///< i32, not 0 if so.

    static BlockScores createNone(Emitter &e) {
      return {Registers(kScores, constant(e, 0)), i32(e, -1), i32(e, 0)};
    }
    static BlockScores take(Emitter &e, const NarrowProducts &products) {
      return {products.getScore(e).scores, products.getExist(), i32(e, 1)};
    }
    Registers pack() const {
      Registers all(scores);
      all.append({exist, areMade});
      return all;
    }
    static BlockScores unpack(ValueRange from) {
      return {Registers(from.take_front(kScores)), from[kScores],
              from[kScores + 1]};
    }
  };

  /// Publishes block `number`, and makes the next one's scores meanwhile if its
  /// keys are there: products hide what waits for other warps.
  Registers addBlock(Emitter &e, const Part &part, Value number,
                     const NarrowQueries &queries, ValueRange state) const {
    RingPlaces places = RingPlaces::unpack(state);
    NarrowState softmaxState = NarrowState::unpack(state);
    BlockScores made = BlockScores::unpack(state);
    auto branch = scf::IfOp::create(
        e, ptx::isEqualI(e, made.areMade, 0),
        [&](OpBuilder &builder, Location loc) {
          Emitter e(loc, builder);
          RingPlace stage = places.stage;
          block.getFull(e, stage.slot).wait(e, stage.parity);
          NarrowProducts products(e, keys, queries, stage.slot);
          products.addChunks(e, products.getChunks());
          scf::YieldOp::create(e, BlockScores::take(e, products).pack());
        },
        [&](OpBuilder &builder, Location loc) {
          scf::YieldOp::create(builder, loc, made.pack());
        });
    made = BlockScores::unpack(branch.getResults());
    NarrowScore score = {made.scores};
    hideMissing(e, made.exist, score.scores);
    hideUnseen(e, part, number, score.scores);

    RingPlaces nextPlaces = places.passBlock(e, block.getStages());
    RingPlace stage = nextPlaces.stage;
    Value isThere =
        both(e, ptx::isLessI(e, plusI(e, number, 1), part.end),
             block.getFull(e, stage.slot).hasEnded(e, stage.parity));
    auto publish = [&](Emitter &e, NarrowSoftmax::Beside beside) {
      NarrowState next = softmaxState;
      softmax.publish(e, score, next, places.message, beside);
      Registers results;
      next.pack(results);
      return results;
    };
    auto published = scf::IfOp::create(
        e, ptx::holdsInAllLanes(e, isThere),
        [&](OpBuilder &builder, Location loc) {
          Emitter e(loc, builder);
          NarrowProducts products(e, keys, queries, stage.slot);
          int64_t chunks = products.getChunks();
          auto addMost = [&](Emitter &e) {
            products.addChunks(e, chunks - kChunksLast);
          };
          auto addRest = [&](Emitter &e) { products.addChunks(e, chunks); };
          Registers results = publish(e, {addMost, addRest});
          llvm::append_range(results, BlockScores::take(e, products).pack());
          scf::YieldOp::create(e, results);
        },
        [&](OpBuilder &builder, Location loc) {
          Emitter e(loc, builder);
          Registers results = publish(e, {});
          llvm::append_range(results, BlockScores::createNone(e).pack());
          scf::YieldOp::create(e, results);
        });
    Registers next = nextPlaces.pack();
    llvm::append_range(next, published.getResults());
    return next;
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

  void hideMissing(Emitter &e, Value exist, Registers &scores) const {
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
  NarrowKeys keys;
  NarrowSoftmax softmax;
  Value firstKey; ///< Of the warp, in a block.
  Value scale;    ///< Of scores, in units of log2(e).
};

} // namespace

void kernel::emitNarrowScores(Emitter &e, const NarrowBlock &block,
                              const AttentionInputs &inputs,
                              const SplitPlan &plan, Value thread) {
  NarrowScores(e, block, inputs, plan, thread).emit(e);
}
