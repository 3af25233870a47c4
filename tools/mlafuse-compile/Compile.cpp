//===- Compile.cpp - one compilation --------------------------------------===//

#include "Compile.h"
#include "MLAFuse/Conversion/CPUCodegen.h"
#include "MLAFuse/Conversion/Signature.h"
#include "MLAFuse/InitAll.h"
#include "MLAFuse/Pipelines/CPUPipeline.h"
#include "OutputFile.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/Dialect.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"

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
    llvm::Expected<std::unique_ptr<llvm::TargetMachine>> created =
        createCPUTargetMachine(options.cpu);
    if (!created)
      return created.takeError();
    machine = std::move(*created);
    if (llvm::Error error = parse())
      return error;
    if (llvm::Error error = lower())
      return error;
    if (options.stage < Stage::LLVM)
      return writeModule();
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
    return registry;
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
    return llvm::Error::success();
  }

  llvm::Error lower() {
    CPUPipelineOptions pipeline;
    pipeline.noFuse = options.noFuse;
    pipeline.numerics = options.numerics;
    pipeline.report = options.report;
    pipeline.reportFile = options.reportFile;
    pipeline.chip = machine->getTargetCPU().str();
    mlir::PassManager manager(&context);
    buildFusePipeline(manager, pipeline,
                      /*describe=*/options.stage > Stage::MLIR);
    if (options.stage > Stage::MLIR)
      buildCPULoopsPipeline(manager, pipeline);
    if (options.stage > Stage::Lowered)
      buildCPUToLLVMPipeline(manager, pipeline);
    if (llvm::Error error = checkEntries())
      return error;
    if (failed(manager.run(*module)))
      return llvm::make_error<DiagnosedError>();
    return llvm::Error::success();
  }

  llvm::Error checkEntries() {
    for (auto function : module->getOps<mlir::func::FuncOp>())
      if (function.isPublic() && !function.isExternal())
        return llvm::Error::success();
    return llvm::createStringError("'" + options.input +
                                   "' has no public function with a body: "
                                   "there is nothing to compile");
  }

  llvm::Error writeModule() {
    std::string text;
    llvm::raw_string_ostream(text) << *module << "\n";
    return writeWhole(options.output, text);
  }

  llvm::Error generate() {
    llvm::LLVMContext llvmContext;
    auto llvmModule = translateToLLVM(*module, llvmContext, *machine);
    if (!llvmModule)
      return llvmModule.takeError();
    optimize(**llvmModule, *machine);
    if (options.stage == Stage::LLVM) {
      std::string text;
      llvm::raw_string_ostream(text) << **llvmModule;
      return writeWhole(options.output, text);
    }
    auto object = emitObject(**llvmModule, *machine);
    if (!object)
      return object.takeError();
    if (options.stage == Stage::Object)
      return writeWhole(options.output,
                        llvm::StringRef(object->data(), object->size()));
    return replaceFile(options.output, [&](llvm::StringRef temporary) {
      return linkSharedLibrary(*object, *machine, temporary,
                               llvm::sys::path::filename(options.output));
    });
  }

  const CompileOptions &options;
  mlir::MLIRContext context;
  llvm::SourceMgr sources;
  std::optional<mlir::SourceMgrDiagnosticHandler> handler;
  std::unique_ptr<llvm::TargetMachine> machine;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

} // namespace

llvm::Error mlafuse::compile(const CompileOptions &options) {
  return Compilation(options).run();
}
