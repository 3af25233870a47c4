//===- Workspace.h - names that the workspace passes share ------*- C++ -*-===//
#ifndef MLAFUSE_CONVERSION_WORKSPACE_H
#define MLAFUSE_CONVERSION_WORKSPACE_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace mlafuse {

/// The function that computes the bytes of `entry`'s workspace from the entry's
/// arguments. There is none if the entry needs no workspace.
inline std::string getWorkspaceSizeName(llvm::StringRef entry) {
  return "mlafuse_workspace_size_" + entry.str();
}

} // namespace mlafuse

#endif // MLAFUSE_CONVERSION_WORKSPACE_H
