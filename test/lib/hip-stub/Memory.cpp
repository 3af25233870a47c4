//===- Memory.cpp - HIP's functions for memory ------------------------===//
#include "Copies.h"
#include "HipCall.h"

using namespace mlafuse::gpustub;
using namespace mlafuse::hipstub;

HIPSTUB_API hipError_t hipMalloc(void **result, size_t bytes) {
  return run(__func__, allocate, result, bytes);
}

HIPSTUB_API hipError_t hipFree(void *pointer) {
  return run(__func__, release, pointer);
}

/// The sides that a kind of copy means, as an error if there is no such kind.
static Error readKind(Call &call, hipMemcpyKind kind, CopyEnds &ends) {
  switch (kind) {
  case hipMemcpyHostToHost:
    ends = {Side::Host, Side::Host};
    return Success;
  case hipMemcpyHostToDevice:
    ends = {Side::Device, Side::Host};
    return Success;
  case hipMemcpyDeviceToHost:
    ends = {Side::Host, Side::Device};
    return Success;
  case hipMemcpyDeviceToDevice:
    ends = {Side::Device, Side::Device};
    return Success;
  case hipMemcpyDefault:
    ends = {Side::Any, Side::Any};
    return Success;
  }
  return call.fail(InvalidCopyDirection,
                   "there is no kind " + std::to_string(kind));
}

HIPSTUB_API hipError_t hipMemcpyAsync(void *destination, const void *source,
                                      size_t bytes, hipMemcpyKind kind,
                                      hipStream_t handle) {
  return run(__func__, [=](Call &call) {
    CopyEnds ends;
    Error error = readKind(call, kind, ends);
    return error ? error : copy(call, destination, source, bytes, ends, handle);
  });
}

HIPSTUB_API hipError_t hipMemcpy(void *destination, const void *source,
                                 size_t bytes, hipMemcpyKind kind) {
  return run(__func__, [=](Call &call) {
    CopyEnds ends;
    Error error = readKind(call, kind, ends);
    return error ? error : copyAndWait(call, destination, source, bytes, ends);
  });
}

HIPSTUB_API hipError_t hipMemsetAsync(void *destination, int value,
                                      size_t bytes, hipStream_t handle) {
  return run(__func__, fill, destination, value, bytes, handle);
}

HIPSTUB_API hipError_t hipMemset(void *destination, int value, size_t bytes) {
  return run(__func__, fillAndWait, destination, value, bytes);
}
