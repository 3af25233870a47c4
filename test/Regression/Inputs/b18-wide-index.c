/* Calls @norm of b18-wide-index.mlir on rows that lie 4 GB apart, of which only the
 * last one has been written to: the others take no memory. */
#include "mlafuse/runtime/abi.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { width = 64, stride = 7168, rows = 300001 };

typedef struct {
  void *allocated, *aligned;
  int64_t offset, sizes[2], strides[2];
} matrix;

typedef struct {
  void *allocated, *aligned;
  int64_t offset, sizes[1], strides[1];
} vector;

static void fail(const char *what) {
  fprintf(stderr, "%s\n", what);
  exit(1);
}

/* Zeros that take memory only once they are written to. */
static uint16_t *map(size_t elements) {
  void *memory =
      mmap(NULL, elements * sizeof(uint16_t), PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    fail("mmap failed");
  return memory;
}

static void run_all(void *runtime, mlafuse_loop_body body, void *argument,
                    int64_t count, int64_t grain) {
  (void)runtime, (void)grain;
  body(argument, 0, count);
}

int main(int argc, char **argv) {
  const uint16_t one = 0x3F80, two = 0x4000;
  if (argc != 2)
    fail("usage: b18-wide-index LIBRARY");
  void *library = dlopen(argv[1], RTLD_NOW);
  if (!library)
    fail(dlerror());
  int32_t (*norm)(const mlafuse_launch_context *, void *const *);
  int64_t (*workspace)(void *const *);
  *(void **)&norm = dlsym(library, "mlafuse_entry_norm");
  *(void **)&workspace = dlsym(library, "mlafuse_workspace_norm");
  if (!norm || !workspace)
    fail("the library lacks an export");

  uint16_t *x = map((size_t)rows * stride), *y = map((size_t)rows * width);
  uint16_t w[width];
  const size_t last = rows - 1;
  for (int i = 0; i < width; ++i) {
    w[i] = one;
    x[last * stride + i] = two;
  }
  matrix input = {x, x, 0, {rows, width}, {stride, 1}};
  vector weight = {w, w, 0, {width}, {1}};
  matrix output = {y, y, 0, {rows, width}, {width, 1}};
  void *const descriptors[] = {&input, &weight, &output};
  if (workspace(descriptors) != 0)
    fail("a norm needs no workspace");
  mlafuse_launch_context context = {MLAFUSE_ABI_VERSION, 0, NULL, NULL, 0,
                                    run_all, NULL};
  if (norm(&context, descriptors) != MLAFUSE_ENTRY_OK)
    fail("the entry failed");
  for (int i = 0; i < width; ++i) {
    if (y[last * width + i] != one)
      fail("the last row is wrong");
    if (y[(last - 1) * width + i] != 0)
      fail("the row before is wrong");
  }
  return 0;
}
