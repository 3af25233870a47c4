//===- Values.h - made-up arguments of a launch ---------------*- C++ -*-===//
#ifndef MLAFUSE_TEST_DEVICECHECK_VALUES_H
#define MLAFUSE_TEST_DEVICECHECK_VALUES_H

#include "Images.h"

namespace mlafuse::rt {

struct Values {
  uint64_t seed = 0;
  /// Adds NaN, infinities, -0, tiny and huge numbers to some rows, makes others
  /// zero, and gives slots that are to be skipped.
  bool special = false;
  /// Rows of floats (arguments of rank 2 or more that are read) hold all bit
  /// patterns in turn.
  bool bits = false;
  /// Value of the argument named num_actual_tokens, if set.
  std::optional<int64_t> count;
};

/// Name of the argument that Values::count is for.
extern const char countName[];

/// Fills memory with bytes that follow from the seed and the argument's name
/// and that are no plausible result.
void poisonImage(const std::string &name, uint64_t seed, MemoryImage &image);

/// The memory of an argument before a launch. Guards, gaps and pure
/// destinations are poisoned.
Error fillImage(const Argument &argument, const Placement &placement,
                const std::vector<int64_t> &symbols, const Values &values,
                MemoryImage &image);

} // namespace mlafuse::rt

#endif // MLAFUSE_TEST_DEVICECHECK_VALUES_H
