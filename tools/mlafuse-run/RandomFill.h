//===- RandomFill.h - made-up values of an argument -----------*- C++ -*-===//
#ifndef MLAFUSE_TOOLS_MLAFUSE_RUN_RANDOMFILL_H
#define MLAFUSE_TOOLS_MLAFUSE_RUN_RANDOMFILL_H

#include "Manifest.h"

namespace mlafuse::rt {

/// Writes `count` elements of the argument's type to `data`, which follow from
/// the seed and the argument's name alone, on every machine: within its range
/// if it has one; else floats are normally distributed with deviation 1
/// (f8E8M0FNU: 2^-4 to 2^4), i8 takes any value, and i32 and i64 are zero, the
/// only value that is safe as an index or a count. Floats are finite. Offsets
/// follow from the seed and their number: those of one length cut alike.
/// `symbols` are the sizes that range and offsets may depend on. Fails if the
/// range is empty, the type has no value in it, it has too few values that all
/// differ, or a single offset would have to be 0 and something else.
Error fillRandom(const Argument &argument, const int64_t *symbols,
                 uint64_t seed, int64_t count, uint8_t *data);

} // namespace mlafuse::rt

#endif // MLAFUSE_TOOLS_MLAFUSE_RUN_RANDOMFILL_H
