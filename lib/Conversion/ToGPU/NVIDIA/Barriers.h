//===- Barriers.h - what parts of a block wait on ---------------*- C++ -*-===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_NVIDIA_BARRIERS_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_NVIDIA_BARRIERS_H

#include "SharedMemory.h"

namespace mlafuse::kernel::ptx {

/// Some warps of a block that wait for each other: hardware barrier `id` of
/// [1, 16); 0 is gpu.barrier's.
class NamedBarrier {
public:
  NamedBarrier(Emitter &e, int64_t id, int64_t threads)
      : NamedBarrier(i32(e, id), threads) {}
  /// `id` is an i32 that is the same in all threads of a warp.
  NamedBarrier(mlir::Value id, int64_t threads) : id(id), threads(threads) {}
  /// Arrives and waits for all `threads`.
  void sync(Emitter &e) const;
  /// Arrives only.
  void arrive(Emitter &e) const;
  /// Arrives, waits, and tells whether the condition (i1) holds in any thread.
  mlir::Value syncAndFindAny(Emitter &e, mlir::Value condition) const;

private:
  mlir::Value id;
  int64_t threads;
};

/// An mbarrier: a phase ends when as many threads as it was made for have
/// arrived. Phase number n is waited for with parity n mod 2.
struct SharedBarrier {
  Address place; ///< 8 bytes, aligned to 8.

  /// One thread; others see it after fenceBarrierInit and a block barrier.
  void init(Emitter &e, int64_t arrivals) const;
  void arrive(Emitter &e) const;
  /// Lane 0 of `lane` (i32) arrives for its warp, when all lanes are there.
  void arriveByWarp(Emitter &e, mlir::Value lane) const;
  /// Arrives when all copyAsync16 of this thread so far have landed. It counts
  /// as one of the barrier's arrivals.
  void arriveWithCopies(Emitter &e) const;
  /// The phase does not end before `bytes` more have come by copyBulk: ahead of
  /// one of its arrivals.
  void expectBytes(Emitter &e, int64_t bytes) const;
  /// Waits for the end of the phase of that parity (i32).
  void wait(Emitter &e, mlir::Value parity) const;
  /// Whether it has ended by now (i1).
  mlir::Value hasEnded(Emitter &e, mlir::Value parity) const;
};

/// One thread copies `bytes`, a multiple of 16, of global memory, which are
/// aligned to 16 like the place; the barrier counts them. On chips with bulk
/// copies.
void copyBulk(Emitter &e, Address to, mlir::Value from, int64_t bytes,
              const SharedBarrier &barrier);

void fenceBarrierInit(Emitter &e);

/// Waits for all lanes of the warp; what they wrote to shared memory is seen.
void syncWarp(Emitter &e);

/// Between accesses to shared memory by ordinary instructions and those of the
/// matrix units, in the thread that has seen or made the former.
void fenceMatrixUnits(Emitter &e);

/// Programmatic dependent launch: waits until the launches before this one have
/// ended and their memory is seen; lets the next launch start.
void waitForPreviousLaunch(Emitter &e);
/// The same when `ahead` (i32 or i64, none negative) are computed: what makes
/// them is not moved behind the wait, as instructions that touch no memory may
/// be.
void waitForPreviousLaunch(Emitter &e, mlir::ValueRange ahead);
void startNextLaunch(Emitter &e);

} // namespace mlafuse::kernel::ptx

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_NVIDIA_BARRIERS_H
