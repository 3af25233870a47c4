//===- Streams.cpp - CUDA's functions for streams, events, graphs -----===//
#include "Streams.h"
#include "CudaCall.h"

using namespace mlafuse::gpustub;
using namespace mlafuse::cudastub;

CUDASTUB_API CUresult cuCtxSynchronize() {
  return run(__func__, synchronizeDevice);
}

CUDASTUB_API CUresult cuStreamCreate(CUstream *result, unsigned flags) {
  return run(__func__, createStream, result, flags);
}

CUDASTUB_API CUresult cuStreamDestroy_v2(CUstream stream) {
  return run(__func__, destroyStream, stream);
}

CUDASTUB_API CUresult cuStreamSynchronize(CUstream stream) {
  return run(__func__, synchronizeStream, stream);
}

CUDASTUB_API CUresult cuStreamQuery(CUstream stream) {
  return run(__func__, queryStream, stream);
}

CUDASTUB_API CUresult cuStreamWaitEvent(CUstream stream, CUevent event,
                                        unsigned flags) {
  return run(__func__, waitForEvent, stream, event, flags);
}

CUDASTUB_API CUresult cuStreamBeginCapture_v2(CUstream stream,
                                              CUstreamCaptureMode mode) {
  return run(__func__, beginCapture, stream, mode);
}

CUDASTUB_API CUresult cuStreamEndCapture(CUstream stream, CUgraph *result) {
  return run(__func__, endCapture, stream, result);
}

CUDASTUB_API CUresult cuStreamIsCapturing(CUstream stream,
                                          CUstreamCaptureStatus *status) {
  int32_t found = NoCapture;
  CUresult error =
      run(__func__, getCaptureStatus, stream, status ? &found : nullptr);
  if (error == CUDA_SUCCESS)
    *status = static_cast<CUstreamCaptureStatus>(found);
  return error;
}

CUDASTUB_API CUresult cuGraphInstantiate_v2(CUgraphExec *result, CUgraph graph,
                                            void *, char *, size_t) {
  return run(__func__, instantiate, result, graph);
}

CUDASTUB_API CUresult cuGraphInstantiateWithFlags(CUgraphExec *result,
                                                  CUgraph graph,
                                                  unsigned long long flags) {
  return run(__func__, [=](Call &call) {
    return flags == 0 ? instantiate(call, result, graph)
                      : call.fail(InvalidValue, "the stub knows no flags");
  });
}

CUDASTUB_API CUresult cuGraphLaunch(CUgraphExec graph, CUstream stream) {
  return run(__func__, launchGraph, graph, stream);
}

CUDASTUB_API CUresult cuGraphDestroy(CUgraph graph) {
  return run(__func__, destroyGraph, graph);
}

CUDASTUB_API CUresult cuGraphExecDestroy(CUgraphExec graph) {
  return run(__func__, destroyGraphExec, graph);
}

CUDASTUB_API CUresult cuEventCreate(CUevent *result, unsigned) {
  return run(__func__, createEvent, result);
}

CUDASTUB_API CUresult cuEventDestroy_v2(CUevent event) {
  return run(__func__, destroyEvent, event);
}

CUDASTUB_API CUresult cuEventRecord(CUevent event, CUstream stream) {
  return run(__func__, recordEvent, event, stream);
}

CUDASTUB_API CUresult cuEventSynchronize(CUevent event) {
  return run(__func__, synchronizeEvent, event);
}

CUDASTUB_API CUresult cuEventElapsedTime(float *milliseconds, CUevent start,
                                         CUevent stop) {
  return run(__func__, getElapsedTime, milliseconds, start, stop);
}
