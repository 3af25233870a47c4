//===- StubApi.h - HIP under the names of the check program -----*- C++ -*-===//
#ifndef MLAFUSE_HIPSTUB_STUBAPI_H
#define MLAFUSE_HIPSTUB_STUBAPI_H

#include "HipFunctions.h"

namespace api {

using Error = hipError_t;
using Stream = hipStream_t;
using Event = hipEvent_t;
using Module = hipModule_t;
using Kernel = hipFunction_t;
using Graph = hipGraph_t;
using GraphExec = hipGraphExec_t;

/// Of a launch's `extra`.
inline void *const endOfExtra = reinterpret_cast<void *>(3);

inline const char *nameOf(Error error) { return hipGetErrorName(error); }
inline Error initialize() { return hipInit(0); }

inline Error allocate(void **result, size_t bytes) {
  return hipMalloc(result, bytes);
}
inline Error release(void *pointer) { return hipFree(pointer); }
inline Error toDevice(void *destination, const void *source, size_t bytes) {
  return hipMemcpy(destination, source, bytes, hipMemcpyHostToDevice);
}
inline Error toHost(void *destination, const void *source, size_t bytes) {
  return hipMemcpy(destination, source, bytes, hipMemcpyDeviceToHost);
}
inline Error toHostLater(void *destination, const void *source, size_t bytes,
                         Stream stream) {
  return hipMemcpyAsync(destination, source, bytes, hipMemcpyDeviceToHost,
                        stream);
}
inline Error fill(void *pointer, unsigned char value, size_t bytes) {
  return hipMemset(pointer, value, bytes);
}

inline Error createStream(Stream *result) { return hipStreamCreate(result); }
inline Error destroyStream(Stream stream) { return hipStreamDestroy(stream); }
inline Error synchronize(Stream stream) { return hipStreamSynchronize(stream); }
inline Error synchronizeDevice() { return hipDeviceSynchronize(); }

inline Error beginCapture(Stream stream) {
  return hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal);
}
inline Error endCapture(Stream stream, Graph *graph) {
  return hipStreamEndCapture(stream, graph);
}
inline Error isCapturing(Stream stream, int *status) {
  hipStreamCaptureStatus found;
  Error error = hipStreamIsCapturing(stream, &found);
  *status = found;
  return error;
}
inline Error instantiate(GraphExec *result, Graph graph) {
  return hipGraphInstantiate(result, graph, nullptr, nullptr, 0);
}
inline Error launchGraph(GraphExec graph, Stream stream) {
  return hipGraphLaunch(graph, stream);
}
inline Error destroyGraph(Graph graph) { return hipGraphDestroy(graph); }
inline Error destroyGraphExec(GraphExec graph) {
  return hipGraphExecDestroy(graph);
}

inline Error createEvent(Event *result) { return hipEventCreate(result); }
inline Error destroyEvent(Event event) { return hipEventDestroy(event); }
inline Error recordEvent(Event event, Stream stream) {
  return hipEventRecord(event, stream);
}
inline Error synchronizeEvent(Event event) {
  return hipEventSynchronize(event);
}
inline Error elapsedTime(float *milliseconds, Event start, Event stop) {
  return hipEventElapsedTime(milliseconds, start, stop);
}

inline Error loadModule(Module *result, const void *image) {
  return hipModuleLoadData(result, image);
}
inline Error unloadModule(Module module) { return hipModuleUnload(module); }
inline Error getKernel(Kernel *result, Module module, const char *name) {
  return hipModuleGetFunction(result, module, name);
}
inline Error launch(Kernel kernel, unsigned grid, unsigned block,
                    unsigned shared, Stream stream, void **parameters,
                    void **extra = nullptr) {
  return hipModuleLaunchKernel(kernel, grid, 1, 1, block, 1, 1, shared, stream,
                               parameters, extra);
}

} // namespace api

#endif // MLAFUSE_HIPSTUB_STUBAPI_H
