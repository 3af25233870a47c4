//===- Streams.cpp - HIP's functions for streams, events, graphs ------===//
#include "Streams.h"
#include "HipCall.h"

using namespace mlafuse::gpustub;
using namespace mlafuse::hipstub;

HIPSTUB_API hipError_t hipStreamCreateWithFlags(hipStream_t *result,
                                                unsigned flags) {
  return run(__func__, createStream, result, flags);
}

HIPSTUB_API hipError_t hipStreamCreate(hipStream_t *result) {
  return run(__func__, createStream, result, 0u);
}

HIPSTUB_API hipError_t hipStreamDestroy(hipStream_t stream) {
  return run(__func__, destroyStream, stream);
}

HIPSTUB_API hipError_t hipStreamSynchronize(hipStream_t handle) {
  return run(__func__, synchronizeStream, handle);
}

HIPSTUB_API hipError_t hipDeviceSynchronize() {
  return run(__func__, synchronizeDevice);
}

HIPSTUB_API hipError_t hipStreamQuery(hipStream_t handle) {
  return run(__func__, queryStream, handle);
}

HIPSTUB_API hipError_t hipStreamWaitEvent(hipStream_t handle, hipEvent_t event,
                                          unsigned flags) {
  return run(__func__, waitForEvent, handle, event, flags);
}

HIPSTUB_API hipError_t hipStreamBeginCapture(hipStream_t stream,
                                             hipStreamCaptureMode mode) {
  return run(__func__, beginCapture, stream, mode);
}

HIPSTUB_API hipError_t hipStreamEndCapture(hipStream_t stream,
                                           hipGraph_t *result) {
  return run(__func__, endCapture, stream, result);
}

HIPSTUB_API hipError_t hipStreamIsCapturing(hipStream_t handle,
                                            hipStreamCaptureStatus *status) {
  int32_t found = NoCapture;
  hipError_t error =
      run(__func__, getCaptureStatus, handle, status ? &found : nullptr);
  if (error == hipSuccess)
    *status = static_cast<hipStreamCaptureStatus>(found);
  return error;
}

HIPSTUB_API hipError_t hipGraphInstantiate(hipGraphExec_t *result,
                                           hipGraph_t graph, hipGraph_t *,
                                           char *, size_t) {
  return run(__func__, instantiate, result, graph);
}

HIPSTUB_API hipError_t hipGraphLaunch(hipGraphExec_t graph,
                                      hipStream_t handle) {
  return run(__func__, launchGraph, graph, handle);
}

HIPSTUB_API hipError_t hipGraphDestroy(hipGraph_t graph) {
  return run(__func__, destroyGraph, graph);
}

HIPSTUB_API hipError_t hipGraphExecDestroy(hipGraphExec_t graph) {
  return run(__func__, destroyGraphExec, graph);
}

HIPSTUB_API hipError_t hipEventCreateWithFlags(hipEvent_t *result, unsigned) {
  return run(__func__, createEvent, result);
}

HIPSTUB_API hipError_t hipEventCreate(hipEvent_t *result) {
  return run(__func__, createEvent, result);
}

HIPSTUB_API hipError_t hipEventDestroy(hipEvent_t event) {
  return run(__func__, destroyEvent, event);
}

HIPSTUB_API hipError_t hipEventRecord(hipEvent_t event, hipStream_t handle) {
  return run(__func__, recordEvent, event, handle);
}

HIPSTUB_API hipError_t hipEventSynchronize(hipEvent_t event) {
  return run(__func__, synchronizeEvent, event);
}

HIPSTUB_API hipError_t hipEventElapsedTime(float *milliseconds,
                                           hipEvent_t start, hipEvent_t stop) {
  return run(__func__, getElapsedTime, milliseconds, start, stop);
}
