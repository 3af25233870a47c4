//===- SplitPlan.h - who attends to which keys ------------------*- C++ -*-===//
//
// `groups` groups of thread blocks, one block per row tile, get equal pieces of
// the line of all requests (SplitLine). What a group has of a request is a
// part; a request with several parts is combined by a later kernel.
//
// Every block of threads computes the plan at its start from the lengths that
// are in memory: it depends on nothing else, and nothing in memory grows with
// the lengths. Blocks of the kernel that combines do the same, and so nobody
// has to tell them what was cut.
//
//===----------------------------------------------------------------------===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_SPLITPLAN_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_SPLITPLAN_H

#include "SplitLine.h"

namespace mlafuse::kernel {

/// How outputs of parts are stored. Rows have the same place either way.
enum class PartFormat {
  F32,
  /// As f16, each half of kHalfColumns columns brought near f16's largest value
  /// by a power of two, or as near as is known of it. Behind the f16, in what
  /// f32 would take, are two f32 for each half: the factor that undoes that,
  /// and the logarithm of the row's sum. Half the bytes, which make their way
  /// twice, and still more digits than a result has.
  ScaledF16,
  /// The same, but that of every 32 columns the pairs are in the order in which
  /// the lanes of a product have them: first those with 2 (lane mod 4) equal to
  /// 0. Lanes then store what they have, and who reads puts it in order
  /// (transposeQuad).
  ScaledFragments,
};

inline bool isScaled(PartFormat format) { return format != PartFormat::F32; }

inline int64_t getElementBytes(PartFormat format) {
  return format == PartFormat::F32 ? 4 : 2;
}
static constexpr int64_t kHalfColumns = 256;
/// Bytes (i32) from a scaled row of `columns` columns to the f32 of half
/// `half` (i32).
mlir::Value getScaleOffset(Emitter &e, int64_t columns, mlir::Value half);
/// The place (i64) of the f32 of half `half` (i32) of the scaled row at
/// `row`, which has `columns` columns.
mlir::Value getScaleAddress(Emitter &e, mlir::Value row, int64_t columns,
                            mlir::Value half);

/// The launch, as the host makes it, and the memory through which kernels pass
/// parts on. A slot is a group's first or last part. Of every kGroupRows rows
/// of a tile those of all slots lie one after the other: parts of a row are
/// near each other, and how far is known when the kernel is made.
struct SplitBuffers {
  mlir::Value groups, rowTiles; ///< Indices.
  /// [rowTiles, tileRows / kGroupRows, slots, kGroupRows, L] of f32, or rows
  /// of a PartFormat at the same places: attention of the part's keys alone. Of
  /// f32 rows, without L: the base-2 logarithm of their sums of exponentials;
  /// -inf of those that have no key. Null if no request is ever cut.
  mlir::Value outputs, sums;

  /// Emitted ahead of the kernels. A block of threads runs on a multiprocessor
  /// at a time.
  static SplitBuffers create(Emitter &e, const AttentionProblem &problem,
                             const AttentionSchedule &schedule,
                             const Chip &chip);

  /// Thread blocks of the attention kernel: block = group * rowTiles + row
  /// tile.
  mlir::Value getGrid(Emitter &e) const;
  /// Groups at most.
  static int64_t getMaxGroups(const AttentionSchedule &schedule,
                              const Chip &chip);
  bool mayCut() const { return outputs != nullptr; }

  /// The first part of a request is in slot 2 * group, those that begin in an
  /// earlier group in slot 2 * group + 1.
  static constexpr int64_t kSlotsPerGroup = 2;
  /// Rows of a warp, of which a tile has a multiple.
  static constexpr int64_t kGroupRows = 16;
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
  /// Whether the walk over parts goes on behind it, if that looks ahead.
  mlir::Value hasNext;
};

/// part.hasNext, in a register from here on: what a thread has none for would
/// be loaded behind the stores that follow.
mlir::Value keepHasNext(Emitter &e, const Part &part);

/// A group's part of a request that is cut, as the kernel that combines sees
/// it; i32 values.
struct CutPart {
  mlir::Value exists; ///< i1; the others are anything if it does not hold.
  mlir::Value request;
  mlir::Value parts;  ///< The request's, of as many groups one after the other.
  mlir::Value number; ///< Which of them this is.
};

/// Where a group's first keys are; i32 values.
struct FirstKeys {
  mlir::Value exist;   ///< i1.
  mlir::Value request; ///< Or the number of requests.
  mlir::Value keys;    ///< Part::keys.
  mlir::Value block;   ///< Part::firstBlock.
  /// What the kernel has asked for.
  mlir::Value loaded;
};

/// The plan of the block of threads that runs the emitted code.
class SplitPlan {
public:
  /// The address (i64) of an i32 that is to be loaded for a group's first keys,
  /// or 0: of none.
  using FirstAddress =
      llvm::function_ref<mlir::Value(Emitter &, const FirstKeys &)>;

  /// What one warp does while the launches ahead end: it is given what the
  /// group's first keys are as far as that can be told, without `loaded`, and
  /// up to which key block (i32) they go.
  struct Aside {
    mlir::Value isWarp; ///< i1, the same in all lanes.
    llvm::function_ref<void(Emitter &, const FirstKeys &, mlir::Value end)>
        emit;
  };

  /// Of a block of the attention kernel. Emitted at the kernel's start, where
  /// all its threads are: ends in a block barrier, in which the others do not
  /// wait for the warp of `aside`, and takes a few words of shared memory that
  /// the kernel declares (dynamic shared memory is not touched). `wait` as
  /// SplitLine::find has it. With `address` the group's first keys are known
  /// ahead of the wait, and what is at the address is loaded as soon as that is
  /// over.
  static SplitPlan create(Emitter &e, Kernel &kernel,
                          const AttentionInputs &inputs,
                          const AttentionSchedule &schedule,
                          const SplitBuffers &buffers,
                          SplitLine::Wait wait = {}, FirstAddress address = {},
                          Aside aside = {});
  /// If `address` was given.
  const FirstKeys &getFirstKeys() const { return firstKeys; }

  /// Of block `block` (i32) of the attention kernel in that which combines.
  /// forEachPart is not for it. Without the barrier at the end. If `slot` (i32)
  /// is given, getCutPart is for that slot of the group alone: less work.
  static SplitPlan createForCombining(Emitter &e, Kernel &kernel,
                                      const AttentionInputs &inputs,
                                      const AttentionSchedule &schedule,
                                      const SplitBuffers &buffers,
                                      mlir::Value block, mlir::Value slot = {});
  /// The part in slot `slot` (i32) of the group's: of a request that begins in
  /// the group (0), or in an earlier one (1).
  CutPart getCutPart(Emitter &e, mlir::Value slot) const;

  /// This block's group and row tile, i32.
  mlir::Value getGroup() const { return group; }
  mlir::Value getRowTile() const { return rowTile; }
  /// Whether a part may be less than a request.
  bool mayCut() const { return buffers.mayCut(); }

  /// Emits `body` for the group's parts, in order: a loop without barriers that
  /// reads the length of each request but the first. Each warp role runs one of
  /// its own, and all see the same parts.
  void
  forEachPart(Emitter &e,
              llvm::function_ref<void(Emitter &, const Part &)> body) const;

  /// The same with `state` carried from part to part; returns the last one. If
  /// the loop `looksAhead`, part.hasNext is known to `body`, which returns it
  /// behind the state: from a register that it was in ahead of the part's
  /// stores. Else the block would end later, since what a thread has no
  /// register for comes from memory behind them.
  ptx::Registers
  forEachPart(Emitter &e, mlir::ValueRange state,
              llvm::function_ref<ptx::Registers(Emitter &, const Part &,
                                                mlir::ValueRange state)>
                  body,
              bool looksAhead = false) const;

  /// The same with how many blocks of keys and how many parts with keys were
  /// before (i32), which `body` returns as they are behind the part.
  void forEachCountedPart(
      Emitter &e,
      llvm::function_ref<ptx::Registers(Emitter &, const Part &,
                                        mlir::Value blocks, mlir::Value parts)>
          body,
      bool looksAhead = false) const;

  /// The number (i32) of a row group of the tile, `group`, in `slot` (i32)
  /// among those of SplitBuffers.
  mlir::Value getRowGroup(Emitter &e, mlir::Value slot,
                          mlir::Value group) const;
  /// The rows (i64 addresses) of the tile's row group `group` (i32; null: 0)
  /// that a part which is not whole goes to: its outputs, L f32 apart, and its
  /// sums, f32.
  mlir::Value getPartialOutputs(Emitter &e, const Part &part,
                                mlir::Value group = {}) const;
  mlir::Value getPartialSums(Emitter &e, const Part &part,
                             mlir::Value group = {}) const;
  /// The outputs of row `row` (i32) of the tile.
  mlir::Value getPartialRow(Emitter &e, const Part &part,
                            mlir::Value row) const;

private:
  SplitPlan(Emitter &e, Kernel &kernel, const AttentionInputs &inputs,
            const AttentionSchedule &schedule, const SplitBuffers &buffers,
            mlir::Value block, mlir::ValueRange offsets, SplitLine::Wait wait,
            FirstAddress address, Aside aside);
  void setDivision(Emitter &e, const SplitDivision &division);
  FirstKeys getFirstKeys(Emitter &e, const Part &part,
                         const LinePlace &place) const;
  ptx::Registers findFirstKeys(Emitter &e, const LinePlace &place,
                               SplitLine::Wait wait, FirstAddress address);

  Part getPart(Emitter &e, mlir::Value request, mlir::Value unit,
               mlir::Value length) const;
  mlir::Value begins(Emitter &e, mlir::Value unit) const;
  mlir::Value hasKeys(Emitter &e, const Part &part, mlir::Value unit) const;
  /// Whether the group may have keys of the request that begins at `unit`.
  mlir::Value isPart(Emitter &e, mlir::Value request, mlir::Value unit) const;
  using PartBody = llvm::function_ref<ptx::Registers(Emitter &, const Part &,
                                                     mlir::ValueRange state)>;
  ptx::Registers walk(Emitter &e, mlir::ValueRange state, PartBody body,
                      bool looksAhead) const;
  ptx::Registers addPart(Emitter &e, const Part &part, mlir::Value unit,
                         mlir::ValueRange state, PartBody body) const;
  mlir::Value getPartialRows(Emitter &e, const Part &part, mlir::Value group,
                             mlir::Value buffer, int64_t width) const;

  const AttentionInputs &inputs;
  AttentionSchedule schedule;
  SplitBuffers buffers;
  mlir::Value rowTiles;
  SplitLine line;
  mlir::Value group, rowTile;
  mlir::Value begin, end; ///< Units [begin, end) are the group's.
  /// Where the walk starts; in the kernel that combines, where the cut part in
  /// each slot is, or in that which was asked for.
  llvm::SmallVector<LinePlace> places;
  FirstKeys firstKeys;
};

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_SPLITPLAN_H
