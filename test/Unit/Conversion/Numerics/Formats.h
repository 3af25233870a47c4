//===- Formats.h - The formats under test, by APFloat -----------*- C++ -*-===//

#ifndef MLAFUSE_TEST_UNIT_CONVERSION_NUMERICS_FORMATS_H
#define MLAFUSE_TEST_UNIT_CONVERSION_NUMERICS_FORMATS_H

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Types.h"

#include "llvm/ADT/APFloat.h"

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace mlafuse::test {

/// A narrow format, with the contract's rules for what APFloat does otherwise.
struct Format {
  std::string name;
  const llvm::fltSemantics *semantics;
  unsigned bits;
  /// The code that NaN becomes.
  unsigned nan;
  /// Overflow gives the largest number, not Inf.
  bool saturates;

  mlir::Type getType(mlir::MLIRContext &context) const;

  /// The element type of the values as kernels load them: i8 for f4E2M1FN.
  mlir::Type getStorageType(mlir::MLIRContext &context) const;

  /// The number that `code` stands for.
  float decode(unsigned code) const;

  /// `x` rounded to nearest even, with the magnitude limited to `limit`.
  unsigned encode(float x, float limit = INFINITY) const;

  /// Each finite number of the format that is not negative, ascending.
  std::vector<float> nonNegativeNumbers() const;
};

/// bf16, f16, f8E4M3FN, f8E4M3FNUZ, f8E5M2 and f4E2M1FN.
const std::vector<Format> &getFormats();
const Format &getFormat(llvm::StringRef name);

uint32_t toBits(float x);
float fromBits(uint32_t bits);

/// Equal bit for bit, where any NaN equals any NaN.
bool sameFloat(float a, float b);

/// f32 of every kind, drawn uniformly from the bit patterns; always the same.
std::vector<float> randomFloats(size_t count);

} // namespace mlafuse::test

#endif // MLAFUSE_TEST_UNIT_CONVERSION_NUMERICS_FORMATS_H
