//===- TargetChoice.h - the code of a library for a device ----*- C++ -*-===//
#ifndef MLAFUSE_RT_COMMON_TARGETCHOICE_H
#define MLAFUSE_RT_COMMON_TARGETCHOICE_H

#include "Manifest.h"

namespace mlafuse::rt {

/// Indices into a manifest's targets and into the target's images.
struct TargetChoice {
  size_t target = 0;
  size_t image = 0;
};

/// Chooses what to run on the GPU `device`, as its driver names it ("sm_90",
/// "gfx942:sramecc+:xnack-"), from what the manifest has for `backend`:
///  - "cuda": the cubin of exactly this chip with its special instructions
///    ("sm_90a"); else the cubin of the highest chip of the same major version
///    and no higher minor one; else PTX of exactly this chip with its special
///    instructions; else the PTX of the highest chip that is not above it.
///  - "hip": the code object of exactly this chip.
/// With `wanted`, only targets of that chip are considered. An error
/// (MLAFUSE_BAD_LIBRARY) lists the chips of the library and names the device.
Error chooseTarget(const std::vector<Target> &targets, std::string_view backend,
                   std::string_view device, std::string_view wanted,
                   TargetChoice &choice);

/// "cpu:x86-64-v3, cuda:sm_90a"; "no target" for none.
std::string listTargets(const std::vector<Target> &targets);

} // namespace mlafuse::rt

#endif // MLAFUSE_RT_COMMON_TARGETCHOICE_H
