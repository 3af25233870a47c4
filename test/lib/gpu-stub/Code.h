//===- Code.h - an image that the simulator has translated ------*- C++ -*-===//
#ifndef MLAFUSE_GPUSTUB_CODE_H
#define MLAFUSE_GPUSTUB_CODE_H

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace mlafuse::gpustub {

using Sizes = std::array<uint32_t, 3>;

/// An argument that the caller passes.
struct Argument {
  std::string name;
  uint32_t offset, size; ///< In the arguments' memory.
  bool isPointer;        ///< To device memory, as the image says.
};

struct Kernel {
  std::string name;
  uint32_t argumentBytes; ///< Size of the arguments' memory.
  uint32_t sharedBytes;   ///< Static, of a block.
  uint32_t localBytes;    ///< Of a thread.
  uint32_t maxThreads;    ///< Of a block.
  Sizes blockSize;        ///< Required; zeros if any is right.
  std::optional<uint32_t> registers;
  std::vector<Argument> arguments;
};

struct Launch {
  Sizes grid, block;
  uint32_t dynamicSharedBytes;
  uint32_t seed;
  bool overlapsPrevious;       ///< It may begin before the launch ahead ends.
  std::vector<char> arguments; ///< Their memory.
};

struct Code {
  std::string target; ///< "gfx942", "sm_90a"
  std::vector<Kernel> kernels;
  /// Runs a kernel; "" or what went wrong.
  std::function<std::string(uint32_t kernel, const Launch &launch)> run;
};

} // namespace mlafuse::gpustub

#endif // MLAFUSE_GPUSTUB_CODE_H
