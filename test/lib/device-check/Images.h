//===- Images.h - what the memory of an argument holds --------*- C++ -*-===//
#ifndef MLAFUSE_TEST_DEVICECHECK_IMAGES_H
#define MLAFUSE_TEST_DEVICECHECK_IMAGES_H

#include "Manifest.h"

namespace mlafuse::rt {

/// Bytes ahead of and behind every tensor, which nothing may change.
constexpr size_t guardBytes = 256;

/// How an argument lies in its memory: a guard, then rows with gaps between
/// them (strided arguments only), then a guard.
struct Placement {
  std::vector<int64_t> shape;
  std::vector<int64_t> strides;
  int64_t elementBytes = 0;
  int64_t rows = 0;  ///< Of the innermost dimension.
  int64_t width = 0; ///< Elements of a row.
  int64_t pitch = 0; ///< Elements from one row to the next.
  size_t begin = 0;  ///< Byte of the first element.
  size_t bytes = 0;  ///< Of all, guards included.

  int64_t elements() const { return rows * width; }
  size_t rowBegin(int64_t row) const {
    return begin + static_cast<size_t>(row * pitch * elementBytes);
  }
  size_t rowBytes() const { return static_cast<size_t>(width * elementBytes); }
};

/// A host's copy of the memory of an argument.
using MemoryImage = std::vector<uint8_t>;

/// One way to lay out the arguments of a launch.
struct Spacing {
  int64_t gap = 0;           ///< Elements after each row of a strided argument.
  int64_t offset = 0;        ///< Elements between aligned memory and a tensor.
  size_t guard = guardBytes; ///< Bytes of each guard.
};

/// The sizes of a function's symbols with T tokens: T is T, "pages" enough for
/// that many slots in pages of 16 or more, all others are 3.
std::vector<int64_t> symbolValues(const Function &function, int64_t tokens);

/// Fails if a size does not fit 64 bits.
Error placeArgument(const Argument &argument,
                    const std::vector<int64_t> &symbols, Spacing spacing,
                    Placement &placement);

} // namespace mlafuse::rt

#endif // MLAFUSE_TEST_DEVICECHECK_IMAGES_H
