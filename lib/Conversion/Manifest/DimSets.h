//===- DimSets.h - which sizes of a function are equal ----------*- C++ -*-===//
//
// A union-find over the dimensions of tensors and over index values. A set may
// hold a known number, or be defined from other sets (a product, a sum, a
// rounding up); what neither says is a symbol of the manifest.
//
//===----------------------------------------------------------------------===//
#ifndef MLAFUSE_LIB_CONVERSION_MANIFEST_DIMSETS_H
#define MLAFUSE_LIB_CONVERSION_MANIFEST_DIMSETS_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>
#include <string>

namespace mlafuse {

/// A size: a member of one of the sets.
using Dim = unsigned;

/// How a size follows from others.
struct DimDefinition {
  enum class Kind {
    Product, ///< Of all operands.
    Sum,     ///< Of all operands.
    Align,   ///< The operand, rounded up to a multiple of `number`.
    CeilDiv  ///< The operand, divided by `number` and rounded up.
  };
  Kind kind;
  llvm::SmallVector<Dim, 4> operands;
  int64_t number = 1;
};

class DimSets {
public:
  /// Dimension `index` of a ranked shaped value.
  Dim of(mlir::Value shaped, unsigned index);
  /// A value of type index.
  Dim ofIndex(mlir::Value index);
  /// A known number.
  Dim constant(int64_t number);
  /// The product of `factors`.
  Dim product(llvm::ArrayRef<Dim> factors);
  /// The sum of `terms`.
  Dim sum(llvm::ArrayRef<Dim> terms);
  Dim align(Dim dim, int64_t multiple);
  Dim ceilDiv(Dim dim, int64_t divisor);
  /// Number of rows: the product of all dimensions but the last.
  Dim rows(mlir::Value shaped);

  /// States that both are the same size.
  void equate(Dim a, Dim b);
  /// States that all dimensions of both are, in order.
  void equateShapes(mlir::Value a, mlir::Value b);

  /// A name in case the size becomes a symbol. The first suggestion counts.
  void suggest(Dim dim, llvm::StringRef name);
  /// The name that the user gave; false if the set has another already, which
  /// is then in `other`.
  bool rename(Dim dim, llvm::StringRef name, std::string &other);

  /// Draws the conclusions that need the numbers of all sets: products, sums
  /// and roundings of numbers, products with one unknown factor.
  void simplify();

  Dim find(Dim dim) const;
  std::optional<int64_t> getNumber(Dim dim) const;
  llvm::ArrayRef<DimDefinition> getDefinitions(Dim dim) const;
  /// The given name, the suggested one, or empty.
  llvm::StringRef getGivenName(Dim dim) const;
  llvm::StringRef getSuggestedName(Dim dim) const;

private:
  struct Set {
    std::optional<int64_t> number;
    llvm::SmallVector<DimDefinition, 1> definitions;
    std::string givenName, suggestedName;
  };

  Dim create();
  Dim define(DimDefinition definition);
  /// True if something changed.
  bool simplifyOnce(Dim dim);
  bool simplifySum(Dim dim, const DimDefinition &definition);

  mutable llvm::SmallVector<Dim> parents;
  llvm::SmallVector<Set, 0> sets;
  llvm::DenseMap<std::pair<mlir::Value, unsigned>, Dim> ofShaped;
  llvm::DenseMap<mlir::Value, Dim> ofValues;
  llvm::DenseMap<int64_t, Dim> constants;
};

} // namespace mlafuse

#endif // MLAFUSE_LIB_CONVERSION_MANIFEST_DIMSETS_H
