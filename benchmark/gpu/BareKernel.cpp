//===- BareKernel.cpp - a kernel launched by the driver alone ---------===//
#include "BareKernel.h"

#include <dlfcn.h>

namespace mlafuse::bench {

static constexpr char ptx[] = R"(.version 7.0
.target sm_80
.address_size 64
.visible .entry nothing(.param .u64 a, .param .u64 b, .param .u64 c,
    .param .u64 d, .param .u64 e, .param .u64 f, .param .u64 g, .param .u64 h)
{
  ret;
}
)";

bool BareKernel::fail(const char *what, int code) {
  error = std::string(what) + ": error " + std::to_string(code);
  return false;
}

bool BareKernel::open() {
  void *driver = dlopen("libcuda.so.1", RTLD_NOW);
  if (!driver) {
    error = dlerror();
    return false;
  }
  auto retain = reinterpret_cast<int (*)(void **, int)>(
      dlsym(driver, "cuDevicePrimaryCtxRetain"));
  auto setCurrent =
      reinterpret_cast<int (*)(void *)>(dlsym(driver, "cuCtxSetCurrent"));
  auto loadData = reinterpret_cast<int (*)(void **, const void *)>(
      dlsym(driver, "cuModuleLoadData"));
  auto getFunction = reinterpret_cast<int (*)(void **, void *, const char *)>(
      dlsym(driver, "cuModuleGetFunction"));
  launchKernel = reinterpret_cast<Launch>(dlsym(driver, "cuLaunchKernel"));
  if (!retain || !setCurrent || !loadData || !getFunction || !launchKernel) {
    error = "libcuda.so.1 lacks a function";
    return false;
  }
  void *context = nullptr, *module = nullptr;
  if (int code = retain(&context, 0))
    return fail("cuDevicePrimaryCtxRetain", code);
  if (int code = setCurrent(context))
    return fail("cuCtxSetCurrent", code);
  if (int code = loadData(&module, ptx))
    return fail("cuModuleLoadData", code);
  if (int code = getFunction(&function, module, "nothing"))
    return fail("cuModuleGetFunction", code);
  for (int i = 0; i < 8; ++i)
    parameters[i] = &values[i];
  return true;
}

bool BareKernel::launch(unsigned blocks, unsigned threads) {
  int code = launchKernel(function, blocks, 1, 1, threads, 1, 1, 0, nullptr,
                          parameters, nullptr);
  return code == 0 || fail("cuLaunchKernel", code);
}

} // namespace mlafuse::bench
