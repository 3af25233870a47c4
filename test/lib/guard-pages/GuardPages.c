/*===- GuardPages.c - buffers that end where memory ends ------------------===*/
/* Preloaded into mlafuse-run: what the runtime allocates (aligned_alloc) lies
 * between pages that nobody may touch and ends right before the second one, so
 * that a kernel that reads or writes beyond a buffer crashes. */
#define _GNU_SOURCE
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

extern void __libc_free(void *);

enum { page = 4096, most = 1024 };

static struct {
  _Atomic(char *) start; /* NULL once it is free. */
  char *mapping;
  size_t bytes;
} buffers[most];
static atomic_int used;

void *aligned_alloc(size_t alignment, size_t bytes) {
  size_t inner = (bytes + page - 1) / page * page;
  char *mapping = mmap(NULL, inner + 2 * page, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  int index = atomic_fetch_add(&used, 1);
  if (mapping == MAP_FAILED || index >= most || bytes % alignment != 0 ||
      (inner > 0 &&
       mprotect(mapping + page, inner, PROT_READ | PROT_WRITE) != 0))
    abort();
  char *start = mapping + page + inner - bytes;
  buffers[index].mapping = mapping;
  buffers[index].bytes = inner + 2 * page;
  atomic_store(&buffers[index].start, start);
  return start;
}

void free(void *memory) {
  int count = atomic_load(&used);
  for (int i = 0; memory && i < count && i < most; ++i) {
    char *start = memory;
    if (atomic_compare_exchange_strong(&buffers[i].start, &start, NULL)) {
      munmap(buffers[i].mapping, buffers[i].bytes);
      return;
    }
  }
  __libc_free(memory);
}
