//===- GpuBackend.cpp - a GPU as a device -----------------------------===//
//
// Everything that does not depend on the vendor. A launch allocates nothing,
// takes no lock and waits for nothing, so that it can be captured in a graph.
//
//===------------------------------------------------------------------===//
#include "GpuBackend.h"

namespace mlafuse::rt {
namespace {

/// A loaded image.
struct Kernels {
  void *module = nullptr;
  std::vector<void *> handles;
  std::vector<std::string> names;
};

const Driver &driverOf(void *state) { return *static_cast<Driver *>(state); }

mlafuse_status failCall(const Driver &driver, const DriverStatus &status,
                        mlafuse_status code, const std::string &what,
                        ErrorText error) {
  return fail(error, code,
              what + status.call + ": " + driver.describe(status.result));
}

/// Makes a device current for the calling thread as long as this lives.
class CurrentDevice {
public:
  explicit CurrentDevice(const Driver &driver)
      : driver(driver), status(driver.enter(previous)) {}
  ~CurrentDevice() {
    if (previous.switched)
      driver.leave(previous);
  }
  CurrentDevice(const CurrentDevice &) = delete;
  CurrentDevice &operator=(const CurrentDevice &) = delete;

  /// MLAFUSE_OK, or writes why the device is not current.
  mlafuse_status check(ErrorText error) const {
    return status.result == 0
               ? MLAFUSE_OK
               : failCall(driver, status, MLAFUSE_EXECUTION_FAILED, "", error);
  }

private:
  const Driver &driver;
  PreviousDevice previous;
  DriverStatus status;
};

void destroy(void *state) { delete static_cast<Driver *>(state); }

int32_t threads(void *) { return 1; }

int32_t index(void *state) { return driverOf(state).getIndex(); }

const char *chip(void *state) { return driverOf(state).getChip().c_str(); }

mlafuse_status findKernels(const Driver &driver,
                           const std::vector<std::string> &names,
                           Kernels &kernels, ErrorText error) {
  for (const std::string &name : names) {
    void *handle = nullptr;
    DriverStatus status = {
        driver.getKernel(&handle, kernels.module, name.c_str()),
        driver.getKernel.name};
    if (status.result == 0)
      status = driver.allowSharedMemory(handle);
    if (status.result != 0)
      return failCall(driver, status, MLAFUSE_BAD_LIBRARY,
                      "kernel '" + name + "': ", error);
    kernels.handles.push_back(handle);
  }
  return MLAFUSE_OK;
}

mlafuse_status load(void *state, const KernelImage &image, void **loaded,
                    ErrorText error) {
  const Driver &driver = driverOf(state);
  CurrentDevice current(driver);
  if (mlafuse_status status = current.check(error))
    return status;
  std::string text;
  const void *data = image.data;
  if (image.isText) {
    text.assign(static_cast<const char *>(data), image.bytes);
    data = text.c_str();
  }
  auto kernels = std::make_unique<Kernels>();
  kernels->names = image.kernels;
  std::string log;
  DriverStatus status = driver.loadModule(data, kernels->module, log);
  if (status.result != 0)
    return failCall(driver, status, MLAFUSE_BAD_LIBRARY,
                    log.empty() ? "" : log + "\n", error);
  if (mlafuse_status code =
          findKernels(driver, image.kernels, *kernels, error)) {
    driver.unloadModule(kernels->module);
    return code;
  }
  *loaded = kernels.release();
  return MLAFUSE_OK;
}

void unload(void *state, void *loaded) {
  std::unique_ptr<Kernels> kernels(static_cast<Kernels *>(loaded));
  CurrentDevice current(driverOf(state));
  driverOf(state).unloadModule(kernels->module);
}

mlafuse_status allocate(void *state, size_t bytes, void **memory,
                        ErrorText error) {
  const Driver &driver = driverOf(state);
  CurrentDevice current(driver);
  if (mlafuse_status status = current.check(error))
    return status;
  void *allocated = nullptr;
  DriverResult result = driver.allocate(&allocated, bytes);
  if (result != 0)
    return failCall(
        driver, {result, driver.allocate.name}, MLAFUSE_OUT_OF_RESOURCES,
        "no memory for " + std::to_string(bytes) + " bytes: ", error);
  *memory = allocated;
  return MLAFUSE_OK;
}

void release(void *state, void *memory) {
  CurrentDevice current(driverOf(state));
  driverOf(state).release(memory);
}

mlafuse_status copy(void *state, void *stream, void *destination,
                    const void *source, size_t bytes, mlafuse_copy_kind kind,
                    ErrorText error) {
  if (kind < MLAFUSE_HOST_TO_DEVICE || kind > MLAFUSE_DEVICE_TO_DEVICE)
    return fail(error, MLAFUSE_INVALID_ARGUMENT,
                std::to_string(kind) + " is no kind of copy");
  const Driver &driver = driverOf(state);
  CurrentDevice current(driver);
  if (mlafuse_status status = current.check(error))
    return status;
  DriverStatus status = driver.copy(destination, source, bytes, kind, stream);
  return status.result == 0
             ? MLAFUSE_OK
             : failCall(driver, status, MLAFUSE_EXECUTION_FAILED, "", error);
}

mlafuse_status synchronize(void *state, void *stream, ErrorText error) {
  const Driver &driver = driverOf(state);
  CurrentDevice current(driver);
  if (mlafuse_status status = current.check(error))
    return status;
  DriverResult result = driver.synchronize(stream);
  return result == 0 ? MLAFUSE_OK
                     : failCall(driver, {result, driver.synchronize.name},
                                MLAFUSE_EXECUTION_FAILED, "", error);
}

/// What a launch context's functions get as `runtime`.
struct RunningEntry {
  const Driver &driver;
  const Kernels &kernels;
  void *stream;
  ErrorText error;
};

std::string sizesText(const uint32_t (&sizes)[3]) {
  return "[" + std::to_string(sizes[0]) + ", " + std::to_string(sizes[1]) +
         ", " + std::to_string(sizes[2]) + "]";
}

/// mlafuse_launch_context.launch_kernel.
int32_t launchKernel(void *runtime, const mlafuse_kernel_launch *launch) {
  const RunningEntry &entry = *static_cast<RunningEntry *>(runtime);
  const Driver &driver = entry.driver;
  const Kernels &kernels = entry.kernels;
  if (launch->kernel >= kernels.handles.size())
    return fail(entry.error, MLAFUSE_EXECUTION_FAILED,
                "the compiled entry launched kernel " +
                    std::to_string(launch->kernel) + "; the library has " +
                    std::to_string(kernels.handles.size()));
  DriverStatus status =
      driver.launch(kernels.handles[launch->kernel], *launch, entry.stream);
  if (status.result == 0)
    return 0;
  return failCall(driver, status, MLAFUSE_EXECUTION_FAILED,
                  "kernel '" + kernels.names[launch->kernel] + "', grid " +
                      sizesText(launch->grid) + ", block " +
                      sizesText(launch->block) + ", " +
                      std::to_string(launch->dynamic_shared_bytes) +
                      " bytes of dynamic shared memory: ",
                  entry.error);
}

mlafuse_status launch(void *state, const Launch &launch, ErrorText error) {
  const Driver &driver = driverOf(state);
  CurrentDevice current(driver);
  if (mlafuse_status status = current.check(error))
    return status;
  RunningEntry running = {driver, *static_cast<Kernels *>(launch.kernels),
                          launch.stream, error};
  mlafuse_launch_context context = {};
  context.abi_version = MLAFUSE_ABI_VERSION;
  context.stream = launch.stream;
  context.workspace = launch.workspace;
  context.workspace_size = launch.workspaceSize;
  context.runtime = &running;
  context.launch_kernel = launchKernel;
  int32_t code = launch.entry(&context, launch.descriptors);
  if (code == MLAFUSE_ENTRY_OK)
    return MLAFUSE_OK;
  // launchKernel has written what went wrong.
  if (code == MLAFUSE_ENTRY_LAUNCH_FAILED && error.text[0] != '\0')
    return MLAFUSE_EXECUTION_FAILED;
  return failEntry(error, code);
}

} // namespace

mlafuse_status createGpu(std::unique_ptr<Driver> driver, void **state,
                         ErrorText error) {
  std::string problem = driver->open();
  if (!problem.empty())
    return fail(error, MLAFUSE_BACKEND_UNAVAILABLE, problem);
  *state = driver.release();
  return MLAFUSE_OK;
}

Backend makeGpuBackend(const char *name, int32_t dlpackDevice) {
  Backend backend = {};
  backend.version = backendVersion;
  backend.name = name;
  backend.dlpackDevice = dlpackDevice;
  backend.destroy = destroy;
  backend.threads = threads;
  backend.index = index;
  backend.chip = chip;
  backend.load = load;
  backend.unload = unload;
  backend.allocate = allocate;
  backend.release = release;
  backend.copy = copy;
  backend.synchronize = synchronize;
  backend.launch = launch;
  return backend;
}

} // namespace mlafuse::rt
