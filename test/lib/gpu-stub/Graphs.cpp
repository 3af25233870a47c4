//===- Graphs.cpp - capture and graphs --------------------------------===//
#include "Streams.h"

namespace mlafuse::gpustub {

Error beginCapture(Call &call, Stream *stream, int32_t mode) {
  if (!stream)
    return call.fail(CaptureUnsupported, "the default stream cannot capture");
  if (Error error = checkHandle(call, call.stub.streams, stream, "stream"))
    return error;
  if (mode < GlobalCapture || mode > RelaxedCapture)
    return call.fail(InvalidValue, "there is no mode " + std::to_string(mode));
  if (stream->capture)
    return call.fail(CaptureUnsupported,
                     "stream " + hex(stream) + " captures already");
  stream->capture = std::make_shared<Capture>(
      Capture{stream, static_cast<CaptureMode>(mode), "", {}});
  return Success;
}

Error endCapture(Call &call, Stream *stream, Graph **result) {
  if (Error error = checkHandle(call, call.stub.streams, stream, "stream"))
    return error;
  if (Error error = checkPlace(call, result))
    return error;
  *result = nullptr;
  std::shared_ptr<Capture> capture = stream->capture;
  if (!capture || capture->origin != stream)
    return call.fail(InvalidValue, "no capture began on stream " + hex(stream));
  for (Stream *other : call.stub.streams)
    if (other->capture == capture)
      other->capture = nullptr;
  if (!capture->broken.empty())
    return call.fail(CaptureInvalidated,
                     capture->broken + " broke the capture");
  *result = *call.stub.graphs.insert(new Graph{capture->work}).first;
  return Success;
}

Error getCaptureStatus(Call &call, Stream *handle, int32_t *status) {
  Stream *stream = call.stub.resolve(call, handle);
  if (!stream)
    return InvalidHandle;
  if (Error error = checkPlace(call, status))
    return error;
  *status = !stream->capture                  ? NoCapture
            : stream->capture->broken.empty() ? ActiveCapture
                                              : InvalidatedCapture;
  return Success;
}

Error instantiate(Call &call, GraphExec **result, Graph *graph) {
  if (Error error = checkHandle(call, call.stub.graphs, graph, "graph"))
    return error;
  if (Error error = checkPlace(call, result))
    return error;
  *result = *call.stub.graphExecs.insert(new GraphExec{graph->work}).first;
  return Success;
}

static Error checkExecutable(Call &call, GraphExec *graph) {
  return checkHandle(call, call.stub.graphExecs, graph, "executable graph");
}

Error launchGraph(Call &call, GraphExec *graph, Stream *handle) {
  if (Error error = checkExecutable(call, graph))
    return error;
  Stream *stream = call.stub.resolve(call, handle);
  if (!stream)
    return InvalidHandle;
  for (const Work &work : graph->work)
    if (Error error = call.stub.submit(call, stream, work))
      return error;
  return Success;
}

Error destroyGraph(Call &call, Graph *graph) {
  if (Error error = checkHandle(call, call.stub.graphs, graph, "graph"))
    return error;
  call.stub.graphs.erase(graph);
  delete graph;
  return Success;
}

Error destroyGraphExec(Call &call, GraphExec *graph) {
  if (Error error = checkExecutable(call, graph))
    return error;
  call.stub.graphExecs.erase(graph);
  delete graph;
  return Success;
}

} // namespace mlafuse::gpustub
