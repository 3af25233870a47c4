//===- Cuda.h - the part of CUDA's driver that the stub has -----*- C++ -*-===//
//
// Own declarations of what libcuda.so.1 exports, so that nothing of CUDA is
// needed. Handles are the stub's objects.
//
//===----------------------------------------------------------------------===//
#ifndef MLAFUSE_CUDASTUB_CUDA_H
#define MLAFUSE_CUDASTUB_CUDA_H

#include <cstddef>
#include <cstdint>

#define CUDASTUB_API extern "C" __attribute__((visibility("default")))

namespace mlafuse::gpustub {
struct Stream;
struct Event;
struct Module;
struct Function;
struct Graph;
struct GraphExec;
} // namespace mlafuse::gpustub
namespace mlafuse::cudastub {
struct Context;
} // namespace mlafuse::cudastub

using CUdevice = int32_t;
using CUdeviceptr = uint64_t;
using CUcontext = mlafuse::cudastub::Context *;
using CUstream = mlafuse::gpustub::Stream *;
using CUevent = mlafuse::gpustub::Event *;
using CUmodule = mlafuse::gpustub::Module *;
using CUfunction = mlafuse::gpustub::Function *;
using CUgraph = mlafuse::gpustub::Graph *;
using CUgraphExec = mlafuse::gpustub::GraphExec *;

// name, number, text
#define CUDASTUB_ERRORS(X)                                                     \
  X(CUDA_SUCCESS, 0, "no error")                                               \
  X(CUDA_ERROR_INVALID_VALUE, 1, "invalid argument")                           \
  X(CUDA_ERROR_OUT_OF_MEMORY, 2, "out of memory")                              \
  X(CUDA_ERROR_NOT_INITIALIZED, 3, "initialization error")                     \
  X(CUDA_ERROR_INVALID_DEVICE, 101, "invalid device ordinal")                  \
  X(CUDA_ERROR_INVALID_IMAGE, 200, "device kernel image is invalid")           \
  X(CUDA_ERROR_INVALID_CONTEXT, 201, "invalid device context")                 \
  X(CUDA_ERROR_NO_BINARY_FOR_GPU, 209,                                         \
    "no kernel image is available for execution on the device")                \
  X(CUDA_ERROR_INVALID_PTX, 218, "a PTX JIT compilation failed")               \
  X(CUDA_ERROR_INVALID_HANDLE, 400, "invalid resource handle")                 \
  X(CUDA_ERROR_NOT_FOUND, 500, "named symbol not found")                       \
  X(CUDA_ERROR_NOT_READY, 600, "device not ready")                             \
  X(CUDA_ERROR_LAUNCH_FAILED, 719, "unspecified launch failure")               \
  X(CUDA_ERROR_NOT_SUPPORTED, 801, "operation not supported")                  \
  X(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, 900,                                \
    "operation not permitted when stream is capturing")                        \
  X(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, 901,                                \
    "operation failed due to a previous error during capture")                 \
  X(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT, 906,                                   \
    "operation would make the legacy stream depend on a capturing blocking "   \
    "stream")

enum CUresult : int32_t {
#define CUDASTUB_ENUM(name, number, text) name = number,
  CUDASTUB_ERRORS(CUDASTUB_ENUM)
#undef CUDASTUB_ENUM
};

enum CUdevice_attribute : int32_t {
  CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 1,
  CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK = 8,
  CU_DEVICE_ATTRIBUTE_WARP_SIZE = 10,
  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75,
  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76,
  CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = 97,
};

enum CUfunction_attribute : int32_t {
  CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 0,
  CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES = 1,
  CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES = 3,
  CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8,
};

enum CUjit_option : int32_t {
  CU_JIT_ERROR_LOG_BUFFER = 5,
  CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES = 6,
};

enum CUstreamCaptureMode : int32_t {
  CU_STREAM_CAPTURE_MODE_GLOBAL,
  CU_STREAM_CAPTURE_MODE_THREAD_LOCAL,
  CU_STREAM_CAPTURE_MODE_RELAXED,
};
enum CUstreamCaptureStatus : int32_t {
  CU_STREAM_CAPTURE_STATUS_NONE,
  CU_STREAM_CAPTURE_STATUS_ACTIVE,
  CU_STREAM_CAPTURE_STATUS_INVALIDATED,
};

enum CUlaunchAttributeID : int32_t {
  CU_LAUNCH_ATTRIBUTE_IGNORE = 0,
  CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION = 6,
};
struct CUlaunchAttribute {
  CUlaunchAttributeID id;
  int32_t padding;
  union {
    int32_t programmaticStreamSerializationAllowed;
    uint64_t words[8];
  } value;
};
struct CUlaunchConfig {
  uint32_t gridDimX, gridDimY, gridDimZ;
  uint32_t blockDimX, blockDimY, blockDimZ;
  uint32_t sharedMemBytes;
  CUstream hStream;
  CUlaunchAttribute *attrs;
  uint32_t numAttrs;
};

#endif // MLAFUSE_CUDASTUB_CUDA_H
