//===- RandomStream.h - reproducible random numbers -----------*- C++ -*-===//
#ifndef MLAFUSE_TOOLS_MLAFUSE_RUN_RANDOMSTREAM_H
#define MLAFUSE_TOOLS_MLAFUSE_RUN_RANDOMSTREAM_H

#include "Checksum.h"

#include <string_view>

namespace mlafuse::rt {

/// SplitMix64, and distributions made of integer operations alone, so that no
/// machine's math library can change a value.
class RandomStream {
public:
  /// A stream of its own for each name, so that functions with an argument in
  /// common get the same values for it.
  RandomStream(uint64_t seed, std::string_view name)
      : state(seed ^ checksum(name.data(), name.size())) {}

  uint64_t next() {
    uint64_t z = state += 0x9E3779B97F4A7C15;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
  }

  /// In [0, bound); `bound` is not 0.
  uint64_t below(uint64_t bound) {
    return static_cast<uint64_t>(
        (static_cast<unsigned __int128>(next()) * bound) >> 64);
  }

  /// In [0, 1).
  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }

  /// Mean 0, deviation 1, within [-6, 6]: a sum of twelve uniform numbers of 16
  /// bits.
  double normal() {
    int64_t sum = 0;
    for (int draw = 0; draw < 3; ++draw)
      for (uint64_t bits = next(), part = 0; part < 4; ++part, bits >>= 16)
        sum += static_cast<int64_t>(bits & 0xFFFF);
    // Half a unit more per number, so that the mean is 0.
    return (static_cast<double>(sum) + 6) * 0x1p-16 - 6;
  }

private:
  uint64_t state;
};

} // namespace mlafuse::rt

#endif // MLAFUSE_TOOLS_MLAFUSE_RUN_RANDOMSTREAM_H
