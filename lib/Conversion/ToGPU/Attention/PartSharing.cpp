//===- PartSharing.cpp - who combines which parts of which columns --------===//

#include "PartSharing.h"
#include "../NVIDIA/Warp.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;
using ptx::dividedByI;
using ptx::i32;
using ptx::maxI;
using ptx::minI;
using ptx::minusI;
using ptx::plusI;
using ptx::timesI;

static constexpr int64_t kLog2PartLanes =
    llvm::ConstantLog2<PartSharing::kMaxPartLanes>();
static constexpr int64_t kLog2Sharers =
    kLog2PartLanes + llvm::ConstantLog2<PartSharing::kWarps>();
static_assert(PartSharing::kLaneParts << kLog2Sharers >= kMaxCombinedParts);

static Value shiftLeft(Emitter &e, Value value, Value count) {
  return arith::ShLIOp::create(e, value, count);
}

static Value shiftRight(Emitter &e, Value value, Value count) {
  return arith::ShRUIOp::create(e, value, count);
}

/// floor(log2(value)), of an i32 above 0.
static Value getLog2(Emitter &e, Value value) {
  Value zeros = math::CountLeadingZerosOp::create(e, value).getResult();
  return minusI(e, i32(e, 31), zeros);
}

/// ceil(log2(value)), of an i32 above 0.
static Value getLog2Ceil(Emitter &e, Value value) {
  return getLog2(e, plusI(e, timesI(e, value, 2), -1));
}

PartSharing::PartSharing(Emitter &e, const Chip &chip,
                         const AttentionSchedule &schedule, int64_t latent,
                         PartFormat format, const CutPart &cut, Value rows,
                         Value warp, Value unit, Value units, int64_t mostUnits)
    : laneColumns(kLaneBytes / getElementBytes(format)), lane(ptx::getLane(e)) {
  int64_t mostParts = SplitBuffers::getMaxGroups(schedule, chip);
  if (schedule.splits)
    mostParts = std::min(mostParts, schedule.splits);
  laneParts = std::min(mostParts, kLaneParts);
  int64_t log2Lanes = llvm::Log2_64(chip.subgroupSize);
  int64_t log2RowLanes = llvm::Log2_64(latent / laneColumns);

  // As many sharers as it takes; of lanes more, if there are warps for them,
  // and as many as columns leave.
  Value needed = getLog2Ceil(
      e, dividedByI(e, plusI(e, cut.parts, laneParts - 1), laneParts));
  Value warpsOfRows = plusI(e, getLog2Ceil(e, maxI(e, rows, i32(e, 1))),
                            log2RowLanes - log2Lanes);
  Value free = minusI(e, getLog2(e, timesI(e, cut.parts, mostUnits * kWarps)),
                      warpsOfRows);
  int64_t fewest = std::max<int64_t>(log2Lanes - log2RowLanes, 0);
  Value ofLanes =
      maxI(e, minI(e, free, i32(e, kLog2PartLanes)), i32(e, fewest));
  Value log2Sharers = maxI(e, needed, ofLanes);

  log2PartLanes = minI(e, log2Sharers, i32(e, kLog2PartLanes));
  Value log2ColumnLanes = minusI(e, i32(e, log2Lanes), log2PartLanes);
  columnLanes = shiftLeft(e, i32(e, 1), log2ColumnLanes);
  columnLane = arith::AndIOp::create(e, lane, plusI(e, columnLanes, -1));
  partLane = shiftRight(e, lane, log2ColumnLanes);

  Value log2Members = minusI(e, log2Sharers, log2PartLanes);
  members = shiftLeft(e, i32(e, 1), log2Members);
  member = arith::AndIOp::create(e, warp, plusI(e, members, -1));
  team = shiftRight(e, warp, log2Members);

  Value sharer = plusI(e, shiftLeft(e, member, log2PartLanes), partLane);
  Value rest = plusI(e, shiftLeft(e, i32(e, 1), log2Sharers), -1);
  mostOwnParts = shiftRight(e, plusI(e, cut.parts, rest), log2Sharers);
  firstPart = timesI(e, sharer, mostOwnParts);
  ownParts = minI(e, mostOwnParts, minusI(e, cut.parts, firstPart));

  // Pieces are dealt to the request's groups in turn, and by those to units.
  log2Slices = minusI(e, i32(e, log2RowLanes), log2ColumnLanes);
  pieces = shiftLeft(e, rows, log2Slices);
  Value teams = shiftRight(e, i32(e, kWarps), log2Members);
  firstPiece =
      plusI(e, cut.number, timesI(e, timesI(e, cut.parts, teams), unit));
  step = timesI(e, timesI(e, cut.parts, teams), units);
}
