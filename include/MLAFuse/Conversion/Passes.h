//===- Passes.h - passes from memrefs to code -------------------*- C++ -*-===//
#ifndef MLAFUSE_CONVERSION_PASSES_H
#define MLAFUSE_CONVERSION_PASSES_H

#include "MLAFuse/IR/MLAFuse.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlafuse {

#define GEN_PASS_DECL
#include "MLAFuse/Conversion/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "MLAFuse/Conversion/Passes.h.inc"

} // namespace mlafuse

#endif // MLAFUSE_CONVERSION_PASSES_H
