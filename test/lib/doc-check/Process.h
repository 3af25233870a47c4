//===- Process.h - running a program ----------------------------*- C++ -*-===//
#ifndef MLAFUSE_TEST_DOCCHECK_PROCESS_H
#define MLAFUSE_TEST_DOCCHECK_PROCESS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace mlafuse::doc {

struct ProcessResult {
  int status; ///< 0 if the program succeeded.
  std::string output, error;
};

/// Runs a program, found through PATH, with `input` as its standard input.
ProcessResult runProgram(llvm::ArrayRef<llvm::StringRef> command,
                         llvm::StringRef input = "");

} // namespace mlafuse::doc

#endif // MLAFUSE_TEST_DOCCHECK_PROCESS_H
