//===- StubApi.h - CUDA under the names of the check program ----*- C++ -*-===//
#ifndef MLAFUSE_CUDASTUB_STUBAPI_H
#define MLAFUSE_CUDASTUB_STUBAPI_H

#include "CudaFunctions.h"

namespace api {

using Error = CUresult;
using Stream = CUstream;
using Event = CUevent;
using Module = CUmodule;
using Kernel = CUfunction;
using Graph = CUgraph;
using GraphExec = CUgraphExec;

/// Of a launch's `extra`.
inline void *const endOfExtra = nullptr;

inline const char *nameOf(Error error) {
  const char *name;
  return cuGetErrorName(error, &name) ? "unknown" : name;
}

/// Makes the primary context current, too.
inline Error initialize() {
  CUcontext context;
  Error error = cuInit(0);
  if (!error)
    error = cuDevicePrimaryCtxRetain(&context, 0);
  return error ? error : cuCtxSetCurrent(context);
}

inline CUdeviceptr toAddress(const void *pointer) {
  return reinterpret_cast<CUdeviceptr>(pointer);
}
inline Error allocate(void **result, size_t bytes) {
  CUdeviceptr memory = 0;
  Error error = cuMemAlloc_v2(&memory, bytes);
  *result = reinterpret_cast<void *>(memory);
  return error;
}
inline Error release(void *pointer) { return cuMemFree_v2(toAddress(pointer)); }
inline Error toDevice(void *destination, const void *source, size_t bytes) {
  return cuMemcpyHtoD_v2(toAddress(destination), source, bytes);
}
inline Error toHost(void *destination, const void *source, size_t bytes) {
  return cuMemcpyDtoH_v2(destination, toAddress(source), bytes);
}
inline Error toHostLater(void *destination, const void *source, size_t bytes,
                         Stream stream) {
  return cuMemcpyDtoHAsync_v2(destination, toAddress(source), bytes, stream);
}
inline Error fill(void *pointer, unsigned char value, size_t bytes) {
  return cuMemsetD8_v2(toAddress(pointer), value, bytes);
}

inline Error createStream(Stream *result) { return cuStreamCreate(result, 0); }
inline Error destroyStream(Stream stream) { return cuStreamDestroy_v2(stream); }
inline Error synchronize(Stream stream) { return cuStreamSynchronize(stream); }
inline Error synchronizeDevice() { return cuCtxSynchronize(); }

inline Error beginCapture(Stream stream) {
  return cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_GLOBAL);
}
inline Error endCapture(Stream stream, Graph *graph) {
  return cuStreamEndCapture(stream, graph);
}
inline Error isCapturing(Stream stream, int *status) {
  CUstreamCaptureStatus found;
  Error error = cuStreamIsCapturing(stream, &found);
  *status = found;
  return error;
}
inline Error instantiate(GraphExec *result, Graph graph) {
  return cuGraphInstantiateWithFlags(result, graph, 0);
}
inline Error launchGraph(GraphExec graph, Stream stream) {
  return cuGraphLaunch(graph, stream);
}
inline Error destroyGraph(Graph graph) { return cuGraphDestroy(graph); }
inline Error destroyGraphExec(GraphExec graph) {
  return cuGraphExecDestroy(graph);
}

inline Error createEvent(Event *result) { return cuEventCreate(result, 0); }
inline Error destroyEvent(Event event) { return cuEventDestroy_v2(event); }
inline Error recordEvent(Event event, Stream stream) {
  return cuEventRecord(event, stream);
}
inline Error synchronizeEvent(Event event) { return cuEventSynchronize(event); }
inline Error elapsedTime(float *milliseconds, Event start, Event stop) {
  return cuEventElapsedTime(milliseconds, start, stop);
}

inline Error loadModule(Module *result, const void *image) {
  return cuModuleLoadData(result, image);
}
inline Error unloadModule(Module module) { return cuModuleUnload(module); }
inline Error getKernel(Kernel *result, Module module, const char *name) {
  return cuModuleGetFunction(result, module, name);
}
inline Error launch(Kernel kernel, unsigned grid, unsigned block,
                    unsigned shared, Stream stream, void **parameters,
                    void **extra = nullptr) {
  return cuLaunchKernel(kernel, grid, 1, 1, block, 1, 1, shared, stream,
                        parameters, extra);
}

} // namespace api

#endif // MLAFUSE_CUDASTUB_STUBAPI_H
