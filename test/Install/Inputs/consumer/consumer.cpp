// A compiler of a user's own: parses mlafuse IR, fuses it and prints it.
#include "MLAFuse/IR/MLAFuse.h"
#include "MLAFuse/InitAll.h"
#include "MLAFuse/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registry.insert<mlir::func::FuncDialect>();
  mlafuse::registerAllDialects(registry);
  mlafuse::registerAllExtensions(registry);
  mlir::MLIRContext context(registry);
  auto module = mlir::parseSourceFile<mlir::ModuleOp>(argv[1], &context);
  mlir::PassManager passes(&context);
  passes.addPass(mlafuse::createMLAFuseFuse());
  if (!module || failed(passes.run(*module)))
    return 1;
  module->print(llvm::outs());
  return 0;
}
