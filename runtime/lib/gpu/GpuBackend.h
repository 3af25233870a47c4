//===- GpuBackend.h - the table of a GPU's backend ------------*- C++ -*-===//
#ifndef MLAFUSE_RT_GPU_GPUBACKEND_H
#define MLAFUSE_RT_GPU_GPUBACKEND_H

#include "../common/Backend.h"
#include "Driver.h"

#include <memory>

namespace mlafuse::rt {

/// Backend::create with a driver that is not open yet.
mlafuse_status createGpu(std::unique_ptr<Driver> driver, void **state,
                         ErrorText error);

/// All functions of a GPU's backend but `create`.
Backend makeGpuBackend(const char *name, int32_t dlpackDevice);

/// The backend of the vendor whose driver is `DriverT`.
template <typename DriverT>
Backend makeGpuBackend(const char *name, int32_t dlpackDevice) {
  Backend backend = makeGpuBackend(name, dlpackDevice);
  backend.create = [](int32_t, void **state, ErrorText error) {
    return createGpu(std::make_unique<DriverT>(), state, error);
  };
  return backend;
}

} // namespace mlafuse::rt

#endif // MLAFUSE_RT_GPU_GPUBACKEND_H
