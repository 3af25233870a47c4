//===- Chip.cpp - what is known of each chip ------------------------------===//

#include "MLAFuse/Target/Chip.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlafuse;

static constexpr Chip kChips[] = {
#define NVIDIA_CHIP(name, features, sharedBytes, multiprocessors,              \
                    capabilities)                                              \
  {name,        Vendor::NVIDIA, features,       32,                            \
   sharedBytes, capabilities,   multiprocessors},
#include "MLAFuse/Target/NVIDIA.def"
#define AMD_CHIP(name, subgroupSize, sharedBytes, multiprocessors,             \
                 capabilities)                                                 \
  {name,         Vendor::AMD,    "", subgroupSize, sharedBytes,                \
   capabilities, multiprocessors},
#include "MLAFuse/Target/AMD.def"
};

bool Chip::converts(Type elementType) const {
  if (isa<Float8E4M3FNType>(elementType))
    return capabilities & ConvertsE4M3FN;
  if (isa<Float8E4M3FNUZType>(elementType))
    return capabilities & ConvertsE4M3FNUZ;
  if (isa<Float8E5M2Type>(elementType))
    return capabilities & ConvertsE5M2;
  if (isa<Float4E2M1FNType>(elementType))
    return capabilities & ConvertsE2M1FN;
  if (isa<BFloat16Type>(elementType))
    return capabilities & ConvertsBF16;
  return false;
}

StringRef Chip::getBackend() const {
  return vendor == Vendor::NVIDIA ? "cuda" : "hip";
}

StringRef Chip::getTriple() const {
  return vendor == Vendor::NVIDIA ? "nvptx64-nvidia-cuda" : "amdgcn-amd-amdhsa";
}

const Chip *mlafuse::findChip(StringRef name) {
  const Chip *chip = llvm::find_if(
      kChips, [&](const Chip &chip) { return chip.name == name; });
  return chip == std::end(kChips) ? nullptr : chip;
}

std::string mlafuse::listChips() {
  return llvm::join(
      llvm::map_range(kChips, [](const Chip &chip) { return chip.name.str(); }),
      ", ");
}
