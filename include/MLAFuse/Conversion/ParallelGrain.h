//===- ParallelGrain.h - how a parallel loop is cut -------------*- C++ -*-===//
#ifndef MLAFUSE_CONVERSION_PARALLELGRAIN_H
#define MLAFUSE_CONVERSION_PARALLELGRAIN_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"

namespace mlafuse {

/// Attribute of an scf.parallel: the least number of iterations that one call
/// of its body runs.
inline constexpr llvm::StringLiteral kGrainAttr = "mlafuse.grain";

inline void setParallelGrain(mlir::scf::ParallelOp loop, int64_t grain) {
  loop->setAttr(kGrainAttr,
                mlir::Builder(loop.getContext()).getI64IntegerAttr(grain));
}

inline int64_t getParallelGrain(mlir::scf::ParallelOp loop) {
  auto grain = loop->getAttrOfType<mlir::IntegerAttr>(kGrainAttr);
  return grain ? std::max<int64_t>(grain.getInt(), 1) : 1;
}

} // namespace mlafuse

#endif // MLAFUSE_CONVERSION_PARALLELGRAIN_H
