//===- Streams.cpp - streams, events, capture, graphs -----------------===//
#include "Stub.h"

#include <chrono>

using namespace mlafuse::hipstub;

namespace {

double now() {
  using namespace std::chrono;
  return duration<double, std::milli>(steady_clock::now().time_since_epoch())
      .count();
}

/// Whether the handle is one of `known`; an error of the call if not.
template <typename Object>
hipError_t checkHandle(const Call &call, const std::set<Object *> &known,
                       Object *handle, const char *what) {
  if (hipError_t error = call.check())
    return error;
  if (known.count(handle))
    return hipSuccess;
  return fail(call.name, hipErrorInvalidHandle,
              std::string("no ") + what + " " + hex(handle) +
                  " exists (any more)");
}

hipError_t noPlace(const Call &call) {
  return fail(call.name, hipErrorInvalidValue, "no place for the result");
}

} // namespace

HIPSTUB_API hipError_t hipStreamCreateWithFlags(hipStream_t *result,
                                                unsigned flags) {
  Call call("hipStreamCreateWithFlags");
  if (hipError_t error = call.check())
    return error;
  if (!result)
    return noPlace(call);
  if (flags > 1)
    return fail(call.name, hipErrorInvalidValue,
                "flags are 0 (default) or 1 (non-blocking)");
  *result = *call.stub.streams.insert(new Stream).first;
  return hipSuccess;
}

HIPSTUB_API hipError_t hipStreamCreate(hipStream_t *result) {
  return hipStreamCreateWithFlags(result, 0);
}

HIPSTUB_API hipError_t hipStreamDestroy(hipStream_t stream) {
  Call call("hipStreamDestroy");
  if (hipError_t error = checkHandle(call, call.stub.streams, stream, "stream"))
    return error;
  if (stream->capture)
    return fail(call.name, hipErrorStreamCaptureUnsupported,
                "stream " + hex(stream) + " captures");
  hipError_t error = call.stub.finish(call.name, stream->last);
  call.stub.streams.erase(stream);
  delete stream;
  return error;
}

HIPSTUB_API hipError_t hipStreamSynchronize(hipStream_t handle) {
  Call call("hipStreamSynchronize");
  if (hipError_t error = call.check())
    return error;
  Stream *stream = call.stub.resolve(call.name, handle);
  if (!stream)
    return hipErrorInvalidHandle;
  if (call.stub.isForbiddenByCapture(call.name))
    return hipErrorStreamCaptureUnsupported;
  return call.stub.finish(call.name, stream->last);
}

HIPSTUB_API hipError_t hipDeviceSynchronize() {
  Call call("hipDeviceSynchronize");
  if (hipError_t error = call.check())
    return error;
  if (call.stub.isForbiddenByCapture(call.name))
    return hipErrorStreamCaptureUnsupported;
  return call.stub.finish(call.name, call.stub.lastWork());
}

HIPSTUB_API hipError_t hipStreamQuery(hipStream_t handle) {
  Call call("hipStreamQuery");
  if (hipError_t error = call.check())
    return error;
  Stream *stream = call.stub.resolve(call.name, handle);
  if (!stream)
    return hipErrorInvalidHandle;
  if (call.stub.isForbiddenByCapture(call.name))
    return hipErrorStreamCaptureUnsupported;
  if (call.stub.isFinished(stream->last))
    return hipSuccess;
  // Who asks again and again must get an end: the answer starts the work.
  call.stub.finish(call.name, stream->last);
  return hipErrorNotReady;
}

HIPSTUB_API hipError_t hipStreamWaitEvent(hipStream_t handle, hipEvent_t event,
                                          unsigned flags) {
  Call call("hipStreamWaitEvent");
  if (hipError_t error = checkHandle(call, call.stub.events, event, "event"))
    return error;
  Stream *stream = call.stub.resolve(call.name, handle);
  if (!stream)
    return hipErrorInvalidHandle;
  if (flags != 0)
    return fail(call.name, hipErrorInvalidValue, "flags must be 0");
  // A stream that waits for a capture takes part in it.
  if (event->capture && event->capture->origin->capture == event->capture)
    stream->capture = event->capture;
  return hipSuccess;
}

HIPSTUB_API hipError_t hipStreamBeginCapture(hipStream_t stream,
                                             hipStreamCaptureMode mode) {
  Call call("hipStreamBeginCapture");
  if (!stream)
    return fail(call.name, hipErrorStreamCaptureUnsupported,
                "the default stream cannot capture");
  if (hipError_t error = checkHandle(call, call.stub.streams, stream, "stream"))
    return error;
  if (mode < hipStreamCaptureModeGlobal || mode > hipStreamCaptureModeRelaxed)
    return fail(call.name, hipErrorInvalidValue,
                "there is no mode " + std::to_string(mode));
  if (stream->capture)
    return fail(call.name, hipErrorStreamCaptureUnsupported,
                "stream " + hex(stream) + " captures already");
  stream->capture = std::make_shared<Capture>(Capture{stream, mode, "", {}});
  return hipSuccess;
}

HIPSTUB_API hipError_t hipStreamEndCapture(hipStream_t stream,
                                           hipGraph_t *result) {
  Call call("hipStreamEndCapture");
  if (hipError_t error = checkHandle(call, call.stub.streams, stream, "stream"))
    return error;
  if (!result)
    return noPlace(call);
  *result = nullptr;
  std::shared_ptr<Capture> capture = stream->capture;
  if (!capture || capture->origin != stream)
    return fail(call.name, hipErrorInvalidValue,
                "no capture began on stream " + hex(stream));
  for (Stream *other : call.stub.streams)
    if (other->capture == capture)
      other->capture = nullptr;
  if (!capture->broken.empty())
    return fail(call.name, hipErrorStreamCaptureInvalidated,
                capture->broken + " broke the capture");
  *result = *call.stub.graphs.insert(new Graph{capture->work}).first;
  return hipSuccess;
}

HIPSTUB_API hipError_t hipStreamIsCapturing(hipStream_t handle,
                                            hipStreamCaptureStatus *status) {
  Call call("hipStreamIsCapturing");
  if (hipError_t error = call.check())
    return error;
  Stream *stream = call.stub.resolve(call.name, handle);
  if (!stream)
    return hipErrorInvalidHandle;
  if (!status)
    return noPlace(call);
  *status = !stream->capture ? hipStreamCaptureStatusNone
            : stream->capture->broken.empty()
                ? hipStreamCaptureStatusActive
                : hipStreamCaptureStatusInvalidated;
  return hipSuccess;
}

HIPSTUB_API hipError_t hipGraphInstantiate(hipGraphExec_t *result,
                                           hipGraph_t graph, hipGraph_t *,
                                           char *, size_t) {
  Call call("hipGraphInstantiate");
  if (hipError_t error = checkHandle(call, call.stub.graphs, graph, "graph"))
    return error;
  if (!result)
    return noPlace(call);
  *result = *call.stub.graphExecs.insert(new GraphExec{graph->work}).first;
  return hipSuccess;
}

HIPSTUB_API hipError_t hipGraphLaunch(hipGraphExec_t graph,
                                      hipStream_t handle) {
  Call call("hipGraphLaunch");
  if (hipError_t error =
          checkHandle(call, call.stub.graphExecs, graph, "executable graph"))
    return error;
  Stream *stream = call.stub.resolve(call.name, handle);
  if (!stream)
    return hipErrorInvalidHandle;
  for (const Work &work : graph->work)
    if (hipError_t error = call.stub.submit(call.name, stream, work))
      return error;
  return hipSuccess;
}

HIPSTUB_API hipError_t hipGraphDestroy(hipGraph_t graph) {
  Call call("hipGraphDestroy");
  if (hipError_t error = checkHandle(call, call.stub.graphs, graph, "graph"))
    return error;
  call.stub.graphs.erase(graph);
  delete graph;
  return hipSuccess;
}

HIPSTUB_API hipError_t hipGraphExecDestroy(hipGraphExec_t graph) {
  Call call("hipGraphExecDestroy");
  if (hipError_t error =
          checkHandle(call, call.stub.graphExecs, graph, "executable graph"))
    return error;
  call.stub.graphExecs.erase(graph);
  delete graph;
  return hipSuccess;
}

HIPSTUB_API hipError_t hipEventCreateWithFlags(hipEvent_t *result, unsigned) {
  Call call("hipEventCreateWithFlags");
  if (hipError_t error = call.check())
    return error;
  if (!result)
    return noPlace(call);
  *result = *call.stub.events.insert(new Event).first;
  return hipSuccess;
}

HIPSTUB_API hipError_t hipEventCreate(hipEvent_t *result) {
  return hipEventCreateWithFlags(result, 0);
}

HIPSTUB_API hipError_t hipEventDestroy(hipEvent_t event) {
  Call call("hipEventDestroy");
  if (hipError_t error = checkHandle(call, call.stub.events, event, "event"))
    return error;
  // Queued work writes the time into it.
  hipError_t error = call.stub.finish(call.name, event->last);
  call.stub.events.erase(event);
  delete event;
  return error;
}

HIPSTUB_API hipError_t hipEventRecord(hipEvent_t event, hipStream_t handle) {
  Call call("hipEventRecord");
  if (hipError_t error = checkHandle(call, call.stub.events, event, "event"))
    return error;
  Stream *stream = call.stub.resolve(call.name, handle);
  if (!stream)
    return hipErrorInvalidHandle;
  event->capture = stream->capture;
  if (event->capture)
    return hipSuccess;
  hipError_t error = call.stub.submit(call.name, stream, [event] {
    event->milliseconds = now();
    return std::string();
  });
  event->isRecorded = error == hipSuccess;
  event->last = stream->last;
  return error;
}

HIPSTUB_API hipError_t hipEventSynchronize(hipEvent_t event) {
  Call call("hipEventSynchronize");
  if (hipError_t error = checkHandle(call, call.stub.events, event, "event"))
    return error;
  if (call.stub.isForbiddenByCapture(call.name))
    return hipErrorStreamCaptureUnsupported;
  return call.stub.finish(call.name, event->last);
}

HIPSTUB_API hipError_t hipEventElapsedTime(float *milliseconds,
                                           hipEvent_t start, hipEvent_t stop) {
  Call call("hipEventElapsedTime");
  for (hipEvent_t event : {start, stop}) {
    if (hipError_t error = checkHandle(call, call.stub.events, event, "event"))
      return error;
    if (!event->isRecorded)
      return fail(call.name, hipErrorInvalidHandle,
                  "event " + hex(event) + " was not recorded");
    if (!call.stub.isFinished(event->last))
      return fail(call.name, hipErrorNotReady,
                  "nobody waited for event " + hex(event));
  }
  if (!milliseconds)
    return noPlace(call);
  *milliseconds = static_cast<float>(stop->milliseconds - start->milliseconds);
  return hipSuccess;
}
