//===- HipFunctions.h - the functions that the stub exports -----*- C++ -*-===//
#ifndef MLAFUSE_HIPSTUB_HIPFUNCTIONS_H
#define MLAFUSE_HIPSTUB_HIPFUNCTIONS_H

#include "Hip.h"

HIPSTUB_API hipError_t hipInit(unsigned flags);
HIPSTUB_API hipError_t hipGetDeviceCount(int *count);
HIPSTUB_API hipError_t hipSetDevice(int device);
HIPSTUB_API hipError_t hipGetDevice(int *device);
HIPSTUB_API hipError_t hipGetDevicePropertiesR0600(void *result, int device);
HIPSTUB_API hipError_t hipGetLastError();
HIPSTUB_API hipError_t hipPeekAtLastError();
HIPSTUB_API const char *hipGetErrorName(hipError_t error);
HIPSTUB_API const char *hipGetErrorString(hipError_t error);
HIPSTUB_API hipError_t hipMalloc(void **result, size_t bytes);
HIPSTUB_API hipError_t hipFree(void *pointer);
HIPSTUB_API hipError_t hipMemcpyAsync(void *destination, const void *source,
                                      size_t bytes, hipMemcpyKind kind,
                                      hipStream_t handle);
HIPSTUB_API hipError_t hipMemcpy(void *destination, const void *source,
                                 size_t bytes, hipMemcpyKind kind);
HIPSTUB_API hipError_t hipMemsetAsync(void *destination, int value,
                                      size_t bytes, hipStream_t handle);
HIPSTUB_API hipError_t hipMemset(void *destination, int value, size_t bytes);
HIPSTUB_API hipError_t hipStreamCreateWithFlags(hipStream_t *result,
                                                unsigned flags);
HIPSTUB_API hipError_t hipStreamCreate(hipStream_t *result);
HIPSTUB_API hipError_t hipStreamDestroy(hipStream_t stream);
HIPSTUB_API hipError_t hipStreamSynchronize(hipStream_t handle);
HIPSTUB_API hipError_t hipDeviceSynchronize();
HIPSTUB_API hipError_t hipStreamQuery(hipStream_t handle);
HIPSTUB_API hipError_t hipStreamWaitEvent(hipStream_t handle, hipEvent_t event,
                                          unsigned flags);
HIPSTUB_API hipError_t hipStreamBeginCapture(hipStream_t stream,
                                             hipStreamCaptureMode mode);
HIPSTUB_API hipError_t hipStreamEndCapture(hipStream_t stream,
                                           hipGraph_t *result);
HIPSTUB_API hipError_t hipStreamIsCapturing(hipStream_t handle,
                                            hipStreamCaptureStatus *status);
HIPSTUB_API hipError_t hipGraphInstantiate(hipGraphExec_t *result,
                                           hipGraph_t graph, hipGraph_t *,
                                           char *, size_t);
HIPSTUB_API hipError_t hipGraphLaunch(hipGraphExec_t graph, hipStream_t handle);
HIPSTUB_API hipError_t hipGraphDestroy(hipGraph_t graph);
HIPSTUB_API hipError_t hipGraphExecDestroy(hipGraphExec_t graph);
HIPSTUB_API hipError_t hipEventCreateWithFlags(hipEvent_t *result, unsigned);
HIPSTUB_API hipError_t hipEventCreate(hipEvent_t *result);
HIPSTUB_API hipError_t hipEventDestroy(hipEvent_t event);
HIPSTUB_API hipError_t hipEventRecord(hipEvent_t event, hipStream_t handle);
HIPSTUB_API hipError_t hipEventSynchronize(hipEvent_t event);
HIPSTUB_API hipError_t hipEventElapsedTime(float *milliseconds,
                                           hipEvent_t start, hipEvent_t stop);
HIPSTUB_API hipError_t hipModuleLoadData(hipModule_t *result,
                                         const void *image);
HIPSTUB_API hipError_t hipModuleLoadDataEx(hipModule_t *result,
                                           const void *image, unsigned, void *,
                                           void **);
HIPSTUB_API hipError_t hipModuleUnload(hipModule_t module);
HIPSTUB_API hipError_t hipModuleGetFunction(hipFunction_t *result,
                                            hipModule_t module,
                                            const char *name);
HIPSTUB_API hipError_t hipFuncGetAttribute(int *value,
                                           hipFunction_attribute attribute,
                                           hipFunction_t function);
HIPSTUB_API hipError_t hipFuncSetAttribute(const void *handle, int attribute,
                                           int value);
HIPSTUB_API hipError_t hipModuleLaunchKernel(
    hipFunction_t function, unsigned gridX, unsigned gridY, unsigned gridZ,
    unsigned blockX, unsigned blockY, unsigned blockZ, unsigned sharedBytes,
    hipStream_t handle, void **parameters, void **extra);

#endif // MLAFUSE_HIPSTUB_HIPFUNCTIONS_H
