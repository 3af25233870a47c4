/* Calls @norm of b18-wide-index.mlir on rows that span 4 GB, of which only the
 * last one has been written to: the others take no memory. */
#include "entry.h"

#include <sys/mman.h>

enum { width = 64, stride = 7168, rows = 300001 };

/* Zeros that take memory only once they are written to. */
static uint16_t *map(size_t elements) {
  void *memory = mmap(NULL, elements * sizeof(uint16_t), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    fail("mmap failed");
  return memory;
}

int main(int argc, char **argv) {
  const uint16_t one = 0x3F80, two = 0x4000;
  void *library = open_library(argc, argv);
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
  run_entry(library, "norm", descriptors);
  for (int i = 0; i < width; ++i) {
    if (y[last * width + i] != one)
      fail("the last row is wrong");
    if (y[(last - 1) * width + i] != 0)
      fail("the row before is wrong");
  }
  return 0;
}
