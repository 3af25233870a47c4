// Calls the entry of two-kernels.mlir as the runtime would, with a launch_kernel
// that looks at what it is given; no device is needed.
#include "mlafuse/runtime/abi.h"

#include <assert.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  void *allocated, *aligned;
  int64_t offset, sizes[2], strides[2];
} descriptor;

typedef int32_t (*entry_function)(const mlafuse_launch_context *,
                                  void *const *);
typedef int64_t (*workspace_function)(void *const *);

// Addresses of a device: nothing here may read them.
static char *const kX = (char *)0x10000, *const kY = (char *)0x20000;
static const int64_t kStride = 300, kOffset = 5;

static struct {
  uint32_t rows;
  int launches, failAt; // failAt: the number of the launch that fails, or -1.
} state;

static int32_t launchKernel(void *runtime, const mlafuse_kernel_launch *launch) {
  assert(runtime == &state);
  int number = state.launches++;
  assert(launch->kernel == (uint32_t)number);
  assert(launch->grid[0] == state.rows);
  assert(launch->grid[1] == (number == 0 ? 2 : 1) && launch->grid[2] == 1);
  assert(launch->block[0] == 256 && launch->block[1] == 1);
  assert(launch->block[2] == 1);
  assert(launch->dynamic_shared_bytes == 0 && launch->flags == 0);
  if (number == 0) {
    assert(launch->parameter_count == 3);
    assert(*(void **)launch->parameters[0] == kX + kOffset * 4);
    assert(*(int64_t *)launch->parameters[1] == kStride);
    assert(*(void **)launch->parameters[2] == kY);
  } else {
    assert(launch->parameter_count == 1);
    assert(*(void **)launch->parameters[0] == kY);
  }
  return number == state.failAt ? 719 : 0;
}

static void *find(void *library, const char *prefix, const char *name) {
  char symbol[100];
  snprintf(symbol, sizeof(symbol), "%s_%s", prefix, name);
  void *address = dlsym(library, symbol);
  if (!address) {
    fprintf(stderr, "%s\n", dlerror());
    exit(1);
  }
  return address;
}

int main(int argc, char **argv) {
  assert(argc == 3);
  void *library = dlopen(argv[1], RTLD_NOW);
  if (!library) {
    fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  entry_function entry = (entry_function)find(library, argv[2], "entry_f");
  workspace_function workspace =
      (workspace_function)find(library, argv[2], "workspace_f");
  const char *image = find(library, argv[2], "hsaco");
  assert(memcmp(image, "\177ELF", 4) == 0 && (uintptr_t)image % 64 == 0);

  static const struct {
    uint32_t version;
    int64_t rows;
    int failAt, launches;
    int32_t status;
  } cases[] = {
      {MLAFUSE_ABI_VERSION, 7, -1, 2, MLAFUSE_ENTRY_OK},
      {MLAFUSE_ABI_VERSION, 0, -1, 0, MLAFUSE_ENTRY_OK},
      {MLAFUSE_ABI_VERSION, 3, 0, 1, MLAFUSE_ENTRY_LAUNCH_FAILED},
      {MLAFUSE_ABI_VERSION, 3, 1, 2, MLAFUSE_ENTRY_LAUNCH_FAILED},
      {MLAFUSE_ABI_VERSION - 1, 7, -1, 0, MLAFUSE_ENTRY_BAD_CONTEXT},
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
    int64_t rows = cases[i].rows;
    descriptor x = {kX, kX, kOffset, {rows, 256}, {kStride, 1}};
    descriptor y = {kY, kY, 0, {rows, 256}, {256, 1}};
    void *descriptors[] = {&x, &y};
    assert(workspace(descriptors) == 0);
    state.rows = (uint32_t)rows;
    state.launches = 0;
    state.failAt = cases[i].failAt;
    mlafuse_launch_context context = {0};
    context.abi_version = cases[i].version;
    context.runtime = &state;
    context.launch_kernel = launchKernel;
    int32_t status = entry(&context, descriptors);
    if (status != cases[i].status || state.launches != cases[i].launches) {
      printf("case %zu: status %d after %d launches\n", i, status,
             state.launches);
      return 1;
    }
  }
  puts("all launches are right");
  return 0;
}
