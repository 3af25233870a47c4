//===- Stub.cpp - device, errors, the queue of work -------------------===//
#include "Stub.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace mlafuse::hipstub {
namespace {

// Wave size and LDS of a workgroup, from AMD's ISA documents.
constexpr ChipLimits chips[] = {
    {"gfx942", 64, 64 * 1024},  {"gfx950", 64, 160 * 1024},
    {"gfx1100", 32, 64 * 1024}, {"gfx1200", 32, 64 * 1024},
    {"gfx1201", 32, 64 * 1024},
};

thread_local hipError_t lastError = hipSuccess;
thread_local int32_t currentDevice = 0;

std::string listChips() {
  std::string names;
  for (const ChipLimits &chip : chips)
    names += std::string(names.empty() ? "" : ", ") + chip.name;
  return names;
}

} // namespace

Stub &Stub::get() {
  // Never destroyed: exit handlers may still call the stub.
  static Stub *stub = new Stub;
  return *stub;
}

hipError_t fail(const char *call, hipError_t error, const std::string &why) {
  std::fprintf(stderr, "hip stub: %s: %s\n", call, why.c_str());
  lastError = error;
  return error;
}

std::string hex(const void *pointer) {
  char text[32];
  std::snprintf(text, sizeof text, "%p", pointer);
  return text;
}

hipError_t Call::check() const {
  if (!stub.isInitialized)
    return fail(name, hipErrorNotInitialized, "hipInit was not called");
  return hipSuccess;
}

Stream *Stub::resolve(const char *call, hipStream_t handle) {
  if (!handle)
    return &nullStream;
  if (streams.count(handle))
    return handle;
  fail(call, hipErrorInvalidHandle,
       "no stream " + hex(handle) + " exists (any more)");
  return nullptr;
}

hipError_t Stub::submit(const char *call, Stream *stream, Work work) {
  if (Capture *capture = stream->capture.get()) {
    capture->work.push_back(std::move(work));
    return hipSuccess;
  }
  if (stream == &nullStream)
    for (Stream *other : streams)
      if (other->capture) {
        other->capture->broken = call;
        return fail(call, hipErrorStreamCaptureImplicit,
                    "the default stream waits for all others, but stream " +
                        hex(other) + " captures");
      }
  queue.push_back(std::move(work));
  stream->last = ++submitted;
  return hipSuccess;
}

hipError_t Stub::finish(const char *call, uint64_t last) {
  // One queue in the order of submission respects the order of every stream.
  while (done < last) {
    Work work = std::move(queue.front());
    queue.pop_front();
    ++done;
    if (!failure.empty())
      continue;
    openMemory(true);
    failure = work();
    openMemory(false);
  }
  if (!failure.empty())
    return fail(call, hipErrorLaunchFailure, failure);
  return hipSuccess;
}

bool Stub::isForbiddenByCapture(const char *call) {
  for (Stream *stream : streams) {
    Capture *capture = stream->capture.get();
    if (!capture || capture->mode == hipStreamCaptureModeRelaxed)
      continue;
    capture->broken = call;
    fail(call, hipErrorStreamCaptureUnsupported,
         "neither allocation nor waiting is allowed while stream " +
             hex(stream) + " captures");
    return true;
  }
  return false;
}

} // namespace mlafuse::hipstub

using namespace mlafuse::hipstub;

HIPSTUB_API hipError_t hipInit(unsigned flags) {
  Call call("hipInit");
  if (flags != 0)
    return fail(call.name, hipErrorInvalidValue, "flags must be 0");
  const char *wanted = std::getenv("AMDSIM_CHIP");
  for (const ChipLimits &chip : chips)
    if (std::strcmp(chip.name, wanted ? wanted : chips[0].name) == 0)
      call.stub.chip = &chip;
  if (!call.stub.chip)
    return fail(call.name, hipErrorInvalidDevice,
                std::string("AMDSIM_CHIP is '") + wanted +
                    "', which is none of " + listChips());
  call.stub.isInitialized = true;
  return hipSuccess;
}

HIPSTUB_API hipError_t hipGetDeviceCount(int *count) {
  Call call("hipGetDeviceCount");
  if (!count)
    return fail(call.name, hipErrorInvalidValue, "no place for the count");
  if (!call.stub.isInitialized)
    if (hipError_t error = hipInit(0))
      return error;
  *count = 1;
  return hipSuccess;
}

static hipError_t checkDevice(const Call &call, int device) {
  if (device != 0)
    return fail(call.name, hipErrorInvalidDevice,
                "there is no device " + std::to_string(device) +
                    "; the only one is 0");
  return hipSuccess;
}

HIPSTUB_API hipError_t hipSetDevice(int device) {
  Call call("hipSetDevice");
  if (hipError_t error = call.check())
    return error;
  if (hipError_t error = checkDevice(call, device))
    return error;
  currentDevice = device;
  return hipSuccess;
}

HIPSTUB_API hipError_t hipGetDevice(int *device) {
  Call call("hipGetDevice");
  if (hipError_t error = call.check())
    return error;
  if (!device)
    return fail(call.name, hipErrorInvalidValue, "no place for the device");
  *device = currentDevice;
  return hipSuccess;
}

HIPSTUB_API hipError_t hipGetDevicePropertiesR0600(void *result, int device) {
  Call call("hipGetDevicePropertiesR0600");
  if (hipError_t error = call.check())
    return error;
  if (hipError_t error = checkDevice(call, device))
    return error;
  if (!result)
    return fail(call.name, hipErrorInvalidValue, "no place for the properties");
  char *bytes = static_cast<char *>(result);
  const ChipLimits &chip = *call.stub.chip;
  auto put = [&](size_t at, auto value) {
    std::memcpy(bytes + at, &value, sizeof value);
  };
  std::memset(bytes, 0, properties::size);
  std::snprintf(bytes + properties::name, 256, "simulated AMD device");
  put(properties::globalBytes, size_t(16) << 30);
  put(properties::sharedBytes, size_t(chip.ldsBytes));
  put(properties::warpSize, int32_t(chip.waveSize));
  put(properties::maxThreads, int32_t(1024));
  // As drivers write it: with the settings of the memory.
  std::snprintf(bytes + properties::chip, 256, "%s%s", chip.name,
                chip.waveSize == 64 ? ":sramecc+:xnack-" : "");
  return hipSuccess;
}

HIPSTUB_API hipError_t hipGetLastError() {
  hipError_t error = lastError;
  lastError = hipSuccess;
  return error;
}

HIPSTUB_API hipError_t hipPeekAtLastError() { return lastError; }

HIPSTUB_API const char *hipGetErrorName(hipError_t error) {
  switch (error) {
#define HIPSTUB_NAME(name, number, text)                                       \
  case name:                                                                   \
    return #name;
    HIPSTUB_ERRORS(HIPSTUB_NAME)
#undef HIPSTUB_NAME
  }
  return "hipErrorUnknown";
}

HIPSTUB_API const char *hipGetErrorString(hipError_t error) {
  switch (error) {
#define HIPSTUB_TEXT(name, number, text)                                       \
  case name:                                                                   \
    return text;
    HIPSTUB_ERRORS(HIPSTUB_TEXT)
#undef HIPSTUB_TEXT
  }
  return "unknown error";
}
