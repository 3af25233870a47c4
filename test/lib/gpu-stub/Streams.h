//===- Streams.h - calls about streams, events and graphs -------*- C++ -*-===//
#ifndef MLAFUSE_GPUSTUB_STREAMS_H
#define MLAFUSE_GPUSTUB_STREAMS_H

#include "Stub.h"

namespace mlafuse::gpustub {

Error createStream(Call &call, Stream **result, unsigned flags);
Error destroyStream(Call &call, Stream *stream);
Error synchronizeStream(Call &call, Stream *handle);
Error synchronizeDevice(Call &call);
Error queryStream(Call &call, Stream *handle);
Error waitForEvent(Call &call, Stream *handle, Event *event, unsigned flags);

Error createEvent(Call &call, Event **result);
Error destroyEvent(Call &call, Event *event);
Error recordEvent(Call &call, Event *event, Stream *handle);
Error synchronizeEvent(Call &call, Event *event);
Error getElapsedTime(Call &call, float *milliseconds, Event *start,
                     Event *stop);

/// As both vendors number them.
enum CaptureStatus : int32_t { NoCapture, ActiveCapture, InvalidatedCapture };

Error beginCapture(Call &call, Stream *stream, int32_t mode);
Error endCapture(Call &call, Stream *stream, Graph **result);
Error getCaptureStatus(Call &call, Stream *handle, int32_t *status);
Error instantiate(Call &call, GraphExec **result, Graph *graph);
Error launchGraph(Call &call, GraphExec *graph, Stream *handle);
Error destroyGraph(Call &call, Graph *graph);
Error destroyGraphExec(Call &call, GraphExec *graph);

} // namespace mlafuse::gpustub

#endif // MLAFUSE_GPUSTUB_STREAMS_H
