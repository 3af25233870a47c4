//===- DriverStreams.cpp - streams and graphs of a caller -------------===//
#include "DriverStreams.h"
#include "Cts.h"

#include <dlfcn.h>

namespace mlafuse::cts {
namespace {

bool isCuda() { return config().backend == "cuda"; }

/// The library that the backend has loaded.
void *driverLibrary() {
  for (const char *soname :
       {"libcuda.so.1", "libamdhip64.so.7", "libamdhip64.so.6",
        "libamdhip64.so.5", "libamdhip64.so"})
    if (isCuda() == (std::string(soname) == "libcuda.so.1"))
      if (void *library = dlopen(soname, RTLD_NOW | RTLD_NOLOAD))
        return library;
  return nullptr;
}

} // namespace

template <typename... Arguments>
std::string DriverStreams::call(const char *cuda, const char *hip,
                                Arguments... arguments) {
  const char *name = isCuda() ? cuda : hip;
  void *address = dlsym(library, name);
  if (!address)
    return std::string(name) + " is missing";
  int result = reinterpret_cast<int (*)(Arguments...)>(address)(arguments...);
  return result == 0 ? "" : std::string(name) + ": " + std::to_string(result);
}

std::string DriverStreams::open() {
  library = driverLibrary();
  if (!library)
    return "no driver is loaded";
  constexpr int firstDevice = 0;
  if (!isCuda())
    return call("", "hipSetDevice", firstDevice);
  void *context = nullptr;
  std::string problem =
      call("cuDevicePrimaryCtxRetain", "", &context, firstDevice);
  return problem.empty() ? call("cuCtxSetCurrent", "", context) : problem;
}

std::string DriverStreams::createStream(void *&stream) {
  constexpr unsigned nonBlocking = 1;
  return call("cuStreamCreate", "hipStreamCreateWithFlags", &stream,
              nonBlocking);
}

std::string DriverStreams::destroyStream(void *stream) {
  return call("cuStreamDestroy_v2", "hipStreamDestroy", stream);
}

std::string DriverStreams::synchronize(void *stream) {
  return call("cuStreamSynchronize", "hipStreamSynchronize", stream);
}

std::string DriverStreams::beginCapture(void *stream) {
  // Fails if this thread or another does anything that a capture forbids.
  constexpr int globalMode = 0;
  return call("cuStreamBeginCapture_v2", "hipStreamBeginCapture", stream,
              globalMode);
}

std::string DriverStreams::endCapture(void *stream, void *&graph) {
  void *captured = nullptr;
  std::string problem =
      call("cuStreamEndCapture", "hipStreamEndCapture", stream, &captured);
  if (!problem.empty())
    return problem;
  if (isCuda())
    problem = call("cuGraphInstantiateWithFlags", "", &graph, captured, 0ull);
  else
    problem = call("", "hipGraphInstantiate", &graph, captured,
                   static_cast<void *>(nullptr), static_cast<void *>(nullptr),
                   static_cast<size_t>(0));
  call("cuGraphDestroy", "hipGraphDestroy", captured);
  return problem;
}

std::string DriverStreams::launchGraph(void *graph, void *stream) {
  return call("cuGraphLaunch", "hipGraphLaunch", graph, stream);
}

std::string DriverStreams::destroyGraph(void *graph) {
  return call("cuGraphExecDestroy", "hipGraphExecDestroy", graph);
}

} // namespace mlafuse::cts
