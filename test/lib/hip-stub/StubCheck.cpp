//===- StubCheck.cpp - a host program for the stub --------------------===//
//
// mlafuse-hip-stub-check SCENARIO [K.hsaco]: prints what calls returned; lit
// compares that and the stub's messages.
//
//===------------------------------------------------------------------===//
#include "HipFunctions.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace {

#define RETURNED(call) std::printf("%s\n", hipGetErrorName(call)), flush()
void flush() { std::fflush(stdout); }

/// Ends the program if a call fails that must not.
void must(hipError_t error) {
  if (error == hipSuccess)
    return;
  std::printf("unexpected %s\n", hipGetErrorName(error));
  std::exit(1);
}

std::vector<char> readFile(const char *path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

hipModule_t loadModule(const char *path) {
  hipModule_t module;
  must(hipModuleLoadData(&module, readFile(path).data()));
  return module;
}

hipFunction_t getKernel(hipModule_t module, const char *name) {
  hipFunction_t kernel;
  must(hipModuleGetFunction(&kernel, module, name));
  return kernel;
}

/// c = a + b with vector_add of test/Simulator/Inputs/kernels.cpp.
struct Addition {
  static constexpr int count = 300;
  static constexpr size_t bytes = count * sizeof(float);
  float *a, *b, *c;
  std::vector<float> host = std::vector<float>(count);
  hipFunction_t kernel;

  explicit Addition(hipModule_t module)
      : kernel(getKernel(module, "vector_add")) {
    for (float **pointer : {&a, &b, &c})
      must(hipMalloc(reinterpret_cast<void **>(pointer), bytes));
    fill(a, 1);
    fill(b, 2);
  }
  void fill(float *device, float first) {
    for (int i = 0; i < count; ++i)
      host[i] = first + static_cast<float>(i);
    must(hipMemcpy(device, host.data(), bytes, hipMemcpyHostToDevice));
  }
  hipError_t launch(hipStream_t stream, unsigned grid = 2, unsigned block = 256,
                    unsigned shared = 0) {
    int n = count;
    void *parameters[] = {&a, &b, &c, &n};
    return hipModuleLaunchKernel(kernel, grid, 1, 1, block, 1, 1, shared,
                                 stream, parameters, nullptr);
  }
  float read(int i) {
    must(hipMemcpy(host.data(), c, bytes, hipMemcpyDeviceToHost));
    return host[i];
  }
};

void runEverything(const char *path) {
  hipModule_t module = loadModule(path);
  Addition add(module);
  hipStream_t stream;
  must(hipStreamCreate(&stream));
  std::printf("fresh memory is NaN: %d\n", add.read(0) != add.read(0));
  must(add.launch(nullptr));
  std::printf("default stream: %g %g\n", add.read(0), add.read(299));

  add.fill(add.a, 10);
  must(add.launch(stream));
  std::vector<float> early(Addition::count);
  must(hipMemcpyAsync(early.data(), add.c, Addition::bytes,
                      hipMemcpyDeviceToHost, stream));
  std::printf("before the wait: %g\n", early[0]);
  must(hipStreamSynchronize(stream));
  std::printf("after the wait: %g\n", early[0]);

  hipGraph_t graph;
  hipGraphExec_t executable;
  hipStreamCaptureStatus status;
  must(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
  must(hipStreamIsCapturing(stream, &status));
  must(add.launch(stream));
  must(hipStreamEndCapture(stream, &graph));
  must(hipGraphInstantiate(&executable, graph, nullptr, nullptr, 0));
  add.fill(add.a, 100);
  std::printf("captured %d, not run: %g\n", status, add.read(0));
  must(hipGraphLaunch(executable, stream));
  must(hipStreamSynchronize(stream));
  std::printf("replayed: %g\n", add.read(0));
  must(hipGraphExecDestroy(executable));
  must(hipGraphDestroy(graph));

  hipEvent_t start, stop;
  float milliseconds;
  must(hipEventCreate(&start));
  must(hipEventCreate(&stop));
  must(hipEventRecord(start, stream));
  must(add.launch(stream));
  must(hipEventRecord(stop, stream));
  must(hipEventSynchronize(stop));
  must(hipEventElapsedTime(&milliseconds, start, stop));
  std::printf("time passed: %d\n", milliseconds > 0);
  must(hipEventDestroy(start));
  must(hipEventDestroy(stop));
  must(hipStreamDestroy(stream));
  for (float *pointer : {add.a, add.b, add.c})
    must(hipFree(pointer));
  must(hipModuleUnload(module));
  std::printf("done\n");
}

void misuse(const char *path) {
  hipModule_t module = loadModule(path);
  Addition add(module);
  void *memory;
  char host[16] = {};
  RETURNED(hipSetDevice(1));
  RETURNED(hipFree(host));
  RETURNED(hipMemcpy(add.a, host, Addition::bytes + 1, hipMemcpyHostToDevice));
  RETURNED(hipMemcpy(host, host, 4, hipMemcpyDeviceToHost));
  RETURNED(hipMemcpy(add.a, add.b, 4, hipMemcpyDeviceToHost));
  RETURNED(hipMemset(add.a + 1, 0, Addition::bytes));
  RETURNED(add.launch(nullptr, 0));
  RETURNED(add.launch(nullptr, 1, 1025));
  RETURNED(add.launch(nullptr, 1, 64, 200000));
  float *right = add.c;
  add.c = reinterpret_cast<float *>(host);
  RETURNED(add.launch(nullptr));
  add.c = right;
  int n = 1;
  void *missing[] = {&add.a, nullptr, &add.c, &n};
  RETURNED(hipModuleLaunchKernel(add.kernel, 1, 1, 1, 64, 1, 1, 0, nullptr,
                                 missing, nullptr));
  struct {
    float *a, *b;
  } two = {add.a, add.b};
  size_t size = sizeof two;
  void *extra[] = {reinterpret_cast<void *>(1), &two,
                   reinterpret_cast<void *>(2), &size,
                   reinterpret_cast<void *>(3)};
  RETURNED(hipModuleLaunchKernel(add.kernel, 1, 1, 1, 64, 1, 1, 0, nullptr,
                                 nullptr, extra));
  hipFunction_t kernel = getKernel(module, "norm");
  RETURNED(hipModuleLaunchKernel(kernel, 1, 1, 1, 512, 1, 1, 0, nullptr,
                                 missing, nullptr));
  RETURNED(hipModuleGetFunction(&kernel, module, "nothing"));
  hipModule_t other;
  RETURNED(hipModuleLoadData(&other,
                             "this is a text and not an ELF file, which "
                             "would have a header of 64 bytes"));
  hipStream_t stream;
  must(hipStreamCreate(&stream));
  RETURNED(hipStreamBeginCapture(nullptr, hipStreamCaptureModeGlobal));
  must(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
  RETURNED(hipMalloc(&memory, 64));
  hipGraph_t graph;
  RETURNED(hipStreamEndCapture(stream, &graph));
  must(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
  RETURNED(hipStreamSynchronize(stream));
  RETURNED(hipStreamEndCapture(stream, &graph));
  must(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
  RETURNED(add.launch(nullptr));
  RETURNED(hipStreamEndCapture(stream, &graph));
  must(hipStreamDestroy(stream));
  RETURNED(hipStreamSynchronize(stream));
  must(hipModuleUnload(module));
  RETURNED(add.launch(nullptr));
  RETURNED(hipGetLastError());
  RETURNED(hipGetLastError());
}

/// Kernels of test/Simulator/Inputs/faults.cpp.
void fault(const std::string &scenario, const char *path) {
  hipModule_t module = loadModule(path);
  size_t bytes = scenario == "slack" ? 257 : 256;
  void *memory;
  must(hipMalloc(&memory, bytes));
  if (scenario == "host") {
    std::printf("%d\n", *static_cast<volatile int *>(memory));
    return;
  }
  bool isTrap = scenario == "trap";
  must(hipMemset(memory, 0, bytes));
  void *parameters[] = {&memory};
  must(hipModuleLaunchKernel(
      getKernel(module, isTrap ? "trap" : "past_the_end"), 1, 1, 1, 64, 1, 1, 0,
      nullptr, parameters, nullptr));
  RETURNED(hipDeviceSynchronize());
  RETURNED(hipFree(memory));
}

} // namespace

int main(int argumentCount, char **arguments) {
  std::string scenario = argumentCount > 1 ? arguments[1] : "";
  if (scenario == "before-init") {
    void *memory;
    RETURNED(hipMalloc(&memory, 1));
    return 0;
  }
  hipError_t error = hipInit(0);
  if (argumentCount != 3) {
    RETURNED(error);
    return error != hipSuccess;
  }
  must(error);
  if (scenario == "load") {
    hipModule_t module;
    RETURNED(hipModuleLoadData(&module, readFile(arguments[2]).data()));
  } else if (scenario == "run") {
    runEverything(arguments[2]);
  } else if (scenario == "misuse") {
    misuse(arguments[2]);
  } else {
    fault(scenario, arguments[2]);
  }
  return 0;
}
