//===- Copies.h - calls that allocate, copy and fill ------------*- C++ -*-===//
#ifndef MLAFUSE_GPUSTUB_COPIES_H
#define MLAFUSE_GPUSTUB_COPIES_H

#include "Stub.h"

namespace mlafuse::gpustub {

/// Gives null for no bytes.
Error allocate(Call &call, void **result, size_t bytes);
Error release(Call &call, void *pointer);

/// The memory of a copy's end.
enum class Side { Host, Device, Any };
struct CopyEnds {
  Side destination, source;
};

Error copy(Call &call, void *destination, const void *source, size_t bytes,
           CopyEnds ends, Stream *handle);
Error fill(Call &call, void *destination, int value, size_t bytes,
           Stream *handle);

/// On the default stream, until they are done.
Error copyAndWait(Call &call, void *destination, const void *source,
                  size_t bytes, CopyEnds ends);
Error fillAndWait(Call &call, void *destination, int value, size_t bytes);

} // namespace mlafuse::gpustub

#endif // MLAFUSE_GPUSTUB_COPIES_H
