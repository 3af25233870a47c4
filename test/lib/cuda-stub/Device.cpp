//===- Device.cpp - the device and errors -----------------------------===//
#include "CudaCall.h"
#include "Nvidia.h"

using namespace mlafuse;
using namespace mlafuse::gpustub;
using namespace mlafuse::cudastub;

CUresult cudastub::toCuda(Error error) {
  switch (error) {
  case Success:
    return CUDA_SUCCESS;
  case InvalidValue:
  case InvalidConfiguration:
  case InvalidDevicePointer:
  case InvalidCopyDirection:
    return CUDA_ERROR_INVALID_VALUE;
  case OutOfMemory:
    return CUDA_ERROR_OUT_OF_MEMORY;
  case NotInitialized:
    return CUDA_ERROR_NOT_INITIALIZED;
  case InvalidDevice:
    return CUDA_ERROR_INVALID_DEVICE;
  case InvalidImage:
    return CUDA_ERROR_INVALID_IMAGE;
  case CannotTranslate:
    return CUDA_ERROR_INVALID_PTX;
  case NoBinaryForDevice:
    return CUDA_ERROR_NO_BINARY_FOR_GPU;
  case NoContext:
    return CUDA_ERROR_INVALID_CONTEXT;
  case InvalidHandle:
    return CUDA_ERROR_INVALID_HANDLE;
  case NotFound:
    return CUDA_ERROR_NOT_FOUND;
  case NotReady:
    return CUDA_ERROR_NOT_READY;
  case LaunchFailure:
    return CUDA_ERROR_LAUNCH_FAILED;
  case NotSupported:
    return CUDA_ERROR_NOT_SUPPORTED;
  case CaptureUnsupported:
    return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  case CaptureInvalidated:
    return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
  case CaptureImplicit:
    return CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
  }
  return CUDA_ERROR_INVALID_VALUE;
}

CUDASTUB_API CUresult cuInit(unsigned flags) {
  Call call(__func__);
  return toCuda(initialize(call, flags));
}

CUDASTUB_API CUresult cuDeviceGet(CUdevice *result, int ordinal) {
  return runWithoutContext(__func__, [=](Call &call) {
    Error error = checkDevice(call, ordinal);
    if (!error)
      error = checkPlace(call, result, "device");
    if (!error)
      *result = ordinal;
    return error;
  });
}

/// -1 if the stub does not know the attribute.
static int findAttribute(const Chip &chip, CUdevice_attribute attribute) {
  switch (attribute) {
  case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
    return 1024;
  case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK:
    return static_cast<int>(vendor.unaskedSharedBytes);
  case CU_DEVICE_ATTRIBUTE_WARP_SIZE:
    return static_cast<int>(chip.waveSize);
  case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR:
    return capabilityOf(chip.name) / 10;
  case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR:
    return capabilityOf(chip.name) % 10;
  case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN:
    return static_cast<int>(chip.sharedBytes);
  }
  return -1;
}

CUDASTUB_API CUresult cuDeviceGetAttribute(int *value,
                                           CUdevice_attribute attribute,
                                           CUdevice device) {
  return runWithoutContext(__func__, [=](Call &call) {
    Error error = checkDevice(call, device);
    if (!error)
      error = checkPlace(call, value, "value");
    if (error)
      return error;
    int found = findAttribute(*call.stub.chip, attribute);
    if (found < 0)
      return call.fail(InvalidValue, "the stub does not know attribute " +
                                         std::to_string(attribute));
    *value = found;
    return Success;
  });
}

CUDASTUB_API CUresult cuGetErrorName(CUresult error, const char **text) {
  switch (error) {
#define CUDASTUB_NAME(name, number, text_)                                     \
  case name:                                                                   \
    *text = #name;                                                             \
    return CUDA_SUCCESS;
    CUDASTUB_ERRORS(CUDASTUB_NAME)
#undef CUDASTUB_NAME
  }
  *text = nullptr;
  return CUDA_ERROR_INVALID_VALUE;
}

CUDASTUB_API CUresult cuGetErrorString(CUresult error, const char **text) {
  switch (error) {
#define CUDASTUB_TEXT(name, number, text_)                                     \
  case name:                                                                   \
    *text = text_;                                                             \
    return CUDA_SUCCESS;
    CUDASTUB_ERRORS(CUDASTUB_TEXT)
#undef CUDASTUB_TEXT
  }
  *text = nullptr;
  return CUDA_ERROR_INVALID_VALUE;
}
