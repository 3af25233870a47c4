//===- TemporaryFile.cpp - a file of this process -------------------------===//

#include "TemporaryFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace mlafuse;

/// The environment chooses the directory, which may be no one's intent.
static llvm::Error cannotWrite(std::error_code error) {
  llvm::SmallString<128> directory;
  llvm::sys::path::system_temp_directory(/*ErasedOnReboot=*/true, directory);
  return llvm::createStringError("cannot write a temporary file in '" +
                                 directory + "': " + error.message() +
                                 "; TMPDIR chooses another directory");
}

llvm::Expected<TemporaryFile>
TemporaryFile::create(llvm::StringRef suffix, llvm::ArrayRef<char> contents) {
  llvm::SmallString<128> path;
  int descriptor;
  if (std::error_code error = llvm::sys::fs::createTemporaryFile(
          "mlafuse", suffix, descriptor, path))
    return cannotWrite(error);
  TemporaryFile file(path);
  llvm::raw_fd_ostream stream(descriptor, /*shouldClose=*/true);
  stream.write(contents.data(), contents.size());
  stream.close();
  if (std::error_code error = stream.error()) {
    stream.clear_error();
    return cannotWrite(error);
  }
  return file;
}

llvm::Expected<Binary> TemporaryFile::read() const {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer)
    return llvm::createStringError("cannot read " + path + ": " +
                                   buffer.getError().message());
  return Binary((*buffer)->getBufferStart(), (*buffer)->getBufferEnd());
}
