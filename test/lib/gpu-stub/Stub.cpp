//===- Stub.cpp - device, errors, the queue of work -------------------===//
#include "Stub.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace mlafuse::gpustub {

static std::string listChips() {
  std::string names;
  for (size_t i = 0; i < vendor.chipCount; ++i)
    names += std::string(names.empty() ? "" : ", ") + vendor.chips[i].name;
  return names;
}

const char *Vendor::getVariable(const char *name) const {
  return std::getenv((std::string(environment) + name).c_str());
}

std::string sizesText(const Sizes &sizes) {
  return std::to_string(sizes[0]) + "x" + std::to_string(sizes[1]) + "x" +
         std::to_string(sizes[2]);
}

std::string hex(const void *pointer) {
  char text[32];
  std::snprintf(text, sizeof text, "%p", pointer);
  return text;
}

Error Call::check() {
  if (!stub.chip)
    return fail(NotInitialized,
                std::string(vendor.initialize) + " was not called");
  return Success;
}

Error Call::fail(Error error, const std::string &why) {
  std::fprintf(stderr, "%s: %s: %s\n", vendor.stub, name, why.c_str());
  problem = why;
  return error;
}

Error initialize(Call &call, unsigned flags) {
  if (flags != 0)
    return call.fail(InvalidValue, "flags must be 0");
  const char *wanted = vendor.getVariable("CHIP");
  if (!wanted)
    wanted = vendor.chips[0].name;
  for (size_t i = 0; i < vendor.chipCount; ++i)
    if (std::strcmp(vendor.chips[i].name, wanted) == 0)
      call.stub.chip = &vendor.chips[i];
  if (!call.stub.chip)
    return call.fail(InvalidDevice, std::string(vendor.environment) +
                                        "CHIP is '" + wanted +
                                        "', which is none of " + listChips());
  return Success;
}

Error checkDevice(Call &call, int device) {
  if (device != 0)
    return call.fail(InvalidDevice, "there is no device " +
                                        std::to_string(device) +
                                        "; the only one is 0");
  return Success;
}

Error checkPlace(Call &call, const void *place, const char *what) {
  return place
             ? Success
             : call.fail(InvalidValue, std::string("no place for the ") + what);
}

Stub &Stub::get() {
  // Never destroyed: exit handlers may still call the stub.
  static Stub *stub = new Stub;
  return *stub;
}

Stream *Stub::resolve(Call &call, Stream *handle) {
  if (!handle)
    return &nullStream;
  return checkHandle(call, streams, handle, "stream") ? nullptr : handle;
}

Error Stub::submit(Call &call, Stream *stream, Work work) {
  if (Capture *capture = stream->capture.get()) {
    capture->work.push_back(std::move(work));
    return Success;
  }
  if (stream == &nullStream)
    for (Stream *other : streams)
      if (other->capture) {
        other->capture->broken = call.name;
        return call.fail(
            CaptureImplicit,
            "the default stream waits for all others, but stream " +
                hex(other) + " captures");
      }
  queue.push_back(std::move(work));
  stream->last = ++submitted;
  return Success;
}

Error Stub::finish(Call &call, uint64_t last) {
  // One queue in the order of submission respects the order of every stream.
  while (done < last) {
    Work work = std::move(queue.front());
    queue.pop_front();
    ++done;
    if (!failure.empty())
      continue;
    memory.open(true);
    failure = work();
    memory.open(false);
  }
  return failure.empty() ? Success : call.fail(LaunchFailure, failure);
}

Error Stub::checkNoCapture(Call &call) {
  for (Stream *stream : streams) {
    Capture *capture = stream->capture.get();
    if (!capture || capture->mode == RelaxedCapture)
      continue;
    capture->broken = call.name;
    return call.fail(CaptureUnsupported,
                     "neither allocation nor waiting is allowed while stream " +
                         hex(stream) + " captures");
  }
  return Success;
}

} // namespace mlafuse::gpustub
