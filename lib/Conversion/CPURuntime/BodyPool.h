//===- BodyPool.h - one function for equal loop bodies ----------*- C++ -*-===//
#ifndef MLAFUSE_LIB_CONVERSION_CPURUNTIME_BODYPOOL_H
#define MLAFUSE_LIB_CONVERSION_CPURUNTIME_BODYPOOL_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"

namespace mlafuse {

/// The layers of a model repeat their loops; code is generated for one of each.
class BodyPool {
public:
  explicit BodyPool(mlir::SymbolTable &symbols) : symbols(symbols) {}

  /// The function to use for `body`: one that is there already, in which case
  /// `body` is erased, or `body` itself, put into the module under a free name.
  mlir::func::FuncOp insert(mlir::func::FuncOp body);

private:
  mlir::SymbolTable &symbols;
  llvm::DenseMap<size_t, llvm::SmallVector<mlir::func::FuncOp, 1>> bodies;
};

} // namespace mlafuse

#endif // MLAFUSE_LIB_CONVERSION_CPURUNTIME_BODYPOOL_H
