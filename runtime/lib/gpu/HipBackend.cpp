//===- HipBackend.cpp - AMD's driver ----------------------------------===//
#include "GpuBackend.h"

#include <cstring>
#include <dlpack/dlpack.h>
#include <string_view>

namespace mlafuse::rt {
namespace {

/// hipMemcpyKind, by mlafuse_copy_kind.
constexpr int32_t copyKinds[] = {1, 2, 3};

/// Room for hipDeviceProp_t in any version.
constexpr size_t propertiesBytes = 8192;
/// The bytes of its first field, a name of the device that is made for people.
constexpr size_t deviceNameBytes = 256;

/// The chip among a device's properties. Its place changed from one version to
/// the next, but it is the only other text there that begins like this.
std::string findChip(const char *properties) {
  constexpr std::string_view start = "gfx";
  std::string_view all(properties + deviceNameBytes,
                       propertiesBytes - deviceNameBytes - 1);
  size_t at = all.find(start);
  return at == std::string_view::npos ? "" : std::string(all.data() + at);
}

class HipDriver final : public Driver {
public:
  HipDriver()
      : Driver({"hipModuleUnload", "hipModuleGetFunction",
                "hipModuleLaunchKernel", "hipMalloc", "hipFree",
                "hipStreamSynchronize"}) {}

  std::string open() override {
    std::string problem = library.open({"libamdhip64.so.7", "libamdhip64.so.6",
                                        "libamdhip64.so.5", "libamdhip64.so"});
    if (problem.empty())
      problem = findCommonFunctions();
    if (problem.empty())
      problem =
          library.findAll(initialize, getErrorName, getErrorString, getCurrent,
                          setCurrent, loadModuleData, copyAsync);
    // From version 6 on, properties under the old name have the old layout.
    if (problem.empty() && !library.find(getProperties).empty()) {
      getProperties.name = "hipGetDeviceProperties";
      problem = library.find(getProperties);
    }
    return problem.empty() ? openDevice() : problem;
  }

  DriverStatus enter(PreviousDevice &previous) const override {
    DriverResult result = getCurrent(&previous.device);
    if (result != 0)
      return {result, getCurrent.name};
    if (previous.device == index)
      return {};
    result = setCurrent(index);
    previous.switched = result == 0;
    return {result, setCurrent.name};
  }

  void leave(const PreviousDevice &previous) const override {
    setCurrent(previous.device);
  }

  DriverStatus loadModule(const void *image, void *&module,
                          std::string &) const override {
    return {loadModuleData(&module, image), loadModuleData.name};
  }

  /// A workgroup may have all of its compute unit's LDS without asking.
  DriverStatus allowSharedMemory(void *) const override { return {}; }

  DriverStatus copy(void *destination, const void *source, size_t bytes,
                    mlafuse_copy_kind kind, void *stream) const override {
    return {copyAsync(destination, source, bytes, copyKinds[kind], stream),
            copyAsync.name};
  }

  std::string describe(DriverResult result) const override {
    return std::string(getErrorName(result)) + " (" + getErrorString(result) +
           ")";
  }

private:
  std::string openDevice() {
    std::string properties(propertiesBytes, '\0');
    DriverStatus status = {initialize(0u), initialize.name};
    if (status.result == 0)
      status = {getCurrent(&index), getCurrent.name};
    if (status.result == 0)
      status = {getProperties(properties.data(), index), getProperties.name};
    if (status.result != 0)
      return std::string(status.call) + ": " + describe(status.result);
    chip = findChip(properties.data());
    return chip.empty() ? "the driver does not tell the chip of device " +
                              std::to_string(index)
                        : "";
  }

  DriverFunction<DriverResult(uint32_t flags)> initialize{"hipInit"};
  DriverFunction<const char *(DriverResult)> getErrorName{"hipGetErrorName"};
  DriverFunction<const char *(DriverResult)> getErrorString{
      "hipGetErrorString"};
  DriverFunction<DriverResult(int32_t *device)> getCurrent{"hipGetDevice"};
  DriverFunction<DriverResult(int32_t device)> setCurrent{"hipSetDevice"};
  DriverFunction<DriverResult(void *properties, int32_t device)> getProperties{
      "hipGetDevicePropertiesR0600"};
  DriverFunction<DriverResult(void **module, const void *image)> loadModuleData{
      "hipModuleLoadData"};
  DriverFunction<DriverResult(void *destination, const void *source,
                              size_t bytes, int32_t kind, void *stream)>
      copyAsync{"hipMemcpyAsync"};
};

} // namespace
} // namespace mlafuse::rt

extern "C" MLAFUSE_API const mlafuse::rt::Backend *mlafuse_backend() {
  static const mlafuse::rt::Backend backend =
      mlafuse::rt::makeGpuBackend<mlafuse::rt::HipDriver>("hip", kDLROCM);
  return &backend;
}
