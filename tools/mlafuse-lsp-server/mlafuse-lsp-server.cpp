//===- mlafuse-lsp-server.cpp - editors' language server ------------------===//

#include "MLAFuse/InitAll.h"
#include "mlir/IR/Dialect.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlafuse::registerAllDialects(registry);
  mlafuse::registerAllExtensions(registry);
  return failed(mlir::MlirLspServerMain(argc, argv, registry));
}
