//===- Memory.cpp - CUDA's functions for memory -----------------------===//
#include "Copies.h"
#include "CudaCall.h"

using namespace mlafuse::gpustub;
using namespace mlafuse::cudastub;

static void *toPointer(CUdeviceptr address) {
  return reinterpret_cast<void *>(address);
}

constexpr CopyEnds toDevice = {Side::Device, Side::Host},
                   toHost = {Side::Host, Side::Device},
                   onDevice = {Side::Device, Side::Device};

CUDASTUB_API CUresult cuMemAlloc_v2(CUdeviceptr *result, size_t bytes) {
  return run(__func__, [=](Call &call) {
    if (bytes == 0)
      return call.fail(InvalidValue, "0 bytes cannot be allocated");
    void *memory = nullptr;
    Error error = allocate(call, result ? &memory : nullptr, bytes);
    if (!error)
      *result = reinterpret_cast<CUdeviceptr>(memory);
    return error;
  });
}

CUDASTUB_API CUresult cuMemFree_v2(CUdeviceptr pointer) {
  return run(__func__, release, toPointer(pointer));
}

CUDASTUB_API CUresult cuMemcpyHtoD_v2(CUdeviceptr destination,
                                      const void *source, size_t bytes) {
  return run(__func__, copyAndWait, toPointer(destination), source, bytes,
             toDevice);
}

CUDASTUB_API CUresult cuMemcpyDtoH_v2(void *destination, CUdeviceptr source,
                                      size_t bytes) {
  return run(__func__, copyAndWait, destination, toPointer(source), bytes,
             toHost);
}

CUDASTUB_API CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr destination,
                                           const void *source, size_t bytes,
                                           CUstream stream) {
  return run(__func__, copy, toPointer(destination), source, bytes, toDevice,
             stream);
}

CUDASTUB_API CUresult cuMemcpyDtoHAsync_v2(void *destination,
                                           CUdeviceptr source, size_t bytes,
                                           CUstream stream) {
  return run(__func__, copy, destination, toPointer(source), bytes, toHost,
             stream);
}

CUDASTUB_API CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr destination,
                                           CUdeviceptr source, size_t bytes,
                                           CUstream stream) {
  return run(__func__, copy, toPointer(destination), toPointer(source), bytes,
             onDevice, stream);
}

CUDASTUB_API CUresult cuMemsetD8_v2(CUdeviceptr destination,
                                    unsigned char value, size_t bytes) {
  return run(__func__, fillAndWait, toPointer(destination), value, bytes);
}
