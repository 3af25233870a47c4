//===- Kernel.cpp - Runs emitted arithmetic on this machine ---------------===//

#include "Kernel.h"

#include "MLAFuse/Conversion/Numerics.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVMPass.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVMPass.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"

#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace mlafuse;

MLIRContext &test::getContext() {
  static MLIRContext *context = [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    DialectRegistry registry;
    registry.insert<arith::ArithDialect, func::FuncDialect, LLVM::LLVMDialect,
                    math::MathDialect, vector::VectorDialect>();
    registerBuiltinDialectTranslation(registry);
    registerLLVMDialectTranslation(registry);
    auto *created = new MLIRContext(registry);
    created->loadAllAvailableDialects();
    return created;
  }();
  return *context;
}

/// f8 values lie in memory as bytes, everything else as itself.
static Type getStorageType(Type type) {
  Type element = getElementTypeOrSelf(type);
  if (isa<FloatType>(element) && element.getIntOrFloatBitWidth() == 8)
    return withElementType(type, IntegerType::get(type.getContext(), 8));
  return type;
}

static Value castTo(OpBuilder &b, Location loc, Type type, Value v) {
  if (v.getType() == type)
    return v;
  return arith::BitcastOp::create(b, loc, type, v);
}

static void buildFunction(OpBuilder &b, Location loc, ArrayRef<Type> operands,
                          test::Body body) {
  SmallVector<Type> pointers(3, LLVM::LLVMPointerType::get(b.getContext()));
  auto function =
      func::FuncOp::create(b, loc, "kernel", b.getFunctionType(pointers, {}));
  Block *block = function.addEntryBlock();
  b.setInsertionPointToStart(block);
  SmallVector<Value> values;
  for (auto [type, pointer] : llvm::zip(operands, block->getArguments())) {
    Value stored = LLVM::LoadOp::create(b, loc, getStorageType(type), pointer,
                                        /*alignment=*/1);
    values.push_back(castTo(b, loc, type, stored));
  }
  Value result = body(b, loc, values);
  LLVM::StoreOp::create(
      b, loc, castTo(b, loc, getStorageType(result.getType()), result),
      block->getArgument(2), /*alignment=*/1);
  func::ReturnOp::create(b, loc);
}

OwningOpRef<ModuleOp> test::buildKernelModule(ArrayRef<Type> operands,
                                              Body body) {
  OpBuilder b(&getContext());
  Location loc = b.getUnknownLoc();
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  b.setInsertionPointToStart(module->getBody());
  buildFunction(b, loc, operands, body);

  PassManager passes(&getContext());
  passes.addPass(createConvertVectorToLLVMPass());
  passes.addNestedPass<func::FuncOp>(createConvertMathToLLVMPass());
  passes.addPass(createArithToLLVMConversionPass());
  passes.addPass(createUBToLLVMConversionPass());
  passes.addPass(createConvertFuncToLLVMPass());
  passes.addPass(createReconcileUnrealizedCastsPass());
  if (failed(passes.run(*module)))
    llvm::report_fatal_error("the kernel does not lower to LLVM");
  return module;
}

std::string test::emitAssembly(ArrayRef<Type> operands, Body body,
                               StringRef cpu) {
  OwningOpRef<ModuleOp> module = buildKernelModule(operands, body);
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> code =
      translateModuleToLLVMIR(*module, context);
  llvm::Triple triple("x86_64-unknown-linux-gnu");
  std::string error;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, error);
  if (!code || !target)
    llvm::report_fatal_error("no code for x86-64");
  // 512-bit registers where there are any, as the CPU lowering asks for.
  std::unique_ptr<llvm::TargetMachine> machine(target->createTargetMachine(
      triple, cpu, "-prefer-256-bit", llvm::TargetOptions(), llvm::Reloc::PIC_,
      std::nullopt, llvm::CodeGenOptLevel::Aggressive));
  code->setTargetTriple(triple);
  code->setDataLayout(machine->createDataLayout());
  for (llvm::Function &function : *code)
    function.addFnAttr("target-cpu", cpu);
  if (auto failure = makeOptimizingTransformer(3, 0, machine.get())(code.get()))
    llvm::report_fatal_error(std::move(failure));
  SmallString<0> text;
  llvm::raw_svector_ostream stream(text);
  llvm::legacy::PassManager emitter;
  if (machine->addPassesToEmitFile(emitter, stream, nullptr,
                                   llvm::CodeGenFileType::AssemblyFile))
    llvm::report_fatal_error("no assembly for x86-64");
  emitter.run(*code);
  return text.str().str();
}

test::Kernel::Kernel(ArrayRef<Type> operands, Body body) {
  OwningOpRef<ModuleOp> module = buildKernelModule(operands, body);
  auto optimize = makeOptimizingTransformer(3, 0, nullptr);
  ExecutionEngineOptions options;
  options.transformer = optimize;
  options.jitCodeGenOptLevel = llvm::CodeGenOptLevel::Aggressive;
  engine = llvm::cantFail(ExecutionEngine::create(*module, options));
  function = reinterpret_cast<decltype(function)>(
      llvm::cantFail(engine->lookup("kernel")));
}
