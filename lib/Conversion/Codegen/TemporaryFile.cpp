//===- TemporaryFile.cpp - a file of this process -------------------------===//

#include "TemporaryFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlafuse;

llvm::Expected<TemporaryFile>
TemporaryFile::create(llvm::StringRef suffix, llvm::ArrayRef<char> contents) {
  llvm::SmallString<128> path;
  int descriptor;
  if (std::error_code error = llvm::sys::fs::createTemporaryFile(
          "mlafuse", suffix, descriptor, path))
    return llvm::createStringError("cannot make a temporary file: " +
                                   error.message());
  TemporaryFile file(path);
  llvm::raw_fd_ostream stream(descriptor, /*shouldClose=*/true);
  stream.write(contents.data(), contents.size());
  stream.close();
  if (std::error_code error = stream.error()) {
    stream.clear_error();
    return llvm::createStringError("cannot write " + llvm::Twine(path) + ": " +
                                   error.message());
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
