//===- CpuBackend.cpp - the CPU as a device ---------------------------===//
//
// The caller's memory is the device's, a launch runs on the calling thread and
// on a pool of the context's, and there are no streams.
//
//===------------------------------------------------------------------===//
#include "../common/Backend.h"
#include "Chip.h"
#include "ThreadPool.h"

#include <cfenv>
#include <cstdlib>
#include <cstring>
#include <dlpack/dlpack.h>
#include <sched.h>
#include <string>
#include <unistd.h>

namespace mlafuse::rt {
namespace {

constexpr size_t alignment = 64;

ThreadPool &poolOf(void *state) { return *static_cast<ThreadPool *>(state); }

int32_t usableCores() {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  // Fails on machines with more cores than the set has room for.
  if (sched_getaffinity(0, sizeof(cores), &cores) == 0)
    return CPU_COUNT(&cores);
  return static_cast<int32_t>(sysconf(_SC_NPROCESSORS_ONLN));
}

mlafuse_status create(int32_t threads, void **state, ErrorText error) {
  int32_t wanted = threads == 0 ? usableCores() : threads;
  std::unique_ptr<ThreadPool> pool = ThreadPool::create(wanted);
  if (!pool)
    return fail(error, MLAFUSE_OUT_OF_RESOURCES,
                "the system refused to start " + std::to_string(wanted) +
                    " threads");
  *state = pool.release();
  return MLAFUSE_OK;
}

void destroy(void *state) { delete &poolOf(state); }

int32_t threads(void *state) { return poolOf(state).getThreads(); }

int32_t index(void *) { return 0; }

const char *chip(void *) { return thisCpu(); }

mlafuse_status checkChip(void *, const char *chip, ErrorText error) {
  std::string problem = checkCpu(chip);
  return problem.empty() ? MLAFUSE_OK
                         : fail(error, MLAFUSE_BAD_LIBRARY, problem);
}

mlafuse_status allocate(void *, size_t bytes, void **memory, ErrorText error) {
  // aligned_alloc wants a multiple of the alignment.
  size_t padded = (bytes + alignment - 1) / alignment * alignment;
  void *allocated =
      padded < bytes ? nullptr : std::aligned_alloc(alignment, padded);
  if (!allocated)
    return fail(error, MLAFUSE_OUT_OF_RESOURCES,
                "no memory for " + std::to_string(bytes) + " bytes");
  *memory = allocated;
  return MLAFUSE_OK;
}

void release(void *, void *memory) { std::free(memory); }

mlafuse_status checkStream(void *stream, ErrorText error) {
  return stream ? fail(error, MLAFUSE_INVALID_ARGUMENT,
                       "the stream is not NULL; the CPU has no streams")
                : MLAFUSE_OK;
}

mlafuse_status copy(void *, void *stream, void *destination, const void *source,
                    size_t bytes, mlafuse_copy_kind, ErrorText error) {
  if (mlafuse_status status = checkStream(stream, error))
    return status;
  std::memcpy(destination, source, bytes);
  return MLAFUSE_OK;
}

mlafuse_status synchronize(void *, void *stream, ErrorText error) {
  return checkStream(stream, error);
}

/// Gives compiled code the arithmetic that it was compiled for (nearest even,
/// no flush to zero) whatever the program has set, and then the program its
/// own back.
class DefaultArithmetic {
public:
  DefaultArithmetic() {
    fegetenv(&before);
    fesetenv(FE_DFL_ENV);
  }
  ~DefaultArithmetic() { fesetenv(&before); }

private:
  fenv_t before;
};

void parallelFor(void *runtime, mlafuse_loop_body body, void *argument,
                 int64_t count, int64_t grain) {
  poolOf(runtime).parallelFor(body, argument, count, grain);
}

mlafuse_status launch(void *state, const Launch &launch, ErrorText error) {
  if (mlafuse_status status = checkStream(launch.stream, error))
    return status;
  mlafuse_launch_context context = {};
  context.abi_version = MLAFUSE_ABI_VERSION;
  context.workspace = launch.workspace;
  context.workspace_size = launch.workspaceSize;
  context.parallel_for = parallelFor;
  context.runtime = state;
  DefaultArithmetic arithmetic;
  int32_t code = launch.entry(&context, launch.descriptors);
  return code == MLAFUSE_ENTRY_OK ? MLAFUSE_OK : failEntry(error, code);
}

constexpr Backend makeBackend() {
  Backend backend = {};
  backend.version = backendVersion;
  backend.name = "cpu";
  backend.dlpackDevice = kDLCPU;
  backend.create = create;
  backend.destroy = destroy;
  backend.threads = threads;
  backend.index = index;
  backend.chip = chip;
  backend.checkChip = checkChip;
  backend.allocate = allocate;
  backend.release = release;
  backend.copy = copy;
  backend.synchronize = synchronize;
  backend.launch = launch;
  return backend;
}

constexpr Backend backend = makeBackend();

} // namespace
} // namespace mlafuse::rt

extern "C" MLAFUSE_API const mlafuse::rt::Backend *mlafuse_backend() {
  return &mlafuse::rt::backend;
}
