//===- mlafuse-opt.cpp - runs passes over text IR -------------------------===//

#include "MLAFuse/InitAll.h"
#include "mlir/IR/Dialect.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerAllPasses();
  mlafuse::registerAllDialects(registry);
  mlafuse::registerAllExtensions(registry);
  mlafuse::registerAllPasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "mlafuse optimizer driver\n", registry));
}
