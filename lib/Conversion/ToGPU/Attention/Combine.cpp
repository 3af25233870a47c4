//===- Combine.cpp - parts of requests to their results -------------------===//
//
// Two blocks of threads stand for each block of the attention kernel. Where
// that one had a part of a request that is cut, they make a share of the
// request's result, of the rows in its tile: a request with more parts is more
// work, and has more blocks. Nobody needs to know of other requests. Of two
// parts each has one of the blocks where rows are few, else half of the warps.
//
// What a block has to do follows from the lengths alone, and those are not what
// it waits for. The kernel of attention starts this one when it has itself
// waited for the launches before it, or behind a kernel that has
// (AttentionProblem::readsEarly): lengths are written by then, and nobody
// writes them before this kernel has ended. So the addresses of all parts are
// there when the wait ends.
//
//===----------------------------------------------------------------------===//

#include "Combine.h"
#include "../NVIDIA/Barriers.h"
#include "../NVIDIA/GlobalMemory.h"
#include "../NVIDIA/Warp.h"
#include "CombineShare.h"
#include "CombineTeam.h"
#include "Fragments.h"
#include "PartSums.h"
#include "Softmax.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;
using ptx::dividedByI;
using ptx::i32;
using ptx::isLessI;
using ptx::maxI;
using ptx::minI;
using ptx::minusI;
using ptx::moduloI;
using ptx::plusI;
using ptx::Registers;
using ptx::timesI;
using ptx::toI32;
using ptx::toI64;

static constexpr int64_t kF32Bytes = 4;

/// 1 / total; 0 for a row without keys.
static Value invert(Emitter &e, Value total) {
  Value zero = rows::constant(e, 0);
  Value isEmpty =
      arith::CmpFOp::create(e, arith::CmpFPredicate::OEQ, total, zero);
  return arith::SelectOp::create(e, isEmpty, zero,
                                 ptx::reciprocalFast(e, total));
}

namespace {

/// Some columns of a row.
struct Piece {
  Value exists; ///< i1.
  Value row;    ///< Of the tile; i32 like the others.
  Value column; ///< The lane's first.
  Value half;   ///< Of the row's columns.
};

class Combiner {
public:
  Combiner(Emitter &e, Kernel &kernel, const AttentionInputs &inputs,
           const AttentionSchedule &schedule, const SplitBuffers &buffers,
           PartFormat format, const CombineForm &form, const SplitPlan &plan,
           const CombineShare &share, Value warp)
      : chip(kernel.getChip()), inputs(inputs), problem(inputs.getProblem()),
        schedule(schedule), buffers(buffers), format(format), plan(plan),
        cut(share.cut), hasSlots(form.hasSlots),
        firstRow(timesI(e, plan.getRowTile(), schedule.tileRows)),
        sharing(e, chip, schedule, problem.latent, format, cut, getRows(e),
                warp, share.unit, share.units, form.getUnits()),
        team(e, kernel, warp, sharing) {}

  void emit(Emitter &e) { emitWith(e, sharing.laneParts); }

private:
  /// Parts of a lane that it has code for at least.
  static constexpr int64_t kFewestParts = 2;

  /// `mostParts`: of a lane. With half of them it has twice the pieces at once:
  /// a round costs a latency, however little it loads. Few rows are done in a
  /// round, and the code that they do not need would cost more.
  void emitWith(Emitter &e, int64_t mostParts) {
    int64_t half = mostParts / 2;
    if (hasSlots || half < kFewestParts)
      return emitRounds(e, mostParts);
    Value isHalf = isLessI(e, sharing.mostOwnParts, i32(e, half + 1));
    auto branch = scf::IfOp::create(e, isHalf, /*withElse=*/true);
    Emitter fewer(e.getLoc(), branch.getThenBodyBuilder());
    emitWith(fewer, half);
    Emitter all(e.getLoc(), branch.getElseBodyBuilder());
    emitRounds(all, mostParts);
  }

  void emitRounds(Emitter &e, int64_t mostParts) {
    // Where lanes have less than half of their parts there are no teams.
    bool hasTeams = mostParts == sharing.laneParts;
    int64_t count = sharing.laneParts / mostParts;
    // All warps of a unit go round as often: there may be barriers.
    scf::ForOp::create(
        e, sharing.firstPiece, sharing.pieces, timesI(e, sharing.step, count),
        ValueRange(),
        [&](OpBuilder &builder, Location loc, Value first, ValueRange) {
          Emitter e(loc, builder);
          SmallVector<Piece> pieces;
          Value number = plusI(e, first, timesI(e, cut.parts, sharing.team));
          for (int64_t i = 0; i < count; ++i)
            pieces.push_back(
                getPiece(e, plusI(e, number, timesI(e, sharing.step, i))));
          // A warp of a team has barriers even where its team has no piece.
          Value goes = pieces[0].exists;
          if (hasTeams)
            goes = arith::OrIOp::create(e, goes,
                                        isLessI(e, i32(e, 1), sharing.members));
          runIf(e, goes, [&](Emitter &e) {
            makePieces(e, pieces, mostParts, hasTeams);
          });
          scf::YieldOp::create(e);
        });
  }

  /// Of the request in the tile.
  Value getRows(Emitter &e) const {
    Value left = minusI(e, inputs.getRows(e, cut.request), firstRow);
    return maxI(e, minI(e, left, i32(e, schedule.tileRows)), i32(e, 0));
  }

  Piece getPiece(Emitter &e, Value number) const {
    Value row = arith::ShRUIOp::create(e, number, sharing.log2Slices);
    Value slice =
        minusI(e, number, arith::ShLIOp::create(e, row, sharing.log2Slices));
    Value lanes = timesI(e, slice, sharing.columnLanes);
    return {isLessI(e, number, sharing.pieces), row,
            timesI(e, plusI(e, lanes, sharing.columnLane), sharing.laneColumns),
            dividedByI(e, lanes, kHalfColumns / sharing.laneColumns)};
  }

  /// Of rows of `width` f32 the lane's parts of row `row` of the tile.
  PartPlaces getPlaces(Emitter &e, Value row, Value buffer,
                       int64_t width) const {
    constexpr int64_t slots = SplitBuffers::kSlotsPerGroup;
    constexpr int64_t rows = SplitBuffers::kGroupRows;
    int64_t rowBytes = width * kF32Bytes;
    Value group =
        plusI(e, minusI(e, plan.getGroup(), cut.number), sharing.firstPart);
    Value slot = plusI(e, timesI(e, group, slots), 1);
    Value rowGroup = plan.getRowGroup(e, slot, dividedByI(e, row, rows));
    Value bytes = plusI(e, timesI(e, toI64(e, rowGroup), rows * rowBytes),
                        toI64(e, timesI(e, moduloI(e, row, rows), rowBytes)));
    Value base = plusI(e, ptx::getGlobalAddress(e, buffer), bytes);
    // The request's first part is in the slot before that for later ones.
    Value before =
        arith::SelectOp::create(e, ptx::isEqualI(e, sharing.firstPart, 0),
                                ptx::i64(e, -rows * rowBytes), ptx::i64(e, 0));
    return {plusI(e, base, before), base, slots * rows * rowBytes};
  }

  static PartPlaces skip(Emitter &e, PartPlaces places, Value bytes) {
    Value wide = toI64(e, bytes);
    places.base = plusI(e, places.base, wide);
    places.first = plusI(e, places.first, wide);
    return places;
  }

  /// Where a lane's parts of a piece are.
  struct Places {
    PartPlaces outputs, sums;
  };
  Places getPlaces(Emitter &e, const Piece &piece) const {
    PartPlaces outputs =
        getPlaces(e, piece.row, buffers.outputs, problem.latent);
    PartPlaces sums =
        format == PartFormat::F32
            ? getPlaces(e, piece.row, buffers.sums, 1)
            : skip(e, outputs, getScaleOffset(e, problem.latent, piece.half));
    return {skip(e, outputs, timesI(e, piece.column, getElementBytes(format))),
            sums};
  }

  SmallVector<LoadedPiece> load(Emitter &e, ArrayRef<Piece> pieces,
                                int64_t mostParts) const {
    SmallVector<Places> places;
    Registers addresses;
    for (const Piece &piece : pieces) {
      places.push_back(getPlaces(e, piece));
      for (const PartPlaces &of : {places.back().outputs, places.back().sums})
        addresses.append({of.first, of.base});
    }
    if (chip.overlapsLaunches())
      ptx::waitForPreviousLaunch(e, addresses);
    SmallVector<LoadedPiece> loaded;
    for (auto [piece, of] : llvm::zip_equal(pieces, places)) {
      Value ownParts =
          arith::SelectOp::create(e, piece.exists, sharing.ownParts, i32(e, 0));
      loaded.push_back(LoadedPiece::load(e, mostParts, format, of.outputs,
                                         of.sums, ownParts));
    }
    if (chip.overlapsLaunches() && !hasSlots)
      ptx::startNextLaunch(e);
    return loaded;
  }

  void makePieces(Emitter &e, ArrayRef<Piece> pieces, int64_t mostParts,
                  bool hasTeams) {
    SmallVector<PartSums> all =
        addParts(e, sharing, format, load(e, pieces, mostParts));
    if (hasTeams)
      for (PartSums &sums : all)
        sums = team.add(e, sums);
    // Lanes that store with others are all here.
    SmallVector<Value> rounded;
    for (const PartSums &sums : all)
      rounded.push_back(round(e, sums));
    Value isFirst =
        ptx::isEqualI(e, plusI(e, sharing.member, sharing.partLane), 0);
    for (size_t i = 0; i < pieces.size(); ++i)
      runIf(e, both(e, pieces[i].exists, isFirst),
            [&](Emitter &e) { store(e, pieces[i], all[i], rounded[i]); });
  }

  /// The lane's columns of the result, rounded: a vector.
  Value round(Emitter &e, const PartSums &sums) const {
    Value inverse = invert(e, sums.total);
    Registers values;
    for (Value sum : sums.outputs)
      values.push_back(mul(e, sum, inverse));
    auto type = VectorType::get(sharing.laneColumns, e.getF32Type());
    Value rounded = fromF32(e, vector::FromElementsOp::create(e, type, values),
                            problem.outputElements);
    if (format != PartFormat::ScaledFragments)
      return rounded;
    // A pair is one word or two.
    constexpr int64_t quad = 4;
    int64_t pairWords = problem.outputElements.getIntOrFloatBitWidth() / 16;
    auto words = VectorType::get(quad * pairWords, e.getI32Type());
    Type ofRow = rounded.getType();
    rounded = vector::BitCastOp::create(e, words, rounded);
    Registers all(quad * pairWords);
    for (int64_t word = 0; word < pairWords; ++word) {
      Registers pairs;
      for (int64_t i = 0; i < quad; ++i)
        pairs.push_back(
            vector::ExtractOp::create(e, rounded, i * pairWords + word));
      for (auto [i, moved] : llvm::enumerate(transposeQuad(e, pairs)))
        all[i * pairWords + word] = moved;
    }
    rounded = vector::FromElementsOp::create(e, words, all);
    return vector::BitCastOp::create(e, ofRow, rounded);
  }

  /// `rounded` are the lane's columns; the first lane has the row's lse, too.
  void store(Emitter &e, const Piece &piece, const PartSums &sums,
             Value rounded) const {
    Value row = plusI(e, inputs.getFirstRow(e, cut.request),
                      plusI(e, firstRow, piece.row));
    Type elements = problem.outputElements;
    int64_t bytes = elements.getIntOrFloatBitWidth() / 8;
    Value output = inputs.getOutput(e, row);
    ptx::storeAligned(
        e, plusI(e, output, toI64(e, timesI(e, piece.column, bytes))), rounded,
        std::min(problem.getOutputAlignment(), sharing.laneColumns * bytes));
    runIf(e, ptx::isEqualI(e, piece.column, 0), [&](Emitter &e) {
      Value isEmpty = arith::CmpFOp::create(e, arith::CmpFPredicate::OEQ,
                                            sums.total, rows::constant(e, 0));
      Value log2 = add(e, sums.base, ptx::log2Fast(e, sums.total));
      inputs.storeLSE(e, row,
                      arith::SelectOp::create(e, isEmpty, minusInfinity(e),
                                              toNaturalLog(e, log2)));
    });
  }

  const Chip &chip;
  const AttentionInputs &inputs;
  const AttentionProblem &problem;
  const AttentionSchedule &schedule;
  const SplitBuffers &buffers;
  PartFormat format;
  const SplitPlan &plan;
  CutPart cut;
  bool hasSlots;  ///< CombineForm::hasSlots.
  Value firstRow; ///< Of the tile.
  PartSharing sharing;
  CombineTeam team;
};

} // namespace

void kernel::launchCombine(Emitter &e, const Chip &chip,
                           const AttentionProblem &problem,
                           const AttentionSchedule &schedule,
                           const SplitBuffers &buffers, PartFormat format) {
  if (!buffers.mayCut())
    return;
  CombineForm form = CombineForm::get(problem);
  Kernel kernel(e, chip, times(e, buffers.getGrid(e), kCombineShares),
                rows::index(e, 1), PartSharing::kWarps * chip.subgroupSize);
  kernel.setBlocksPerMultiprocessor(form.blocksPerMultiprocessor);
  if (chip.overlapsLaunches()) {
    kernel.setOverlapsPrevious();
    if (form.hasSlots)
      kernel.setDynamicShared(form.getUnusedSharedBytes(chip));
  }
  Emitter body = kernel.getBody();
  // With few rows this kernel's blocks are on half of the multiprocessors, and
  // the next launch's come to the others before this one's wait is over. They
  // may read what the first launch of a function has waited for (Overlap.h):
  // this kernel's blocks exist once all of attention's have let it start, and
  // those did behind their own wait, or behind a launch that has waited.
  bool startsNextAhead = chip.overlapsLaunches() && form.hasSlots;
  if (startsNextAhead)
    ptx::startNextLaunch(body);
  AttentionInputs inputs(body, problem);
  Value block = toI32(body, kernel.getBlock());
  Value ofAttention = dividedByI(body, block, kCombineShares);
  Value number = moduloI(body, block, kCombineShares);
  if (form.hasSlots) {
    // Most requests that are cut have many parts, and all but one of them are
    // in later slots: those blocks come first, ahead of such that leave.
    Value grid = toI32(body, buffers.getGrid(body));
    Value isFirst = isLessI(body, block, grid);
    ofAttention = select(body, isFirst, block, minusI(body, block, grid));
    number = select(body, isFirst, i32(body, 1), i32(body, 0));
  }
  SplitPlan plan = SplitPlan::createForCombining(
      body, kernel, inputs, schedule, buffers, ofAttention,
      form.hasSlots ? number : Value());
  Value warp =
      dividedByI(body, toI32(body, kernel.getThread()), chip.subgroupSize);
  CombineShare share = CombineShare::create(body, plan, form, number);
  runIf(body, share.cut.exists, [&](Emitter &e) {
    Combiner(e, kernel, inputs, schedule, buffers, format, form, plan, share,
             warp)
        .emit(e);
  });
  if (chip.overlapsLaunches()) {
    // This kernel's end stands for that of all before: one block that waits is
    // enough.
    Value waits;
    if (form.hasSlots)
      waits = isEqual(body, kernel.getBlock(), 0);
    runIf(body, waits, [](Emitter &e) { ptx::waitForPreviousLaunch(e); });
    if (!startsNextAhead)
      ptx::startNextLaunch(body);
  }
}
