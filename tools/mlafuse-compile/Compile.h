//===- Compile.h - one compilation ------------------------------*- C++ -*-===//
#ifndef MLAFUSE_TOOLS_COMPILE_COMPILE_H
#define MLAFUSE_TOOLS_COMPILE_COMPILE_H

#include "DiagnosedError.h"
#include "Options.h"

namespace mlafuse {

/// Compiles `options.input` to `options.output`. If it fails, a file at the
/// output is as it was.
llvm::Error compile(const CompileOptions &options);

} // namespace mlafuse

#endif // MLAFUSE_TOOLS_COMPILE_COMPILE_H
