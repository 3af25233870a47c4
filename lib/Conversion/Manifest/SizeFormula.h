//===- SizeFormula.h - a computed size in words -----------------*- C++ -*-===//
#ifndef MLAFUSE_LIB_CONVERSION_MANIFEST_SIZEFORMULA_H
#define MLAFUSE_LIB_CONVERSION_MANIFEST_SIZEFORMULA_H

#include "MLAFuse/Conversion/Signature.h"

#include <string>

namespace mlafuse {

/// The index `size`, computed in a function that takes the arguments of
/// `signature`, over the signature's sizes: "align(130 * T, 64) + 448". "?"
/// stands for what has no form here.
std::string printSizeFormula(mlir::Value size,
                             const FunctionSignature &signature);

} // namespace mlafuse

#endif // MLAFUSE_LIB_CONVERSION_MANIFEST_SIZEFORMULA_H
