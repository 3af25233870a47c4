//===- OutputFile.cpp - a file that appears whole or not at all -----------===//

#include "OutputFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlafuse;

static llvm::Error cannotWrite(llvm::StringRef path, std::error_code error) {
  return llvm::createStringError("cannot write '" + path +
                                 "': " + error.message());
}

llvm::Error
mlafuse::replaceFile(llvm::StringRef path,
                     llvm::function_ref<llvm::Error(llvm::StringRef)> write) {
  if (llvm::sys::fs::exists(path) && !llvm::sys::fs::is_regular_file(path))
    return llvm::createStringError("cannot write '" + path +
                                   "': it is not a regular file");
  llvm::SmallString<128> temporary;
  if (std::error_code error =
          llvm::sys::fs::createUniqueFile(path + ".%%%%%%.tmp", temporary))
    return cannotWrite(path, error);
  llvm::FileRemover remover(temporary);
  llvm::sys::RemoveFileOnSignal(temporary);
  llvm::Error error = write(temporary);
  if (!error)
    if (std::error_code code = llvm::sys::fs::rename(temporary, path))
      error = cannotWrite(path, code);
  llvm::sys::DontRemoveFileOnSignal(temporary);
  if (!error)
    remover.releaseFile();
  return error;
}

/// A device or a pipe is written in place: nothing can take its place.
static bool isStream(llvm::StringRef path) {
  llvm::sys::fs::file_status status;
  if (llvm::sys::fs::status(path, status))
    return false;
  return llvm::is_contained({llvm::sys::fs::file_type::character_file,
                             llvm::sys::fs::file_type::fifo_file,
                             llvm::sys::fs::file_type::socket_file},
                            status.type());
}

static llvm::Error writeTo(llvm::StringRef name, llvm::raw_fd_ostream &stream,
                           llvm::StringRef contents) {
  stream << contents;
  stream.flush();
  if (!stream.has_error())
    return llvm::Error::success();
  std::error_code error = stream.error();
  stream.clear_error();
  return cannotWrite(name, error);
}

llvm::Error mlafuse::writeWhole(llvm::StringRef path,
                                llvm::StringRef contents) {
  if (path == "-")
    return writeTo("standard output", llvm::outs(), contents);
  auto write = [&](llvm::StringRef to) -> llvm::Error {
    std::error_code error;
    llvm::raw_fd_ostream stream(to, error);
    if (error)
      return cannotWrite(path, error);
    return writeTo(path, stream, contents);
  };
  return isStream(path) ? write(path) : replaceFile(path, write);
}
