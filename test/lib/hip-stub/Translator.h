//===- Translator.h - code objects as libraries of the host -----*- C++ -*-===//
#ifndef MLAFUSE_HIPSTUB_TRANSLATOR_H
#define MLAFUSE_HIPSTUB_TRANSLATOR_H

#include "amdsim.h"

#include <string>

namespace mlafuse::hipstub {

/// The functions of a translated code object, which stays loaded.
struct Translated {
  decltype(amdsim_chip) *chip = nullptr;
  decltype(amdsim_kernel_count) *kernelCount = nullptr;
  decltype(amdsim_get_kernel) *getKernel = nullptr;
  decltype(amdsim_launch) *launch = nullptr;
};

/// Translates the code object at `image` with amdsim, or takes it from the
/// directory of earlier translations: AMDSIM_CACHE, or one in the system's
/// place for temporary files. Gives "" or what is wrong.
std::string translate(const void *image, Translated &code);

} // namespace mlafuse::hipstub

#endif // MLAFUSE_HIPSTUB_TRANSLATOR_H
