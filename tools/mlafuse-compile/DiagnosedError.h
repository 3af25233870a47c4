//===- DiagnosedError.h - what is said already ------------------*- C++ -*-===//
#ifndef MLAFUSE_TOOLS_COMPILE_DIAGNOSEDERROR_H
#define MLAFUSE_TOOLS_COMPILE_DIAGNOSEDERROR_H

#include "llvm/Support/Error.h"

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

} // namespace mlafuse

#endif // MLAFUSE_TOOLS_COMPILE_DIAGNOSEDERROR_H
