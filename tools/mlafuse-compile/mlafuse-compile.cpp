//===- mlafuse-compile.cpp - tensor functions to a shared library ---------===//

#include "Compile.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/raw_ostream.h"

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
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
