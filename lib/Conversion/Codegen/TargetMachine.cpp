//===- TargetMachine.cpp - CPUs and GPUs by LLVM's names ------------------===//

#include "MLAFuse/Conversion/GPUCodegen.h"
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

/// What x86-64-v4 has beyond x86-64-v3.
static constexpr llvm::StringLiteral kX86Level4 =
    "+avx512f,+avx512bw,+avx512cd,+avx512dq,+avx512vl";

static std::string getHostFeatures() {
  llvm::SubtargetFeatures features;
  for (const auto &feature : llvm::sys::getHostCPUFeatures())
    features.AddFeature(feature.getKey(), feature.getValue());
  return features.getString();
}

/// Of `features`, those that a CPU lacks.
static std::string getMissing(const std::string &features) {
  llvm::SubtargetFeatures all(features), missing;
  for (const std::string &feature : all.getFeatures())
    if (!llvm::SubtargetFeatures::isEnabled(feature))
      missing.AddFeature(feature);
  return missing.getString();
}

static llvm::Expected<const llvm::Target *>
findTarget(const llvm::Triple &triple) {
  std::string error;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return llvm::createStringError("no code generator for " + triple.str() +
                                   ": " + error);
  return target;
}

static std::unique_ptr<llvm::TargetMachine>
createMachine(const llvm::Target &target, const llvm::Triple &triple,
              llvm::StringRef cpu, llvm::StringRef features) {
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict;
  return std::unique_ptr<llvm::TargetMachine>(target.createTargetMachine(
      triple, cpu, features, options, llvm::Reloc::PIC_, std::nullopt,
      llvm::CodeGenOptLevel::Aggressive));
}

/// The code generator of this machine.
static llvm::Expected<const llvm::Target *>
findHostTarget(const llvm::Triple &triple) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  return findTarget(triple);
}

llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
mlafuse::createBaselineTargetMachine() {
  llvm::Triple triple(llvm::sys::getDefaultTargetTriple());
  auto target = findHostTarget(triple);
  if (!target)
    return target.takeError();
  return createMachine(**target, triple, triple.isX86() ? "x86-64" : "generic",
                       "");
}

/// Whether LLVM's CPU `name`, with `features`, has what `wanted` lists.
static bool hasFeatures(const llvm::Target &target, const llvm::Triple &triple,
                        llvm::StringRef name, llvm::StringRef features,
                        llvm::StringRef wanted) {
  std::unique_ptr<llvm::MCSubtargetInfo> subtarget(
      target.createMCSubtargetInfo(triple, name, features));
  return subtarget->checkFeatures(wanted);
}

llvm::Expected<std::string> mlafuse::getCPUWith(llvm::StringRef name,
                                                llvm::StringRef features) {
  llvm::Triple triple(llvm::sys::getDefaultTargetTriple());
  auto target = findHostTarget(triple);
  if (!target)
    return target.takeError();
  if (!triple.isX86())
    return name.str();
  bool hasLevel4 = hasFeatures(**target, triple, name, features, kX86Level4);
  // LLVM's name of a CPU that it does not know says nothing of what it can do.
  if (name == "generic")
    return hasLevel4 ? "x86-64-v4" : "x86-64-v3";
  if (!hasLevel4 && hasFeatures(**target, triple, name, "", kX86Level4))
    return "x86-64-v3";
  return name.str();
}

llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
mlafuse::createCPUTargetMachine(llvm::StringRef cpu) {
  llvm::Triple triple(llvm::sys::getDefaultTargetTriple());
  auto target = findHostTarget(triple);
  if (!target)
    return target.takeError();

  bool isHost = cpu.empty();
  std::string name = isHost ? llvm::sys::getHostCPUName().str() : cpu.str();
  std::string features = isHost ? getHostFeatures() : "";
  std::unique_ptr<llvm::MCSubtargetInfo> known(
      (*target)->createMCSubtargetInfo(triple, "", ""));
  if (!known->isCPUStringValid(name))
    return llvm::createStringError("unknown CPU '" + name + "' for " +
                                   triple.getArchName() +
                                   "; names are those of LLVM, for example "
                                   "x86-64-v3, znver4 or sapphirerapids");
  auto chip = isHost ? getCPUWith(name, features) : name;
  if (!chip)
    return chip.takeError();
  if (triple.isX86() &&
      !hasFeatures(**target, triple, *chip, features, kX86Floor))
    return llvm::createStringError("CPU '" + name +
                                   "' is below the floor: x86-64-v3 (AVX2, "
                                   "FMA, F16C) or better is needed");
  // What is called x86-64-v3 runs on all CPUs of that level: it has nothing of
  // what this one, or a part of AVX-512 that is not hidden, has beyond it.
  return createMachine(**target, triple, *chip,
                       *chip == name ? features : getMissing(features));
}

llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
mlafuse::createGPUTargetMachine(const Chip &chip) {
  if (chip.vendor == Vendor::NVIDIA) {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
  } else {
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTarget();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUAsmParser(); // For inline assembly.
    LLVMInitializeAMDGPUAsmPrinter();
  }
  llvm::Triple triple(chip.getTriple());
  auto target = findTarget(triple);
  if (!target)
    return target.takeError();
  return createMachine(**target, triple, chip.name, chip.features);
}
