//===- TemporaryFile.h - a file of this process -----------------*- C++ -*-===//
#ifndef MLAFUSE_LIB_CONVERSION_CODEGEN_TEMPORARYFILE_H
#define MLAFUSE_LIB_CONVERSION_CODEGEN_TEMPORARYFILE_H

#include "MLAFuse/Conversion/CPUCodegen.h"
#include "llvm/Support/FileUtilities.h"

namespace mlafuse {

/// A file of this process, removed at the end.
class TemporaryFile {
public:
  static llvm::Expected<TemporaryFile> create(llvm::StringRef suffix,
                                              llvm::ArrayRef<char> contents);

  llvm::StringRef getPath() const { return path; }

  /// What is in it now.
  llvm::Expected<Binary> read() const;

private:
  explicit TemporaryFile(llvm::StringRef path)
      : path(path), remover(std::make_unique<llvm::FileRemover>(path)) {}

  std::string path;
  std::unique_ptr<llvm::FileRemover> remover;
};

} // namespace mlafuse

#endif // MLAFUSE_LIB_CONVERSION_CODEGEN_TEMPORARYFILE_H
