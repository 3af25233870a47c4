//===- CudaFunctions.h - the functions that the stub exports ----*- C++ -*-===//
#ifndef MLAFUSE_CUDASTUB_CUDAFUNCTIONS_H
#define MLAFUSE_CUDASTUB_CUDAFUNCTIONS_H

#include "Cuda.h"

CUDASTUB_API CUresult cuInit(unsigned flags);
CUDASTUB_API CUresult cuGetErrorName(CUresult error, const char **text);
CUDASTUB_API CUresult cuGetErrorString(CUresult error, const char **text);
CUDASTUB_API CUresult cuDeviceGet(CUdevice *result, int ordinal);
CUDASTUB_API CUresult cuDeviceGetAttribute(int *value,
                                           CUdevice_attribute attribute,
                                           CUdevice device);
CUDASTUB_API CUresult cuDevicePrimaryCtxRetain(CUcontext *result,
                                               CUdevice device);
CUDASTUB_API CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device);
CUDASTUB_API CUresult cuCtxGetCurrent(CUcontext *result);
CUDASTUB_API CUresult cuCtxSetCurrent(CUcontext context);
CUDASTUB_API CUresult cuCtxPushCurrent_v2(CUcontext context);
CUDASTUB_API CUresult cuCtxPopCurrent_v2(CUcontext *result);
CUDASTUB_API CUresult cuCtxGetDevice(CUdevice *result);
CUDASTUB_API CUresult cuCtxSynchronize();
CUDASTUB_API CUresult cuMemAlloc_v2(CUdeviceptr *result, size_t bytes);
CUDASTUB_API CUresult cuMemFree_v2(CUdeviceptr pointer);
CUDASTUB_API CUresult cuMemcpyHtoD_v2(CUdeviceptr destination,
                                      const void *source, size_t bytes);
CUDASTUB_API CUresult cuMemcpyDtoH_v2(void *destination, CUdeviceptr source,
                                      size_t bytes);
CUDASTUB_API CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr destination,
                                           const void *source, size_t bytes,
                                           CUstream stream);
CUDASTUB_API CUresult cuMemcpyDtoHAsync_v2(void *destination,
                                           CUdeviceptr source, size_t bytes,
                                           CUstream stream);
CUDASTUB_API CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr destination,
                                           CUdeviceptr source, size_t bytes,
                                           CUstream stream);
CUDASTUB_API CUresult cuMemsetD8_v2(CUdeviceptr destination,
                                    unsigned char value, size_t bytes);
CUDASTUB_API CUresult cuStreamCreate(CUstream *result, unsigned flags);
CUDASTUB_API CUresult cuStreamDestroy_v2(CUstream stream);
CUDASTUB_API CUresult cuStreamSynchronize(CUstream stream);
CUDASTUB_API CUresult cuStreamQuery(CUstream stream);
CUDASTUB_API CUresult cuStreamWaitEvent(CUstream stream, CUevent event,
                                        unsigned flags);
CUDASTUB_API CUresult cuStreamBeginCapture_v2(CUstream stream,
                                              CUstreamCaptureMode mode);
CUDASTUB_API CUresult cuStreamEndCapture(CUstream stream, CUgraph *result);
CUDASTUB_API CUresult cuStreamIsCapturing(CUstream stream,
                                          CUstreamCaptureStatus *status);
CUDASTUB_API CUresult cuGraphInstantiate_v2(CUgraphExec *result, CUgraph graph,
                                            void *errorNode, char *log,
                                            size_t logBytes);
CUDASTUB_API CUresult cuGraphInstantiateWithFlags(CUgraphExec *result,
                                                  CUgraph graph,
                                                  unsigned long long flags);
CUDASTUB_API CUresult cuGraphLaunch(CUgraphExec graph, CUstream stream);
CUDASTUB_API CUresult cuGraphDestroy(CUgraph graph);
CUDASTUB_API CUresult cuGraphExecDestroy(CUgraphExec graph);
CUDASTUB_API CUresult cuEventCreate(CUevent *result, unsigned flags);
CUDASTUB_API CUresult cuEventDestroy_v2(CUevent event);
CUDASTUB_API CUresult cuEventRecord(CUevent event, CUstream stream);
CUDASTUB_API CUresult cuEventSynchronize(CUevent event);
CUDASTUB_API CUresult cuEventElapsedTime(float *milliseconds, CUevent start,
                                         CUevent stop);
CUDASTUB_API CUresult cuModuleLoadData(CUmodule *result, const void *image);
CUDASTUB_API CUresult cuModuleLoadDataEx(CUmodule *result, const void *image,
                                         unsigned count,
                                         const CUjit_option *options,
                                         void **values);
CUDASTUB_API CUresult cuModuleUnload(CUmodule module);
CUDASTUB_API CUresult cuModuleGetFunction(CUfunction *result, CUmodule module,
                                          const char *name);
CUDASTUB_API CUresult cuFuncGetAttribute(int *value,
                                         CUfunction_attribute attribute,
                                         CUfunction function);
CUDASTUB_API CUresult cuFuncSetAttribute(CUfunction function,
                                         CUfunction_attribute attribute,
                                         int value);
CUDASTUB_API CUresult cuLaunchKernel(CUfunction function, unsigned gridX,
                                     unsigned gridY, unsigned gridZ,
                                     unsigned blockX, unsigned blockY,
                                     unsigned blockZ, unsigned sharedBytes,
                                     CUstream stream, void **parameters,
                                     void **extra);
CUDASTUB_API CUresult cuLaunchKernelEx(const CUlaunchConfig *configuration,
                                       CUfunction function, void **parameters,
                                       void **extra);

#endif // MLAFUSE_CUDASTUB_CUDAFUNCTIONS_H
