//===- OwnCheck.cpp - what CUDA alone has -----------------------------===//
#include "StubCheck.h"

namespace check {

static void misuseContexts() {
  CUdevice device;
  printed(cuDeviceGet(&device, 1));
  CUcontext context;
  CUdeviceptr memory;
  must(cuCtxPopCurrent_v2(&context));
  printed(cuMemAlloc_v2(&memory, 1));
  must(cuCtxPushCurrent_v2(context));
  must(cuDevicePrimaryCtxRelease_v2(0));
  printed(cuMemAlloc_v2(&memory, 1));
  printed(cuDevicePrimaryCtxRelease_v2(0));
  must(cuDevicePrimaryCtxRetain(&context, 0));
  printed(cuMemAlloc_v2(&memory, 0));
}

static void misuseSharedMemory(Addition &add) {
  constexpr auto attribute = CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
  must(add.launch(nullptr, 1, 64, 49152));
  printed(add.launch(nullptr, 1, 64, 49153));
  printed(cuFuncSetAttribute(add.kernel, attribute, 232449));
  must(cuFuncSetAttribute(add.kernel, attribute, 60000));
  must(add.launch(nullptr, 1, 64, 60000));
}

static void misuseAttributes(Addition &add) {
  int n = Addition::count;
  void *parameters[] = {&add.a, &add.b, &add.c, &n};
  CUlaunchAttribute attribute = {};
  CUlaunchConfig configuration = {2, 1, 1,       256,        1,
                                  1, 0, nullptr, &attribute, 1};
  attribute.id = static_cast<CUlaunchAttributeID>(4);
  printed(cuLaunchKernelEx(&configuration, add.kernel, parameters, nullptr));
  attribute.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
  // The kernel does not wait, so it must not overlap.
  attribute.value.programmaticStreamSerializationAllowed = 0;
  printed(cuLaunchKernelEx(&configuration, add.kernel, parameters, nullptr));
}

void misuseFirst(Addition &add) {
  misuseContexts();
  misuseSharedMemory(add);
  misuseAttributes(add);
}

void misuseLast(Addition &) {}

bool runOther(const std::string &scenario, const char *path) {
  if (scenario != "log")
    return false;
  char text[64] = "";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER,
                            CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void *values[] = {text, reinterpret_cast<void *>(sizeof text)};
  CUmodule module;
  printed(
      cuModuleLoadDataEx(&module, readFile(path).data(), 2, options, values));
  std::printf("log: %s\n", text);
  return true;
}

} // namespace check
