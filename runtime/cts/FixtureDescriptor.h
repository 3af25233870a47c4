//===- FixtureDescriptor.h - what the fixture's entries take --*- C -*-===//
#ifndef MLAFUSE_RUNTIME_CTS_FIXTUREDESCRIPTOR_H
#define MLAFUSE_RUNTIME_CTS_FIXTUREDESCRIPTOR_H

#include "mlafuse/runtime/abi.h"

#include <stddef.h>

#if defined(__GNUC__)
#define EXPORT __attribute__((visibility("default")))
#else
#define EXPORT
#endif

/// Bytes that an image takes in the library, zeros behind it included.
#define IMAGE_BYTES 16384

/// A memref descriptor of rank 2; lower ranks use its first fields.
typedef struct {
  void *allocated;
  void *aligned;
  int64_t offset;
  int64_t fields[4];
} Descriptor;

#endif // MLAFUSE_RUNTIME_CTS_FIXTUREDESCRIPTOR_H
