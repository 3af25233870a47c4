//===- AttentionSchedule.cpp - how latent_attention is tuned --------------===//

#include "MLAFuse/Conversion/Schedule.h"
#include "Parameters.h"
#include "llvm/Support/MathExtras.h"
#include <tuple>

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::schedule;

/// f32 sums of the output that a thread holds at most: half of its registers.
static constexpr int64_t kThreadSums = 128;
static constexpr int64_t kWarpgroupWarps = 4;
/// Columns that a warpgroup's share of the output is a multiple of.
static constexpr int64_t kColumnStep = 8;
/// Shared memory from which on a tile of 64 rows leaves room for keys.
static constexpr int64_t kLargeShared = 128 * 1024;
/// Groups that the kernel which combines parts has room to list.
static constexpr int64_t kMaxGroups = 3072;
/// Key blocks that starting a part may cost: 2^31 of them are no plan.
static constexpr int64_t kMaxOverhead = 4096;

static auto tie(const AttentionSchedule &s) {
  return std::tie(s.tileRows, s.blockKeys, s.stages, s.warpgroups, s.warps,
                  s.groups, s.splits, s.splitOverhead);
}

bool AttentionSchedule::operator==(const AttentionSchedule &other) const {
  return tie(*this) == tie(other);
}

namespace {

class Chooser {
public:
  Chooser(LatentAttentionOp op, const Chip &chip)
      : parameters(op, chip), chip(chip), given(op.getScheduleAttr()),
        latent(op.getLatentWidth()),
        width(op.getLatentWidth() + op.getRopeWidth()) {}

  FailureOr<AttentionSchedule> choose() {
    if (failed(parameters.verifyChip()) || failed(verifyWarpsUnit()))
      return failure();
    bool hasWarpgroups = chip.multipliesWarpgroups();
    bool isLarge = chip.sharedBytes >= kLargeShared;
    s.tileRows = take(&ScheduleAttr::getTileRows, isLarge ? 64 : 32);
    s.blockKeys = take(&ScheduleAttr::getBlockKeys, hasWarpgroups ? 64 : 32);
    s.stages = take(&ScheduleAttr::getStages, hasWarpgroups ? 2 : 1);
    s.groups = take(&ScheduleAttr::getGroups, 0);
    s.splits = take(&ScheduleAttr::getSplits, 0);
    s.splitOverhead = take(&ScheduleAttr::getSplitOverhead, 2);
    chooseWarps();
    shrinkToFit();
    if (failed(verify()))
      return failure();
    return s;
  }

private:
  /// What the attribute gives, or else `chosen`.
  int64_t take(std::optional<int64_t> (ScheduleAttr::*parameter)() const,
               int64_t chosen) const {
    return given ? (given.*parameter)().value_or(chosen) : chosen;
  }

  bool isGiven(std::optional<int64_t> (ScheduleAttr::*parameter)()
                   const) const {
    return given && (given.*parameter)();
  }

  LogicalResult verifyWarpsUnit() const {
    bool hasWarpgroups = chip.multipliesWarpgroups();
    if (hasWarpgroups && isGiven(&ScheduleAttr::getWarps))
      return parameters.emitError()
             << "warps = " << *given.getWarps()
             << ", and it multiplies by warpgroups: give warpgroups";
    if (!hasWarpgroups && isGiven(&ScheduleAttr::getWarpgroups))
      return parameters.emitError()
             << "warpgroups = " << *given.getWarpgroups()
             << ", and it multiplies by warps: give warps";
    return success();
  }

  /// As few as hold the sums of the output in registers.
  void chooseWarps() {
    int64_t needed =
        llvm::divideCeil(s.tileRows * latent, kThreadSums * chip.subgroupSize);
    s.warpgroups = 0;
    if (!chip.multipliesWarpgroups()) {
      s.warps =
          take(&ScheduleAttr::getWarps, std::max(kWarpgroupWarps, needed));
      return;
    }
    s.warpgroups =
        take(&ScheduleAttr::getWarpgroups,
             std::max<int64_t>(2, llvm::divideCeil(needed, kWarpgroupWarps)));
    s.warps = s.warpgroups * kWarpgroupWarps;
  }

  /// The queries of a tile, and the key blocks in flight.
  int64_t getSharedBytes() const {
    return (s.tileRows + s.stages * s.blockKeys) * width * kElementBytes;
  }

  /// Wide rows leave room for fewer keys.
  void shrinkToFit() {
    while (getSharedBytes() > chip.sharedBytes) {
      if (s.stages > 1 && !isGiven(&ScheduleAttr::getStages))
        --s.stages;
      else if (s.blockKeys > kMatrixStep &&
               !isGiven(&ScheduleAttr::getBlockKeys))
        s.blockKeys /= 2;
      else
        return;
    }
  }

  LogicalResult verify() const {
    if (failed(parameters.verifySteps("tile_rows", s.tileRows,
                                      parameters.getRowStep(), kMaxTileSize)) ||
        failed(parameters.verifySteps("block_keys", s.blockKeys, kMatrixStep,
                                      kMaxTileSize)) ||
        failed(parameters.verifySteps("groups", s.groups, 1, kMaxGroups)) ||
        failed(parameters.verifySteps("splits", s.splits, 1, kMaxGroups)) ||
        failed(parameters.verifySteps("split_overhead", s.splitOverhead, 1,
                                      kMaxOverhead)) ||
        failed(verifyWarps()))
      return failure();
    return parameters.verifyShared(getSharedBytes(), s.stages,
                                   "tile_rows = " + Twine(s.tileRows) +
                                       ", block_keys = " + Twine(s.blockKeys) +
                                       " and rows of " + Twine(width));
  }

  LogicalResult verifyWarps() const {
    bool hasWarpgroups = chip.multipliesWarpgroups();
    StringRef name = hasWarpgroups ? "warpgroups" : "warps";
    int64_t unit = hasWarpgroups ? kWarpgroupWarps : 1;
    int64_t most = Chip::kMaxBlockThreads / chip.subgroupSize / unit;
    if (failed(parameters.verifySteps(name, s.warps / unit, 1, most)))
      return failure();
    if (hasWarpgroups && latent % (s.warpgroups * kColumnStep))
      return parameters.emitError()
             << "warpgroups = " << s.warpgroups << " do not share " << latent
             << " columns of the output in multiples of " << kColumnStep;
    int64_t sums =
        llvm::divideCeil(s.tileRows * latent, s.warps * chip.subgroupSize);
    if (sums > kThreadSums)
      return parameters.emitError()
             << name << " = " << s.warps / unit
             << " with tile_rows = " << s.tileRows << " give a thread " << sums
             << " sums of the output, and it has room for " << kThreadSums;
    return success();
  }

  Parameters parameters;
  const Chip &chip;
  ScheduleAttr given; ///< Null if there is none.
  int64_t latent, width;
  AttentionSchedule s;
};

} // namespace

FailureOr<AttentionSchedule> mlafuse::chooseSchedule(LatentAttentionOp op,
                                                     const Chip &chip) {
  return Chooser(op, chip).choose();
}
