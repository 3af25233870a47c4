//===- Run.h - one function with its arguments on a device ----*- C++ -*-===//
#ifndef MLAFUSE_TOOLS_MLAFUSE_RUN_RUN_H
#define MLAFUSE_TOOLS_MLAFUSE_RUN_RUN_H

#include "Handles.h"
#include "Sizes.h"

namespace mlafuse::rt {

/// Memory of the host that is not initialized; NULL data if there was none.
using HostBuffer = std::unique_ptr<uint8_t[]>;

/// The arguments of one function in the device's memory. What it refers to must
/// outlive it.
class Run {
public:
  Run(mlafuse_context *context, const mlafuse_function *handle,
      const Function &function)
      : context(context), handle(handle), function(function) {}

  /// Allocates and fills the arguments, from the input file, at random, or with
  /// zeros (see solveSizes), and the workspace.
  Error prepare(const Sizes &sizes, const Options &options);

  /// Runs the function and waits for it.
  Error launch();

  /// Copies the results from the device; `buffers` own their bytes.
  Error fetch(std::vector<SafeTensor> &results,
              std::vector<HostBuffer> &buffers) const;

private:
  Error fillArgument(size_t index, const Sizes &sizes, const Options &options);

  mlafuse_context *context;
  const mlafuse_function *handle;
  const Function &function;
  std::vector<std::vector<int64_t>> shapes;
  std::vector<size_t> bytes;
  std::vector<DeviceMemory> memories;
  std::vector<mlafuse_tensor> tensors;
  DeviceMemory workspace;
  int64_t workspaceBytes = 0;
};

} // namespace mlafuse::rt

#endif // MLAFUSE_TOOLS_MLAFUSE_RUN_RUN_H
