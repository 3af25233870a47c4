//===- Modules.cpp - CUDA's functions for images and launches ---------===//
#include "Modules.h"
#include "CudaCall.h"

#include <cstdio>

using namespace mlafuse::gpustub;
using namespace mlafuse::cudastub;

CUDASTUB_API CUresult cuModuleLoadData(CUmodule *result, const void *image) {
  return run(__func__, loadModule, result, image);
}

CUDASTUB_API CUresult cuModuleLoadDataEx(CUmodule *result, const void *image,
                                         unsigned count,
                                         const CUjit_option *options,
                                         void **values) {
  return run(__func__, [=](Call &call) {
    char *log = nullptr;
    size_t logBytes = 0;
    for (unsigned i = 0; i < count; ++i) {
      if (options[i] == CU_JIT_ERROR_LOG_BUFFER)
        log = static_cast<char *>(values[i]);
      else if (options[i] == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES)
        logBytes = reinterpret_cast<uintptr_t>(values[i]);
      else
        return call.fail(InvalidValue, "the stub does not know option " +
                                           std::to_string(options[i]));
    }
    Error error = loadModule(call, result, image);
    if (error && log)
      std::snprintf(log, logBytes, "%s", call.problem.c_str());
    return error;
  });
}

CUDASTUB_API CUresult cuModuleUnload(CUmodule module) {
  return run(__func__, unloadModule, module);
}

CUDASTUB_API CUresult cuModuleGetFunction(CUfunction *result, CUmodule module,
                                          const char *name) {
  return run(__func__, getFunction, result, module, name);
}

CUDASTUB_API CUresult cuFuncGetAttribute(int *value,
                                         CUfunction_attribute attribute,
                                         CUfunction function) {
  return run(__func__, getAttribute, value, attribute, function);
}

CUDASTUB_API CUresult cuFuncSetAttribute(CUfunction function,
                                         CUfunction_attribute attribute,
                                         int value) {
  return run(__func__, setAttribute, function, attribute, value);
}

CUDASTUB_API CUresult cuLaunchKernel(CUfunction function, unsigned gridX,
                                     unsigned gridY, unsigned gridZ,
                                     unsigned blockX, unsigned blockY,
                                     unsigned blockZ, unsigned sharedBytes,
                                     CUstream stream, void **parameters,
                                     void **extra) {
  LaunchRequest request = {{gridX, gridY, gridZ},
                           {blockX, blockY, blockZ},
                           sharedBytes,
                           parameters,
                           extra};
  return run(__func__, launch, function, request, stream);
}

static Error readAttribute(Call &call, const CUlaunchAttribute &attribute,
                           bool &mayOverlap) {
  switch (attribute.id) {
  case CU_LAUNCH_ATTRIBUTE_IGNORE:
    return Success;
  case CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION:
    mayOverlap = attribute.value.programmaticStreamSerializationAllowed != 0;
    return Success;
  default:
    return call.fail(NotSupported,
                     "the stub does not know a launch's attribute " +
                         std::to_string(attribute.id));
  }
}

CUDASTUB_API CUresult cuLaunchKernelEx(const CUlaunchConfig *configuration,
                                       CUfunction function, void **parameters,
                                       void **extra) {
  return run(__func__, [=](Call &call) {
    if (!configuration)
      return call.fail(InvalidValue, "the configuration is null");
    const CUlaunchConfig &from = *configuration;
    bool mayOverlap = false;
    for (uint32_t i = 0; i < from.numAttrs; ++i)
      if (Error error = readAttribute(call, from.attrs[i], mayOverlap))
        return error;
    LaunchRequest request = {{from.gridDimX, from.gridDimY, from.gridDimZ},
                             {from.blockDimX, from.blockDimY, from.blockDimZ},
                             from.sharedMemBytes,
                             parameters,
                             extra,
                             mayOverlap};
    return launch(call, function, request, from.hStream);
  });
}
