//===- StubCheck.cpp - a host program for a stub ----------------------===//
//
// SCENARIO [IMAGE]: prints what calls returned; lit compares that and the
// stub's messages. The image has the kernels of test/Simulator/Inputs.
//
//===------------------------------------------------------------------===//
#include "StubCheck.h"

#include <cstdlib>
#include <fstream>
#include <iterator>

namespace check {

void printed(api::Error error) {
  std::printf("%s\n", api::nameOf(error));
  std::fflush(stdout);
}

void must(api::Error error) {
  if (!error)
    return;
  std::printf("unexpected %s\n", api::nameOf(error));
  std::exit(1);
}

std::vector<char> readFile(const char *path) {
  std::ifstream file(path, std::ios::binary);
  std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
  bytes.push_back(0);
  return bytes;
}

api::Module loadModule(const char *path) {
  api::Module module;
  must(api::loadModule(&module, readFile(path).data()));
  return module;
}

api::Kernel getKernel(api::Module module, const char *name) {
  api::Kernel kernel;
  must(api::getKernel(&kernel, module, name));
  return kernel;
}

Addition::Addition(api::Module module)
    : kernel(getKernel(module, "vector_add")) {
  for (float **pointer : {&a, &b, &c})
    must(api::allocate(reinterpret_cast<void **>(pointer), bytes));
  fill(a, 1);
  fill(b, 2);
}

void Addition::fill(float *device, float first) {
  for (int i = 0; i < count; ++i)
    host[i] = first + static_cast<float>(i);
  must(api::toDevice(device, host.data(), bytes));
}

api::Error Addition::launch(api::Stream stream, unsigned grid, unsigned block,
                            unsigned shared) {
  int n = count;
  void *parameters[] = {&a, &b, &c, &n};
  return api::launch(kernel, grid, block, shared, stream, parameters);
}

float Addition::read(int i) {
  must(api::toHost(host.data(), c, bytes));
  return host[i];
}

static void runEverything(const char *path) {
  api::Module module = loadModule(path);
  Addition add(module);
  api::Stream stream;
  must(api::createStream(&stream));
  std::printf("fresh memory is NaN: %d\n", add.read(0) != add.read(0));
  must(add.launch(nullptr));
  std::printf("default stream: %g %g\n", add.read(0), add.read(299));

  add.fill(add.a, 10);
  must(add.launch(stream));
  std::vector<float> early(Addition::count);
  must(api::toHostLater(early.data(), add.c, Addition::bytes, stream));
  std::printf("before the wait: %g\n", early[0]);
  must(api::synchronize(stream));
  std::printf("after the wait: %g\n", early[0]);

  api::Graph graph;
  api::GraphExec executable;
  int status;
  must(api::beginCapture(stream));
  must(api::isCapturing(stream, &status));
  must(add.launch(stream));
  must(api::endCapture(stream, &graph));
  must(api::instantiate(&executable, graph));
  add.fill(add.a, 100);
  std::printf("captured %d, not run: %g\n", status, add.read(0));
  must(api::launchGraph(executable, stream));
  must(api::synchronize(stream));
  std::printf("replayed: %g\n", add.read(0));
  must(api::destroyGraphExec(executable));
  must(api::destroyGraph(graph));

  api::Event start, stop;
  float milliseconds;
  must(api::createEvent(&start));
  must(api::createEvent(&stop));
  must(api::recordEvent(start, stream));
  must(add.launch(stream));
  must(api::recordEvent(stop, stream));
  must(api::synchronizeEvent(stop));
  must(api::elapsedTime(&milliseconds, start, stop));
  std::printf("time passed: %d\n", milliseconds > 0);
  must(api::destroyEvent(start));
  must(api::destroyEvent(stop));
  must(api::destroyStream(stream));
  for (float *pointer : {add.a, add.b, add.c})
    must(api::release(pointer));
  must(api::unloadModule(module));
  std::printf("done\n");
}

static void misuse(const char *path) {
  api::Module module = loadModule(path);
  Addition add(module);
  void *memory;
  char host[16] = {};
  misuseFirst(add);
  printed(api::release(host));
  printed(api::toDevice(add.a, host, Addition::bytes + 1));
  printed(api::toHost(host, host, 4));
  printed(api::toHost(add.a, add.b, 4));
  printed(api::fill(add.a + 1, 0, Addition::bytes));
  printed(add.launch(nullptr, 0));
  printed(add.launch(nullptr, 1, 1025));
  printed(add.launch(nullptr, 1, 64, 200000));
  float *right = add.c;
  add.c = reinterpret_cast<float *>(host);
  printed(add.launch(nullptr));
  add.c = right;
  int n = 1;
  void *missing[] = {&add.a, nullptr, &add.c, &n};
  printed(api::launch(add.kernel, 1, 64, 0, nullptr, missing));
  struct {
    float *a, *b;
  } two = {add.a, add.b};
  size_t size = sizeof two;
  void *extra[] = {reinterpret_cast<void *>(1), &two,
                   reinterpret_cast<void *>(2), &size, api::endOfExtra};
  printed(api::launch(add.kernel, 1, 64, 0, nullptr, nullptr, extra));
  api::Kernel kernel = getKernel(module, "norm");
  printed(api::launch(kernel, 1, 512, 0, nullptr, missing));
  printed(api::getKernel(&kernel, module, "nothing"));
  api::Module other;
  printed(api::loadModule(&other, "this is a text and not an ELF file, which "
                                  "would have a header of 64 bytes"));
  api::Stream stream;
  must(api::createStream(&stream));
  printed(api::beginCapture(nullptr));
  must(api::beginCapture(stream));
  printed(api::allocate(&memory, 64));
  api::Graph graph;
  printed(api::endCapture(stream, &graph));
  must(api::beginCapture(stream));
  printed(api::synchronize(stream));
  printed(api::endCapture(stream, &graph));
  must(api::beginCapture(stream));
  printed(add.launch(nullptr));
  printed(api::endCapture(stream, &graph));
  must(api::destroyStream(stream));
  printed(api::synchronize(stream));
  must(api::unloadModule(module));
  printed(add.launch(nullptr));
  misuseLast(add);
}

/// Kernels of test/Simulator/Inputs/faults.cpp.
static void fault(const std::string &scenario, const char *path) {
  api::Module module = loadModule(path);
  size_t bytes = scenario == "slack" ? 257 : 256;
  void *memory;
  must(api::allocate(&memory, bytes));
  if (scenario == "host") {
    std::printf("%d\n", *static_cast<volatile int *>(memory));
    return;
  }
  bool isTrap = scenario == "trap";
  must(api::fill(memory, 0, bytes));
  void *parameters[] = {&memory};
  must(api::launch(getKernel(module, isTrap ? "trap" : "past_the_end"), 1, 64,
                   0, nullptr, parameters));
  printed(api::synchronizeDevice());
  printed(api::release(memory));
}

} // namespace check

using namespace check;

int main(int argumentCount, char **arguments) {
  std::string scenario = argumentCount > 1 ? arguments[1] : "";
  if (scenario == "before-init") {
    void *memory;
    printed(api::allocate(&memory, 1));
    return 0;
  }
  api::Error error = api::initialize();
  if (argumentCount != 3) {
    printed(error);
    return error != 0;
  }
  must(error);
  if (scenario == "load") {
    api::Module module;
    printed(api::loadModule(&module, readFile(arguments[2]).data()));
  } else if (scenario == "run") {
    runEverything(arguments[2]);
  } else if (scenario == "misuse") {
    misuse(arguments[2]);
  } else if (!runOther(scenario, arguments[2])) {
    fault(scenario, arguments[2]);
  }
  return 0;
}
