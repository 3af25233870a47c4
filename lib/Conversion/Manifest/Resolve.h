//===- Resolve.h - sizes in the manifest's terms ----------------*- C++ -*-===//
#ifndef MLAFUSE_LIB_CONVERSION_MANIFEST_RESOLVE_H
#define MLAFUSE_LIB_CONVERSION_MANIFEST_RESOLVE_H

#include "DimSets.h"
#include "mlir/IR/Attributes.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringSet.h"

namespace mlafuse {

/// Writes sizes as numbers, symbols or expressions over symbols. A symbol is
/// the size of some argument by itself, so that a launch can tell it.
class DimResolver {
public:
  /// `argumentSizes`: every size of every argument, in order. Symbols get their
  /// names in that order: the given one, else the suggested one, else "N",
  /// numbered where it is taken.
  DimResolver(mlir::MLIRContext *context, const DimSets &dims,
              llvm::ArrayRef<Dim> argumentSizes);

  /// Null if the arguments' sizes do not determine `dim`.
  mlir::Attribute resolve(Dim dim);

private:
  mlir::Attribute resolveDefinition(const DimDefinition &definition);
  mlir::Attribute getSymbol(Dim set);
  std::string getFreshName(llvm::StringRef base);

  mlir::MLIRContext *context;
  const DimSets &dims;
  llvm::DenseSet<Dim> ofArguments;
  llvm::DenseSet<Dim> inProgress;
  llvm::DenseMap<Dim, mlir::Attribute> symbols;
  llvm::StringSet<> names;
};

} // namespace mlafuse

#endif // MLAFUSE_LIB_CONVERSION_MANIFEST_RESOLVE_H
