//===- Device.cpp - the device and errors -----------------------------===//
#include "HipCall.h"

#include <cstdio>
#include <cstring>

using namespace mlafuse;
using namespace mlafuse::gpustub;
using namespace mlafuse::hipstub;

static thread_local hipError_t lastError = hipSuccess;
static thread_local int32_t currentDevice = 0;

static hipError_t toHip(Error error) {
  switch (error) {
  case Success:
    return hipSuccess;
  case InvalidValue:
    return hipErrorInvalidValue;
  case OutOfMemory:
    return hipErrorOutOfMemory;
  case NotInitialized:
    return hipErrorNotInitialized;
  case InvalidConfiguration:
    return hipErrorInvalidConfiguration;
  case InvalidDevicePointer:
    return hipErrorInvalidDevicePointer;
  case InvalidCopyDirection:
    return hipErrorInvalidMemcpyDirection;
  case InvalidDevice:
    return hipErrorInvalidDevice;
  case InvalidImage:
  case CannotTranslate:
    return hipErrorInvalidImage;
  case NoBinaryForDevice:
    return hipErrorNoBinaryForGpu;
  case NoContext:
    return hipErrorInvalidContext;
  case InvalidHandle:
    return hipErrorInvalidHandle;
  case NotFound:
    return hipErrorNotFound;
  case NotReady:
    return hipErrorNotReady;
  case LaunchFailure:
    return hipErrorLaunchFailure;
  case NotSupported:
    return hipErrorNotSupported;
  case CaptureUnsupported:
    return hipErrorStreamCaptureUnsupported;
  case CaptureInvalidated:
    return hipErrorStreamCaptureInvalidated;
  case CaptureImplicit:
    return hipErrorStreamCaptureImplicit;
  }
  return hipErrorInvalidValue;
}

hipError_t hipstub::finishCall(Error error) {
  hipError_t code = toHip(error);
  // That work still runs is an answer, no mistake.
  if (error && error != NotReady)
    lastError = code;
  return code;
}

HIPSTUB_API hipError_t hipInit(unsigned flags) {
  Call call(__func__);
  return finishCall(initialize(call, flags));
}

HIPSTUB_API hipError_t hipGetDeviceCount(int *count) {
  Call call(__func__);
  Error error = checkPlace(call, count, "count");
  if (!error && !call.stub.chip)
    error = initialize(call, 0);
  if (!error)
    *count = 1;
  return finishCall(error);
}

HIPSTUB_API hipError_t hipSetDevice(int device) {
  return run(__func__, [device](Call &call) {
    Error error = checkDevice(call, device);
    if (!error)
      currentDevice = device;
    return error;
  });
}

HIPSTUB_API hipError_t hipGetDevice(int *device) {
  return run(__func__, [device](Call &call) {
    Error error = checkPlace(call, device, "device");
    if (!error)
      *device = currentDevice;
    return error;
  });
}

static void writeProperties(const Chip &chip, char *bytes) {
  auto put = [&](size_t at, auto value) {
    std::memcpy(bytes + at, &value, sizeof value);
  };
  std::memset(bytes, 0, properties::size);
  std::snprintf(bytes + properties::name, 256, "simulated AMD device");
  put(properties::globalBytes, size_t(16) << 30);
  put(properties::sharedBytes, size_t(chip.sharedBytes));
  put(properties::warpSize, int32_t(chip.waveSize));
  put(properties::maxThreads, int32_t(1024));
  // As drivers write it: with the settings of the memory.
  std::snprintf(bytes + properties::chip, 256, "%s%s", chip.name,
                chip.waveSize == 64 ? ":sramecc+:xnack-" : "");
}

HIPSTUB_API hipError_t hipGetDevicePropertiesR0600(void *result, int device) {
  return run(__func__, [=](Call &call) {
    Error error = checkDevice(call, device);
    if (!error)
      error = checkPlace(call, result, "properties");
    if (!error)
      writeProperties(*call.stub.chip, static_cast<char *>(result));
    return error;
  });
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
