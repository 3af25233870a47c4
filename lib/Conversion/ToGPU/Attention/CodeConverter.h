//===- CodeConverter.h - cache rows to what is multiplied -------*- C++ -*-===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_CODECONVERTER_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_CODECONVERTER_H

#include "AttentionProblem.h"

namespace mlafuse::kernel {

/// Pairs of the problem's elements from what `fp8` and `fp8_ds_mla` rows hold.
/// The scale of an `fp8` cache is not applied.
class CodeConverter {
public:
  explicit CodeConverter(const AttentionProblem &problem)
      : elements(problem.elements),
        tileScales(problem.format == CacheFormat::FP8DSMLA) {}

  /// Whether codes have a scale per tile of them.
  bool hasTileScales() const { return tileScales; }

  /// Calls `use` with the pairs, two to a word, of several words of codes.
  /// Those of NaN, which are rare, have a branch of their own: `use` is emitted
  /// in both.
  void convertNumbers(
      Emitter &e, mlir::ValueRange words,
      llvm::function_ref<void(Emitter &, mlir::ValueRange)> use) const;

  /// The pairs of some words, each code times `scale` (f32).
  ptx::Registers convertScaled(Emitter &e, mlir::ValueRange words,
                               mlir::Value scale) const;

  /// Pairs of bf16.
  ptx::Registers convertBF16(Emitter &e, mlir::ValueRange pairs) const;

private:
  mlir::Value round(Emitter &e, mlir::Value low, mlir::Value high) const;

  mlir::Type elements;
  bool tileScales;
};

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_CODECONVERTER_H
