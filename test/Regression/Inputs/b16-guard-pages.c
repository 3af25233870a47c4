/* Runs the norms of b16-odd-widths.mlir on buffers that end where a page begins
 * which nobody may touch, and again on such that begin where one ends. */
#include "entry.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { rows = 3 };

static int at_end;

/* `bytes` of zeros between two guard pages. */
static void *guarded(size_t bytes) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  size_t inner = (bytes + page - 1) / page * page;
  char *memory = mmap(NULL, inner + 2 * page, PROT_NONE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED ||
      mprotect(memory + page, inner, PROT_READ | PROT_WRITE) != 0)
    fail("no memory");
  return memory + page + (at_end ? inner - bytes : 0);
}

static void run_width(void *library, int64_t width) {
  const uint16_t one = 0x3F80, two = 0x4000;
  const uint8_t largest = 0x7E;
  size_t count = (size_t)(rows * width);
  uint16_t *x = guarded(2 * count), *w = guarded(2 * (size_t)width),
           *y = guarded(2 * count);
  uint8_t *q = guarded(count);
  float *s = guarded(rows * sizeof(float));
  for (size_t i = 0; i < count; ++i)
    x[i] = two;
  for (int64_t i = 0; i < width; ++i)
    w[i] = one;
  matrix input = {x, x, 0, {rows, width}, {width, 1}};
  vector weight = {w, w, 0, {width}, {1}};
  matrix value = {y, y, 0, {rows, width}, {width, 1}};
  matrix codes = {q, q, 0, {rows, width}, {width, 1}};
  matrix scales = {s, s, 0, {rows, 1}, {1, 1}};
  void *const descriptors[] = {&input, &weight, &value, &codes, &scales};
  char name[32];
  snprintf(name, sizeof(name), "norm_%d", (int)width);
  run_entry(library, name, descriptors);
  for (size_t i = 0; i < count; ++i)
    if (y[i] != one || q[i] != largest)
      fail("a result is wrong");
}

int main(int argc, char **argv) {
  void *library = open_library(argc, argv);
  for (at_end = 0; at_end < 2; ++at_end) {
    const int64_t widths[] = {1, 15, 17, 1152, 3584, 7165};
    for (size_t i = 0; i < sizeof(widths) / sizeof(widths[0]); ++i)
      run_width(library, widths[i]);
  }
  return 0;
}
