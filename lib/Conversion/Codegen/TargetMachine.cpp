//===- TargetMachine.cpp - CPUs by LLVM's names ---------------------------===//

#include "MLAFuse/Conversion/CPUCodegen.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"

using namespace mlafuse;

/// The numerics are exact only with these: f16 conversions and fused
/// multiply-add as instructions.
static constexpr llvm::StringLiteral kX86Floor =
    "+avx2,+bmi,+bmi2,+f16c,+fma,+lzcnt,+movbe";

static std::string getHostFeatures() {
  llvm::SubtargetFeatures features;
  for (const auto &feature : llvm::sys::getHostCPUFeatures())
    features.AddFeature(feature.getKey(), feature.getValue());
  return features.getString();
}

llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
mlafuse::createCPUTargetMachine(llvm::StringRef cpu) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  llvm::Triple triple(llvm::sys::getDefaultTargetTriple());
  std::string error;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return llvm::createStringError("no code generator for this machine: " +
                                   error);

  bool isHost = cpu.empty();
  std::string name = isHost ? llvm::sys::getHostCPUName().str() : cpu.str();
  std::string features = isHost ? getHostFeatures() : "";
  std::unique_ptr<llvm::MCSubtargetInfo> known(
      target->createMCSubtargetInfo(triple, "", ""));
  if (!known->isCPUStringValid(name))
    return llvm::createStringError("unknown CPU '" + name + "' for " +
                                   triple.getArchName() +
                                   "; names are those of LLVM, for example "
                                   "x86-64-v3, znver4 or sapphirerapids");
  std::unique_ptr<llvm::MCSubtargetInfo> subtarget(
      target->createMCSubtargetInfo(triple, name, features));
  if (triple.isX86() && !subtarget->checkFeatures(kX86Floor))
    return llvm::createStringError("CPU '" + name +
                                   "' is below the floor: x86-64-v3 (AVX2, "
                                   "FMA, F16C) or better is needed");

  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict;
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      triple, name, features, options, llvm::Reloc::PIC_, std::nullopt,
      llvm::CodeGenOptLevel::Aggressive));
}
