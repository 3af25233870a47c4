//===- Process.cpp - running a program ------------------------------------===//

#include "Process.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace mlafuse::doc;

namespace {
/// A file that goes away with the object.
struct TemporaryFile {
  SmallString<128> path;
  explicit TemporaryFile(StringRef content) {
    int descriptor;
    if (sys::fs::createTemporaryFile("mlafuse-doc", "txt", descriptor, path))
      report_fatal_error("cannot write to the directory of temporary files");
    raw_fd_ostream(descriptor, /*shouldClose=*/true) << content;
  }
  ~TemporaryFile() { sys::fs::remove(path); }

  std::string read() const {
    auto buffer = MemoryBuffer::getFile(path);
    return buffer ? (*buffer)->getBuffer().str() : std::string();
  }
};
} // namespace

ProcessResult mlafuse::doc::runProgram(ArrayRef<StringRef> command,
                                       StringRef input) {
  ErrorOr<std::string> program = sys::findProgramByName(command[0]);
  if (!program)
    return {127, "", command[0].str() + ": not found\n"};
  TemporaryFile in(input), out(""), err("");
  std::string message;
  int status = sys::ExecuteAndWait(
      *program, command, /*Env=*/std::nullopt,
      {StringRef(in.path), StringRef(out.path), StringRef(err.path)},
      /*SecondsToWait=*/0, /*MemoryLimit=*/0, &message);
  return {status, out.read(), err.read() + message};
}
