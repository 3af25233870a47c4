//===- CHeaderTest.c - the public headers are C -----------------------===//
#include "mlafuse/runtime/abi.h"
#include "mlafuse/runtime/dlpack.h"
#include "mlafuse/runtime/mlafuse.h"

/// The version as a C compiler reads the header.
uint32_t mlafuse_cts_version_in_c(void) {
  return MLAFUSE_VERSION_MAJOR * 10000 + MLAFUSE_VERSION_MINOR * 100 +
         MLAFUSE_VERSION_PATCH;
}
