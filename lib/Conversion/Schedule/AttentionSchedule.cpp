//===- AttentionSchedule.cpp - how latent_attention is tuned --------------===//

#include "MLAFuse/Conversion/Schedule.h"
#include "NarrowLayout.h"
#include "Parameters.h"
#include "SwappedLayout.h"
#include "WarpLayout.h"
#include "WarpgroupShape.h"
#include "llvm/Support/MathExtras.h"
#include <tuple>

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::schedule;

/// f32 sums of the output that a thread holds at most: half of its registers.
static constexpr int64_t kThreadSums = 128;
/// Registers of a multiprocessor; of a thread at most, and in what steps; those
/// of the kernel of warps for other things than sums and scores.
static constexpr int64_t kRegisters = 64 * 1024;
static constexpr int64_t kThreadRegisters = 255, kRegisterStep = 8;
static constexpr int64_t kOtherRegisters = 56;
/// Keys of a block that the kernel of warps takes unless more are asked for;
/// and at most: with more, what ptxas moves ahead does not fit.
static constexpr int64_t kWarpKeys = 32, kMaxWarpKeys = 96;
/// Shared memory at most that the plan of a block declares, with what aligns
/// the kernel's behind it.
static constexpr int64_t kPlanBytes = 512;
static constexpr int64_t kWarpgroupWarps = 4;
/// Rows of a request at most that are cut in narrow tiles: each multiplies with
/// all keys, and converts them.
static constexpr int64_t kFewRows = 32;
/// Columns that a warpgroup's share of the output is a multiple of.
static constexpr int64_t kColumnStep = 8;
/// Shared memory from which on a tile of 64 rows leaves room for keys.
static constexpr int64_t kLargeShared = 128 * 1024;
/// Groups at most: more than run at a time on any chip.
static constexpr int64_t kMaxGroups = 3072;
/// Stages at most: no block has memory for as many.
static constexpr int64_t kMaxStages = 256;
/// Key blocks that starting a part may cost: 2^31 of them are no plan.
static constexpr int64_t kMaxOverhead = 4096;

static auto tie(const AttentionSchedule &s) {
  return std::tie(s.tileRows, s.blockKeys, s.stages, s.warpgroups, s.warps,
                  s.groups, s.splits, s.splitOverhead);
}

bool AttentionSchedule::operator==(const AttentionSchedule &other) const {
  return tie(*this) == tie(other);
}

bool mlafuse::usesWarpgroups(LatentAttentionOp op, const AttentionSchedule &s) {
  using Shape = kernel::WarpgroupShape;
  // bf16 keys are not converted to f16 on the way.
  bool isFormat = op.getCacheFormat() != CacheFormat::BF16 ||
                  getElementTypeOrSelf(op.getQ()).isBF16();
  int64_t rope = op.getRopeWidth();
  bool isShape = op.getLatentWidth() == Shape::kLatent &&
                 (rope == 0 || rope == Shape::kRope);
  return isFormat && isShape && s.warpgroups == Shape::kAttenders &&
         s.tileRows == Shape::kTileRows && s.blockKeys == Shape::kBlockKeys &&
         s.stages == Shape::kStages;
}

/// Whether a kernel of few rows has code for the op's types and widths.
static bool hasNarrowTypes(LatentAttentionOp op) {
  using Shape = kernel::NarrowShape;
  int64_t rope = op.getRopeWidth();
  if (op.getLatentWidth() != Shape::kLatent ||
      (rope != 0 && rope != Shape::kRope))
    return false;
  // Rope columns that are not codes stay bf16.
  return op.getCacheFormat() == CacheFormat::FP8 ||
         (op.getCacheFormat() == CacheFormat::FP8DSMLA &&
          getElementTypeOrSelf(op.getQ()).isBF16());
}

/// Whether a request has so few rows that narrow tiles are faster.
static bool hasFewRows(LatentAttentionOp op) {
  ArrayRef<int64_t> shape = cast<ShapedType>(op.getQ().getType()).getShape();
  if (ShapedType::isDynamic(shape[1]) && !op.getIndices())
    return false;
  int64_t queries = op.getIndices() ? 1 : shape[1];
  return queries * shape[2] <= kFewRows;
}

/// Whether the schedule is that of a kernel of few rows, of which there are
/// two.
static bool hasNarrowTiles(LatentAttentionOp op, const AttentionSchedule &s) {
  using Shape = kernel::NarrowShape;
  using Swapped = kernel::SwappedShape;
  static_assert(Shape::kTileRows == Swapped::kTileRows &&
                Shape::kBlockKeys == Swapped::kBlockKeys &&
                Shape::kWarpgroups == Swapped::kWarpgroups);
  return hasNarrowTypes(op) && s.warpgroups == Shape::kWarpgroups &&
         s.tileRows == Shape::kTileRows && s.blockKeys == Shape::kBlockKeys;
}

bool mlafuse::usesNarrowTiles(LatentAttentionOp op,
                              const AttentionSchedule &s) {
  return hasNarrowTiles(op, s) && op.getCacheFormat() == CacheFormat::FP8;
}

bool mlafuse::usesSwappedTiles(LatentAttentionOp op,
                               const AttentionSchedule &s) {
  return hasNarrowTiles(op, s) &&
         op.getCacheFormat() == CacheFormat::FP8DSMLA &&
         s.stages >= kernel::SwappedShape::kMinStages;
}

AttentionSchedule mlafuse::getWarpSchedule(LatentAttentionOp op,
                                           AttentionSchedule schedule) {
  if (usesWarpgroups(op, schedule))
    schedule.blockKeys = kWarpKeys;
  if (hasNarrowTiles(op, schedule)) {
    schedule.blockKeys = kWarpKeys;
    schedule.stages = kernel::WarpgroupShape::kStages;
  }
  return schedule;
}

namespace {

class Chooser {
public:
  Chooser(LatentAttentionOp op, const Chip &chip)
      : op(op), parameters(op, chip), chip(chip), given(op.getScheduleAttr()),
        latent(op.getLatentWidth()),
        width(op.getLatentWidth() + op.getRopeWidth()) {}

  FailureOr<AttentionSchedule> choose() {
    if (failed(parameters.verifyChip()) || failed(verifyWarpsUnit()))
      return failure();
    bool hasWarpgroups = chip.multipliesWarpgroups();
    bool isLarge = chip.sharedBytes >= kLargeShared;
    s.tileRows =
        take(&ScheduleAttr::getTileRows, mayBeNarrow() && hasFewRows(op)
                                             ? kernel::NarrowShape::kTileRows
                                             : (isLarge ? 64 : 32));
    s.stages = take(&ScheduleAttr::getStages, hasWarpgroups ? 2 : 1);
    if (mayBeNarrow() && s.tileRows == kernel::NarrowShape::kTileRows)
      s.stages = take(&ScheduleAttr::getStages,
                      op.getCacheFormat() == CacheFormat::FP8DSMLA
                          ? kernel::SwappedShape::kMaxStages
                          : kernel::NarrowShape::kMaxStages);
    s.groups = take(&ScheduleAttr::getGroups, 0);
    s.splits = take(&ScheduleAttr::getSplits, 0);
    s.splitOverhead = take(&ScheduleAttr::getSplitOverhead, 2);
    chooseWarps();
    chooseBlockKeys();
    if (failed(verifySizes()))
      return failure();
    shrinkToFit();
    if (failed(verifyWarps()) || failed(verifyKeys()) ||
        failed(verifyRegisters()) || failed(verifyShared()))
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

  /// Whether nothing but the number of rows speaks against narrow tiles.
  bool mayBeNarrow() const {
    using Shape = kernel::NarrowShape;
    constexpr int64_t stages = kernel::SwappedShape::kMinStages;
    if (op.getCacheFormat() == CacheFormat::FP8DSMLA &&
        take(&ScheduleAttr::getStages, stages) < stages)
      return false;
    return chip.multipliesWarpgroups() && hasNarrowTypes(op) &&
           take(&ScheduleAttr::getBlockKeys, Shape::kBlockKeys) ==
               Shape::kBlockKeys &&
           take(&ScheduleAttr::getWarpgroups, Shape::kWarpgroups) ==
               Shape::kWarpgroups;
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

  /// Those of the kernel of warpgroups, if they make the schedule its own.
  void chooseBlockKeys() {
    s.blockKeys =
        take(&ScheduleAttr::getBlockKeys, kernel::WarpgroupShape::kBlockKeys);
    if (!usesWarpgroups(op, s) && !hasNarrowTiles(op, s))
      s.blockKeys = take(&ScheduleAttr::getBlockKeys, kWarpKeys);
  }

  /// What the kernel of warps takes. That of warpgroups has one schedule, and
  /// fits.
  int64_t getSharedBytes() const {
    int64_t bytes = kernel::WarpLayout(getWarpSchedule(op, s), width).bytes;
    if (usesSwappedTiles(op, s))
      bytes = std::max(
          bytes, kernel::SwappedLayout(s.stages, op.getRopeWidth()).bytes);
    else if (usesNarrowTiles(op, s))
      bytes = std::max(bytes,
                       kernel::NarrowLayout(s.stages, op.getRopeWidth()).bytes);
    return bytes + kPlanBytes;
  }

  int64_t getRowStep() const {
    return hasNarrowTiles(op, s) ? kernel::NarrowShape::kTileRows
                                 : parameters.getRowStep();
  }

  int64_t getThreadSums() const {
    return llvm::divideCeil(s.tileRows * latent, s.warps * chip.subgroupSize);
  }

  /// A warp has the scores of 16 rows in its lanes.
  int64_t getThreadRegisters() const {
    int64_t scores = getWarpSchedule(op, s).blockKeys * kMatrixStep;
    return getThreadSums() + llvm::divideCeil(scores, chip.subgroupSize) +
           kOtherRegisters;
  }

  int64_t getMaxThreadRegisters() const {
    int64_t equal = kRegisters / (s.warps * chip.subgroupSize);
    return std::min(kThreadRegisters, equal / kRegisterStep * kRegisterStep);
  }

  /// Wide rows leave room for fewer keys, and so do many threads.
  void shrinkToFit() {
    while (true) {
      bool isLarge = getSharedBytes() > chip.sharedBytes;
      bool isMuch = getThreadRegisters() > getMaxThreadRegisters();
      if (isLarge && s.stages > 1 && !isGiven(&ScheduleAttr::getStages))
        --s.stages;
      else if ((isLarge || isMuch) && !hasNarrowTiles(op, s) &&
               s.blockKeys > kMatrixStep &&
               !isGiven(&ScheduleAttr::getBlockKeys))
        s.blockKeys /= 2;
      else
        return;
    }
  }

  StringRef getWarpsName() const {
    return chip.multipliesWarpgroups() ? "warpgroups" : "warps";
  }
  int64_t getWarpsUnit() const {
    return chip.multipliesWarpgroups() ? kWarpgroupWarps : 1;
  }

  /// Each parameter by itself: nothing that is computed of them is too large to
  /// be counted then.
  LogicalResult verifySizes() const {
    int64_t unit = getWarpsUnit();
    int64_t mostWarps = Chip::kMaxBlockThreads / chip.subgroupSize / unit;
    return success(
        succeeded(parameters.verifySteps("tile_rows", s.tileRows, getRowStep(),
                                         kMaxTileSize)) &&
        succeeded(parameters.verifySteps("block_keys", s.blockKeys, kMatrixStep,
                                         kMaxTileSize)) &&
        succeeded(parameters.verifySteps("stages", s.stages, 1, kMaxStages)) &&
        succeeded(parameters.verifySteps("groups", s.groups, 1, kMaxGroups)) &&
        succeeded(parameters.verifySteps("splits", s.splits, 1, kMaxGroups)) &&
        succeeded(parameters.verifySteps("split_overhead", s.splitOverhead, 1,
                                         kMaxOverhead)) &&
        succeeded(parameters.verifySteps(getWarpsName(), s.warps / unit, 1,
                                         mostWarps)));
  }

  LogicalResult verifyShared() const {
    return parameters.verifyShared(getSharedBytes(), s.stages,
                                   "tile_rows = " + Twine(s.tileRows) +
                                       ", block_keys = " + Twine(s.blockKeys) +
                                       " and rows of " + Twine(width));
  }

  LogicalResult verifyWarps() const {
    if (s.warpgroups && latent % (s.warpgroups * kColumnStep))
      return parameters.emitError()
             << "warpgroups = " << s.warpgroups << " do not share " << latent
             << " columns of the output in multiples of " << kColumnStep;
    if (getThreadSums() > kThreadSums)
      return parameters.emitError()
             << getWarpsName() << " = " << s.warps / getWarpsUnit()
             << " with tile_rows = " << s.tileRows << " give a thread "
             << getThreadSums() << " sums of the output, and it has room for "
             << kThreadSums;
    return success();
  }

  LogicalResult verifyKeys() const {
    if (s.blockKeys <= kMaxWarpKeys)
      return success();
    return parameters.emitError()
           << "block_keys = " << s.blockKeys
           << " give a thread more scores than it has registers for: give "
           << kMaxWarpKeys << " or fewer";
  }

  /// What is spilled to memory costs more than a larger tile saves.
  LogicalResult verifyRegisters() const {
    int64_t most = getMaxThreadRegisters();
    if (getThreadRegisters() <= most)
      return success();
    return parameters.emitError()
           << getWarpsName() << " = " << s.warps / getWarpsUnit()
           << " with tile_rows = " << s.tileRows
           << " and block_keys = " << s.blockKeys << " take "
           << getThreadRegisters()
           << " registers of a thread, and it has room for " << most;
  }

  mutable LatentAttentionOp op;
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
