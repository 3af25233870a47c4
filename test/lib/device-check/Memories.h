//===- Memories.h - memory that several functions share -------*- C++ -*-===//
#ifndef MLAFUSE_TEST_DEVICECHECK_MEMORIES_H
#define MLAFUSE_TEST_DEVICECHECK_MEMORIES_H

#include "Images.h"

#include <map>

namespace mlafuse::rt {

/// An argument's memory.
struct Memory {
  Placement placement;
  MemoryImage image;
};

/// Of all arguments of a family, which have the same meaning in each of its
/// functions, by their names.
using Memories = std::map<std::string, Memory>;

/// The memory of an argument, which is there.
const Memory &memoryOf(const Memories &memories, const Argument &argument);

/// The memories of a function's arguments, in its order.
struct ArgumentList {
  ArgumentList(const Function &function, const Memories &memories);

  /// Puts the images back.
  void store(Memories &memories) const;

  const Function &function;
  std::vector<Placement> placements;
  std::vector<MemoryImage> images;
};

/// Fails if a function has written anything but the elements of its
/// destinations.
Error checkUntouched(const Function &function, const Memories &before,
                     const Memories &after);

/// Fails, and says `what`, unless all arguments of the function hold the same
/// bits.
Error checkSame(const Function &function, const Memories &first,
                const Memories &second, const char *what);

} // namespace mlafuse::rt

#endif // MLAFUSE_TEST_DEVICECHECK_MEMORIES_H
