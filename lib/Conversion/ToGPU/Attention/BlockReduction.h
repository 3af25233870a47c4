//===- BlockReduction.h - integers of all threads of a block ----*- C++ -*-===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_BLOCKREDUCTION_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_BLOCKREDUCTION_H

#include "../NVIDIA/Asm.h"

namespace mlafuse::kernel {

/// Reductions of i32 values over the threads of a block, all of which get there
/// and get the results. Each has one block barrier, and shared memory of its
/// own that the kernel declares.
class BlockReduction {
public:
  BlockReduction(Emitter &e, Kernel &kernel);

  enum class Kind { Sum, Largest };
  /// One result per value; `kinds` says which.
  ptx::Registers reduce(Emitter &e, mlir::ValueRange values,
                        llvm::ArrayRef<Kind> kinds) const;

  /// The sum of the threads before this one.
  mlir::Value sumBefore(Emitter &e, mlir::Value value) const;

private:
  mlir::Value reduceLanes(Emitter &e, mlir::Value value, Kind kind) const;
  mlir::Value loadOfWarp(Emitter &e, mlir::Value shared, int64_t first,
                         mlir::Value condition) const;

  Kernel &kernel;
  int64_t lanes, warps;
  mlir::Value warp, lane; ///< Indices.
};

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_BLOCKREDUCTION_H
