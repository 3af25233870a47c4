/* A program that links the runtime alone, in C. */
#include "mlafuse/runtime/mlafuse.h"
#include <stdio.h>

int main(void) {
  mlafuse_context *context;
  if (mlafuse_context_create("cpu", 1, &context) != MLAFUSE_OK)
    return 1;
  mlafuse_context_destroy(context);
  printf("runtime %s\n", mlafuse_version_text());
  return 0;
}
