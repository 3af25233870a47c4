//===- Passes.h - passes on tensors -----------------------------*- C++ -*-===//
#ifndef MLAFUSE_TRANSFORMS_PASSES_H
#define MLAFUSE_TRANSFORMS_PASSES_H

#include "MLAFuse/IR/MLAFuse.h"
#include "MLAFuse/Transforms/FusionReport.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlafuse {

#define GEN_PASS_DECL
#include "MLAFuse/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "MLAFuse/Transforms/Passes.h.inc"

} // namespace mlafuse

#endif // MLAFUSE_TRANSFORMS_PASSES_H
