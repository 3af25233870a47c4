//===- Describe.h - functions and arguments in words ----------*- C++ -*-===//
#ifndef MLAFUSE_TOOLS_MLAFUSE_RUN_DESCRIBE_H
#define MLAFUSE_TOOLS_MLAFUSE_RUN_DESCRIBE_H

#include "Manifest.h"

namespace mlafuse::rt {

/// "a, b, c"; "none" for no text.
std::string join(const std::vector<std::string> &texts);

/// "[T, 2112]".
std::string shapeText(const Argument &argument);

/// "bf16 [T, 2112]".
std::string describe(const Argument &argument);

/// A function's name, arguments and results, one a line, and what a call takes
/// on each of its library's targets, if that is known.
std::string describe(const Function &function,
                     const std::vector<Target> &targets);

} // namespace mlafuse::rt

#endif // MLAFUSE_TOOLS_MLAFUSE_RUN_DESCRIBE_H
