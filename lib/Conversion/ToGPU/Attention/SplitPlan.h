//===- SplitPlan.h - who attends to which keys ------------------*- C++ -*-===//
//
// The keys of a request are cut in blocks. Request b costs `overhead` + n_b
// units, n_b its key blocks, as SplitDivision says; the requests stand on a
// line, one after the other, each with its overhead first. `groups` groups
// of thread blocks, one block per row tile, get equal parts of the line. What a
// group has of a request is a part; a request with several parts is combined by
// a later kernel.
//
// Every block of threads computes the plan at its start from the lengths that
// are in memory: it depends on nothing else, and nothing in memory grows with
// the lengths.
//
//===----------------------------------------------------------------------===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_SPLITPLAN_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_SPLITPLAN_H

#include "AttentionProblem.h"
#include "SplitDivision.h"

namespace mlafuse::kernel {

/// How outputs of parts are stored. Rows have the same place either way.
enum class PartFormat {
  F32,
  /// As f16, each half of kHalfColumns columns brought near f16's largest value
  /// by a power of two. Behind the f16, in what f32 would take, are two f32 for
  /// each half: the factor that undoes that, and the logarithm of the row's
  /// sum. Half the bytes, which make their way twice, and still more digits
  /// than a result has.
  ScaledF16,
};

inline int64_t getElementBytes(PartFormat format) {
  return format == PartFormat::F32 ? 4 : 2;
}
static constexpr int64_t kHalfColumns = 256;
/// The place (i64) of the f32 of half `half` (i32) of the ScaledF16 row at
/// `row`, which has `columns` columns.
mlir::Value getScaleAddress(Emitter &e, mlir::Value row, int64_t columns,
                            mlir::Value half);

/// The launch, as the host makes it, and the memory through which kernels pass
/// parts on. A slot is a group's first or last part; each has `rowTiles` tiles.
struct SplitBuffers {
  mlir::Value groups, rowTiles; ///< Indices.
  /// [slots * rowTiles, tileRows, L] of f32, or rows of a PartFormat at the
  /// same places: attention of the part's keys alone. Of f32 rows [slots *
  /// rowTiles, tileRows]: the base-2 logarithm of their sums of exponentials;
  /// -inf of those that have no key. Null, like `parts`, if no request is ever
  /// cut.
  mlir::Value outputs, sums;
  /// [slots, 3] of i32: of the part in the slot its request, how many parts
  /// that one has, in as many groups one after the other, and which of them
  /// this is. 0 parts: the slot has none.
  mlir::Value parts;

  /// Emitted ahead of the kernels. `blocksPerMultiprocessor` blocks of threads
  /// run on one at a time.
  static SplitBuffers create(Emitter &e, const AttentionProblem &problem,
                             const AttentionSchedule &schedule,
                             const Chip &chip,
                             int64_t blocksPerMultiprocessor = 1);

  /// Thread blocks of the attention kernel: block = group * rowTiles + row
  /// tile.
  mlir::Value getGrid(Emitter &e) const;
  /// Groups at most.
  static int64_t getMaxGroups(const AttentionSchedule &schedule,
                              const Chip &chip,
                              int64_t blocksPerMultiprocessor = 1);
  bool mayCut() const { return parts != nullptr; }

  /// The first part of a request is in slot 2 * group, those that begin in an
  /// earlier group in slot 2 * group + 1.
  static constexpr int64_t kSlotsPerGroup = 2;
  /// Columns of `parts`.
  static constexpr int64_t kRequest = 0, kPartCount = 1, kPart = 2,
                           kPartFields = 3;
};

/// A group's part of a request; i32 and i1 values.
struct Part {
  mlir::Value request;
  mlir::Value length;          ///< AttentionInputs::loadLength.
  mlir::Value keys;            ///< AttentionInputs::getKeys.
  mlir::Value firstBlock, end; ///< Key blocks [firstBlock, end).
  /// Whether these are all key blocks of the request, maybe none: the part is
  /// then the result. Else it goes to `slot`.
  mlir::Value isWhole;
  mlir::Value slot;
  mlir::Value start,
      blocks; ///< The request's first key's unit; its key blocks.
};

/// The plan of the block of threads that runs the emitted code.
class SplitPlan {
public:
  /// Emitted at the kernel's start, where all its threads are: ends in a block
  /// barrier, and takes a few words of shared memory that the kernel declares
  /// (dynamic shared memory is not touched).
  SplitPlan(Emitter &e, Kernel &kernel, const AttentionInputs &inputs,
            const AttentionSchedule &schedule, const SplitBuffers &buffers);

  /// This block's row tile, i32.
  mlir::Value getRowTile() const { return rowTile; }
  /// Whether a part may be less than a request.
  bool mayCut() const { return buffers.mayCut(); }

  /// Emits `body` for the group's parts, in order: a loop without barriers that
  /// reads one length per request. Each warp role runs one of its own, and all
  /// see the same parts.
  void
  forEachPart(Emitter &e,
              llvm::function_ref<void(Emitter &, const Part &)> body) const;

  /// The same with `state` carried from part to part; returns the last one.
  ptx::Registers
  forEachPart(Emitter &e, mlir::ValueRange state,
              llvm::function_ref<ptx::Registers(Emitter &, const Part &,
                                                mlir::ValueRange state)>
                  body) const;

  /// Slots may stay without a part, and memory holds anything. The plan calls
  /// it itself, but for a problem that `readsEarly`: there one thread does once
  /// it may write, the one that calls storePart.
  void clearParts(Emitter &e) const;
  /// Tells the combining kernel of a part of a request that is cut. One thread
  /// of a block calls it for each of the block's parts.
  void storePart(Emitter &e, const Part &part) const;

  /// The tile (i64 addresses) that a part which is not whole goes to: its
  /// outputs, tileRows rows L f32 apart, and its sums, tileRows of f32.
  mlir::Value getPartialOutputs(Emitter &e, const Part &part) const;
  mlir::Value getPartialSums(Emitter &e, const Part &part) const;

private:
  mlir::Value getPartialTile(Emitter &e, const Part &part) const;
  mlir::Value getBlocks(Emitter &e, mlir::Value keys) const;
  mlir::Value loadLengthOrZero(Emitter &e, mlir::Value request,
                               mlir::Value exists) const;
  mlir::Value getRequestBlocks(Emitter &e, mlir::Value request,
                               mlir::Value length) const;
  mlir::Value loadRequestBlocks(Emitter &e, mlir::Value request) const;
  /// As SplitWork has it.
  mlir::Value plusOverhead(Emitter &e, mlir::Value blocks) const;
  SplitDivision divide(Emitter &e, mlir::Value total, mlir::Value most) const;
  mlir::Value getBegin(Emitter &e, const SplitDivision &division) const;

  /// Of the group: its first request, that one's first unit and length; and
  /// the division.
  ptx::Registers planEqual(Emitter &e) const;
  ptx::Registers planByLanes(Emitter &e, Kernel &kernel) const;
  ptx::Registers planByThreads(Emitter &e, Kernel &kernel) const;
  ptx::Registers planByLengths(Emitter &e, Kernel &kernel) const;
  void setStart(mlir::ValueRange values);

  Part getPart(Emitter &e, mlir::Value request, mlir::Value unit,
               mlir::Value length) const;
  mlir::Value getFirstSlot(Emitter &e) const;
  void storeEntry(Emitter &e, mlir::Value slot,
                  llvm::ArrayRef<mlir::Value> fields) const;

  const AttentionInputs &inputs;
  AttentionSchedule schedule;
  SplitBuffers buffers;
  mlir::Value group, groups, rowTile, rowTiles;
  SplitDivision division;
  mlir::Value begin, end; ///< Units [begin, end) are the group's.
  mlir::Value firstRequest, firstUnit, firstLength; ///< Where the walk starts.
};

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_SPLITPLAN_H
