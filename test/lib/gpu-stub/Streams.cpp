//===- Streams.cpp - streams and events -------------------------------===//
#include "Streams.h"

#include <chrono>

namespace mlafuse::gpustub {

static double now() {
  using namespace std::chrono;
  return duration<double, std::milli>(steady_clock::now().time_since_epoch())
      .count();
}

static Error checkEvent(Call &call, Event *event) {
  return checkHandle(call, call.stub.events, event, "event");
}

Error createStream(Call &call, Stream **result, unsigned flags) {
  if (Error error = checkPlace(call, result))
    return error;
  if (flags > 1)
    return call.fail(InvalidValue, "flags are 0 (default) or 1 (non-blocking)");
  *result = *call.stub.streams.insert(new Stream).first;
  return Success;
}

Error destroyStream(Call &call, Stream *stream) {
  if (Error error = checkHandle(call, call.stub.streams, stream, "stream"))
    return error;
  if (stream->capture)
    return call.fail(CaptureUnsupported, "stream " + hex(stream) + " captures");
  Error error = call.stub.finish(call, stream->last);
  call.stub.streams.erase(stream);
  delete stream;
  return error;
}

Error synchronizeStream(Call &call, Stream *handle) {
  Stream *stream = call.stub.resolve(call, handle);
  if (!stream)
    return InvalidHandle;
  if (Error error = call.stub.checkNoCapture(call))
    return error;
  return call.stub.finish(call, stream->last);
}

Error synchronizeDevice(Call &call) {
  if (Error error = call.stub.checkNoCapture(call))
    return error;
  return call.stub.finishAll(call);
}

Error queryStream(Call &call, Stream *handle) {
  Stream *stream = call.stub.resolve(call, handle);
  if (!stream)
    return InvalidHandle;
  if (Error error = call.stub.checkNoCapture(call))
    return error;
  if (call.stub.isFinished(stream->last))
    return Success;
  // Who asks again and again must get an end: the answer starts the work.
  call.stub.finish(call, stream->last);
  return NotReady;
}

Error waitForEvent(Call &call, Stream *handle, Event *event, unsigned flags) {
  if (Error error = checkEvent(call, event))
    return error;
  Stream *stream = call.stub.resolve(call, handle);
  if (!stream)
    return InvalidHandle;
  if (flags != 0)
    return call.fail(InvalidValue, "flags must be 0");
  // A stream that waits for a capture takes part in it.
  if (event->capture && event->capture->origin->capture == event->capture)
    stream->capture = event->capture;
  return Success;
}

Error createEvent(Call &call, Event **result) {
  if (Error error = checkPlace(call, result))
    return error;
  *result = *call.stub.events.insert(new Event).first;
  return Success;
}

Error destroyEvent(Call &call, Event *event) {
  if (Error error = checkEvent(call, event))
    return error;
  // Queued work writes the time into it.
  Error error = call.stub.finish(call, event->last);
  call.stub.events.erase(event);
  delete event;
  return error;
}

Error recordEvent(Call &call, Event *event, Stream *handle) {
  if (Error error = checkEvent(call, event))
    return error;
  Stream *stream = call.stub.resolve(call, handle);
  if (!stream)
    return InvalidHandle;
  event->capture = stream->capture;
  if (event->capture)
    return Success;
  Error error = call.stub.submit(call, stream, [event] {
    event->milliseconds = now();
    return std::string();
  });
  event->isRecorded = error == Success;
  event->last = stream->last;
  return error;
}

Error synchronizeEvent(Call &call, Event *event) {
  if (Error error = checkEvent(call, event))
    return error;
  if (Error error = call.stub.checkNoCapture(call))
    return error;
  return call.stub.finish(call, event->last);
}

Error getElapsedTime(Call &call, float *milliseconds, Event *start,
                     Event *stop) {
  for (Event *event : {start, stop}) {
    if (Error error = checkEvent(call, event))
      return error;
    if (!event->isRecorded)
      return call.fail(InvalidHandle,
                       "event " + hex(event) + " was not recorded");
    if (!call.stub.isFinished(event->last))
      return call.fail(NotReady, "nobody waited for event " + hex(event));
  }
  if (Error error = checkPlace(call, milliseconds))
    return error;
  *milliseconds = static_cast<float>(stop->milliseconds - start->milliseconds);
  return Success;
}

} // namespace mlafuse::gpustub
