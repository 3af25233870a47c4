//===- TargetBuild.cpp - one target's part of a library -------------------===//

#include "TargetBuild.h"
#include "DiagnosedError.h"
#include "MLAFuse/Conversion/Kernels.h"
#include "MLAFuse/Pipelines/CPUPipeline.h"
#include "MLAFuse/Pipelines/GPUPipeline.h"

using namespace mlafuse;

/// Drivers copy what they load; this is for those that read it in place.
static constexpr unsigned kImageAlignment = 64;

llvm::Expected<TargetBuild> TargetBuild::create(const Target &target) {
  TargetBuild build(target);
  auto hostMachine = target.chip ? createBaselineTargetMachine()
                                 : createCPUTargetMachine(target.cpu);
  if (!hostMachine)
    return hostMachine.takeError();
  build.hostMachine = std::move(*hostMachine);
  if (!target.chip) {
    build.description = {"cpu",
                         build.hostMachine->getTargetCPU().str(),
                         kCPUPrefix.str(),
                         {},
                         {},
                         {}};
    return build;
  }
  auto gpuMachine = createGPUTargetMachine(*target.chip);
  if (!gpuMachine)
    return gpuMachine.takeError();
  build.gpuMachine = std::move(*gpuMachine);
  build.description = {target.chip->getBackend().str(),
                       target.chip->name.str(),
                       getGPUPrefix(target.chip->name),
                       {},
                       {},
                       {}};
  return build;
}

llvm::Error TargetBuild::lower(mlir::OwningOpRef<mlir::ModuleOp> shared,
                               bool isLowered, Stage stage,
                               llvm::StringRef schedule) {
  module = std::move(shared);
  mlir::PassManager loops(module->getContext()), code(module->getContext());
  if (!target.chip) {
    if (!isLowered)
      buildCPULoopsPipeline(loops);
    if (stage > Stage::Lowered)
      buildCPUToLLVMPipeline(code);
  } else {
    if (!isLowered)
      buildGPUKernelsPipeline(loops, target.chip->name, schedule);
    if (stage > Stage::Lowered)
      buildGPUKernelsToLLVMPipeline(code, target.chip->name);
    if (stage >= Stage::Object)
      buildGPUHostToLLVMPipeline(code, target.chip->name);
  }
  if (failed(loops.run(*module)))
    return llvm::make_error<DiagnosedError>();
  // Here launches are ops and the workspace's size is a function of its own.
  auto entries = describeEntries(*module);
  if (failed(entries) || failed(code.run(*module)))
    return llvm::make_error<DiagnosedError>();
  description.entries = std::move(*entries);
  return llvm::Error::success();
}

static Binary toBinary(llvm::StringRef text) {
  return Binary(text.begin(), text.end());
}

static Binary printLLVM(const llvm::Module &module) {
  std::string text;
  llvm::raw_string_ostream(text) << module;
  return toBinary(text);
}

llvm::Expected<std::unique_ptr<llvm::Module>>
TargetBuild::translate(llvm::LLVMContext &context) {
  if (mlir::gpu::GPUModuleOp kernels = getKernelModule(*module))
    return translateKernels(kernels, context, *gpuMachine);
  return llvm::createStringError("the program launches no kernel of " +
                                 target.chip->name);
}

llvm::Expected<Binary> TargetBuild::emitPTX(llvm::Module &kernels) {
  return emitCode(kernels, *gpuMachine, llvm::CodeGenFileType::AssemblyFile);
}

llvm::Expected<Binary> TargetBuild::emitCodeObject(llvm::Module &kernels) {
  auto object =
      emitCode(kernels, *gpuMachine, llvm::CodeGenFileType::ObjectFile);
  if (!object)
    return object.takeError();
  return linkCodeObject(*object);
}

llvm::Expected<Binary> TargetBuild::emitKernels(Stage form,
                                                llvm::StringRef ptxas) {
  llvm::LLVMContext context;
  auto kernels = translate(context);
  if (!kernels)
    return kernels.takeError();
  if (form == Stage::LLVM)
    return printLLVM(**kernels);
  if (form == Stage::HSACO)
    return emitCodeObject(**kernels);
  auto ptx = emitPTX(**kernels);
  if (!ptx || form == Stage::PTX)
    return ptx;
  return assemblePTX(ptxas, {ptx->data(), ptx->size()}, *target.chip);
}

void TargetBuild::embed(llvm::StringRef format, const Binary &image) {
  std::string symbol = description.prefix + "_" + format.str();
  addConstant(*module, symbol, {image.data(), image.size()}, kImageAlignment);
  description.images.push_back(
      {format.str(), symbol, static_cast<int64_t>(image.size())});
}

llvm::Error TargetBuild::embedKernels(llvm::StringRef ptxas, bool withPTX) {
  if (!target.chip)
    return llvm::Error::success();
  mlir::gpu::GPUModuleOp kernelModule = getKernelModule(*module);
  // A program that launches nothing has an image all the same.
  if (!kernelModule)
    kernelModule = createKernelModule(*module);
  llvm::LLVMContext context;
  auto kernels = translate(context);
  if (!kernels)
    return kernels.takeError();
  for (mlir::LLVM::LLVMFuncOp kernel : getKernels(kernelModule))
    description.kernels.push_back(kernel.getName().str());
  // What is left is the host's.
  kernelModule.erase();
  (*module)->removeAttr(mlir::gpu::GPUDialect::getContainerModuleAttrName());

  if (target.isAMD()) {
    auto image = emitCodeObject(**kernels);
    if (!image)
      return image.takeError();
    embed("hsaco", *image);
    return llvm::Error::success();
  }
  auto ptx = emitPTX(**kernels);
  if (!ptx)
    return ptx.takeError();
  if (!ptxas.empty()) {
    auto cubin = assemblePTX(ptxas, {ptx->data(), ptx->size()}, *target.chip);
    if (!cubin)
      return cubin.takeError();
    embed("cubin", *cubin);
  }
  if (ptxas.empty() || withPTX)
    embed("ptx", *ptx);
  return llvm::Error::success();
}

llvm::Expected<Binary> TargetBuild::emitHost(Stage form) {
  llvm::LLVMContext context;
  auto host = translateToLLVM(*module, context, *hostMachine);
  if (!host)
    return host.takeError();
  optimize(**host, *hostMachine);
  if (form == Stage::LLVM)
    return printLLVM(**host);
  return emitCode(**host, *hostMachine, llvm::CodeGenFileType::ObjectFile);
}
