//===- Vendor.h - what the vendors' stubs do differently --------*- C++ -*-===//
#ifndef MLAFUSE_GPUSTUB_VENDOR_H
#define MLAFUSE_GPUSTUB_VENDOR_H

#include "Code.h"

#include <string_view>

namespace mlafuse::gpustub {

struct Chip {
  const char *name;
  uint32_t waveSize;
  uint32_t sharedBytes; ///< That a block can have.
};

struct Vendor {
  // Words of messages.
  const char *stub;
  const char *initialize, *allocate; ///< The functions' names.
  const char *threads, *sharedMemory;

  const Chip *chips; ///< The first is the default.
  size_t chipCount;
  /// Shared memory that a block can have if nobody asked for more.
  uint32_t unaskedSharedBytes;
  /// What ends the list of cuLaunchKernel's `extra`, as a number.
  uintptr_t endOfExtra;
  /// Whether a grid of blocks that is not empty has the right form; "" if so.
  std::string (*checkSizes)(const Sizes &grid, const Sizes &block);

  const char *simulator;   ///< A program of Python.
  const char *sources[2];  ///< Directories of its files; null if it has one.
  const char *environment; ///< What its variables begin with.
  const char *imageExtension;
  /// Finds the end of an image; "" or why it is none.
  std::string (*readImage)(const void *image, std::string_view &bytes);
  /// Finds the functions of a translated image; false if it is none.
  bool (*readTranslation)(void *library, Code &code);
  /// Whether code for `target` runs on the chip; "" or why not.
  std::string (*checkTarget)(const std::string &target, const Chip &chip);

  /// The value of a variable in the environment; null if it is not set.
  const char *getVariable(const char *name) const;
};

/// Of the stub that this is linked into.
extern const Vendor vendor;

/// "4x1x1"
std::string sizesText(const Sizes &sizes);

} // namespace mlafuse::gpustub

#endif // MLAFUSE_GPUSTUB_VENDOR_H
