//===- Overlap.h - what may be read before the launch ahead ends *- C++ -*-===//
//
// On chips where a launch starts before the one ahead of it has ended, a kernel
// may read what it knows to be written: weights, keys, lengths take longer to
// read than a launch takes to start.
//
//===----------------------------------------------------------------------===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_OVERLAP_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_OVERLAP_H

#include "mlir/IR/Operation.h"

namespace mlafuse::kernel {

/// Whether the kernel of `op` may read `buffers` before it waits: a kernel of
/// the same function that makes or reads `input` is launched ahead, and the
/// function does no more than read the buffers. Where that one has nothing to
/// make and is not launched, `op` has no input, and reads nothing.
///
/// What came before the function has ended by then: the first kernel of a
/// function lets the next launch start behind its wait for that, and each later
/// one when it has started itself, or after. So a first kernel must not let the
/// next start ahead of its wait.
bool canReadEarly(mlir::Operation *op, mlir::Value input,
                  mlir::ValueRange buffers);

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_OVERLAP_H
