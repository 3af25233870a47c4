//===- Signature.h - what the manifest says of a function -------*- C++ -*-===//
//
// A function carries its part of the manifest as the attribute
// `mlafuse.signature` from the tensor form, where sizes can be related, to the
// code, which exports it. The attribute has the manifest's shape (see
// mlafuse/runtime/abi.h); a result names its argument once it has one.
//
//===----------------------------------------------------------------------===//
#ifndef MLAFUSE_CONVERSION_SIGNATURE_H
#define MLAFUSE_CONVERSION_SIGNATURE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"

#include <optional>
#include <string>

namespace mlafuse {

/// Argument attributes that users write.
inline constexpr llvm::StringLiteral kNameAttr = "mlafuse.name";
inline constexpr llvm::StringLiteral kStridedAttr = "mlafuse.strided";
inline constexpr llvm::StringLiteral kDimsAttr = "mlafuse.dims";

/// Stands in a shape for a size that does not follow from the arguments'.
inline constexpr llvm::StringLiteral kUnknownSize = "?";

/// Name and shape of an argument or a result. A size is an i64 attribute, a
/// symbol (string) or a dictionary {align = [size, n]}, {ceildiv = [size, n]},
/// {product = [size, ...]} or {sum = [size, ...]}.
struct TensorSignature {
  std::string name;
  llvm::SmallVector<mlir::Attribute> shape;
};

struct ArgumentSignature : TensorSignature {
  mlir::Type elementType;
  bool strided = false;
  std::string access = "read"; ///< "read", "write" or "readwrite".
  /// [low, high), each a number (f64) or a size; null if there is no range.
  mlir::ArrayAttr range;
  bool distinct = false;
  /// The size up to which the values ascend from 0; null if they need not.
  mlir::Attribute offsets;
};

struct ResultSignature : TensorSignature {
  /// Index of the argument whose memory it is.
  std::optional<int64_t> argument;
};

struct FunctionSignature {
  std::string name;
  llvm::SmallVector<ArgumentSignature> arguments;
  llvm::SmallVector<ResultSignature> results;

  /// The signature that the entry `function` carries. Fails with a diagnostic
  /// if its attribute has another form than `attachTo` gives it.
  static mlir::FailureOr<FunctionSignature> get(mlir::func::FuncOp function);
  void attachTo(mlir::func::FuncOp function) const;
};

/// Functions with a body that carry a signature, in order: the entries of the
/// library.
llvm::SmallVector<mlir::func::FuncOp> getEntries(mlir::ModuleOp module);

} // namespace mlafuse

#endif // MLAFUSE_CONVERSION_SIGNATURE_H
