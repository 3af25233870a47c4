//===- BareKernel.h - a kernel launched by the driver alone ---*- C++ -*-===//
#ifndef MLAFUSE_BENCHMARK_GPU_BAREKERNEL_H
#define MLAFUSE_BENCHMARK_GPU_BAREKERNEL_H

#include <string>

namespace mlafuse::bench {

/// A kernel of eight pointers that does nothing, in the current CUDA context.
/// The driver is loaded at run time.
class BareKernel {
public:
  /// False if it could not be made; getError then says why.
  bool open();
  const std::string &getError() const { return error; }

  /// One cuLaunchKernel on the default stream.
  bool launch(unsigned blocks, unsigned threads);

private:
  bool fail(const char *what, int code);

  using Launch = int (*)(void *, unsigned, unsigned, unsigned, unsigned,
                         unsigned, unsigned, unsigned, void *, void **,
                         void **);
  Launch launchKernel = nullptr;
  void *function = nullptr;
  void *values[8] = {};
  void *parameters[8] = {};
  std::string error;
};

} // namespace mlafuse::bench

#endif // MLAFUSE_BENCHMARK_GPU_BAREKERNEL_H
