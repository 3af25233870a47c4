//===- DeviceHint.h - code that the default device lacks ------*- C++ -*-===//
#ifndef MLAFUSE_TOOLS_MLAFUSE_RUN_DEVICEHINT_H
#define MLAFUSE_TOOLS_MLAFUSE_RUN_DEVICEHINT_H

#include "Manifest.h"
#include "Options.h"

namespace mlafuse::rt {

/// Where no device was asked for, whether the library has the code that is
/// wanted for the CPU. An error (MLAFUSE_BAD_LIBRARY) says which --device has
/// it, or that the library has none for the chip.
Error checkDefaultDevice(const Manifest &manifest, const Options &options);

} // namespace mlafuse::rt

#endif // MLAFUSE_TOOLS_MLAFUSE_RUN_DEVICEHINT_H
