//===- WarpgroupAttender.cpp - the roles that multiply --------------------===//
//
// Of every block an attender owns it computes, with s the scores in units of
// log2(e),
//   s = q K^T * scale               m' = max(m, max s)      p = exp2(s - m')
//   l = l * exp2(m - m') + sum p    o = o * exp2(m - m') + p V[its half]
// and publishes p and m'; of every other block it takes p and m' from its owner
// for its half of o. Blocks are added to o in their order.
//
// m' stays m while no score exceeds it by more than kSlack: p is then up to
// 2^kSlack, which costs no precision, and o is left alone.
//
//===----------------------------------------------------------------------===//

#include "WarpgroupAttender.h"
#include "../NVIDIA/Warp.h"
#include "AttenderResult.h"
#include "AttenderSoftmax.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;
using ptx::Major;
using ptx::MatrixOperand;
using ptx::Registers;
using ptx::SwizzledTile;

namespace {

class Attender : AttenderThread {
public:
  Attender(Emitter &e, const WarpgroupBlock &block,
           const AttentionInputs &inputs, const SplitPlan &plan, Value attender,
           Value thread)
      : AttenderThread(e, block, inputs, plan, attender, thread),
        softmax(e, *this), result(*this),
        queries(e, block.getQueries(), Major::K),
        ownKeys(e, block.getKeys(e, attender), Major::K),
        ownValues(e, block.getKeys(e, attender), Major::MN),
        otherValues(e, block.getKeys(e, other), Major::MN),
        otherProbabilities(e, block.getProbabilities(e, other), Major::K) {
    ptx::raiseRegisters(e, block.getAttenderRegisters());
    ownHalf = ptx::timesI(e, attender, getHalfBytes());
    otherHalf = ptx::timesI(e, other, getHalfBytes());
  }

  void emit(Emitter &e) {
    plan.forEachCountedPart(
        e,
        [&](Emitter &e, const Part &part, Value blocks, Value parts) {
          return emitPart(e, part, blocks, parts);
        },
        /*looksAhead=*/true);
    // The launch behind takes this one's end for the end of all before.
    if (inputs.getProblem().readsEarly)
      ptx::waitForPreviousLaunch(e);
  }

private:
  static int64_t getHalfBytes() {
    return WarpgroupBlock::kHalf / SwizzledTile::kBoxColumns *
           WarpgroupBlock::kBlockKeys * SwizzledTile::kRowBytes;
  }

  //===--------------------------------------------------------------------===//
  // A part
  //===--------------------------------------------------------------------===//

  /// Blocks and parts so far, and part.hasNext.
  Registers emitPart(Emitter &e, const Part &part, Value blocks, Value parts) {
    Value hasBlocks = ptx::isLessI(e, part.firstBlock, part.end);
    auto branch = scf::IfOp::create(
        e, hasBlocks,
        [&](OpBuilder &builder, Location loc) {
          Emitter inner(loc, builder);
          Value hasNext = attend(inner, part, blocks, parts);
          Value count = arith::SubIOp::create(inner, part.end, part.firstBlock);
          scf::YieldOp::create(
              inner, ValueRange{ptx::plusI(inner, blocks, count),
                                ptx::plusI(inner, parts, 1), hasNext});
        },
        [&](OpBuilder &builder, Location loc) {
          Emitter inner(loc, builder);
          if (inputs.getProblem().readsEarly)
            ptx::waitForPreviousLaunch(inner);
          result.storeNothing(inner, part);
          scf::YieldOp::create(inner, ValueRange{blocks, parts, part.hasNext});
        });
    return Registers(branch.getResults());
  }

  Value attend(Emitter &e, const Part &part, Value blocks, Value parts) {
    block.getQueriesFull().wait(e, ptx::moduloI(e, parts, 2));
    ptx::fenceMatrixUnits(e);
    Registers ropeQueries = loadRopeQueries(e);
    // Their memory is one attender's probabilities from here on.
    block.getTogether(e).sync(e);

    // This attender's blocks are every second one, from this one on.
    Value turn = arith::AddIOp::create(e, blocks, attender);
    Value isLate = ptx::moduloI(e, turn, 2);
    AttenderState state = AttenderState::create(e);
    Value isEarly = ptx::isEqualI(e, isLate, 0);
    auto first = scf::IfOp::create(
        e, isEarly,
        [&](OpBuilder &builder, Location loc) {
          Emitter inner(loc, builder);
          AttenderState next =
              attendBlock(inner, part, part.firstBlock, blocks, ropeQueries,
                          state, /*isFirst=*/true);
          scf::YieldOp::create(inner, next.pack());
        },
        [&](OpBuilder &builder, Location loc) {
          scf::YieldOp::create(builder, loc, state.pack());
        });

    Value begin = arith::AddIOp::create(
        e, part.firstBlock, arith::SubIOp::create(e, ptx::i32(e, 2), isLate));
    auto loop = scf::ForOp::create(e, begin, part.end, ptx::i32(e, 2),
                                   Registers(first.getResults()));
    {
      OpBuilder::InsertionGuard guard(e);
      e.setInsertionPointToStart(loop.getBody());
      Value number = loop.getInductionVar();
      Value count = arith::AddIOp::create(
          e, blocks, arith::SubIOp::create(e, number, part.firstBlock));
      AttenderState next =
          attendBlock(e, part, number, count, ropeQueries,
                      AttenderState::unpack(loop.getRegionIterArgs()),
                      /*isFirst=*/false);
      scf::YieldOp::create(e, next.pack());
    }

    // The last block may be the other's.
    Value count = arith::SubIOp::create(e, part.end, part.firstBlock);
    Value rest = ptx::moduloI(e, arith::AddIOp::create(e, count, isLate), 2);
    Value isOthers = ptx::isEqualI(e, rest, 0);
    auto last = scf::IfOp::create(
        e, isOthers,
        [&](OpBuilder &builder, Location loc) {
          Emitter inner(loc, builder);
          AttenderState next =
              addOthersBlock(inner, AttenderState::unpack(loop.getResults()));
          next.outputs = releaseHalf(inner, other, next.outputs);
          scf::YieldOp::create(inner, next.pack());
        },
        [&](OpBuilder &builder, Location loc) {
          scf::YieldOp::create(builder, loc, loop.getResults());
        });
    return result.finish(e, part, AttenderState::unpack(last.getResults()));
  }

  //===--------------------------------------------------------------------===//
  // A block
  //===--------------------------------------------------------------------===//

  /// One of this attender's blocks, number `number` of the request and `count`
  /// of the kernel; ahead of it the other's block before, but for the first.
  AttenderState attendBlock(Emitter &e, const Part &part, Value number,
                            Value count, ValueRange ropeQueries,
                            AttenderState state, bool isFirst) {
    Value round = ptx::moduloI(e, ptx::dividedByI(e, count, 2), 2);
    bool addsFirst = !isFirst && keysComeLate();
    if (addsFirst)
      state = addOthersBlock(e, state);
    waitForPiece(e, attender, round);
    ptx::fenceMatrixUnits(e);
    ptx::fenceProducts(e);
    Registers scores = multiplyHalf(e, {}, ownHalf);
    ptx::commitProducts(e);
    if (addsFirst)
      state.outputs = releaseHalf(e, other, state.outputs, /*behind=*/1);
    else if (!isFirst)
      state = addOthersBlock(e, state);
    waitForPiece(e, other, round);
    waitForPiece(e, ptx::i32(e, WarpgroupBlock::kRopePiece), round);
    ptx::fenceMatrixUnits(e);
    ptx::fenceProducts(e);
    scores = multiplyHalf(e, scores, otherHalf);
    scores = multiplyRope(e, scores, ropeQueries);
    ptx::commitProducts(e);
    // What the softmax is about to read is read while products run.
    Value lacksKeys = softmax.lacksKeys(e);
    // The other's stage waits for nothing else: as early as possible.
    if (!isFirst && !addsFirst)
      state.outputs = releaseHalf(e, other, state.outputs, /*behind=*/1);
    scores = ptx::waitProducts(e, 0, scores);
    softmax.scaleFirst(e, scores);
    softmax.hideMissing(e, lacksKeys, scores);
    // Lanes need no barrier: they leave waitProducts together and read the same
    // flags, so that none goes another way, and the instructions by which all
    // of them have read flags and bias come before lane 0's arrival.
    arrive(e, block.getRopeFree(e, attender));
    softmax.hideUnseen(e, part, number, scores);
    softmax.raise(e, scores, state);
    state = addOwnBlock(e, scores, state);
    // Behind the product's start: the fence waits for what was stored, and this
    // attender's product needs none of it.
    softmax.publish(e);
    state.outputs = releaseHalf(e, attender, state.outputs);
    return state;
  }

  /// Whether a block's keys come later than the other's probabilities: where
  /// only one row tile reads them, from memory. That product is issued first
  /// then, and what it has read is brought again the sooner.
  bool keysComeLate() const {
    return !block.convertsKeys() &&
           inputs.getProblem().hasAtMostRows(WarpgroupBlock::kTileRows);
  }

  void waitForPiece(Emitter &e, Value piece, Value round) {
    block.getFull(e, attender, piece).wait(e, round);
  }

  void arrive(Emitter &e, const ptx::SharedBarrier &barrier) {
    runIf(e, ptx::isEqualI(e, lane, 0), [&](Emitter &e) { barrier.arrive(e); });
  }

  /// Waits for the product with the values of `stage`, behind which `behind`
  /// groups of products may run, and releases the keys of this attender's half
  /// as it goes.
  Registers releaseHalf(Emitter &e, Value stage, Registers outputs,
                        int64_t behind = 0) {
    constexpr int64_t parts = WarpgroupBlock::kKeyParts;
    for (int64_t part = parts - getProductGroups(); part < parts; ++part) {
      int64_t left = parts - 1 - part;
      if (left)
        ptx::waitProducts(e, behind + left, ValueRange());
      else
        outputs = ptx::waitProducts(e, behind, outputs);
      arrive(e, block.getHalfFree(e, stage, attender, part));
    }
    return outputs;
  }

  /// Groups of products that a block's probabilities are multiplied in.
  int64_t getProductGroups() const {
    return block.convertsKeys() ? 1 : WarpgroupBlock::kKeyParts;
  }

  //===--------------------------------------------------------------------===//
  // Products
  //===--------------------------------------------------------------------===//

  ptx::WarpgroupProduct getScoreProduct() const {
    return {WarpgroupBlock::kBlockKeys, elements};
  }
  /// ptxas wants one product's registers to fit in what a thread has at launch.
  ptx::WarpgroupProduct getOutputProduct() const {
    int64_t half = WarpgroupBlock::kHalf;
    return {block.convertsKeys() ? half / 2 : half, elements};
  }

  /// Issues o += p V of keys [first, end) of the block whose values begin at
  /// `tile`; `multiply` makes a product of the keys from `depth` on, sums and
  /// values. Of a block's products those of its first keys may be a group of
  /// their own.
  void multiplyValues(
      Emitter &e, AttenderState &state, const MatrixOperand &tile,
      int64_t first, int64_t end,
      function_ref<Registers(int64_t depth, ValueRange, ptx::MatrixDescriptor)>
          multiply) const {
    ptx::fenceProducts(e);
    MatrixOperand values = tile.advance(e, ownHalf);
    ptx::WarpgroupProduct product = getOutputProduct();
    for (int64_t depth = first; depth < end; depth += kDepth) {
      Registers results;
      for (int64_t column = 0; column < WarpgroupBlock::kHalf;
           column += product.n) {
        ValueRange sums =
            ValueRange(state.outputs).slice(column / 2, product.getRegisters());
        llvm::append_range(results,
                           multiply(depth, sums, values.get(e, depth, column)));
      }
      state.outputs = results;
      if ((depth + kDepth) %
              (WarpgroupBlock::kBlockKeys / getProductGroups()) ==
          0)
        ptx::commitProducts(e);
    }
  }

  /// scores += q K^T over one half of the latent columns, `half` bytes into
  /// both tiles.
  Registers multiplyHalf(Emitter &e, Registers scores, Value half) {
    static_assert(WarpgroupBlock::kTileRows == WarpgroupBlock::kBlockKeys);
    MatrixOperand q = queries.advance(e, half), k = ownKeys.advance(e, half);
    for (int64_t depth = 0; depth < WarpgroupBlock::kHalf; depth += kDepth)
      scores = ptx::multiply(e, getScoreProduct(), scores, q.get(e, depth),
                             Major::K, k.get(e, depth), Major::K);
    return scores;
  }

  Registers multiplyRope(Emitter &e, Registers scores, ValueRange ropeQueries) {
    for (int64_t depth = 0; depth < block.getRope(); depth += kDepth)
      scores = ptx::multiply(
          e, getScoreProduct(), scores,
          ropeQueries.slice(depth / kDepth * kDepthPairs, kDepthPairs),
          ownKeys.get(e, WarpgroupBlock::kLatent + depth), Major::K);
    return scores;
  }

  Registers loadRopeQueries(Emitter &e) {
    Registers all;
    constexpr int64_t box = WarpgroupBlock::kLatent / SwizzledTile::kBoxColumns;
    for (int64_t depth = 0; depth < block.getRope(); depth += kDepth) {
      Value chunk = ptx::plusI(e, matrixChunk, depth / 8);
      llvm::append_range(
          all, ptx::loadMatrices(
                   e, block.getQueries().getChunk(e, matrixRow, chunk, box),
                   /*transposed=*/false));
    }
    return all;
  }

  /// Issues o += p V of the other's block.
  AttenderState addOthersBlock(Emitter &e, AttenderState state) {
    block.getPublished(e, other).sync(e);
    Value maxima[kRows];
    for (int64_t i = 0; i < kRows; ++i)
      maxima[i] = ptx::loadShared(e, getRowPlace(e, block.getMaxima(), i),
                                  e.getF32Type())[0];
    softmax.rescale(e, state, maxima);
    multiplyValues(
        e, state, otherValues, /*first=*/0, WarpgroupBlock::kBlockKeys,
        [&](int64_t depth, ValueRange sums, ptx::MatrixDescriptor v) {
          return ptx::multiply(e, getOutputProduct(), sums,
                               otherProbabilities.get(e, depth), Major::K, v,
                               Major::MN);
        });
    return state;
  }

  /// Makes probabilities of this attender's scores, stores them, and issues
  /// o += p V, a group of keys after the other: while the first is multiplied
  /// the others' probabilities are made.
  AttenderState addOwnBlock(Emitter &e, ArrayRef<Value> scores,
                            AttenderState state) {
    int64_t keys = WarpgroupBlock::kBlockKeys / getProductGroups();
    MutableArrayRef<Value> sums = state.sums;
    for (int64_t first = 0; first < WarpgroupBlock::kBlockKeys; first += keys) {
      Registers part(scores.slice(first / 2, keys / 2));
      softmax.exponentiate(e, part, state);
      Registers pairs = packPairs(e, elements, part);
      softmax.store(e, pairs, first);
      if (first + keys == WarpgroupBlock::kBlockKeys)
        softmax.storeMaxima(e, state);
      addPairsToRows(e, elements, pairs, sums.take_front(kRows));
      addToRows(e, part, sums.drop_front(kRows));
      multiplyValues(
          e, state, ownValues, first, first + keys,
          [&](int64_t depth, ValueRange sums, ptx::MatrixDescriptor v) {
            ValueRange left = ValueRange(pairs).slice(
                (depth - first) / kDepth * kDepthPairs, kDepthPairs);
            return ptx::multiply(e, getOutputProduct(), sums, left, v,
                                 Major::MN);
          });
    }
    return state;
  }

  AttenderSoftmax softmax;
  AttenderResult result;
  MatrixOperand queries, ownKeys, ownValues, otherValues, otherProbabilities;
  Value ownHalf, otherHalf; ///< Where the halves start in a tile, in bytes.
};

} // namespace

void kernel::emitAttender(Emitter &e, const WarpgroupBlock &block,
                          const AttentionInputs &inputs, const SplitPlan &plan,
                          Value attender, Value thread) {
  Attender(e, block, inputs, plan, attender, thread).emit(e);
}
