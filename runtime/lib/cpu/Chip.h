//===- Chip.h - whether code for a CPU runs on this one -------*- C++ -*-===//
#ifndef MLAFUSE_RT_CPU_CHIP_H
#define MLAFUSE_RT_CPU_CHIP_H

#include <string>

namespace mlafuse::rt {

/// "" if this CPU has the vector instructions that LLVM's CPU `chip` stands for
/// (as levels of x86-64: v2, v3 with AVX2, v4 with AVX-512), else what it
/// lacks. A name that is not known here is taken on trust.
std::string checkCpu(const std::string &chip);

/// The level of x86-64 that this CPU has: "x86-64-v3"; "generic" for a CPU of
/// another kind.
const char *thisCpu();

} // namespace mlafuse::rt

#endif // MLAFUSE_RT_CPU_CHIP_H
