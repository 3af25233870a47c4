//===- ProjectionSchedule.cpp - how head_projection is tuned --------------===//

#include "MLAFuse/Conversion/Schedule.h"
#include "Parameters.h"
#include "ProjectionLayout.h"
#include "SharedLayout.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>
#include <tuple>

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::schedule;

/// Columns of a tile are a multiple of this: 16 bytes.
static constexpr int64_t kColumnStep = 8;
/// Columns of a tile unless more are asked for: with more, the weights leave
/// room for fewer slices.
static constexpr int64_t kDefaultColumns = 128;
/// Values of K whose order in registers is not theirs in memory.
static constexpr int64_t kDepthStep = 32;
/// Values of K of a slice, where they are x's in shared memory and where they
/// are the weights'.
static constexpr int64_t kRowDepth = 128, kWeightDepth = 64;
/// Columns of a tile in shared memory are padded to a multiple of this.
static constexpr int64_t kPaddedColumns = 64;
/// Registers of a thread at most, and those that it has for other things than
/// sums and slices.
static constexpr int64_t kThreadRegisters = 255, kOtherRegisters = 32;

static auto tie(const ProjectionSchedule &s) {
  return std::tie(s.tileRows, s.tileColumns, s.tileDepth, s.stages);
}

bool ProjectionSchedule::operator==(const ProjectionSchedule &other) const {
  return tie(*this) == tie(other);
}

/// Slices in shared memory at least.
static constexpr int64_t kMinStages = 2;
/// And at most: no memory is near.
static constexpr int64_t kMaxStages = 64;

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
    if (failed(parameters.verifyChip()) || failed(verifyShape()))
      return failure();
    s.tileDepth =
        take(&ScheduleAttr::getTileDepth,
             std::min<int64_t>(chip.multipliesWarpgroups() ? kRowDepth
                                                           : kWeightDepth,
                               llvm::alignTo(depth, kDepthStep)));
    s.stages = take(&ScheduleAttr::getStages, 4);
    // Of what is given: tiles are chosen by what they take.
    s.tileRows = take(&ScheduleAttr::getTileRows, parameters.getRowStep());
    s.tileColumns = take(&ScheduleAttr::getTileColumns, kColumnStep);
    if (failed(verifySteps()))
      return failure();
    if (!chooseTile() && !given) {
      emitTooLarge();
      return failure();
    }
    if (failed(verifyStages()) || failed(verifyColumns()) ||
        failed(verifyRegisters()) ||
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
  LogicalResult verifyShape() {
    if (depth == 0 || depth % kMatrixStep != 0)
      return op->emitOpError("has no kernel for ")
             << chip.name << " with heads of " << depth
             << " values: they come in multiples of " << kMatrixStep;
    if (width == 0 || width % kColumnStep != 0)
      return op->emitOpError("has no kernel for ")
             << chip.name << " with heads of " << width
             << " columns: they come in multiples of " << kColumnStep;
    if (width % group == 0)
      return success();
    return op->emitOpError("has no kernel for ")
           << chip.name << " with " << op.getOutputQuant().key
           << " and heads of " << width << " columns: a scale covers " << group
           << ", and a block has columns of one head: take groups that "
              "divide a head, or quantize by an op of its own "
              "(mlafuse.quantize, which mlafuse-compile --no-fuse keeps apart)";
  }

  bool canCut(int64_t columns) const {
    return width % columns == 0 && columns % std::lcm(kColumnStep, group) == 0;
  }

  /// The widest tile that leaves room for two warpgroups (four warps), one of
  /// which multiplies while the other stores; else the tallest that there is
  /// room for. False if there is room for none.
  bool chooseTile() {
    int64_t step = parameters.getRowStep();
    int64_t mostRows = chip.multipliesWarpgroups() ? 2 * step : 4 * step;
    for (int64_t rows = mostRows; rows > 0; rows -= step) {
      s.tileRows = take(&ScheduleAttr::getTileRows, rows);
      for (int64_t columns =
               std::max(kDefaultColumns, std::lcm(kColumnStep, group));
           columns > 0; columns -= kColumnStep) {
        s.tileColumns = take(&ScheduleAttr::getTileColumns, columns);
        if (canCut(s.tileColumns) && hasRoom())
          return true;
      }
    }
    s.tileRows = take(&ScheduleAttr::getTileRows, step);
    s.tileColumns =
        take(&ScheduleAttr::getTileColumns, std::lcm(kColumnStep, group));
    return false;
  }

  bool hasRoom() const {
    return getSharedBytes() <= chip.sharedBytes &&
           getThreadRegisters() <= getThreadRoom();
  }

  /// Values of K, and columns of a group, that there is room for in place of
  /// the op's; 0: none.
  int64_t getMostDepth() const {
    Chooser other = *this;
    while (other.depth > kMatrixStep && !other.hasRoom())
      other.depth -= kMatrixStep;
    return other.hasRoom() ? other.depth : 0;
  }
  int64_t getMostGroup() const {
    Chooser other = *this;
    while (other.s.tileColumns > kMatrixStep && !other.hasRoom())
      other.s.tileColumns /= 2;
    return other.hasRoom() ? other.s.tileColumns : 0;
  }

  /// Of the least tile, where no schedule was given.
  void emitTooLarge() const {
    InFlightDiagnostic error = op->emitOpError("has no kernel for ");
    error << chip.name << " with heads of " << depth << " values";
    if (group > 1)
      error << " and groups of " << group << " columns";
    if (getSharedBytes() > chip.sharedBytes)
      error << ": their block takes " << getSharedBytes()
            << " bytes of shared memory, and has " << chip.sharedBytes;
    else
      error << ": their sums take " << getThreadRegisters()
            << " registers of a thread, and it has room for "
            << getThreadRoom();
    SmallVector<std::string, 2> fits;
    if (int64_t most = getMostDepth())
      fits.push_back("heads of " + std::to_string(most) + " values");
    if (int64_t most = group > 1 ? getMostGroup() : 0)
      fits.push_back("groups of " + std::to_string(most) + " columns");
    if (!fits.empty())
      error << "; there is room for " << llvm::join(fits, ", or for ");
    if (group > 1)
      error << "; or quantize by an op of its own (mlafuse.quantize, which "
               "mlafuse-compile --no-fuse keeps apart)";
  }

  /// By warps: the weights of the slices in flight; the sums on their way to
  /// the output when those are done with.
  int64_t getSharedBytes() const {
    if (chip.multipliesWarpgroups())
      return kernel::ProjectionLayout(s, depth, /*tiles=*/1).bytes;
    int64_t rowBytes =
        llvm::alignTo(s.tileColumns, kPaddedColumns) * kElementBytes;
    int64_t sums =
        s.tileRows / kMatrixStep * kernel::getStagedBytes(s.tileColumns);
    return kernel::ptx::SharedLayout().getBytes() +
           std::max(s.stages * s.tileDepth * rowBytes, sums);
  }

  LogicalResult verifySteps() const {
    return success(
        succeeded(parameters.verifySteps(
            "tile_rows", s.tileRows, parameters.getRowStep(), kMaxTileSize)) &&
        succeeded(parameters.verifySteps("tile_columns", s.tileColumns,
                                         kColumnStep, kMaxTileSize)) &&
        succeeded(parameters.verifySteps("stages", s.stages, 1, kMaxStages)) &&
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

  /// A thread's sums and its part of x: by warpgroups of two slices, one that
  /// is multiplied and the next.
  int64_t getThreadRegisters() const {
    int64_t slices = chip.multipliesWarpgroups() ? 2 : 1;
    return s.tileColumns / 2 + slices * s.tileDepth / 4;
  }

  int64_t getThreadRoom() const {
    int64_t registers = chip.multipliesWarpgroups()
                            ? kernel::ProjectionLayout(s, depth, /*tiles=*/1)
                                  .getThreadRegisters()
                            : kThreadRegisters;
    return registers - kOtherRegisters;
  }

  LogicalResult verifyRegisters() const {
    if (getThreadRegisters() <= getThreadRoom())
      return success();
    return parameters.emitError()
           << "tile_rows = " << s.tileRows
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
