//===- OutputFile.h - a file that appears whole or not at all ---*- C++ -*-===//
#ifndef MLAFUSE_TOOLS_COMPILE_OUTPUTFILE_H
#define MLAFUSE_TOOLS_COMPILE_OUTPUTFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace mlafuse {

/// Lets `write` fill a new file beside `path`, which then takes the place of
/// `path`. If anything fails, a file that was at `path` is as before, and no
/// other is left.
llvm::Error
replaceFile(llvm::StringRef path,
            llvm::function_ref<llvm::Error(llvm::StringRef temporary)> write);

/// Writes `contents` to `path`, whole or not at all; "-" is the standard
/// output.
llvm::Error writeWhole(llvm::StringRef path, llvm::StringRef contents);

} // namespace mlafuse

#endif // MLAFUSE_TOOLS_COMPILE_OUTPUTFILE_H
