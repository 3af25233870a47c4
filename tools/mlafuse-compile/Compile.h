//===- Compile.h - one compilation ------------------------------*- C++ -*-===//
#ifndef MLAFUSE_TOOLS_COMPILE_COMPILE_H
#define MLAFUSE_TOOLS_COMPILE_COMPILE_H

#include "Options.h"

namespace mlafuse {

/// What is wrong with the program was already said, at its place.
class DiagnosedError : public llvm::ErrorInfo<DiagnosedError> {
public:
  static char ID;
  void log(llvm::raw_ostream &os) const override { os << "compilation failed"; }
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }
};

/// Compiles `options.input` to `options.output`. If it fails, a file at the
/// output is as it was.
llvm::Error compile(const CompileOptions &options);

} // namespace mlafuse

#endif // MLAFUSE_TOOLS_COMPILE_COMPILE_H
