//===- Sizes.h - sizes of a run's arguments -------------------*- C++ -*-===//
#ifndef MLAFUSE_TOOLS_MLAFUSE_RUN_SIZES_H
#define MLAFUSE_TOOLS_MLAFUSE_RUN_SIZES_H

#include "Manifest.h"
#include "Options.h"
#include "SafeTensors.h"

namespace mlafuse::rt {

/// What is known of the arguments before any memory is had.
struct Sizes {
  /// One per symbol of the function.
  std::vector<int64_t> symbols;
  /// Per argument: its shape, its bytes, and its tensor in the input file
  /// (NULL: none).
  std::vector<std::vector<int64_t>> shapes;
  std::vector<size_t> bytes;
  std::vector<const SafeTensor *> given;
};

/// Takes the sizes of `function` from the tensors in `inputs` and from the
/// options. Fails if a tensor has another type or shape than its argument, if
/// sizes contradict each other, if an argument that is read is neither in the
/// file nor to be made at random, or if a size stays unknown.
Error solveSizes(const Function &function, const SafeTensorsFile &inputs,
                 const Options &options, Sizes &sizes);

} // namespace mlafuse::rt

#endif // MLAFUSE_TOOLS_MLAFUSE_RUN_SIZES_H
