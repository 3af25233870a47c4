//===- Combine.cpp - parts of requests to their results -------------------===//
//
// Some blocks of threads stand for each block of the attention kernel. Where
// that one had a part of a request that is cut, they make a share of the
// request's result, of the rows in their tile: a request with more parts is
// more work, and has more shares. Nobody needs to know of other requests.
//
// A piece is 16 bytes a lane of a warp: 128 or 256 columns of a row. A warp has
// all parts of a piece, or, where they are many, a team of a block's warps has
// them in turn. There is little to do, and most of it is not adding: so a warp
// has some loads under way at least, and warps that are not wanted leave.
//
//===----------------------------------------------------------------------===//

#include "Combine.h"
#include "../NVIDIA/Barriers.h"
#include "../NVIDIA/GlobalMemory.h"
#include "../NVIDIA/Warp.h"
#include "Fragments.h"
#include "PartSums.h"
#include "Softmax.h"
#include "SplitDivision.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;
using ptx::dividedByI;
using ptx::i32;
using ptx::isLessI;
using ptx::minI;
using ptx::minusI;
using ptx::moduloI;
using ptx::plusI;
using ptx::Registers;
using ptx::timesI;
using ptx::toI32;
using ptx::toI64;

static constexpr int64_t kThreads = 512;
static constexpr int64_t kBlocksPerMultiprocessor = 2;
static constexpr int64_t kF32Bytes = 4;
/// Blocks of threads for each of the attention kernel.
static constexpr int64_t kShares = 2;

namespace {

/// A request that is cut, and the part of it that the group had; i32.
struct CutRequest {
  Value request, parts, part;
};

/// A warp's piece of the work, or what it has of it; i32 values.
struct Piece : PieceRows {
  Value exists; ///< i1.
  Value row;    ///< Of the request.
  /// The warp's number in its team, and the team's warps: it has parts member,
  /// member + team, ...
  Value member, team;
  Value teams; ///< From a warp of the team to the next.
};

class Combiner {
public:
  Combiner(Emitter &e, Kernel &kernel, const AttentionInputs &inputs,
           const AttentionSchedule &schedule, const SplitBuffers &buffers,
           PartFormat format)
      : inputs(inputs), problem(inputs.getProblem()), schedule(schedule),
        buffers(buffers), format(format),
        warpSize(kernel.getChip().subgroupSize), warps(kThreads / warpSize),
        laneColumns(PartSums::getLaneColumns(format)),
        warpColumns(warpSize * laneColumns),
        slices(llvm::divideCeil(problem.latent, warpColumns)) {
    warp = dividedByI(e, toI32(e, kernel.getThread()), warpSize);
    lane = ptx::getLane(e);
    rowTiles = toI32(e, buffers.rowTiles);
    Value block = toI32(e, kernel.getBlock());
    Value tile = dividedByI(e, block, kShares);
    share = moduloI(e, block, kShares);
    group = arith::DivUIOp::create(e, tile, rowTiles);
    rowTile = arith::RemUIOp::create(e, tile, rowTiles);
    columnSums =
        kernel.addShared(warps * warpSize * (laneColumns + 1), e.getF32Type());
    bases = kernel.addShared(warps, e.getF32Type());
    totals = kernel.addShared(warps, e.getF32Type());
  }

  void emit(Emitter &e) {
    // Of both slots at once.
    CutRequest cuts[] = {loadEntry(e, 0), loadEntry(e, 1)};
    static_assert(std::size(cuts) == SplitBuffers::kSlotsPerGroup);
    forRange(e, i32(e, 0), i32(e, std::size(cuts)), i32(e, 1),
             [&](Emitter &e, Value slot) {
               CutRequest cut = select(e, ptx::isEqualI(e, slot, 0), cuts);
               runIf(e, isLessI(e, i32(e, 0), cut.parts),
                     [&](Emitter &e) { makeShare(e, cut); });
             });
  }

private:
  static void forRange(Emitter &e, Value first, Value end, Value step,
                       function_ref<void(Emitter &, Value)> body) {
    scf::ForOp::create(
        e, first, end, step, ValueRange(),
        [&](OpBuilder &builder, Location loc, Value i, ValueRange) {
          Emitter e(loc, builder);
          body(e, i);
          scf::YieldOp::create(e);
        });
  }

  CutRequest loadEntry(Emitter &e, int64_t slot) const {
    Value place = ptx::toIndex(
        e, plusI(e, timesI(e, group, SplitBuffers::kSlotsPerGroup), slot));
    auto load = [&](int64_t field) -> Value {
      return memref::LoadOp::create(e, buffers.parts,
                                    ValueRange{place, rows::index(e, field)});
    };
    return {load(SplitBuffers::kRequest), load(SplitBuffers::kPartCount),
            load(SplitBuffers::kPart)};
  }

  static CutRequest select(Emitter &e, Value isFirst,
                           ArrayRef<CutRequest> cuts) {
    auto choose = [&](Value a, Value b) -> Value {
      return arith::SelectOp::create(e, isFirst, a, b);
    };
    return {choose(cuts[0].request, cuts[1].request),
            choose(cuts[0].parts, cuts[1].parts),
            choose(cuts[0].part, cuts[1].part)};
  }

  /// Pieces are dealt to shares, and a share's to teams of warps.
  void makeShare(Emitter &e, const CutRequest &cut) const {
    Value firstRow = timesI(e, rowTile, schedule.tileRows);
    Value left = minusI(e, inputs.getRows(e, cut.request), firstRow);
    Value rows =
        ptx::maxI(e, minI(e, left, i32(e, schedule.tileRows)), i32(e, 0));
    Value pieces = timesI(e, rows, slices);
    Value most = ceilDivI(e, pieces, timesI(e, cut.parts, kShares));
    Value number = plusI(e, timesI(e, cut.part, kShares), share);
    Value begin = minI(e, timesI(e, number, most), pieces);
    Value end = minI(e, plusI(e, begin, most), pieces);
    // Teams and their number are powers of two.
    Value log2 = i32(e, llvm::Log2_64(warps));
    Value teams = minI(e, getLog2(e, most), log2);
    Value size =
        minI(e, getLog2(e, ceilDivI(e, cut.parts, i32(e, PartSums::kBatch))),
             minusI(e, log2, teams));
    Value team = arith::ShLIOp::create(e, i32(e, 1), size);
    Value step = arith::ShLIOp::create(e, i32(e, 1), teams);
    Value ofTeam = arith::AndIOp::create(e, warp, plusI(e, step, -1));
    Value member = arith::ShRUIOp::create(e, warp, teams);
    Value isWanted = isLessI(e, member, team);
    // Every warp goes round as often: there are barriers.
    forRange(e, begin, end, step, [&](Emitter &e, Value first) {
      Value i = plusI(e, first, ofTeam);
      Piece piece =
          getPiece(e, cut, plusI(e, firstRow, dividedByI(e, i, slices)),
                   moduloI(e, i, slices));
      piece.exists = both(e, isWanted, isLessI(e, i, end));
      piece.member = member;
      piece.team = team;
      piece.teams = step;
      makePiece(e, cut, piece);
    });
  }

  /// ceil(log2(value)), of an i32 above 0.
  static Value getLog2(Emitter &e, Value value) {
    Value zeros =
        math::CountLeadingZerosOp::create(e, plusI(e, value, -1)).getResult();
    return minusI(e, i32(e, 32), zeros);
  }

  //===--------------------------------------------------------------------===//
  // Parts
  //===--------------------------------------------------------------------===//

  /// Of a row of `width` f32.
  PartRows getPartRows(Emitter &e, const CutRequest &cut, Value row,
                       Value buffer, int64_t width) const {
    int64_t rowBytes = width * kF32Bytes;
    PartRows rows;
    rows.slotBytes =
        timesI(e, toI64(e, rowTiles), schedule.tileRows * rowBytes);
    rows.stride = timesI(e, rows.slotBytes, SplitBuffers::kSlotsPerGroup);
    Value firstGroup = minusI(e, group, cut.part);
    Value slot =
        plusI(e, timesI(e, firstGroup, SplitBuffers::kSlotsPerGroup), 1);
    // Tiles of a slot lie one after the other, and so do rows.
    Value bytes = plusI(e, timesI(e, toI64(e, slot), rows.slotBytes),
                        timesI(e, toI64(e, row), rowBytes));
    rows.address = plusI(e, ptx::getGlobalAddress(e, buffer), bytes);
    return rows;
  }

  Piece getPiece(Emitter &e, const CutRequest &cut, Value row,
                 Value slice) const {
    Piece piece;
    piece.row = row;
    piece.firstColumn = timesI(e, slice, warpColumns);
    piece.column = plusI(e, piece.firstColumn, timesI(e, lane, laneColumns));
    piece.isLane = isLessI(e, piece.column, i32(e, problem.latent));
    piece.outputs = getPartRows(e, cut, row, buffers.outputs, problem.latent);
    piece.sums = getPartRows(e, cut, row, buffers.sums, 1);
    return piece;
  }

  void makePiece(Emitter &e, const CutRequest &cut, const Piece &piece) const {
    PartSums none = PartSums::create(e, format);
    Value end = arith::SelectOp::create(e, piece.exists, cut.parts, i32(e, 0));
    auto loop = scf::ForOp::create(
        e, piece.member, end, timesI(e, piece.team, PartSums::kBatch),
        none.pack(),
        [&](OpBuilder &builder, Location loc, Value first, ValueRange state) {
          Emitter e(loc, builder);
          PartSums sums = PartSums::unpack(state).addBatch(
              e, piece, format, problem.latent, first, piece.team, cut.parts);
          scf::YieldOp::create(e, sums.pack());
        });
    PartSums sums = PartSums::unpack(loop.getResults());
    Value isTeam = isLessI(e, i32(e, 1), piece.team);
    auto branch = scf::IfOp::create(e, isTeam, /*withElse=*/true);
    Emitter team(e.getLoc(), branch.getThenBodyBuilder());
    publish(team, sums);
    Kernel::barrier(team);
    runIf(team, piece.exists, [&](Emitter &e) { storeTeam(e, cut, piece); });
    // The next piece takes the same memory.
    Kernel::barrier(team);
    Emitter alone(e.getLoc(), branch.getElseBodyBuilder());
    runIf(alone, piece.exists,
          [&](Emitter &e) { storeAlone(e, cut, piece, sums); });
  }

  /// Where column `column` of lane `lane` is in a warp's sums in shared memory:
  /// no bank conflicts for a column of all lanes, and twofold ones at most for
  /// columns side by side.
  Value getPlace(Emitter &e, Value warp, Value lane, Value column) const {
    int64_t laneWords = laneColumns + 1;
    Value place = plusI(e, timesI(e, warp, warpSize * laneWords),
                        timesI(e, lane, laneWords));
    return ptx::toIndex(e, plusI(e, place, column));
  }

  void publish(Emitter &e, const PartSums &sums) const {
    for (auto [i, value] : llvm::enumerate(sums.outputs))
      memref::StoreOp::create(e, value, columnSums,
                              getPlace(e, warp, lane, i32(e, i)));
    runIf(e, ptx::isEqualI(e, lane, 0), [&](Emitter &e) {
      Value place = ptx::toIndex(e, warp);
      memref::StoreOp::create(e, sums.base, bases, place);
      memref::StoreOp::create(e, sums.total, totals, place);
    });
  }

  Value overLanes(Emitter &e, Value value, Combine combine) const {
    for (int64_t offset = 1; offset < warpSize; offset *= 2)
      value = combine(e, value, ptx::exchange(e, value, offset));
    return value;
  }

  /// 1 / total; 0 for a row without keys.
  static Value invert(Emitter &e, Value total) {
    Value zero = rows::constant(e, 0);
    Value isEmpty =
        arith::CmpFOp::create(e, arith::CmpFPredicate::OEQ, total, zero);
    Value inverse =
        arith::DivFOp::create(e, rows::constant(e, 1), total).getResult();
    return arith::SelectOp::create(e, isEmpty, zero, inverse);
  }

  Value getRow(Emitter &e, const CutRequest &cut, const Piece &piece) const {
    return plusI(e, inputs.getFirstRow(e, cut.request), piece.row);
  }

  /// One lane of a row's.
  void storeLSE(Emitter &e, const CutRequest &cut, const Piece &piece,
                Value base, Value total) const {
    Value number = plusI(e, plusI(e, piece.firstColumn, piece.member), lane);
    runIf(e, ptx::isEqualI(e, number, 0), [&](Emitter &e) {
      Value isEmpty = arith::CmpFOp::create(e, arith::CmpFPredicate::OEQ, total,
                                            rows::constant(e, 0));
      Value log2 = add(e, base, ptx::log2Fast(e, total));
      inputs.storeLSE(e, getRow(e, cut, piece),
                      arith::SelectOp::create(e, isEmpty, minusInfinity(e),
                                              toNaturalLog(e, log2)));
    });
  }

  void storeAlone(Emitter &e, const CutRequest &cut, const Piece &piece,
                  const PartSums &sums) const {
    Value inverse = invert(e, sums.total);
    runIf(e, piece.isLane, [&](Emitter &e) {
      Registers values;
      for (Value sum : sums.outputs)
        values.push_back(mul(e, sum, inverse));
      Type elements = problem.outputElements;
      auto type = VectorType::get(laneColumns, e.getF32Type());
      Value rounded =
          fromF32(e, vector::FromElementsOp::create(e, type, values), elements);
      int64_t bytes = elements.getIntOrFloatBitWidth() / 8;
      Value column = toI64(e, timesI(e, piece.column, bytes));
      Value output = inputs.getOutput(e, getRow(e, cut, piece));
      ptx::storeAligned(
          e, plusI(e, output, column), rounded,
          std::min(problem.getOutputAlignment(), laneColumns * bytes));
    });
    storeLSE(e, cut, piece, sums.base, sums.total);
  }

  /// Adds what the team's warps came to, in order: every warp 32 columns at a
  /// time, a lane one of them.
  void storeTeam(Emitter &e, const CutRequest &cut, const Piece &piece) const {
    Value zero = rows::constant(e, 0);
    Value firstWarp = minusI(e, warp, timesI(e, piece.member, piece.teams));
    auto getWarp = [&](Emitter &e, Value member) -> Value {
      return plusI(e, firstWarp, timesI(e, member, piece.teams));
    };
    // A lane for each warp of the team.
    Value isMember = isLessI(e, lane, piece.team);
    auto load = [&](Value from, Value otherwise) {
      return valueIf(e, isMember, otherwise, [&](Emitter &e) -> Value {
        return memref::LoadOp::create(e, from,
                                      ptx::toIndex(e, getWarp(e, lane)));
      });
    };
    Value ofMember = load(bases, minusInfinity(e));
    Value base = overLanes(e, ofMember, largest);
    Value weight = getRatio(e, ofMember, base);
    Value total = overLanes(e, mul(e, load(totals, zero), weight), add);
    weight = mul(e, weight, invert(e, total));

    Value output = inputs.getOutput(e, getRow(e, cut, piece));
    Type elements = problem.outputElements;
    int64_t bytes = elements.getIntOrFloatBitWidth() / 8;
    forRange(
        e, piece.member, i32(e, laneColumns), piece.team,
        [&](Emitter &e, Value i) {
          Value column = plusI(e, timesI(e, i, warpSize), lane);
          auto loop = scf::ForOp::create(
              e, i32(e, 0), piece.team, i32(e, 1), ValueRange{zero},
              [&](OpBuilder &builder, Location loc, Value member,
                  ValueRange state) {
                Emitter e(loc, builder);
                Value ofWarp = ptx::ofLane(e, weight, member);
                Value value = memref::LoadOp::create(
                    e, columnSums,
                    getPlace(e, getWarp(e, member),
                             dividedByI(e, column, laneColumns),
                             moduloI(e, column, laneColumns)));
                scf::YieldOp::create(
                    e, ptx::fusedMultiplyAdd(e, ofWarp, value, state[0]));
              });
          Value ofRow = plusI(e, piece.firstColumn, column);
          runIf(e, isLessI(e, ofRow, i32(e, problem.latent)), [&](Emitter &e) {
            Value rounded = fromF32(e, loop.getResult(0), elements);
            ptx::storeAligned(
                e, plusI(e, output, toI64(e, timesI(e, ofRow, bytes))), rounded,
                bytes);
          });
        });
    storeLSE(e, cut, piece, base, total);
  }

  const AttentionInputs &inputs;
  const AttentionProblem &problem;
  const AttentionSchedule &schedule;
  const SplitBuffers &buffers;
  PartFormat format;
  int64_t warpSize, warps;
  int64_t laneColumns, warpColumns, slices; ///< Of a piece; pieces of a row.
  Value warp, lane, rowTiles;
  Value share, group, rowTile; ///< Of the block.
  /// Shared: what each warp came to.
  Value columnSums, bases, totals;
};

} // namespace

void kernel::launchCombine(Emitter &e, const Chip &chip,
                           const AttentionProblem &problem,
                           const AttentionSchedule &schedule,
                           const SplitBuffers &buffers, PartFormat format) {
  if (!buffers.mayCut())
    return;
  Value grid = times(e, buffers.getGrid(e), kShares);
  Kernel kernel(e, chip, grid, rows::index(e, 1), kThreads);
  kernel.setBlocksPerMultiprocessor(kBlocksPerMultiprocessor);
  Emitter body = kernel.getBody();
  if (chip.overlapsLaunches()) {
    kernel.setOverlapsPrevious();
    ptx::waitForPreviousLaunch(body);
    ptx::startNextLaunch(body);
  }
  AttentionInputs inputs(body, problem);
  Combiner(body, kernel, inputs, schedule, buffers, format).emit(body);
}
