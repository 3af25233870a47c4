//===- Targets.h - what a library is compiled for ---------------*- C++ -*-===//
#ifndef MLAFUSE_TOOLS_COMPILE_TARGETS_H
#define MLAFUSE_TOOLS_COMPILE_TARGETS_H

#include "MLAFuse/Target/Chip.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"

#include <string>

namespace mlafuse {

struct Target {
  std::string text;           ///< As it is written: "nvvm:sm_90a".
  const Chip *chip = nullptr; ///< Null: a CPU.
  std::string cpu;            ///< LLVM's name; empty for the host.

  bool isNVIDIA() const { return chip && chip->vendor == Vendor::NVIDIA; }
  bool isAMD() const { return chip && chip->vendor == Vendor::AMD; }
};

/// Parses "cpu", "cpu:NAME", "nvvm:CHIP" and "rocdl:CHIP", separated by commas.
/// No target stands twice, and there is at most one CPU.
llvm::Expected<llvm::SmallVector<Target>> parseTargets(llvm::StringRef list);

/// The NVIDIA target whose PTX every library carries: that of the oldest chip
/// whose PTX later chips run. Null if there is none.
const Target *findPortableTarget(llvm::ArrayRef<Target> targets);

} // namespace mlafuse

#endif // MLAFUSE_TOOLS_COMPILE_TARGETS_H
