//===- QuantSpec.h - a quantization with defaults resolved ----*- C++ -*-===//
//
// Keys, layouts and rules come as attributes; the code that verifies, fuses and
// lowers asks this header what they mean.
//
//===----------------------------------------------------------------------===//
#ifndef MLAFUSE_IR_QUANTSPEC_H
#define MLAFUSE_IR_QUANTSPEC_H

#include "MLAFuse/IR/Attrs.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

namespace mlafuse {

/// A scale rule with the key's defaults filled in.
struct EffectiveRule {
  double max = 0;            ///< Largest magnitude produced.
  double floor = 0;          ///< 0: none.
  bool floorOnScale = false; ///< Else on the absolute maximum.
  bool ue8m0 = false;        ///< Round the scale up to a power of two.
  bool reciprocal = false;   ///< x * f(1/s) in place of x / s.

  bool operator==(const EffectiveRule &other) const {
    return max == other.max && floor == other.floor &&
           floorOnScale == other.floorOnScale && ue8m0 == other.ue8m0 &&
           reciprocal == other.reciprocal;
  }
};

/// The quantization attributes of an op. A null key means no quantization.
struct QuantSpec {
  QuantKeyAttr key;
  ScaleLayoutAttr layout;
  ScaleRuleAttr rule;
  Numerics numerics = Numerics::Exact;

  explicit operator bool() const { return static_cast<bool>(key); }

  /// True if the op writes scales, as its second destination.
  bool hasScaleResult() const { return key && key.isDynamic(); }

  /// The layout, `row_major` where none is given.
  ScaleLayout getLayout() const {
    return layout ? layout.getValue() : ScaleLayout::RowMajor;
  }

  /// Elements of a row of `width` that share a scale.
  int64_t getGroupSize(int64_t width) const {
    return key.getGroupColumns() < 0 ? width : key.getGroupColumns();
  }

  EffectiveRule getEffectiveRule() const;

  /// True if both give the same bits in the same places; `numerics` is left
  /// out.
  bool isEquivalentTo(const QuantSpec &other) const {
    return key == other.key && getLayout() == other.getLayout() &&
           (!key || getEffectiveRule() == other.getEffectiveRule());
  }
};

/// Destinations of one side of a dual norm; null where the side has none.
struct DualSideInits {
  mlir::Value codes, scale, unquantized;
};

/// Types of the operands that a quantization touches. `data` is what is
/// quantized, as rows of its innermost dimension. Null values are absent.
struct QuantOperands {
  mlir::ShapedType data;
  mlir::Value codes, scaleInit;
  mlir::Value scale, scaleUb, globalScale, rowOffset;
};

/// A quantization with its values: what an op takes over from a `quantize` that
/// follows it. Null values are absent.
struct OutputQuantization {
  mlir::Location loc;
  QuantSpec spec;
  llvm::SmallVector<mlir::Value, 2> inits; ///< Codes, [scales].
  mlir::Value scale, scaleUb, globalScale, numActualTokens, rowOffset;
};

/// Checks Q1 to Q9 and Q11 for one quantization of `op`; `side` ("q ", "kv " or
/// empty) prefixes the names in the messages. Used by every verifier and, with
/// an op that is about to be built, by the passes.
llvm::LogicalResult
verifyQuantization(llvm::function_ref<mlir::InFlightDiagnostic()> emitError,
                   const QuantSpec &spec, const QuantOperands &operands,
                   llvm::StringRef side = "");

/// Q1, Q3, Q4 and Q9 alone: whether `spec` can quantize rows of `width`.
llvm::LogicalResult
verifyQuantSpec(llvm::function_ref<mlir::InFlightDiagnostic()> emitError,
                const QuantSpec &spec, int64_t width,
                llvm::StringRef side = "");

/// Storage shape and element type of the scales of `rows` (dynamic: kDynamic)
/// rows of `width` elements under a dynamic key.
mlir::RankedTensorType getScaleStorageType(const QuantSpec &spec, int64_t rows,
                                           int64_t width);

/// Product of the leading dimensions of `type`, or kDynamic.
int64_t getRowCount(mlir::ShapedType type);

/// The key that an output of `codesType` with these scale operands has: the way
/// back from types, for raising and for the C API. `blockScaleType` is the
/// dynamic scale's storage (row-major T x G), null if there is none;
/// `hasTensorScale` says whether a one-element scale is given. A group size
/// that no kernel has, or a scale count that does not divide the output, is an
/// error in words; null then, and for an output that is not quantized (no
/// error).
mlir::FailureOr<QuantKeyAttr>
inferOutputQuantKey(llvm::function_ref<mlir::InFlightDiagnostic()> emitError,
                    mlir::ShapedType outputType,
                    mlir::ShapedType blockScaleType, bool hasTensorScale);

} // namespace mlafuse

#endif // MLAFUSE_IR_QUANTSPEC_H
