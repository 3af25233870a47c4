//===- StubCuda.h - a driver that only keeps records ----------*- C++ -*-===//
//
// libcuda.so.1 for tests: it has one device, sm_90, runs nothing, and remembers
// what was asked of it. Device memory is the host's. Modules are texts: "bad"
// cannot be loaded; a kernel is found if its name is in the text.
//
//===------------------------------------------------------------------===//
#ifndef MLAFUSE_RUNTIME_UNITTESTS_STUBCUDA_H
#define MLAFUSE_RUNTIME_UNITTESTS_STUBCUDA_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

struct StubLaunch {
  std::string kernel;
  std::vector<uint32_t> sizes; ///< Grid, block, dynamic shared memory.
  void *stream;
  void *context; ///< The current one.
  int64_t firstParameter;
  bool overlapsPrevious;
};

struct StubCuda {
  std::vector<StubLaunch> launches;
  /// The thread's contexts, the current one last.
  std::vector<void *> contexts;
  int32_t primaryContexts = 0; ///< Retained and not released.
  int32_t modules = 0;         ///< Loaded and not unloaded.
  int32_t sharedBytesAllowed = 0;
  /// If not empty, the function of that name fails with error 700.
  std::string failing;
  int32_t computeCapabilityMajor = 9;
  /// What the device is, for cuCtxGetDevice, while a context is current.
  int32_t currentDevice = 0;
};

/// The stub's only instance, in its library.
extern "C" StubCuda *stubCuda();

/// The primary context of device `index`.
extern "C" void *stubPrimaryContext(int32_t index);

#endif // MLAFUSE_RUNTIME_UNITTESTS_STUBCUDA_H
