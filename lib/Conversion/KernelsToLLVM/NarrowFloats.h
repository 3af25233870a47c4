//===- NarrowFloats.h - Codes of narrow floats ------------------*- C++ -*-===//
//
// One pair of functions per way to convert. All take and give rank-1 vectors of
// any size; `element` is an f8 type or f4E2M1FN. Codes are bytes: one value
// each, or, for f4E2M1FN, two, the even-numbered one in the low nibble (the
// number of values is even).
//
// Encoding rounds an f32 to nearest even and saturates; NaN gives the code that
// roundFromF32 (MLAFuse/Conversion/Numerics.h) gives. Decoding is exact.
//
//===----------------------------------------------------------------------===//

#ifndef MLAFUSE_LIB_CONVERSION_KERNELSTOLLVM_NARROWFLOATS_H
#define MLAFUSE_LIB_CONVERSION_KERNELSTOLLVM_NARROWFLOATS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace mlafuse {

namespace software {
mlir::Value encode(mlir::ImplicitLocOpBuilder &b, mlir::Value x,
                   mlir::Type element);
mlir::Value decode(mlir::ImplicitLocOpBuilder &b, mlir::Value bytes,
                   mlir::Type element);
} // namespace software

/// PTX's cvt. The chip converts `element`.
namespace nvidia {
mlir::Value encode(mlir::ImplicitLocOpBuilder &b, mlir::Value x,
                   mlir::Type element);
mlir::Value decode(mlir::ImplicitLocOpBuilder &b, mlir::Value bytes,
                   mlir::Type element);
} // namespace nvidia

namespace nvidia {
/// f32 to bf16, to nearest even: rank-1 vectors of even size.
mlir::Value roundToBF16(mlir::ImplicitLocOpBuilder &b, mlir::Value x);
} // namespace nvidia

/// V_CVT_PK_* and V_CVT_SCALEF32_PK_*. The chip converts `element`: whether a
/// code is OCP's or FNUZ is the chip's, not the instruction's.
namespace amd {
mlir::Value encode(mlir::ImplicitLocOpBuilder &b, mlir::Value x,
                   mlir::Type element);
mlir::Value decode(mlir::ImplicitLocOpBuilder &b, mlir::Value bytes,
                   mlir::Type element);
} // namespace amd

/// Elements `first` to `first + size` of a rank-1 vector.
mlir::Value slice(mlir::ImplicitLocOpBuilder &b, mlir::Value v, int64_t first,
                  int64_t size);

/// A rank-1 vector with zeros at its end, so that its size divides by
/// `multiple`.
mlir::Value padToMultiple(mlir::ImplicitLocOpBuilder &b, mlir::Value v,
                          int64_t multiple);

/// The bits of a rank-1 vector as elements of another width.
mlir::Value viewAs(mlir::ImplicitLocOpBuilder &b, mlir::Value v,
                   mlir::Type element);

/// The elements of a rank-1 vector.
llvm::SmallVector<mlir::Value> getElements(mlir::ImplicitLocOpBuilder &b,
                                           mlir::Value v);

/// The inverse of getElements.
mlir::Value fromElements(mlir::ImplicitLocOpBuilder &b,
                         llvm::ArrayRef<mlir::Value> elements);

} // namespace mlafuse

#endif // MLAFUSE_LIB_CONVERSION_KERNELSTOLLVM_NARROWFLOATS_H
