//===- Fragment.h - examples of ops as whole functions ----------*- C++ -*-===//
#ifndef MLAFUSE_TEST_DOCCHECK_FRAGMENT_H
#define MLAFUSE_TEST_DOCCHECK_FRAGMENT_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace mlafuse::doc {

/// Makes a module of an example. A function or module stays as it is; an
/// attribute becomes one of a module; ops become the body of a function, whose
/// arguments are the values that they use and do not define. Their types are
/// read off the groups `(%a, %b : type, type)`. False, with the reason in
/// `error`, if a type is nowhere to be found.
bool makeModule(llvm::StringRef example, std::string &module,
                std::string &error);

} // namespace mlafuse::doc

#endif // MLAFUSE_TEST_DOCCHECK_FRAGMENT_H
