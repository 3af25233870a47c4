//===- Hip.h - the part of HIP's interface that the stub has ----*- C++ -*-===//
//
// Own declarations of what libamdhip64.so (version 6 and 7) exports, so that
// nothing of ROCm is needed. Handles are the stub's objects.
//
//===----------------------------------------------------------------------===//
#ifndef MLAFUSE_HIPSTUB_HIP_H
#define MLAFUSE_HIPSTUB_HIP_H

#include <cstddef>
#include <cstdint>

#define HIPSTUB_API extern "C" __attribute__((visibility("default")))

namespace mlafuse::gpustub {
struct Stream;
struct Event;
struct Module;
struct Function;
struct Graph;
struct GraphExec;
} // namespace mlafuse::gpustub

using hipStream_t = mlafuse::gpustub::Stream *;
using hipEvent_t = mlafuse::gpustub::Event *;
using hipModule_t = mlafuse::gpustub::Module *;
using hipFunction_t = mlafuse::gpustub::Function *;
using hipGraph_t = mlafuse::gpustub::Graph *;
using hipGraphExec_t = mlafuse::gpustub::GraphExec *;

// name, number, text
#define HIPSTUB_ERRORS(X)                                                      \
  X(hipSuccess, 0, "no error")                                                 \
  X(hipErrorInvalidValue, 1, "invalid argument")                               \
  X(hipErrorOutOfMemory, 2, "out of memory")                                   \
  X(hipErrorNotInitialized, 3, "initialization error")                         \
  X(hipErrorInvalidConfiguration, 9, "invalid configuration argument")         \
  X(hipErrorInvalidDevicePointer, 17, "invalid device pointer")                \
  X(hipErrorInvalidMemcpyDirection, 21, "invalid copy direction for memcpy")   \
  X(hipErrorInvalidDevice, 101, "invalid device ordinal")                      \
  X(hipErrorInvalidImage, 200, "device kernel image is invalid")               \
  X(hipErrorNoBinaryForGpu, 209,                                               \
    "no kernel image is available for execution on the device")                \
  X(hipErrorInvalidContext, 201, "invalid device context")                     \
  X(hipErrorInvalidHandle, 400, "invalid resource handle")                     \
  X(hipErrorNotFound, 500, "named symbol not found")                           \
  X(hipErrorNotReady, 600, "device not ready")                                 \
  X(hipErrorLaunchFailure, 719, "unspecified launch failure")                  \
  X(hipErrorNotSupported, 801, "operation not supported")                      \
  X(hipErrorStreamCaptureUnsupported, 900,                                     \
    "operation not permitted when stream is capturing")                        \
  X(hipErrorStreamCaptureInvalidated, 901,                                     \
    "operation failed due to a previous error during capture")                 \
  X(hipErrorStreamCaptureImplicit, 906,                                        \
    "operation would make the legacy stream depend on a capturing stream")

enum hipError_t : int32_t {
#define HIPSTUB_ENUM(name, number, text) name = number,
  HIPSTUB_ERRORS(HIPSTUB_ENUM)
#undef HIPSTUB_ENUM
};

enum hipMemcpyKind : int32_t {
  hipMemcpyHostToHost,
  hipMemcpyHostToDevice,
  hipMemcpyDeviceToHost,
  hipMemcpyDeviceToDevice,
  hipMemcpyDefault,
};

enum hipStreamCaptureMode : int32_t {
  hipStreamCaptureModeGlobal,
  hipStreamCaptureModeThreadLocal,
  hipStreamCaptureModeRelaxed,
};
enum hipStreamCaptureStatus : int32_t {
  hipStreamCaptureStatusNone,
  hipStreamCaptureStatusActive,
  hipStreamCaptureStatusInvalidated,
};

enum hipFunction_attribute : int32_t {
  HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK,
  HIP_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES,
  HIP_FUNC_ATTRIBUTE_CONST_SIZE_BYTES,
  HIP_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES,
  HIP_FUNC_ATTRIBUTE_NUM_REGS,
  HIP_FUNC_ATTRIBUTE_PTX_VERSION,
  HIP_FUNC_ATTRIBUTE_BINARY_VERSION,
  HIP_FUNC_ATTRIBUTE_CACHE_MODE_CA,
  HIP_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
};

/// Offsets in hipDeviceProp_t of versions 6 and 7.
namespace mlafuse::hipstub::properties {
constexpr size_t name = 0, globalBytes = 288, sharedBytes = 296, warpSize = 308,
                 maxThreads = 320, chip = 1160, size = 1472;
} // namespace mlafuse::hipstub::properties

#endif // MLAFUSE_HIPSTUB_HIP_H
