//===- Driver.h - what a GPU backend needs of a driver --------*- C++ -*-===//
//
// The two vendors' drivers have most functions in one shape: those are data
// here, loaded under each vendor's names. The rest are the virtual functions.
//
//===------------------------------------------------------------------===//
#ifndef MLAFUSE_RT_GPU_DRIVER_H
#define MLAFUSE_RT_GPU_DRIVER_H

#include "DriverLibrary.h"
#include "mlafuse/runtime/abi.h"
#include "mlafuse/runtime/mlafuse.h"

namespace mlafuse::rt {

// Device addresses (CUdeviceptr) have 64 bits and are passed as pointers are.
static_assert(sizeof(void *) == 8, "a GPU backend needs 64-bit addresses");

/// What a call of the driver gave; it stands for success if `result` is 0.
struct DriverStatus {
  DriverResult result = 0;
  const char *call = ""; ///< The function's name.
};

/// The device that was current for a thread before another was made so.
struct PreviousDevice {
  bool switched = false;
  int32_t device = 0; ///< For drivers that keep no stack of their own.
};

/// One device, through its vendor's driver. Handles (module, kernel, stream)
/// are the driver's own. All functions but `open` may be called by several
/// threads at once.
class Driver {
public:
  virtual ~Driver() = default;

  /// Loads the driver's library and opens the thread's current device; "" or
  /// what is wrong.
  virtual std::string open() = 0;

  /// Makes the device current for this thread, if it is not so already.
  virtual DriverStatus enter(PreviousDevice &previous) const = 0;
  virtual void leave(const PreviousDevice &previous) const = 0;

  /// Loads an image; text ends with a NUL. `log` gets what the driver's
  /// compiler said of its errors.
  virtual DriverStatus loadModule(const void *image, void *&module,
                                  std::string &log) const = 0;
  /// Allows a kernel all the shared memory that a block can have.
  virtual DriverStatus allowSharedMemory(void *kernel) const = 0;
  /// Puts a kernel on the stream.
  virtual DriverStatus launch(void *kernel, const mlafuse_kernel_launch &launch,
                              void *stream) const {
    const uint32_t (&grid)[3] = launch.grid, (&block)[3] = launch.block;
    return {launchKernel(kernel, grid[0], grid[1], grid[2], block[0], block[1],
                         block[2], launch.dynamic_shared_bytes, stream,
                         launch.parameters, nullptr),
            launchKernel.name};
  }
  virtual DriverStatus copy(void *destination, const void *source, size_t bytes,
                            mlafuse_copy_kind kind, void *stream) const = 0;

  /// "CUDA_ERROR_INVALID_VALUE (invalid argument)".
  virtual std::string describe(DriverResult result) const = 0;

  int32_t getIndex() const { return index; }
  const std::string &getChip() const { return chip; }

  DriverFunction<DriverResult(void *module)> unloadModule;
  DriverFunction<DriverResult(void **kernel, void *module, const char *name)>
      getKernel;
  DriverFunction<DriverResult(void *kernel, uint32_t gridX, uint32_t gridY,
                              uint32_t gridZ, uint32_t blockX, uint32_t blockY,
                              uint32_t blockZ, uint32_t sharedBytes,
                              void *stream, void **parameters, void **extra)>
      launchKernel;
  DriverFunction<DriverResult(void **memory, size_t bytes)> allocate;
  DriverFunction<DriverResult(void *memory)> release;
  DriverFunction<DriverResult(void *stream)> synchronize;

protected:
  /// The names under which this vendor has the functions above.
  struct Names {
    const char *unloadModule, *getKernel, *launchKernel, *allocate, *release,
        *synchronize;
  };
  explicit Driver(const Names &names)
      : unloadModule{names.unloadModule}, getKernel{names.getKernel},
        launchKernel{names.launchKernel}, allocate{names.allocate},
        release{names.release}, synchronize{names.synchronize} {}

  std::string findCommonFunctions() {
    return library.findAll(unloadModule, getKernel, launchKernel, allocate,
                           release, synchronize);
  }

  DriverLibrary library;
  int32_t index = 0;
  std::string chip;
};

} // namespace mlafuse::rt

#endif // MLAFUSE_RT_GPU_DRIVER_H
