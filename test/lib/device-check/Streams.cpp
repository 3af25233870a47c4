//===- Streams.cpp - a GPU's stream and captured launches -------------===//
#include "Streams.h"

#include <dlfcn.h>

namespace mlafuse::rt {
namespace {

/// Names of one driver, in the order of StreamFunctions.
struct Driver {
  const char *libraries[4];
  const char *names[8];
};

constexpr Driver cuda = {{"libcuda.so.1"},
                         {"cuStreamCreate", "cuStreamDestroy_v2",
                          "cuStreamBeginCapture_v2", "cuStreamEndCapture",
                          "cuGraphInstantiate_v2", "cuGraphLaunch",
                          "cuGraphExecDestroy", "cuGraphDestroy"}};

constexpr Driver hip = {{"libamdhip64.so.7", "libamdhip64.so.6",
                         "libamdhip64.so.5", "libamdhip64.so"},
                        {"hipStreamCreateWithFlags", "hipStreamDestroy",
                         "hipStreamBeginCapture", "hipStreamEndCapture",
                         "hipGraphInstantiate", "hipGraphLaunch",
                         "hipGraphExecDestroy", "hipGraphDestroy"}};

/// Does not wait for the default stream; the same number for both vendors.
constexpr unsigned nonBlocking = 1;
/// Capture of this thread's calls alone.
constexpr int threadLocalCapture = 1;

Error failed(const char *what, int code) {
  return code == 0 ? Error()
                   : Error(MLAFUSE_EXECUTION_FAILED,
                           concat({what, ": error ", std::to_string(code),
                                   " of the driver"}));
}

/// Makes the primary context of device 0, the runtime's, current.
Error enterPrimaryContext(void *library) {
  using Init = int (*)(unsigned);
  using Retain = int (*)(void **, int);
  using SetCurrent = int (*)(void *);
  auto init = reinterpret_cast<Init>(dlsym(library, "cuInit"));
  auto retain =
      reinterpret_cast<Retain>(dlsym(library, "cuDevicePrimaryCtxRetain"));
  auto setCurrent =
      reinterpret_cast<SetCurrent>(dlsym(library, "cuCtxSetCurrent"));
  if (!init || !retain || !setCurrent)
    return Error(MLAFUSE_BACKEND_UNAVAILABLE,
                 "libcuda.so.1 has no primary contexts");
  void *context = nullptr;
  if (int code = init(0))
    return failed("cuInit", code);
  if (int code = retain(&context, 0))
    return failed("cuDevicePrimaryCtxRetain", code);
  return failed("cuCtxSetCurrent", setCurrent(context));
}

} // namespace

Error Streams::open(const std::string &device) {
  if (device != "cuda" && device != "hip")
    return Error(MLAFUSE_INVALID_ARGUMENT,
                 concat({"--streams: the backend ", quoted(device),
                         " has no streams; cuda and hip have"}));
  const Driver &names = device == "cuda" ? cuda : hip;
  void *library = nullptr;
  for (const char *name : names.libraries)
    if (name && !library)
      library = dlopen(name, RTLD_NOW);
  if (!library)
    return Error(MLAFUSE_BACKEND_UNAVAILABLE, dlerror());
  void **const functions = reinterpret_cast<void **>(&driver);
  for (int i = 0; i < 8; ++i) {
    functions[i] = dlsym(library, names.names[i]);
    if (!functions[i])
      return Error(MLAFUSE_BACKEND_UNAVAILABLE, dlerror());
  }
  if (device == "cuda")
    if (Error error = enterPrimaryContext(library))
      return error;
  return failed(names.names[0], driver.createStream(&stream, nonBlocking));
}

Streams::~Streams() {
  dropGraph();
  if (stream)
    driver.destroyStream(stream);
}

void Streams::dropGraph() {
  if (executable)
    driver.destroyExecutable(executable);
  if (graph)
    driver.destroyGraph(graph);
  executable = graph = nullptr;
}

Error Streams::beginCapture() {
  dropGraph();
  return failed("begin of a capture",
                driver.beginCapture(stream, threadLocalCapture));
}

Error Streams::endCapture() {
  if (int code = driver.endCapture(stream, &graph))
    return failed("end of a capture", code);
  return failed("instantiation of a graph",
                driver.instantiate(&executable, graph, nullptr, nullptr, 0));
}

Error Streams::replay() {
  return failed("launch of a graph", driver.launchGraph(executable, stream));
}

} // namespace mlafuse::rt
