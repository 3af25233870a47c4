// Calls entries of a compiled library as the runtime would, and more rudely:
// bad contexts, offsets, strided rows, ranges of odd sizes in any order.
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

static int64_t iterations, leastGrain = INT64_MAX;

// Last range first: iterations are independent.
static void parallelFor(void *runtime, mlafuse_loop_body body, void *argument,
                        int64_t count, int64_t grain) {
  assert(runtime == &iterations);
  iterations += count;
  if (grain < leastGrain)
    leastGrain = grain;
  for (int64_t end = count; end > 0; end -= 3)
    body(argument, end < 3 ? 0 : end - 3, end);
}

static void *find(void *library, const char *name) {
  void *symbol = dlsym(library, name);
  if (!symbol) {
    fprintf(stderr, "%s\n", dlerror());
    exit(1);
  }
  return symbol;
}

// out = x * x + y over rows of 8, of which those of x are 20 elements apart.
static void check(void *library, int64_t rows) {
  entry_function entry = (entry_function)find(library, "mlafuse_entry_fma");
  workspace_function workspaceSize =
      (workspace_function)find(library, "mlafuse_workspace_fma");
  float x[200], y[80], out[80 + 1];
  for (int i = 0; i < 200; ++i)
    x[i] = (float)(i % 13);
  for (int i = 0; i < 80; ++i)
    y[i] = (float)(i % 7);
  memset(out, 0xff, sizeof(out));
  descriptor dx = {x, x, 5, {rows, 8}, {20, 1}};
  descriptor dy = {y, y, 0, {rows, 8}, {8, 1}};
  descriptor dout = {out, out, 1, {rows, 8}, {8, 1}};
  void *descriptors[] = {&dx, &dy, &dout};

  int64_t bytes = workspaceSize(descriptors);
  assert(bytes == (rows * 8 * 4 + 63) / 64 * 64);
  void *workspace = bytes ? aligned_alloc(64, (size_t)bytes) : NULL;
  mlafuse_launch_context context = {MLAFUSE_ABI_VERSION, 0,           NULL,
                                    workspace,           bytes,       parallelFor,
                                    &iterations,         NULL};

  mlafuse_launch_context other = context;
  other.abi_version = MLAFUSE_ABI_VERSION + 1;
  assert(entry(&other, descriptors) == MLAFUSE_ENTRY_BAD_CONTEXT);
  if (bytes) {
    other = context;
    other.workspace_size = bytes - 1;
    assert(entry(&other, descriptors) == MLAFUSE_ENTRY_BAD_CONTEXT);
  }
  assert(iterations == 0);

  assert(entry(&context, descriptors) == MLAFUSE_ENTRY_OK);
  assert(iterations == 2 * rows);
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t i = 0; i < 8; ++i) {
      float a = x[5 + r * 20 + i], b = y[r * 8 + i];
      if (out[1 + r * 8 + i] != a * a + b) {
        fprintf(stderr, "row %d, column %d: %g\n", (int)r, (int)i,
                out[1 + r * 8 + i]);
        exit(1);
      }
    }
  iterations = 0;
  free(workspace);
}

int main(int argc, char **argv) {
  void *library = dlopen(argv[1], RTLD_NOW);
  if (!library) {
    fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  assert(argc == 2 && strstr(find(library, "mlafuse_manifest"), "\"fma\""));
  for (int64_t rows = 0; rows <= 10; ++rows)
    check(library, rows);
  // 4096 elements are worth a thread; a row has 8.
  assert(leastGrain == 512);
  puts("all rows are right");
  return 0;
}
