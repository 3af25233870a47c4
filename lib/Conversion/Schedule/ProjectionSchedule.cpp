//===- ProjectionSchedule.cpp - how head_projection is tuned --------------===//

#include "MLAFuse/Conversion/Schedule.h"
#include "Parameters.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>
#include <tuple>

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::schedule;

/// Columns of a tile are a multiple of this: 16 bytes.
static constexpr int64_t kColumnStep = 8;
/// Columns of a tile unless more are asked for: with more, a thread's sums
/// leave room for fewer slices.
static constexpr int64_t kDefaultColumns = 128;
/// Values of K whose order in registers is not theirs in memory.
static constexpr int64_t kDepthStep = 32;
/// Columns of a tile in shared memory are padded to a multiple of this.
static constexpr int64_t kPaddedColumns = 64;
/// Registers of a multiprocessor; of a thread at most, and those that it has
/// for other things than sums and slices.
static constexpr int64_t kRegisters = 64 * 1024;
static constexpr int64_t kThreadRegisters = 255, kOtherRegisters = 40;
/// Bytes of shared memory for barriers and alignment.
static constexpr int64_t kOtherShared = 2048;

static auto tie(const ProjectionSchedule &s) {
  return std::tie(s.tileRows, s.tileColumns, s.tileDepth, s.stages);
}

bool ProjectionSchedule::operator==(const ProjectionSchedule &other) const {
  return tie(*this) == tie(other);
}

/// Slices in shared memory at least.
static constexpr int64_t kMinStages = 2;

namespace {

class Chooser {
public:
  Chooser(HeadProjectionOp op, const Chip &chip)
      : op(op), parameters(op, chip), chip(chip), given(op.getScheduleAttr()) {
    ArrayRef<int64_t> w = cast<ShapedType>(op.getW().getType()).getShape();
    depth = w[1];
    width = w[2];
    QuantSpec spec = op.getOutputQuant();
    if (spec.hasScaleResult())
      group = spec.getGroupSize(w[0] * width);
  }

  FailureOr<ProjectionSchedule> choose() {
    if (failed(parameters.verifyChip()) || failed(verifyWidth()))
      return failure();
    s.tileDepth = take(&ScheduleAttr::getTileDepth,
                       std::min<int64_t>(64, llvm::alignTo(depth, kDepthStep)));
    s.stages = take(&ScheduleAttr::getStages, 4);
    chooseTile();
    if (failed(verifySteps()) || failed(verifyStages()) ||
        failed(verifyColumns()) || failed(verifyRegisters()) ||
        failed(parameters.verifyShared(
            getSharedBytes(), s.stages,
            "tile_rows = " + Twine(s.tileRows) +
                ", tile_columns = " + Twine(s.tileColumns) +
                " and tile_depth = " + Twine(s.tileDepth))))
      return failure();
    return s;
  }

private:
  LogicalResult verifyStages() const {
    if (s.stages >= kMinStages)
      return success();
    return parameters.emitError()
           << "stages = " << s.stages
           << ", and a slice is copied while another is multiplied: give "
           << kMinStages << " or more";
  }

  int64_t take(std::optional<int64_t> (ScheduleAttr::*parameter)() const,
               int64_t chosen) const {
    return given ? (given.*parameter)().value_or(chosen) : chosen;
  }

  /// A tile is of one head: a scale's columns too.
  LogicalResult verifyWidth() {
    if (width == 0 || width % kColumnStep != 0)
      return op->emitOpError("has no kernel for ")
             << chip.name << " with heads of " << width
             << " columns: they come in multiples of " << kColumnStep;
    if (width % group == 0)
      return success();
    return op->emitOpError("has no kernel for ")
           << chip.name << " with " << op.getOutputQuant().key
           << " and heads of " << width << " columns: a scale covers " << group
           << ", and a block has columns of one head; --mlafuse-decompose "
              "makes "
              "the quantization an op of its own";
  }

  bool canCut(int64_t columns) const {
    return width % columns == 0 && columns % std::lcm(kColumnStep, group) == 0;
  }

  /// The widest tile that leaves room for three warpgroups (four warps), which
  /// hide what the others wait for; else the tallest that there is room for.
  void chooseTile() {
    int64_t step = parameters.getRowStep();
    int64_t mostRows = chip.multipliesWarpgroups() ? 3 * step : 4 * step;
    for (int64_t rows = mostRows; rows > 0; rows -= step) {
      s.tileRows = take(&ScheduleAttr::getTileRows, rows);
      for (int64_t columns = std::max(kDefaultColumns, group); columns > 0;
           columns -= kColumnStep) {
        s.tileColumns = take(&ScheduleAttr::getTileColumns, columns);
        if (canCut(s.tileColumns) && getSharedBytes() <= chip.sharedBytes &&
            getThreadRegisters() <= getThreadRoom())
          return;
      }
    }
    s.tileRows = take(&ScheduleAttr::getTileRows, step);
    s.tileColumns =
        take(&ScheduleAttr::getTileColumns, std::max(kColumnStep, group));
  }

  /// The weights of a tile, or of its slices in flight; the sums on their way
  /// to the output, in the warps' kernel after the weights are done with.
  int64_t getSharedBytes() const {
    int64_t rowBytes =
        llvm::alignTo(s.tileColumns, kPaddedColumns) * kElementBytes;
    int64_t sums = s.tileRows * sizeof(float) *
                   static_cast<int64_t>(llvm::PowerOf2Ceil(s.tileColumns));
    if (chip.multipliesWarpgroups())
      return kOtherShared + llvm::alignTo(depth, kDepthStep) * rowBytes + sums;
    return kOtherShared + std::max(s.stages * s.tileDepth * rowBytes, sums);
  }

  LogicalResult verifySteps() const {
    return success(
        succeeded(parameters.verifySteps(
            "tile_rows", s.tileRows, parameters.getRowStep(), kMaxTileSize)) &&
        succeeded(parameters.verifySteps("tile_columns", s.tileColumns,
                                         kColumnStep, kMaxTileSize)) &&
        succeeded(parameters.verifySteps("tile_depth", s.tileDepth, kDepthStep,
                                         kMaxTileSize)));
  }

  LogicalResult verifyColumns() const {
    if (canCut(s.tileColumns))
      return success();
    return parameters.emitError()
           << "tile_columns = " << s.tileColumns << " does not cut heads of "
           << width << " columns into whole tiles with whole groups of "
           << group;
  }

  /// A thread's sums, and its slices of x in flight.
  int64_t getThreadRegisters() const {
    int64_t slices = chip.multipliesWarpgroups() ? s.stages : 1;
    return s.tileColumns / 2 + slices * s.tileDepth / 4;
  }

  int64_t getThreadRoom() const {
    int64_t threads = 2 * s.tileRows;
    return std::min(kThreadRegisters, kRegisters / threads) - kOtherRegisters;
  }

  LogicalResult verifyRegisters() const {
    if (getThreadRegisters() <= getThreadRoom())
      return success();
    return parameters.emitError()
           << "stages = " << s.stages << " with tile_rows = " << s.tileRows
           << ", tile_columns = " << s.tileColumns
           << " and tile_depth = " << s.tileDepth << " take "
           << getThreadRegisters() << " registers of a thread, and it has room "
           << "for " << getThreadRoom();
  }

  HeadProjectionOp op;
  Parameters parameters;
  const Chip &chip;
  ScheduleAttr given;
  int64_t depth, width;
  int64_t group = 1; ///< Columns that a scale covers.
  ProjectionSchedule s;
};

} // namespace

FailureOr<ProjectionSchedule> mlafuse::chooseSchedule(HeadProjectionOp op,
                                                      const Chip &chip) {
  return Chooser(op, chip).choose();
}
