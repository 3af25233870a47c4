//===- mlafuse-compile.cpp - tensor functions to a shared library ---------===//

#include "Compile.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

/// LLVM's stream ends the program with a message of its own if its last bytes
/// cannot be written, also where --help and --version exit.
static void finishOutput() {
  llvm::raw_fd_ostream &output = llvm::outs();
  output.flush();
  std::error_code error = output.error();
  if (!error)
    return;
  output.clear_error();
  llvm::errs() << "mlafuse-compile: error: cannot write 'standard output': "
               << error.message() << "\n";
  std::_Exit(1);
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  // Handlers run before what was made earlier is destroyed.
  llvm::outs();
  std::atexit(finishOutput);
  llvm::Expected<mlafuse::CompileOptions> options =
      mlafuse::parseOptions(argc, argv);
  llvm::Error error =
      options ? mlafuse::compile(*options) : options.takeError();
  int status = 0;
  llvm::handleAllErrors(
      std::move(error), [&](const mlafuse::DiagnosedError &) { status = 1; },
      [&](const llvm::ErrorInfoBase &info) {
        llvm::errs() << "mlafuse-compile: error: " << info.message() << "\n";
        status = 1;
      });
  return status;
}
