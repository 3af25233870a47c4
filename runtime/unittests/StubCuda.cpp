//===- StubCuda.cpp - a driver that only keeps records ----------------===//
#include "StubCuda.h"

#include <cstdlib>
#include <cstring>
#include <memory>

namespace {

StubCuda stub;
char primary[2];

enum : int32_t {
  InvalidValue = 1,
  OutOfMemory = 2,
  InvalidContext = 201,
  InvalidPtx = 218,
  NotFound = 500,
  IllegalAddress = 700
};

bool fails(const char *name) { return stub.failing == name; }

void *current() {
  return stub.contexts.empty() ? nullptr : stub.contexts.back();
}

struct Module {
  std::string text;
  std::vector<std::unique_ptr<std::string>> kernels;
};

} // namespace

#define EXPORT extern "C" __attribute__((visibility("default")))

EXPORT StubCuda *stubCuda() { return &stub; }
EXPORT void *stubPrimaryContext(int32_t index) { return &primary[index]; }

EXPORT int32_t cuInit(uint32_t) { return fails("cuInit") ? 100 : 0; }

EXPORT int32_t cuGetErrorName(int32_t error, const char **name) {
  switch (error) {
  case InvalidValue:
    *name = "CUDA_ERROR_INVALID_VALUE";
    return 0;
  case OutOfMemory:
    *name = "CUDA_ERROR_OUT_OF_MEMORY";
    return 0;
  case 100:
    *name = "CUDA_ERROR_NO_DEVICE";
    return 0;
  case InvalidContext:
    *name = "CUDA_ERROR_INVALID_CONTEXT";
    return 0;
  case InvalidPtx:
    *name = "CUDA_ERROR_INVALID_PTX";
    return 0;
  case IllegalAddress:
    *name = "CUDA_ERROR_ILLEGAL_ADDRESS";
    return 0;
  case NotFound:
    *name = "CUDA_ERROR_NOT_FOUND";
    return 0;
  }
  return InvalidValue;
}

EXPORT int32_t cuGetErrorString(int32_t, const char **text) {
  *text = "words of the driver";
  return 0;
}

EXPORT int32_t cuDeviceGet(int32_t *device, int32_t ordinal) {
  *device = ordinal;
  return 0;
}

EXPORT int32_t cuDeviceGetAttribute(int32_t *value, int32_t attribute,
                                    int32_t) {
  *value = attribute == 75   ? stub.computeCapabilityMajor
           : attribute == 76 ? 0
                             : 232448;
  return 0;
}

EXPORT int32_t cuCtxGetCurrent(void **context) {
  *context = current();
  return 0;
}

EXPORT int32_t cuCtxGetDevice(int32_t *device) {
  if (!current())
    return InvalidContext;
  *device = stub.currentDevice;
  return 0;
}

EXPORT int32_t cuDevicePrimaryCtxRetain(void **context, int32_t device) {
  ++stub.primaryContexts;
  *context = &primary[device];
  return 0;
}

EXPORT int32_t cuDevicePrimaryCtxRelease_v2(int32_t) {
  --stub.primaryContexts;
  return 0;
}

EXPORT int32_t cuCtxPushCurrent_v2(void *context) {
  if (fails("cuCtxPushCurrent_v2"))
    return IllegalAddress;
  stub.contexts.push_back(context);
  return 0;
}

EXPORT int32_t cuCtxPopCurrent_v2(void **context) {
  *context = current();
  stub.contexts.pop_back();
  return 0;
}

EXPORT int32_t cuModuleLoadDataEx(void **module, const void *image,
                                  uint32_t count, int32_t *options,
                                  void **values) {
  if (!current())
    return InvalidContext;
  const char *text = static_cast<const char *>(image);
  if (strncmp(text, "bad", 3) == 0) {
    if (count == 2 && options[0] == 5 && options[1] == 6 &&
        reinterpret_cast<uintptr_t>(values[1]) > 30)
      strcpy(static_cast<char *>(values[0]), "ptxas: line 7: no such thing");
    return InvalidPtx;
  }
  *module = new Module{text, {}};
  ++stub.modules;
  return 0;
}

EXPORT int32_t cuModuleUnload(void *module) {
  delete static_cast<Module *>(module);
  --stub.modules;
  return current() ? 0 : InvalidContext;
}

EXPORT int32_t cuModuleGetFunction(void **kernel, void *loaded,
                                   const char *name) {
  Module &module = *static_cast<Module *>(loaded);
  if (module.text.find(name) == std::string::npos)
    return NotFound;
  *kernel =
      module.kernels.emplace_back(std::make_unique<std::string>(name)).get();
  return 0;
}

EXPORT int32_t cuFuncGetAttribute(int32_t *value, int32_t attribute, void *) {
  *value = 448;
  return attribute == 1 ? 0 : InvalidValue;
}

EXPORT int32_t cuFuncSetAttribute(void *, int32_t attribute, int32_t value) {
  stub.sharedBytesAllowed = value;
  return attribute == 8 ? 0 : InvalidValue;
}

EXPORT int32_t cuLaunchKernel(void *kernel, uint32_t gridX, uint32_t gridY,
                              uint32_t gridZ, uint32_t blockX, uint32_t blockY,
                              uint32_t blockZ, uint32_t sharedBytes,
                              void *stream, void **parameters, void **extra) {
  if (gridX == 0 || extra)
    return InvalidValue;
  stub.launches.push_back(
      {*static_cast<std::string *>(kernel),
       {gridX, gridY, gridZ, blockX, blockY, blockZ, sharedBytes},
       stream,
       current(),
       *static_cast<int64_t *>(parameters[0]),
       /*overlapsPrevious=*/false});
  return current() ? 0 : InvalidContext;
}

// CUlaunchConfig and CUlaunchAttribute of cuda.h, field by field.
struct StubConfig {
  uint32_t sizes[7];
  void *stream;
  struct {
    uint32_t id;
    char padding[4];
    char value[64];
  } *attributes;
  uint32_t attributeCount;
};

EXPORT int32_t cuLaunchKernelEx(const StubConfig *config, void *kernel,
                                void **parameters, void **extra) {
  const uint32_t *sizes = config->sizes;
  int32_t allowed = 0;
  if (config->attributeCount != 1 || config->attributes->id != 6)
    return InvalidValue;
  memcpy(&allowed, config->attributes->value, sizeof(allowed));
  int32_t result =
      cuLaunchKernel(kernel, sizes[0], sizes[1], sizes[2], sizes[3], sizes[4],
                     sizes[5], sizes[6], config->stream, parameters, extra);
  if (result == 0)
    stub.launches.back().overlapsPrevious = allowed == 1;
  return result;
}

EXPORT int32_t cuMemAlloc_v2(void **memory, size_t bytes) {
  if (!current())
    return InvalidContext;
  *memory = bytes > 1'000'000 ? nullptr : malloc(bytes);
  return *memory ? 0 : OutOfMemory;
}

EXPORT int32_t cuMemFree_v2(void *memory) {
  free(memory);
  return current() ? 0 : InvalidContext;
}

static int32_t copy(void *destination, const void *source, size_t bytes) {
  memcpy(destination, source, bytes);
  return current() ? 0 : InvalidContext;
}

EXPORT int32_t cuMemcpyHtoDAsync_v2(void *destination, const void *source,
                                    size_t bytes, void *) {
  return copy(destination, source, bytes);
}

EXPORT int32_t cuMemcpyDtoHAsync_v2(void *destination, const void *source,
                                    size_t bytes, void *) {
  return copy(destination, source, bytes);
}

EXPORT int32_t cuMemcpyDtoDAsync_v2(void *destination, const void *source,
                                    size_t bytes, void *) {
  return copy(destination, source, bytes);
}

EXPORT int32_t cuStreamSynchronize(void *) {
  return fails("cuStreamSynchronize") ? IllegalAddress : 0;
}
