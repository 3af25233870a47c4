//===- Verify.h - checks that the ops' verifiers share ----------*- C++ -*-===//
//
// Labels in the messages (S1, Q3, C2, ...) are those of the documentation.
//
//===----------------------------------------------------------------------===//
#ifndef MLAFUSE_LIB_IR_VERIFY_H
#define MLAFUSE_LIB_IR_VERIFY_H

#include "MLAFuse/IR/MLAFuse.h"

namespace mlafuse {

/// "[?, 512]".
std::string shapeToString(llvm::ArrayRef<int64_t> shape);

/// Same rank, and each pair of sizes equal or one of them dynamic.
bool isCompatibleShape(llvm::ArrayRef<int64_t> a, llvm::ArrayRef<int64_t> b);

/// bf16, f16 or f32.
bool isModelFloat(mlir::Type type);

/// True if `value` is a vector of `size` (dynamic: kDynamic) elements.
bool isVectorOf(mlir::Value value, int64_t size, mlir::Type elementType);

inline mlir::ShapedType getShaped(mlir::Value value) {
  return mlir::cast<mlir::ShapedType>(value.getType());
}
inline llvm::ArrayRef<int64_t> getShape(mlir::Value value) {
  return getShaped(value).getShape();
}

/// S1, S2, S4 and S5's limit of sizes. `roles` names the destinations that the attributes ask for,
/// in order, an optional one last in brackets: {"y", "[lse]"}.
llvm::LogicalResult verifyRowOp(RowOpInterface op, mlir::ValueRange inits,
                                llvm::ArrayRef<llvm::StringRef> roles);

/// S3.
llvm::LogicalResult verifyRow(mlir::Operation *op, mlir::Value value,
                              llvm::StringRef name);

/// S5: `value` has this shape (kDynamic fits all) and this rank.
llvm::LogicalResult verifyShape(mlir::Operation *op, mlir::Value value,
                                llvm::StringRef name,
                                llvm::ArrayRef<int64_t> shape);

/// `value` has rank `rank` (S5).
llvm::LogicalResult verifyRank(mlir::Operation *op, mlir::Value value,
                               llvm::StringRef name, int64_t rank);

/// `value`'s elements are bf16, f16 or f32; else names `label`.
llvm::LogicalResult verifyModelFloat(mlir::Operation *op, mlir::Value value,
                                     llvm::StringRef name,
                                     llvm::StringRef label);

/// `value` is a vector of `elementType` with `size` elements; else names
/// `label`.
llvm::LogicalResult verifyVector(mlir::Operation *op, mlir::Value value,
                                 llvm::StringRef name, int64_t size,
                                 mlir::Type elementType, llvm::StringRef label);

/// The epsilon and weight rules of a norm (its C1 to C4). `result` may be null.
llvm::LogicalResult verifyNorm(mlir::Operation *op, mlir::Value input,
                               mlir::Value weight, mlir::Value result,
                               llvm::APFloat epsilon, bool weightOffset,
                               llvm::StringRef side = "");

/// Q10 for an op with norms: contracted goes with rounding = result.
llvm::LogicalResult verifyNormNumerics(mlir::Operation *op, Numerics numerics,
                                       Rounding rounding);

/// Element type and row size of a cache, and its k_scale.
llvm::LogicalResult verifyCache(mlir::Operation *op, mlir::Value cache,
                                CacheFormat format, int64_t latent,
                                int64_t rope, mlir::Value kScale,
                                llvm::StringRef cacheLabel,
                                llvm::StringRef scaleLabel);

} // namespace mlafuse

#endif // MLAFUSE_LIB_IR_VERIFY_H
