//===- Modules.cpp - HIP's functions for code objects and launches ----===//
#include "Modules.h"
#include "HipCall.h"

using namespace mlafuse::gpustub;
using namespace mlafuse::hipstub;

HIPSTUB_API hipError_t hipModuleLoadData(hipModule_t *result,
                                         const void *image) {
  return run(__func__, loadModule, result, image);
}

HIPSTUB_API hipError_t hipModuleLoadDataEx(hipModule_t *result,
                                           const void *image, unsigned, void *,
                                           void **) {
  return run(__func__, loadModule, result, image);
}

HIPSTUB_API hipError_t hipModuleUnload(hipModule_t module) {
  return run(__func__, unloadModule, module);
}

HIPSTUB_API hipError_t hipModuleGetFunction(hipFunction_t *result,
                                            hipModule_t module,
                                            const char *name) {
  return run(__func__, getFunction, result, module, name);
}

HIPSTUB_API hipError_t hipFuncGetAttribute(int *value,
                                           hipFunction_attribute attribute,
                                           hipFunction_t function) {
  return run(__func__, getAttribute, value, attribute, function);
}

HIPSTUB_API hipError_t hipFuncSetAttribute(const void *handle, int attribute,
                                           int value) {
  auto *function =
      const_cast<Function *>(static_cast<const Function *>(handle));
  return run(__func__, setAttribute, function, attribute, value);
}

HIPSTUB_API hipError_t hipModuleLaunchKernel(
    hipFunction_t function, unsigned gridX, unsigned gridY, unsigned gridZ,
    unsigned blockX, unsigned blockY, unsigned blockZ, unsigned sharedBytes,
    hipStream_t handle, void **parameters, void **extra) {
  LaunchRequest request = {{gridX, gridY, gridZ},
                           {blockX, blockY, blockZ},
                           sharedBytes,
                           parameters,
                           extra};
  return run(__func__, launch, function, request, handle);
}
