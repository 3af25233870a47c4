//===- CompileTime.cpp - how long the compiler takes ----------------------===//
//
// Usage: mlafuse-bench-compile LAYER.mlir MLAFUSE_COMPILE
//
// Prints, and asserts nothing of:
// - the time from text to fused text for a layer, as the slope between modules of
//   610 and 2440 layers (10 and 40 times DeepSeek-V3's 61): start-up cancels out;
// - the wall time of a cold `mlafuse-compile --target=cpu` of the layer, process
//   start included.
//
//===----------------------------------------------------------------------===//

#include "MLAFuse/InitAll.h"
#include "MLAFuse/Transforms/Passes.h"
#include "mlir/IR/AsmState.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>

using namespace mlir;

static double getMilliseconds(llvm::function_ref<void()> work) {
  auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(
             std::chrono::steady_clock::now() - start)
      .count();
}

static double getMedian(std::vector<double> times) {
  llvm::sort(times);
  return times[times.size() / 2];
}

/// The layer's function, `layers` times over under names of their own.
static std::string repeatLayer(StringRef source, int layers) {
  auto [aliases, body] = source.split("func.func @attention(");
  std::string text = aliases.str();
  for (int layer = 0; layer < layers; ++layer)
    text += ("func.func @attention_" + llvm::Twine(layer) + "(" + body).str();
  return text;
}

/// Parse, fuse, print.
static LogicalResult fuseText(MLIRContext &context, StringRef text,
                              std::string &fused) {
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  if (!module)
    return failure();
  PassManager passes(&context, ModuleOp::getOperationName());
  passes.addPass(mlafuse::createMLAFuseFuse());
  if (failed(passes.run(*module)))
    return failure();
  llvm::raw_string_ostream os(fused);
  module->print(os);
  return success();
}

static LogicalResult reportFusion(StringRef source) {
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  mlafuse::registerAllDialects(registry);
  mlafuse::registerAllExtensions(registry);
  MLIRContext context(registry);

  const int sizes[] = {610, 2440};
  double medians[2];
  for (auto [size, median] : llvm::zip(sizes, medians)) {
    std::string text = repeatLayer(source, size);
    std::vector<double> times;
    for (int run = 0; run < 3; ++run) {
      std::string fused;
      bool ok = true;
      times.push_back(getMilliseconds(
          [&] { ok = succeeded(fuseText(context, text, fused)); }));
      if (!ok)
        return failure();
    }
    median = getMedian(times);
    llvm::outs() << llvm::format("text to fused text, %4d layers: %9.1f ms\n",
                                 size, median);
  }
  llvm::outs() << llvm::format(
      "text to fused text, a layer (slope): %.3f ms\n",
      (medians[1] - medians[0]) / (sizes[1] - sizes[0]));
  return success();
}

static LogicalResult reportColdCompile(StringRef layer, StringRef compiler) {
  SmallString<128> output;
  if (llvm::sys::fs::createTemporaryFile("mlafuse-bench", "so", output))
    return failure();
  std::vector<double> times;
  int status = 0;
  for (int run = 0; run < 5 && status == 0; ++run)
    times.push_back(getMilliseconds([&] {
      status = llvm::sys::ExecuteAndWait(
          compiler, {compiler, layer, "--target=cpu", "-o", output});
    }));
  llvm::sys::fs::remove(output);
  if (status != 0)
    return failure();
  llvm::outs() << llvm::format(
      "cold mlafuse-compile --target=cpu of a layer: %.0f ms\n",
      getMedian(times));
  return success();
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  if (argc != 3) {
    llvm::errs() << "usage: " << argv[0] << " LAYER.mlir MLAFUSE_COMPILE\n";
    return 2;
  }
  auto source = llvm::MemoryBuffer::getFile(argv[1], /*IsText=*/true);
  if (!source) {
    llvm::errs() << argv[0] << ": error: cannot read '" << argv[1]
                 << "': " << source.getError().message() << "\n";
    return 1;
  }
  if (failed(reportFusion((*source)->getBuffer())) ||
      failed(reportColdCompile(argv[1], argv[2]))) {
    llvm::errs() << argv[0] << ": error: a run failed; see above\n";
    return 1;
  }
  return 0;
}
