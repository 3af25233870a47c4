/* What C programs need that call an entry of a compiled library directly. */
#ifndef MLAFUSE_TEST_REGRESSION_ENTRY_H
#define MLAFUSE_TEST_REGRESSION_ENTRY_H

#include "mlafuse/runtime/abi.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  void *allocated, *aligned;
  int64_t offset, sizes[2], strides[2];
} matrix;

typedef struct {
  void *allocated, *aligned;
  int64_t offset, sizes[1], strides[1];
} vector;

static inline void fail(const char *what) {
  fprintf(stderr, "%s\n", what);
  exit(1);
}

/* mlafuse_launch_context.parallel_for on the calling thread. */
static inline void run_all(void *runtime, mlafuse_loop_body body,
                           void *argument, int64_t count, int64_t grain) {
  (void)runtime, (void)grain;
  if (count > 0)
    body(argument, 0, count);
}

/* Runs the entry `name`, which needs no workspace. */
static inline void run_entry(void *library, const char *name,
                             void *const *descriptors) {
  char symbol[128];
  int32_t (*entry)(const mlafuse_launch_context *, void *const *);
  int64_t (*workspace)(void *const *);
  snprintf(symbol, sizeof(symbol), "mlafuse_entry_%s", name);
  *(void **)&entry = dlsym(library, symbol);
  snprintf(symbol, sizeof(symbol), "mlafuse_workspace_%s", name);
  *(void **)&workspace = dlsym(library, symbol);
  if (!entry || !workspace)
    fail(dlerror());
  if (workspace(descriptors) != 0)
    fail("the entry needs a workspace");
  mlafuse_launch_context context = {
      MLAFUSE_ABI_VERSION, 0, NULL, NULL, 0, run_all, NULL, NULL};
  if (entry(&context, descriptors) != MLAFUSE_ENTRY_OK)
    fail("the entry failed");
}

static inline void *open_library(int argc, char **argv) {
  void *library = argc == 2 ? dlopen(argv[1], RTLD_NOW) : NULL;
  if (!library)
    fail(argc == 2 ? dlerror() : "usage: the library is the only argument");
  return library;
}

#endif
