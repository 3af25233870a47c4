//===- Compile.cpp - one compilation --------------------------------------===//

#include "Compile.h"
#include "MLAFuse/Conversion/Kernels.h"
#include "MLAFuse/Conversion/Signature.h"
#include "MLAFuse/InitAll.h"
#include "MLAFuse/Pipelines/Common.h"
#include "OutputFile.h"
#include "TargetBuild.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/Dialect.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"

#include <vector>

using namespace mlafuse;

char DiagnosedError::ID;

namespace {

class Compilation {
public:
  explicit Compilation(const CompileOptions &options)
      : options(options), context(getRegistry()) {
    // Diagnostics point at the source; the generic form of an op adds nothing.
    context.printOpOnDiagnostic(false);
  }

  llvm::Error run() {
    if (llvm::Error error = prepare())
      return error;
    if (llvm::Error error = parse())
      return error;
    if (llvm::Error error = lower())
      return error;
    if (options.stage == Stage::MLIR)
      return write(print(*module));
    for (TargetBuild &build : builds)
      if (llvm::Error error = build.lower(module->clone(), isLowered,
                                          options.stage, options.schedule))
        return error;
    return generate();
  }

private:
  static mlir::DialectRegistry getRegistry() {
    mlir::DialectRegistry registry;
    mlir::registerAllDialects(registry);
    mlir::registerAllExtensions(registry);
    mlafuse::registerAllDialects(registry);
    mlafuse::registerAllExtensions(registry);
    registerCPUTranslations(registry);
    registerGPUTranslations(registry);
    return registry;
  }

  /// What can fail without the program, first.
  llvm::Error prepare() {
    for (const Target &target : options.targets) {
      auto build = TargetBuild::create(target);
      if (!build)
        return build.takeError();
      builds.push_back(std::move(*build));
    }
    return findAssembler();
  }

  /// ptxas, if this compilation needs it. A library does without.
  llvm::Error findAssembler() {
    if (options.stage != Stage::Cubin && options.stage < Stage::Object)
      return llvm::Error::success();
    auto wanted =
        llvm::make_filter_range(options.targets, [](const Target &target) {
          return target.isNVIDIA();
        });
    if (wanted.empty())
      return llvm::Error::success();
    if (options.ptxas.path == kNoPtxas)
      return options.stage != Stage::Cubin
                 ? llvm::Error::success()
                 : llvm::createStringError("--emit=cubin needs ptxas, and "
                                           "--ptxas=none says not to use it");
    auto found = findPtxas(options.ptxas);
    if (found) {
      ptxas = *found;
      return llvm::Error::success();
    }
    if (options.stage == Stage::Cubin)
      return found.takeError();
    return llvm::handleErrors(found.takeError(), [&](const NoPtxasError &none) {
      llvm::errs() << "mlafuse-compile: note: " << none.message()
                   << "; the output holds PTX alone for "
                   << llvm::join(llvm::map_range(wanted,
                                                 [](const Target &target) {
                                                   return target.chip->name;
                                                 }),
                                 ", ")
                   << ", which the driver compiles when it loads it\n";
    });
  }

  llvm::Error parse() {
    std::string error;
    std::unique_ptr<llvm::MemoryBuffer> buffer =
        mlir::openInputFile(options.input, &error);
    if (!buffer)
      return llvm::createStringError(error);
    // Text never holds a zero byte.
    if (!mlir::isBytecode(*buffer) && buffer->getBuffer().contains('\0'))
      return llvm::createStringError(
          "'" + options.input + "' is neither MLIR text nor MLIR bytecode");
    sources.AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
    handler.emplace(sources, &context);
    module = mlir::parseSourceFile<mlir::ModuleOp>(sources, &context);
    if (!module)
      return llvm::make_error<DiagnosedError>();
    isLowered = hasMemoryEntries();
    return checkEntries();
  }

  /// Whether there are entries, and they are behind bufferization.
  bool hasMemoryEntries() {
    llvm::SmallVector<mlir::func::FuncOp> entries = getEntries(*module);
    return !entries.empty() &&
           llvm::none_of(entries, [](mlir::func::FuncOp entry) {
             return llvm::any_of(entry.getArgumentTypes(),
                                 llvm::IsaPred<mlir::TensorType>);
           });
  }

  llvm::Error checkEntries() {
    for (auto function : module->getOps<mlir::func::FuncOp>())
      if (function.isPublic() && !function.isExternal())
        return llvm::Error::success();
    return llvm::createStringError("'" + options.input +
                                   "' has no public function with a body: "
                                   "there is nothing to compile");
  }

  /// What all targets share. The output of --emit=lowered has it behind it.
  llvm::Error lower() {
    if (isLowered && options.stage <= Stage::Lowered)
      return llvm::createStringError("'" + options.input +
                                     "' is lowered already");
    if (isLowered)
      return checkLowered();
    FusePipelineOptions pipeline;
    pipeline.noFuse = options.noFuse;
    pipeline.numerics = options.numerics;
    pipeline.report = options.report;
    pipeline.reportFile = options.reportFile;
    mlir::PassManager manager(&context);
    buildFusePipeline(manager, pipeline,
                      /*describe=*/options.stage > Stage::MLIR);
    if (options.stage > Stage::MLIR)
      buildBuffersPipeline(manager);
    if (failed(manager.run(*module)))
      return llvm::make_error<DiagnosedError>();
    return llvm::Error::success();
  }

  /// Loops are for any CPU, kernels for one chip.
  llvm::Error checkLowered() {
    if (!options.fusionOption.empty())
      return llvm::createStringError(
          "'" + options.input + "' is lowered already, and " +
          options.fusionOption +
          " is about how its source is fused: give it to the compilation that "
          "lowers the source");
    if (!options.schedule.empty())
      return llvm::createStringError(
          "'" + options.input +
          "' is lowered already, and --schedule is about how its kernels are "
          "made: give it to the compilation that lowers the source");
    // Lowered IR that is written by hand need not say its chip.
    auto chip = (*module)->getAttrOfType<mlir::StringAttr>(kChipAttr);
    bool isForGPU = chip || getKernelModule(*module);
    for (const Target &target : options.targets) {
      if (bool(target.chip) != isForGPU)
        return llvm::createStringError(
            "'" + options.input + "' is lowered already, for a " +
            (isForGPU ? "GPU" : "CPU") + ", and target " + target.text +
            " is none");
      if (chip && chip.getValue() != target.chip->name)
        return llvm::createStringError("'" + options.input +
                                       "' is lowered for " + chip.getValue() +
                                       ", the target is " + target.chip->name +
                                       ": lower it from the source again");
    }
    return llvm::Error::success();
  }

  llvm::Error generate() {
    TargetBuild &first = builds.front();
    bool isGPU = options.targets.front().chip;
    if (options.stage == Stage::Lowered)
      return write(print(first.getModule()));
    if (options.stage < Stage::Object && isGPU)
      return writeCode(first.emitKernels(options.stage, ptxas));
    if (llvm::Error error = embed())
      return error;
    if (options.stage < Stage::SharedLibrary)
      return writeCode(first.emitHost(options.stage));

    llvm::SmallVector<Binary> objects;
    for (TargetBuild &build : builds) {
      auto object = build.emitHost(Stage::Object);
      if (!object)
        return object.takeError();
      objects.push_back(std::move(*object));
    }
    return replaceFile(options.output, [&](llvm::StringRef temporary) {
      return linkSharedLibrary(objects, first.getHostMachine(), temporary,
                               llvm::sys::path::filename(options.output));
    });
  }

  /// Images, and the manifest, which the first target's object holds.
  llvm::Error embed() {
    const Target *portable = findPortableTarget(options.targets);
    std::vector<TargetDescription> descriptions;
    for (size_t i = 0; i < builds.size(); ++i) {
      bool withPTX = &options.targets[i] == portable;
      if (llvm::Error error = builds[i].embedKernels(ptxas, withPTX))
        return error;
      descriptions.push_back(builds[i].getDescription());
    }
    addManifest(builds.front().getModule(),
                printManifest(*module, descriptions));
    return llvm::Error::success();
  }

  static std::string print(mlir::ModuleOp module) {
    std::string text;
    llvm::raw_string_ostream(text) << module << "\n";
    return text;
  }

  llvm::Error write(llvm::StringRef contents) {
    return writeWhole(options.output, contents);
  }

  llvm::Error writeCode(llvm::Expected<Binary> code) {
    if (!code)
      return code.takeError();
    return write({code->data(), code->size()});
  }

  const CompileOptions &options;
  mlir::MLIRContext context;
  llvm::SourceMgr sources;
  std::optional<mlir::SourceMgrDiagnosticHandler> handler;
  std::vector<TargetBuild> builds;
  std::string ptxas; ///< Empty if there is none, or none is needed.
  mlir::OwningOpRef<mlir::ModuleOp> module; ///< What all targets share.
  bool isLowered = false; ///< The input is the output of --emit=lowered.
};

} // namespace

llvm::Error mlafuse::compile(const CompileOptions &options) {
  return Compilation(options).run();
}
