//===- Translator.h - images as libraries of the host -----------*- C++ -*-===//
#ifndef MLAFUSE_GPUSTUB_TRANSLATOR_H
#define MLAFUSE_GPUSTUB_TRANSLATOR_H

#include "Code.h"

#include <dlfcn.h>
#include <string_view>

namespace mlafuse::gpustub {

/// Finds a function of a translation; false if it has none of that name.
template <typename Signature>
bool findFunction(void *library, Signature *&function, const char *name) {
  function = reinterpret_cast<Signature *>(dlsym(library, name));
  return function != nullptr;
}

/// Translates an image with the vendor's simulator, or takes it from the
/// directory of earlier translations: the variable CACHE of the simulator, or
/// one in the system's place for temporary files. The library stays loaded.
/// Gives "" or what is wrong.
std::string translate(std::string_view image, Code &code);

} // namespace mlafuse::gpustub

#endif // MLAFUSE_GPUSTUB_TRANSLATOR_H
