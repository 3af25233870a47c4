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
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"
#include <limits>

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;
using ptx::Major;
using ptx::MatrixOperand;
using ptx::Registers;
using ptx::SwizzledTile;

static constexpr double kSlack = 8;
static constexpr int64_t kDepth = 16; ///< Of one product.
static constexpr int64_t kScores = WarpgroupBlock::kBlockKeys / 2;
static constexpr int64_t kOutputs = WarpgroupBlock::kHalf / 2;
/// Rows of one thread: r and r + 8.
static constexpr int64_t kRows = 2;

static Value minusInfinity(Emitter &e) {
  return constant(e, -std::numeric_limits<double>::infinity());
}

static Value select(Emitter &e, Value condition, Value a, Value b) {
  return arith::SelectOp::create(e, condition, a, b);
}

static Value isMinusInfinity(Emitter &e, Value value) {
  return arith::CmpFOp::create(e, arith::CmpFPredicate::OEQ, value,
                               minusInfinity(e));
}

static double getSoftmaxScale(const AttentionProblem &problem) {
  LatentAttentionOp op = problem.op;
  return op.getSoftmaxScale().convertToDouble();
}

namespace {

/// What an attender carries from block to block.
struct State {
  Registers outputs;    ///< kOutputs, in the order of a product's D.
  Value maxima[kRows];  ///< What they are relative to.
  Value sums[kRows];    ///< Of this thread's columns of its own blocks.

  Registers pack() const {
    Registers all(outputs);
    llvm::append_range(all, maxima);
    llvm::append_range(all, sums);
    return all;
  }
  static State unpack(ValueRange all) {
    State state;
    llvm::append_range(state.outputs, all.take_front(kOutputs));
    for (int64_t row = 0; row < kRows; ++row) {
      state.maxima[row] = all[kOutputs + row];
      state.sums[row] = all[kOutputs + kRows + row];
    }
    return state;
  }
};

class Attender {
public:
  Attender(Emitter &e, const WarpgroupBlock &block,
           const AttentionInputs &inputs, const SplitPlan &plan, Value attender,
           Value thread)
      : block(block), inputs(inputs), plan(plan),
        elements(inputs.getProblem().elements), attender(attender),
        other(arith::XOrIOp::create(e, attender, ptx::i32(e, 1))),
        lane(ptx::moduloI(e, thread, 32)),
        warpRow(ptx::timesI(e, ptx::dividedByI(e, thread, 32), 16)),
        quad(ptx::moduloI(e, lane, 4)),
        row(ptx::plusI(e, warpRow, ptx::dividedByI(e, lane, 4))),
        queries(e, block.getQueries(), Major::K),
        ownKeys(e, block.getKeys(e, attender), Major::K),
        ownValues(e, block.getKeys(e, attender), Major::MN),
        otherValues(e, block.getKeys(e, other), Major::MN),
        otherProbabilities(e, block.getProbabilities(e, other), Major::K),
        softmaxScale(getSoftmaxScale(inputs.getProblem()) *
                     llvm::numbers::log2e),
        scale(constant(e, softmaxScale > 0 ? softmaxScale : 1)) {
    ptx::raiseRegisters(e, block.getAttenderRegisters());
    LatentAttentionOp op = inputs.getProblem().op;
    if (op.getKScale())
      keyScale = inputs.loadKScale(e);
    ownHalf = ptx::timesI(e, attender, getHalfBytes());
    otherHalf = ptx::timesI(e, other, getHalfBytes());
    // stmatrix: lane l names row l mod 8 (+ 8) of 8 (+ 8) columns.
    probabilityRow = ptx::plusI(
        e, warpRow,
        ptx::moduloI(e, lane, 16));
    probabilityChunk = ptx::dividedByI(e, lane, 16);
  }

  void emit(Emitter &e) {
    Registers none = {ptx::i32(e, 0), ptx::i32(e, 0)};
    plan.forEachPart(
        e, none, [&](Emitter &e, const Part &part, ValueRange state) {
          return emitPart(e, part, state[0], state[1]);
        });
  }

private:
  static int64_t getHalfBytes() {
    return WarpgroupBlock::kHalf / SwizzledTile::kBoxColumns *
           WarpgroupBlock::kBlockKeys * SwizzledTile::kRowBytes;
  }

  //===--------------------------------------------------------------------===//
  // A part
  //===--------------------------------------------------------------------===//

  Registers emitPart(Emitter &e, const Part &part, Value blocks, Value parts) {
    announce(e, part);
    Value hasBlocks = ptx::isLessI(e, part.firstBlock, part.end);
    auto branch = scf::IfOp::create(
        e, hasBlocks,
        [&](OpBuilder &builder, Location loc) {
          Emitter inner(loc, builder);
          attend(inner, part, blocks, parts);
          Value count = arith::SubIOp::create(inner, part.end, part.firstBlock);
          scf::YieldOp::create(
              inner, ValueRange{ptx::plusI(inner, blocks, count),
                                ptx::plusI(inner, parts, 1)});
        },
        [&](OpBuilder &builder, Location loc) {
          Emitter inner(loc, builder);
          State nothing = start(inner);
          Value total = constant(inner, 0);
          store(inner, part, nothing, {total, total});
          scf::YieldOp::create(inner, ValueRange{blocks, parts});
        });
    return Registers(branch.getResults());
  }

  /// Tells the combining kernel where the request's parts are.
  void announce(Emitter &e, const Part &part) {
    Value number = ptx::plusI(e, plan.getRowTile(), attender);
    number = arith::AddIOp::create(e, number, warpRow);
    number = arith::AddIOp::create(e, number, lane);
    runIf(e, ptx::isEqualI(e, number, 0),
          [&](Emitter &e) { plan.storeParts(e, part); });
  }

  State start(Emitter &e) {
    State state;
    state.outputs.assign(kOutputs, constant(e, 0));
    for (int64_t i = 0; i < kRows; ++i) {
      state.maxima[i] = minusInfinity(e);
      state.sums[i] = constant(e, 0);
    }
    return state;
  }

  void attend(Emitter &e, const Part &part, Value blocks, Value parts) {
    block.getQueriesFull().wait(e, ptx::moduloI(e, parts, 2));
    ptx::fenceMatrixUnits(e);
    Registers ropeQueries = loadRopeQueries(e);
    // Their memory is one attender's probabilities from here on.
    block.getTogether(e).sync(e);

    // This attender's blocks are every second one, from this one on.
    Value turn = arith::AddIOp::create(e, blocks, attender);
    Value isLate = ptx::moduloI(e, turn, 2);
    State state = start(e);
    Value isEarly = ptx::isEqualI(e, isLate, 0);
    auto first = scf::IfOp::create(
        e, isEarly,
        [&](OpBuilder &builder, Location loc) {
          Emitter inner(loc, builder);
          State next = attendBlock(inner, part, part.firstBlock, blocks,
                                   ropeQueries, state, /*isFirst=*/true);
          scf::YieldOp::create(inner, next.pack());
        },
        [&](OpBuilder &builder, Location loc) {
          scf::YieldOp::create(builder, loc, state.pack());
        });

    Value begin = arith::AddIOp::create(
        e, part.firstBlock,
        arith::SubIOp::create(e, ptx::i32(e, 2), isLate));
    auto loop = scf::ForOp::create(e, begin, part.end, ptx::i32(e, 2),
                                   Registers(first.getResults()));
    {
      OpBuilder::InsertionGuard guard(e);
      e.setInsertionPointToStart(loop.getBody());
      Value number = loop.getInductionVar();
      Value count = arith::AddIOp::create(
          e, blocks, arith::SubIOp::create(e, number, part.firstBlock));
      State next = attendBlock(e, part, number, count, ropeQueries,
                               State::unpack(loop.getRegionIterArgs()),
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
          State next =
              addOthersBlock(inner, State::unpack(loop.getResults()));
          ptx::commitProducts(inner);
          next.outputs = ptx::waitProducts(inner, 0, next.outputs);
          release(inner, other, attender);
          scf::YieldOp::create(inner, next.pack());
        },
        [&](OpBuilder &builder, Location loc) {
          scf::YieldOp::create(builder, loc, loop.getResults());
        });
    finish(e, part, State::unpack(last.getResults()));
  }

  //===--------------------------------------------------------------------===//
  // A block
  //===--------------------------------------------------------------------===//

  /// One of this attender's blocks, number `number` of the request and `count`
  /// of the kernel; ahead of it the other's block before, but for the first.
  State attendBlock(Emitter &e, const Part &part, Value number, Value count,
                    ValueRange ropeQueries, State state, bool isFirst) {
    Value round = ptx::moduloI(e, ptx::dividedByI(e, count, 2), 2);
    waitForPiece(e, attender, round);
    ptx::fenceMatrixUnits(e);
    ptx::fenceProducts(e);
    Registers scores = multiplyHalf(e, {}, ownHalf);
    ptx::commitProducts(e);
    if (!isFirst) {
      state = addOthersBlock(e, state);
      ptx::commitProducts(e);
    }
    waitForPiece(e, other, round);
    waitForPiece(e, ptx::i32(e, WarpgroupBlock::kRopePiece), round);
    ptx::fenceMatrixUnits(e);
    ptx::fenceProducts(e);
    scores = multiplyHalf(e, scores, otherHalf);
    scores = multiplyRope(e, scores, ropeQueries);
    ptx::commitProducts(e);
    if (!isFirst) {
      // The other's stage waits for nothing else: as early as possible.
      state.outputs = ptx::waitProducts(e, 1, state.outputs);
      release(e, other, attender);
    }
    scores = ptx::waitProducts(e, 0, scores);
    if (keyScale)
      for (Value &score : scores)
        score = mul(e, score, keyScale);
    if (softmaxScale <= 0)
      for (Value &score : scores)
        score = mul(e, score, constant(e, softmaxScale));

    hideMissing(e, scores);
    release(e, attender, ptx::i32(e, WarpgroupBlock::kRopePiece));
    hideUnseen(e, part, number, scores);
    Value maxima[kRows];
    findMaxima(e, scores, state, maxima);
    exponentiate(e, scores, maxima);
    Registers pairs = packPairs(e, scores);
    publish(e, pairs, maxima);
    rescale(e, state, maxima);
    addSums(e, scores, state);
    return addOwnBlock(e, pairs, state);
  }

  void waitForPiece(Emitter &e, Value piece, Value round) {
    block.getFull(e, attender, piece).wait(e, round);
  }

  /// The last product of this attender that reads the piece is done.
  void release(Emitter &e, Value stage, Value piece) {
    runIf(e, ptx::isEqualI(e, lane, 0),
          [&](Emitter &e) { block.getFree(e, stage, piece).arrive(e); });
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

  /// Issues o += p V for kDepth keys from `depth` on; `multiply` makes a product
  /// of the registers and the values that it is given.
  Registers
  multiplyValues(Emitter &e, const Registers &outputs,
                 const MatrixOperand &values, int64_t depth,
                 function_ref<Registers(ValueRange, ptx::MatrixDescriptor)>
                     multiply) const {
    ptx::WarpgroupProduct product = getOutputProduct();
    Registers results;
    for (int64_t column = 0; column < WarpgroupBlock::kHalf;
         column += product.n) {
      ValueRange sums =
          ValueRange(outputs).slice(column / 2, product.getRegisters());
      llvm::append_range(results,
                         multiply(sums, values.get(e, depth, column)));
    }
    return results;
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
          ropeQueries.slice(depth / kDepth * 4, 4),
          ownKeys.get(e, WarpgroupBlock::kLatent + depth), Major::K);
    return scores;
  }

  Registers loadRopeQueries(Emitter &e) {
    Registers all;
    constexpr int64_t box =
        WarpgroupBlock::kLatent / SwizzledTile::kBoxColumns;
    for (int64_t depth = 0; depth < block.getRope(); depth += kDepth) {
      Value chunk = ptx::plusI(e, probabilityChunk, depth / 8);
      llvm::append_range(
          all, ptx::loadMatrices(e,
                                 block.getQueries().getChunk(
                                     e, probabilityRow, chunk, box),
                                 /*transposed=*/false));
    }
    return all;
  }

  /// Issues o += p V of the other's block.
  State addOthersBlock(Emitter &e, State state) {
    block.getPublished(e, other).sync(e);
    Value maxima[kRows];
    for (int64_t i = 0; i < kRows; ++i)
      maxima[i] = ptx::loadShared(e, getRowPlace(e, block.getMaxima(), i),
                                  e.getF32Type())[0];
    rescale(e, state, maxima);
    ptx::fenceProducts(e);
    MatrixOperand values = otherValues.advance(e, ownHalf);
    for (int64_t depth = 0; depth < WarpgroupBlock::kBlockKeys; depth += kDepth)
      state.outputs = multiplyValues(
          e, state.outputs, values, depth,
          [&](ValueRange sums, ptx::MatrixDescriptor v) {
            return ptx::multiply(e, getOutputProduct(), sums,
                                 otherProbabilities.get(e, depth), Major::K, v,
                                 Major::MN);
          });
    return state;
  }

  /// o += p V of this attender's block.
  State addOwnBlock(Emitter &e, ValueRange pairs, State state) {
    ptx::fenceProducts(e);
    MatrixOperand values = ownValues.advance(e, ownHalf);
    for (int64_t depth = 0; depth < WarpgroupBlock::kBlockKeys; depth += kDepth)
      state.outputs = multiplyValues(
          e, state.outputs, values, depth,
          [&](ValueRange sums, ptx::MatrixDescriptor v) {
            return ptx::multiply(e, getOutputProduct(), sums,
                                 pairs.slice(depth / kDepth * 4, 4), v,
                                 Major::MN);
          });
    ptx::commitProducts(e);
    state.outputs = ptx::waitProducts(e, 0, state.outputs);
    release(e, attender, attender);
    return state;
  }

  //===--------------------------------------------------------------------===//
  // Softmax
  //===--------------------------------------------------------------------===//

  /// The row, of this thread's two, of a register of a product's D; its column
  /// is getColumn + 2 * quad.
  static int64_t getRow(int64_t i) { return i / 2 % 2; }
  static int64_t getColumn(int64_t i) { return i / 4 * 8 + i % 2; }

  /// Element of this thread's row `i` of an array of rows.
  ptx::Address getRowPlace(Emitter &e, ptx::Address array, int64_t i) {
    return array.advance(e, ptx::timesI(e, row, 4)) + i * 8 * 4;
  }

  /// Scores of keys that do not exist.
  void hideMissing(Emitter &e, Registers &scores) {
    Registers flags = ptx::loadShared(e, block.getMissing(e, attender),
                                      e.getI32Type(),
                                      WarpgroupBlock::kGroupWarps);
    Value flag = flags[0];
    for (Value other : ArrayRef(flags).drop_front())
      flag = arith::OrIOp::create(e, flag, other);
    Value isAny =
        arith::CmpIOp::create(e, arith::CmpIPredicate::ne, flag, ptx::i32(e, 0));
    changeScores(e, isAny, scores, [&](Emitter &e, Registers &scores) {
      ptx::Address bias =
          block.getBias(e, attender).advance(e, ptx::timesI(e, quad, 8));
      for (int64_t column = 0; column < WarpgroupBlock::kBlockKeys;
           column += 8) {
        Registers pair =
            ptx::loadShared(e, bias + column * 4, e.getF32Type(), 2);
        for (int64_t i = column / 2; i < column / 2 + 4; ++i)
          scores[i] = add(e, scores[i], pair[i % 2]);
      }
    });
  }

  /// Queries before the last of a request see fewer keys.
  void hideUnseen(Emitter &e, const Part &part, Value number,
                  Registers &scores) {
    LatentAttentionOp op = inputs.getProblem().op;
    auto type = cast<MemRefType>(op.getQ().getType());
    if (op.getIndices() || type.getDimSize(1) == 1)
      return;
    Value begin = ptx::timesI(e, number, WarpgroupBlock::kBlockKeys);
    Value end = ptx::plusI(e, begin, WarpgroupBlock::kBlockKeys);
    Value firstRow =
        ptx::timesI(e, plan.getRowTile(), WarpgroupBlock::kTileRows);
    // The tile's first row sees the fewest.
    Value isAny = ptx::isLessI(e, visible(e, part, firstRow, 0), end);
    changeScores(e, isAny, scores, [&](Emitter &e, Registers &scores) {
      Value firstColumn = ptx::plusI(e, begin, ptx::timesI(e, quad, 2));
      Value tileRow = ptx::plusI(e, firstRow, row);
      Value seen[kRows];
      for (int64_t i = 0; i < kRows; ++i)
        seen[i] = visible(e, part, tileRow, i);
      for (int64_t i = 0; i < kScores; ++i) {
        Value column = ptx::plusI(e, firstColumn, getColumn(i));
        scores[i] = select(e, ptx::isLessI(e, column, seen[getRow(i)]),
                           scores[i], minusInfinity(e));
      }
    });
  }

  /// Runs `change` where `condition` holds.
  static void changeScores(Emitter &e, Value condition, Registers &scores,
                           function_ref<void(Emitter &, Registers &)> change) {
    Registers before = scores;
    auto branch = scf::IfOp::create(
        e, condition,
        [&](OpBuilder &builder, Location loc) {
          Emitter inner(loc, builder);
          Registers changed = before;
          change(inner, changed);
          scf::YieldOp::create(inner, changed);
        },
        [&](OpBuilder &builder, Location loc) {
          scf::YieldOp::create(builder, loc, before);
        });
    scores = Registers(branch.getResults());
  }

  Value visible(Emitter &e, const Part &part, Value tileRow, int64_t i) {
    return inputs.getVisibleKeys(e, part.length, ptx::plusI(e, tileRow, i * 8));
  }

  void findMaxima(Emitter &e, ValueRange scores, const State &state,
                  Value (&maxima)[kRows]) {
    for (int64_t i = 0; i < kRows; ++i) {
      Value most;
      for (int64_t j = 0; j < kScores; ++j)
        if (getRow(j) == i)
          most = most ? largest(e, most, scores[j]) : Value(scores[j]);
      for (int64_t mask : {1, 2})
        most = largest(e, most, ptx::exchange(e, most, mask));
      most = mul(e, most, scale);
      Value limit = add(e, state.maxima[i], constant(e, kSlack));
      Value exceeds =
          arith::CmpFOp::create(e, arith::CmpFPredicate::OGT, most, limit);
      maxima[i] = select(e, exceeds, most, state.maxima[i]);
    }
  }

  /// What exponents are relative to: 0 while a row has seen no key, so that no
  /// infinities are subtracted.
  static Value getReference(Emitter &e, Value maximum) {
    return select(e, isMinusInfinity(e, maximum), constant(e, 0), maximum);
  }

  void exponentiate(Emitter &e, Registers &scores, Value (&maxima)[kRows]) {
    Value shifts[kRows];
    for (int64_t i = 0; i < kRows; ++i)
      shifts[i] = arith::NegFOp::create(e, getReference(e, maxima[i]));
    for (int64_t i = 0; i < kScores; ++i)
      scores[i] = ptx::exp2Fast(
          e, ptx::fusedMultiplyAdd(e, scores[i], scale, shifts[getRow(i)]));
  }

  /// The probabilities as operands of products: four registers per kDepth keys.
  Registers packPairs(Emitter &e, ValueRange scores) {
    Registers pairs;
    for (int64_t i = 0; i < kScores; i += 2)
      pairs.push_back(ptx::packPair(e, elements, scores[i], scores[i + 1]));
    return pairs;
  }

  void publish(Emitter &e, ValueRange pairs, Value (&maxima)[kRows]) {
    SwizzledTile tile = block.getProbabilities(e, attender);
    for (int64_t depth = 0; depth < WarpgroupBlock::kBlockKeys;
         depth += kDepth) {
      Value chunk = ptx::plusI(e, probabilityChunk, depth / 8);
      ptx::storeMatrices(e, tile.getChunk(e, probabilityRow, chunk),
                         pairs.slice(depth / kDepth * 4, 4),
                         /*transposed=*/false);
    }
    runIf(e, ptx::isEqualI(e, quad, 0), [&](Emitter &e) {
      for (int64_t i = 0; i < kRows; ++i)
        ptx::storeShared(e, getRowPlace(e, block.getMaxima(), i), maxima[i]);
    });
    ptx::fenceMatrixUnits(e);
    block.getPublished(e, attender).arrive(e);
  }

  /// Makes the state relative to `maxima`.
  void rescale(Emitter &e, State &state, Value (&maxima)[kRows]) {
    Value differs;
    for (int64_t i = 0; i < kRows; ++i) {
      Value moved = arith::CmpFOp::create(e, arith::CmpFPredicate::UNE,
                                          maxima[i], state.maxima[i]);
      differs = differs ? arith::OrIOp::create(e, differs, moved) : moved;
    }
    differs = ptx::holdsInAnyLane(e, differs);
    Registers relative(state.outputs);
    llvm::append_range(relative, state.sums);
    auto branch = scf::IfOp::create(
        e, differs,
        [&](OpBuilder &builder, Location loc) {
          Emitter inner(loc, builder);
          Value factors[kRows];
          for (int64_t i = 0; i < kRows; ++i)
            factors[i] = ptx::exp2Fast(
                inner, arith::SubFOp::create(inner, state.maxima[i],
                                             getReference(inner, maxima[i])));
          Registers scaled;
          for (int64_t i = 0; i < kOutputs; ++i)
            scaled.push_back(
                mul(inner, state.outputs[i], factors[getRow(i)]));
          for (int64_t i = 0; i < kRows; ++i)
            scaled.push_back(mul(inner, state.sums[i], factors[i]));
          scf::YieldOp::create(inner, scaled);
        },
        [&](OpBuilder &builder, Location loc) {
          scf::YieldOp::create(builder, loc, relative);
        });
    ValueRange results = branch.getResults();
    state.outputs.assign(results.begin(), results.begin() + kOutputs);
    for (int64_t i = 0; i < kRows; ++i) {
      state.sums[i] = results[kOutputs + i];
      state.maxima[i] = maxima[i];
    }
  }

  void addSums(Emitter &e, ValueRange scores, State &state) {
    for (int64_t i = 0; i < kScores; ++i)
      state.sums[getRow(i)] = add(e, state.sums[getRow(i)], scores[i]);
  }

  //===--------------------------------------------------------------------===//
  // The result
  //===--------------------------------------------------------------------===//

  void finish(Emitter &e, const Part &part, State state) {
    for (Value &sum : state.sums)
      for (int64_t mask : {1, 2})
        sum = add(e, sum, ptx::exchange(e, sum, mask));
    // All products with the queries and with probabilities are done.
    block.getTogether(e).sync(e);
    Value bytes = ptx::timesI(e, attender, WarpgroupBlock::kTileRows * 4);
    runIf(e, ptx::isEqualI(e, quad, 0), [&](Emitter &e) {
      for (int64_t i = 0; i < kRows; ++i)
        ptx::storeShared(
            e, getRowPlace(e, block.getSums(0).advance(e, bytes), i),
            state.sums[i]);
    });
    block.getTogether(e).sync(e);
    Value totals[kRows];
    for (int64_t i = 0; i < kRows; ++i) {
      Value parts[WarpgroupBlock::kAttenders];
      for (int64_t j = 0; j < WarpgroupBlock::kAttenders; ++j)
        parts[j] = ptx::loadShared(e, getRowPlace(e, block.getSums(j), i),
                                   e.getF32Type())[0];
      totals[i] = add(e, parts[0], parts[1]);
    }
    ptx::syncWarp(e);
    runIf(e, ptx::isEqualI(e, lane, 0),
          [&](Emitter &e) { block.getQueriesFree().arrive(e); });
    store(e, part, state, totals);
  }

  /// Divides by `totals` and stores this thread's rows.
  void store(Emitter &e, const Part &part, const State &state,
             ArrayRef<Value> totals) {
    Value rows = inputs.getRows(e, part.request);
    Value first = inputs.getFirstRow(e, part.request);
    Value tileRow = ptx::plusI(
        e, ptx::timesI(e, plan.getRowTile(), WarpgroupBlock::kTileRows), row);
    for (int64_t i = 0; i < kRows; ++i) {
      Value number = ptx::plusI(e, tileRow, i * 8);
      Value zero = constant(e, 0);
      Value isEmpty = arith::CmpFOp::create(e, arith::CmpFPredicate::OEQ,
                                            totals[i], zero);
      Value inverse = select(
          e, isEmpty, zero,
          arith::DivFOp::create(e, constant(e, 1), totals[i]));
      if (keyScale)
        inverse = mul(e, inverse, keyScale);
      Value sum = select(
          e, isEmpty, minusInfinity(e),
          add(e, state.maxima[i], ptx::log2Fast(e, totals[i])));
      Registers values;
      for (int64_t j = 0; j < kOutputs; ++j)
        if (getRow(j) == i)
          values.push_back(mul(e, state.outputs[j], inverse));
      runIf(e, ptx::isLessI(e, number, rows), [&](Emitter &e) {
        storeRow(e, part, arith::AddIOp::create(e, first, number), i, values,
                 sum);
      });
    }
  }

  void storeRow(Emitter &e, const Part &part, Value globalRow, int64_t i,
                ValueRange values, Value sum) {
    Value column = ptx::plusI(
        e, ptx::timesI(e, attender, WarpgroupBlock::kHalf),
        ptx::timesI(e, quad, 2));
    Value isFirst = ptx::isEqualI(
        e, arith::AddIOp::create(e, quad, attender), 0);
    auto storeWhole = [&](Emitter &e) {
      LatentAttentionOp op = inputs.getProblem().op;
      storeValues(e, inputs.getOutput(e, globalRow), column, values,
                  inputs.getProblem().outputElements);
      if (op.getLseInit())
        runIf(e, isFirst, [&](Emitter &e) {
          inputs.storeLSE(e, globalRow,
                          mul(e, sum, constant(e, llvm::numbers::ln2)));
        });
    };
    auto storePartial = [&](Emitter &e) {
      Value tileRow = ptx::plusI(e, row, i * 8);
      Value bytes = ptx::toI64(
          e, ptx::timesI(e, tileRow, WarpgroupBlock::kLatent * 4));
      storeValues(e,
                  arith::AddIOp::create(e, plan.getPartialOutputs(e, part),
                                        bytes),
                  column, values, e.getF32Type());
      runIf(e, isFirst, [&](Emitter &e) {
        Value place = arith::AddIOp::create(
            e, plan.getPartialSums(e, part),
            ptx::toI64(e, ptx::timesI(e, tileRow, 4)));
        ptx::storeGlobal(e, place, sum);
      });
    };
    if (!plan.mayCut())
      return storeWhole(e);
    auto branch = scf::IfOp::create(e, part.isWhole, /*withElse=*/true);
    Emitter whole(e.getLoc(), branch.getThenBodyBuilder());
    storeWhole(whole);
    Emitter partial(e.getLoc(), branch.getElseBodyBuilder());
    storePartial(partial);
  }

  /// Pairs of columns `column`, `column` + 8, ... of a row.
  void storeValues(Emitter &e, Value address, Value column, ValueRange values,
                   Type type) {
    int64_t bytes = type.getIntOrFloatBitWidth() / 8;
    Value place = arith::AddIOp::create(
        e, address, ptx::toI64(e, ptx::timesI(e, column, bytes)));
    for (unsigned i = 0; i < values.size(); i += 2) {
      Registers pair = {values[i], values[i + 1]};
      if (!type.isF32())
        pair = {ptx::packPair(e, type, values[i], values[i + 1])};
      ptx::storeGlobal(e, place, pair, i / 2 * 8 * bytes);
    }
  }

  const WarpgroupBlock &block;
  const AttentionInputs &inputs;
  const SplitPlan &plan;
  Type elements;
  Value attender, other;         ///< Their numbers.
  Value lane, warpRow, quad, row; ///< Of this thread.
  MatrixOperand queries, ownKeys, ownValues, otherValues, otherProbabilities;
  /// In units of log2(e). `scale` is what is left to be multiplied when the
  /// largest score is known: a factor that is not positive changes which it is.
  double softmaxScale;
  Value scale;
  /// A factor of keys and values alike; null: 1.
  Value keyScale;
  Value ownHalf, otherHalf; ///< Where the halves start in a tile, in bytes.
  Value probabilityRow, probabilityChunk;
};

} // namespace

void kernel::emitAttender(Emitter &e, const WarpgroupBlock &block,
                          const AttentionInputs &inputs, const SplitPlan &plan,
                          Value attender, Value thread) {
  Attender(e, block, inputs, plan, attender, thread).emit(e);
}
