//===- Run.h - one function with its arguments on a device ----*- C++ -*-===//
#ifndef MLAFUSE_TOOLS_MLAFUSE_RUN_RUN_H
#define MLAFUSE_TOOLS_MLAFUSE_RUN_RUN_H

#include "DeviceBuffer.h"
#include "Sizes.h"

namespace mlafuse::rt {

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

  /// Fills what a run only writes anew, if that is wanted.
  Error poison();

  /// Puts a run on the stream, and waits for all runs.
  Error enqueue();
  Error wait();

  /// Fails if a byte beside a buffer is another than before, if that is wanted.
  Error checkGuards() const;

  /// Copies the results from the device; `hostBuffers` own their bytes.
  Error fetch(std::vector<SafeTensor> &results,
              std::vector<HostBuffer> &hostBuffers) const;

private:
  Error fillArgument(size_t index, const Sizes &sizes, const Options &options);

  mlafuse_context *context;
  const mlafuse_function *handle;
  const Function &function;
  std::vector<std::vector<int64_t>> shapes;
  std::vector<size_t> bytes;
  std::vector<DeviceBuffer> buffers;
  std::vector<mlafuse_tensor> tensors;
  DeviceBuffer workspace;
  int64_t workspaceBytes = 0;
  bool poisoned = false;
  /// Per argument, whether nobody gave its values and no run reads them.
  std::vector<bool> isPureDestination;
};

} // namespace mlafuse::rt

#endif // MLAFUSE_TOOLS_MLAFUSE_RUN_RUN_H
