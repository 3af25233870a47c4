//===- CudaBackend.cpp - NVIDIA's driver ------------------------------===//
//
// Works in the device's primary context, the one that PyTorch and the CUDA
// runtime use, so that memory and streams are shared with them.
//
//===------------------------------------------------------------------===//
#include "GpuBackend.h"

#include <dlpack/dlpack.h>

namespace mlafuse::rt {
namespace {

// Values of cuda.h.
enum DeviceAttribute : int32_t {
  ComputeCapabilityMajor = 75,
  ComputeCapabilityMinor = 76,
  MaxSharedBytesOptIn = 97
};
enum FunctionAttribute : int32_t { SharedBytes = 1, MaxDynamicSharedBytes = 8 };
enum JitOption : int32_t { ErrorLogBuffer = 5, ErrorLogBufferBytes = 6 };

/// CUlaunchAttribute.
struct LaunchAttribute {
  int32_t id;
  int32_t padding;
  union {
    int32_t number;
    uint64_t words[8];
  };
};
static_assert(sizeof(LaunchAttribute) == 72, "as in cuda.h");
enum LaunchAttributeId : int32_t { ProgrammaticStreamSerialization = 6 };

/// CUlaunchConfig.
struct LaunchConfiguration {
  uint32_t grid[3];
  uint32_t block[3];
  uint32_t dynamicSharedBytes;
  void *stream;
  LaunchAttribute *attributes;
  uint32_t attributeCount;
};
static_assert(sizeof(LaunchConfiguration) == 56, "as in cuda.h");

/// The first major compute capability whose kernels can wait by themselves.
constexpr int32_t overlappingMajor = 9;

class CudaDriver final : public Driver {
public:
  CudaDriver()
      : Driver({"cuModuleUnload", "cuModuleGetFunction", "cuLaunchKernel",
                "cuMemAlloc_v2", "cuMemFree_v2", "cuStreamSynchronize"}) {}
  ~CudaDriver() override {
    if (context)
      releasePrimaryContext(index);
  }

  std::string open() override {
    std::string problem = library.open({"libcuda.so.1"});
    if (problem.empty())
      problem = findCommonFunctions();
    if (problem.empty())
      problem = library.findAll(
          initialize, getErrorName, getErrorString, getCurrent, getDevice,
          getDeviceOfContext, getDeviceAttribute, retainPrimaryContext,
          releasePrimaryContext, pushCurrent, popCurrent, loadModuleData,
          getFunctionAttribute, setFunctionAttribute, copyToDevice, copyToHost,
          copyOnDevice);
    // A driver before CUDA 11.8 lacks it, and launches one kernel after
    // another.
    if (problem.empty())
      library.find(launchWithAttributes);
    return problem.empty() ? openDevice() : problem;
  }

  DriverStatus enter(PreviousDevice &previous) const override {
    void *current = nullptr;
    DriverResult result = getCurrent(&current);
    if (result != 0)
      return {result, getCurrent.name};
    if (current == context)
      return {};
    result = pushCurrent(context);
    previous.switched = result == 0;
    return {result, pushCurrent.name};
  }

  void leave(const PreviousDevice &) const override {
    void *popped;
    popCurrent(&popped);
  }

  DriverStatus loadModule(const void *image, void *&module,
                          std::string &log) const override {
    char text[1024] = "";
    int32_t options[] = {ErrorLogBuffer, ErrorLogBufferBytes};
    // Sizes are passed in the place of the pointer.
    void *values[] = {text, reinterpret_cast<void *>(sizeof(text))};
    DriverResult result = loadModuleData(&module, image, 2, options, values);
    log = text;
    return {result, loadModuleData.name};
  }

  DriverStatus allowSharedMemory(void *kernel) const override {
    int32_t own = 0;
    DriverResult result = getFunctionAttribute(&own, SharedBytes, kernel);
    if (result != 0)
      return {result, getFunctionAttribute.name};
    return {setFunctionAttribute(kernel, MaxDynamicSharedBytes,
                                 maxSharedBytes - own),
            setFunctionAttribute.name};
  }

  DriverStatus launch(void *kernel, const mlafuse_kernel_launch &launch,
                      void *stream) const override {
    if (!(launch.flags & MLAFUSE_LAUNCH_OVERLAPS_PREVIOUS) ||
        major < overlappingMajor || !launchWithAttributes.function)
      return Driver::launch(kernel, launch, stream);
    LaunchAttribute attribute = {};
    attribute.id = ProgrammaticStreamSerialization;
    attribute.number = 1;
    LaunchConfiguration configuration = {
        {launch.grid[0], launch.grid[1], launch.grid[2]},
        {launch.block[0], launch.block[1], launch.block[2]},
        launch.dynamic_shared_bytes,
        stream,
        &attribute,
        1};
    return {launchWithAttributes(&configuration, kernel, launch.parameters,
                                 nullptr),
            launchWithAttributes.name};
  }

  DriverStatus copy(void *destination, const void *source, size_t bytes,
                    mlafuse_copy_kind kind, void *stream) const override {
    const auto &function = kind == MLAFUSE_HOST_TO_DEVICE   ? copyToDevice
                           : kind == MLAFUSE_DEVICE_TO_HOST ? copyToHost
                                                            : copyOnDevice;
    return {function(destination, source, bytes, stream), function.name};
  }

  std::string describe(DriverResult result) const override {
    const char *name = nullptr, *text = nullptr;
    if (getErrorName(result, &name) != 0 || !name)
      return "error " + std::to_string(result);
    getErrorString(result, &text);
    return std::string(name) + " (" + (text ? text : "") + ")";
  }

private:
  std::string openDevice() {
    DriverStatus status = {initialize(0u), initialize.name};
    if (status.result == 0)
      status = findDevice();
    int32_t minor = 0;
    if (status.result == 0)
      status = readAttribute(ComputeCapabilityMajor, major);
    if (status.result == 0)
      status = readAttribute(ComputeCapabilityMinor, minor);
    if (status.result == 0)
      status = readAttribute(MaxSharedBytesOptIn, maxSharedBytes);
    if (status.result == 0)
      status = {retainPrimaryContext(&context, index),
                retainPrimaryContext.name};
    chip = "sm_" + std::to_string(major) + std::to_string(minor);
    return status.result == 0
               ? ""
               : std::string(status.call) + ": " + describe(status.result);
  }

  /// The device of the thread's current context, else the first one.
  DriverStatus findDevice() {
    void *current = nullptr;
    DriverResult result = getCurrent(&current);
    if (result != 0)
      return {result, getCurrent.name};
    if (current)
      return {getDeviceOfContext(&index), getDeviceOfContext.name};
    return {getDevice(&index, 0), getDevice.name};
  }

  DriverStatus readAttribute(DeviceAttribute attribute, int32_t &value) const {
    return {getDeviceAttribute(&value, attribute, index),
            getDeviceAttribute.name};
  }

  using CopySignature = DriverResult(void *, const void *, size_t, void *);

  DriverFunction<DriverResult(uint32_t flags)> initialize{"cuInit"};
  DriverFunction<DriverResult(DriverResult, const char **)> getErrorName{
      "cuGetErrorName"};
  DriverFunction<DriverResult(DriverResult, const char **)> getErrorString{
      "cuGetErrorString"};
  DriverFunction<DriverResult(void **context)> getCurrent{"cuCtxGetCurrent"};
  DriverFunction<DriverResult(int32_t *device, int32_t ordinal)> getDevice{
      "cuDeviceGet"};
  DriverFunction<DriverResult(int32_t *device)> getDeviceOfContext{
      "cuCtxGetDevice"};
  DriverFunction<DriverResult(int32_t *value, int32_t attribute,
                              int32_t device)>
      getDeviceAttribute{"cuDeviceGetAttribute"};
  DriverFunction<DriverResult(void **context, int32_t device)>
      retainPrimaryContext{"cuDevicePrimaryCtxRetain"};
  DriverFunction<DriverResult(int32_t device)> releasePrimaryContext{
      "cuDevicePrimaryCtxRelease_v2"};
  DriverFunction<DriverResult(void *context)> pushCurrent{
      "cuCtxPushCurrent_v2"};
  DriverFunction<DriverResult(void **context)> popCurrent{"cuCtxPopCurrent_v2"};
  DriverFunction<DriverResult(void **module, const void *image, uint32_t count,
                              int32_t *options, void **values)>
      loadModuleData{"cuModuleLoadDataEx"};
  DriverFunction<DriverResult(int32_t *value, int32_t attribute, void *kernel)>
      getFunctionAttribute{"cuFuncGetAttribute"};
  DriverFunction<DriverResult(void *kernel, int32_t attribute, int32_t value)>
      setFunctionAttribute{"cuFuncSetAttribute"};
  DriverFunction<DriverResult(const LaunchConfiguration *configuration,
                              void *kernel, void **parameters, void **extra)>
      launchWithAttributes{"cuLaunchKernelEx"};
  DriverFunction<CopySignature> copyToDevice{"cuMemcpyHtoDAsync_v2"};
  DriverFunction<CopySignature> copyToHost{"cuMemcpyDtoHAsync_v2"};
  DriverFunction<CopySignature> copyOnDevice{"cuMemcpyDtoDAsync_v2"};

  void *context = nullptr;
  int32_t major = 0; ///< Of the compute capability.
  int32_t maxSharedBytes = 0;
};

} // namespace
} // namespace mlafuse::rt

extern "C" MLAFUSE_API const mlafuse::rt::Backend *mlafuse_backend() {
  static const mlafuse::rt::Backend backend =
      mlafuse::rt::makeGpuBackend<mlafuse::rt::CudaDriver>("cuda", kDLCUDA);
  return &backend;
}
