//===- EmitLLVM.cpp - LLVM IR, its optimization, machine code -------------===//

#include "MLAFuse/Conversion/CPUCodegen.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/Passes/PassBuilder.h"

using namespace mlafuse;

void mlafuse::registerCPUTranslations(mlir::DialectRegistry &registry) {
  mlir::registerBuiltinDialectTranslation(registry);
  mlir::registerLLVMDialectTranslation(registry);
}

/// All lanes of a warp come together to an instruction that PTX calls `.sync`,
/// and to a named barrier, and inline assembly does not say so: where lanes
/// part and meet again LLVM would give either way one of its own.
static void keepLanesTogether(llvm::Function &function) {
  for (llvm::Instruction &instruction : llvm::instructions(function)) {
    auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    if (!call || !call->isInlineAsm())
      continue;
    auto *assembly = llvm::cast<llvm::InlineAsm>(call->getCalledOperand());
    llvm::StringRef text = assembly->getAsmString();
    if (text.contains(".sync") || text.contains("bar."))
      call->setConvergent();
  }
}

llvm::Expected<std::unique_ptr<llvm::Module>>
mlafuse::translateToLLVM(mlir::Operation *module, llvm::LLVMContext &context,
                         llvm::TargetMachine &machine) {
  std::unique_ptr<llvm::Module> llvmModule =
      mlir::translateModuleToLLVMIR(module, context, "mlafuse");
  if (!llvmModule)
    return llvm::createStringError("the lowered module is not in LLVM's "
                                   "dialect alone");
  llvmModule->setTargetTriple(machine.getTargetTriple());
  llvmModule->setDataLayout(machine.createDataLayout());
  for (llvm::Function &function : *llvmModule) {
    if (function.isDeclaration())
      continue;
    if (machine.getTargetTriple().isNVPTX())
      keepLanesTogether(function);
    // No exceptions: no unwind tables, which libgcc would have to read.
    function.setDoesNotThrow();
    function.addFnAttr("target-cpu", machine.getTargetCPU());
    if (!machine.getTargetFeatureString().empty())
      function.addFnAttr("target-features", machine.getTargetFeatureString());
  }
  return llvmModule;
}

void mlafuse::optimize(llvm::Module &module, llvm::TargetMachine &machine) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager callGraph;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(callGraph);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, callGraph, modules);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3)
      .run(module, modules);
}

llvm::Expected<Binary> mlafuse::emitCode(llvm::Module &module,
                                         llvm::TargetMachine &machine,
                                         llvm::CodeGenFileType form) {
  Binary code;
  llvm::raw_svector_ostream stream(code);
  llvm::legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, stream, nullptr, form))
    return llvm::createStringError("the code generator of " +
                                   machine.getTargetTriple().str() +
                                   " does not emit this form");
  passes.run(module);
  return code;
}
