//===- SplitLine.h - all requests' work, one after the other ----*- C++ -*-===//
//
// The keys of a request are cut in blocks. Request b costs `overhead` + n_b
// units, n_b its key blocks, as SplitDivision says; the requests stand on a
// line, one after the other, each with its overhead first. Groups of thread
// blocks get equal pieces of it.
//
//===----------------------------------------------------------------------===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_SPLITLINE_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_SPLITLINE_H

#include "AttentionProblem.h"
#include "SplitDivision.h"

namespace mlafuse::kernel {

/// Where a request is on the line; i32 values.
struct LinePlace {
  mlir::Value request; ///< The number of requests: the line ends before.
  mlir::Value unit;    ///< Its first.
  mlir::Value end;     ///< The next request's first.
  mlir::Value length;  ///< AttentionInputs::loadLength.
};

/// The line as it follows from the lengths that are in memory. Whoever emits
/// the code may read them at that point.
class SplitLine {
public:
  /// `groups`: i32.
  SplitLine(const AttentionInputs &inputs, const AttentionSchedule &schedule,
            mlir::Value groups)
      : inputs(inputs), schedule(schedule), groups(groups) {}

  /// What is to be there when it begins to wait are i32 values, none negative.
  using Wait = llvm::function_ref<void(Emitter &, mlir::ValueRange)>;

  /// For each of `ofGroups` (i32) the request that has its first unit; one of
  /// them may be the group after the last. All threads of the block get here;
  /// takes a few words of shared memory that the kernel declares. Also makes
  /// the division.
  ///
  /// `wait`, if any, is for launches that may write the lengths. It takes its
  /// time, and so what they were before is divided meanwhile, and once more if
  /// that has changed. It is taken for one group alone.
  ///
  /// `early`, if wanted, makes i32 values, getEarly, of the division and the
  /// first place. It begins the wait if it is given one: what it loads behind
  /// it comes while the lengths are read once more.
  struct Early {
    llvm::function_ref<ptx::Registers(Emitter &, const SplitDivision &,
                                      const LinePlace &, Wait wait)>
        make;
    size_t count; ///< Of those values; 0 if none are wanted.
  };
  /// What one warp does instead, if it can be told anything while lengths may
  /// still be written: the division and the first place as they are then. It
  /// takes over what the others find behind the wait, with zeros for what
  /// `early` makes. With it `find` is a barrier of the block in which the
  /// others do not wait for that warp.
  struct Aside {
    mlir::Value isWarp; ///< i1, the same in all lanes.
    llvm::function_ref<void(Emitter &, const SplitDivision &,
                            const LinePlace &)>
        emit;
  };
  llvm::SmallVector<LinePlace> find(Emitter &e, Kernel &kernel,
                                    mlir::ValueRange ofGroups, Wait wait,
                                    Early early = {}, Aside aside = {});
  mlir::ValueRange getEarly() const { return ofEarly; }

  const SplitDivision &getDivision() const { return division; }
  void setDivision(const SplitDivision &made) { division = made; }
  /// Blocks of so many keys.
  mlir::Value getBlocks(Emitter &e, mlir::Value keys) const;

private:
  /// A request's length; 0 if `exists` (i1) does not hold.
  mlir::Value loadLengthOrZero(Emitter &e, mlir::Value request,
                               mlir::Value exists) const;
  mlir::Value getRequestBlocks(Emitter &e, mlir::Value request,
                               mlir::Value length) const;
  mlir::Value loadRequestBlocks(Emitter &e, mlir::Value request) const;
  std::pair<mlir::Value, mlir::Value>
  walkTo(Emitter &e, mlir::Value begin, mlir::Value first, mlir::Value before,
         const SplitDivision &division) const;
  /// What a request of `blocks` key blocks (i32) adds to SplitWork::total.
  mlir::Value plusOverhead(Emitter &e, mlir::Value blocks) const;
  SplitDivision divide(Emitter &e, mlir::Value total, mlir::Value most) const;
  ptx::Registers divideLanes(Emitter &e, mlir::Value length,
                             const SmallDivisor &each,
                             mlir::ValueRange ofGroups) const;

  /// The division and the places.
  ptx::Registers findEqual(Emitter &e, mlir::ValueRange ofGroups) const;
  ptx::Registers findByLanes(Emitter &e, mlir::ValueRange ofGroups, Wait wait,
                             Early early) const;
  /// Whether findByLanes is for them (i1).
  mlir::Value areFew(Emitter &e) const;
  ptx::Registers findAny(Emitter &e, Kernel &kernel, mlir::ValueRange ofGroups,
                         Wait wait, Early early) const;
  ptx::Registers findBeside(Emitter &e, Kernel &kernel,
                            mlir::ValueRange ofGroups, Wait wait, Early early,
                            Aside aside) const;
  ptx::Registers findByThreads(Emitter &e, Kernel &kernel,
                               mlir::ValueRange ofGroups) const;
  ptx::Registers findByLengths(Emitter &e, Kernel &kernel,
                               mlir::ValueRange ofGroups, Wait wait,
                               Early early) const;

  const AttentionInputs &inputs;
  AttentionSchedule schedule;
  mlir::Value groups;
  SplitDivision division;
  ptx::Registers ofEarly;
};

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_SPLITLINE_H
