//===- SwappedLoader.h - codes to slices of shared memory -------*- C++ -*-===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_SWAPPEDLOADER_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_SWAPPEDLOADER_H

#include "SwappedRows.h"

namespace mlafuse::kernel {

/// How a warp of values brings codes and scales of keys: those of the warps of
/// scores that have its number, two blocks ahead of what it multiplies.
class SwappedLoader {
public:
  SwappedLoader(Emitter &e, const SwappedBlock &block,
                const AttentionInputs &inputs, const KeyLocator &locator,
                mlir::Value warp, mlir::Value lane);

  /// Brings the first two blocks of a part; returns the entry of the next.
  /// Block `count` (i32) of the kernel is the part's first.
  mlir::Value begin(Emitter &e, const Part &part, mlir::Value count) const;
  /// Once block `number` of the request, `count` of the kernel, is read, brings
  /// the one two further on, of which `entry` is. Returns the next.
  mlir::Value proceed(Emitter &e, const Part &part, mlir::Value number,
                      mlir::Value count, mlir::Value entry) const;

private:
  void bringIf(Emitter &e, const Part &part, mlir::Value number,
               mlir::Value count, mlir::Value entry) const;
  void bring(Emitter &e, const SwappedRows &rows, mlir::Value slice) const;
  /// Of block `count`: the warp's slice.
  mlir::Value getSlice(Emitter &e, mlir::Value count) const;

  const SwappedBlock &block;
  const AttentionProblem &problem;
  SwappedRowFinder finder;
  mlir::Value warp, lane;
};

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_SWAPPEDLOADER_H
