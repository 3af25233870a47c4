//===- mlafuse-plugin.cpp - mlafuse in a stock mlir-opt -------------------===//
//
// mlir-opt --load-dialect-plugin=MLAFusePlugin.so --load-pass-plugin=...
//
// Either option registers the passes, so that the first alone is enough.
//
//===----------------------------------------------------------------------===//

#include "MLAFuse/InitAll.h"
#include "mlir/IR/Dialect.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "llvm/Config/llvm-config.h"

/// A tool may load the plugin for both; a pipeline is registered only once.
static void registerPasses() {
  static const bool once = (mlafuse::registerAllPasses(), true);
  (void)once;
}

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT ::mlir::DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "MLAFuse", LLVM_VERSION_STRING,
          [](mlir::DialectRegistry *registry) {
            mlafuse::registerAllDialects(*registry);
            mlafuse::registerAllExtensions(*registry);
            registerPasses();
          }};
}

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT ::mlir::PassPluginLibraryInfo
mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "MLAFuse", LLVM_VERSION_STRING,
          registerPasses};
}
