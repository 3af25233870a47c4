//===- Elements.h - elements of a tensor as codes and numbers -*- C++ -*-===//
#ifndef MLAFUSE_TEST_COMPARE_ELEMENTS_H
#define MLAFUSE_TEST_COMPARE_ELEMENTS_H

#include "SafeTensors.h"

namespace mlafuse::rt {

/// A floating-point format: sign, exponent, mantissa; or the exponent alone.
struct FloatFormat {
  int exponentBits;
  int mantissaBits;
  int bias;
  bool hasSign;
  /// Which codes are no numbers.
  enum class Special {
    None,        ///< All are numbers (e2m1).
    IEEE,        ///< The largest exponent: infinities and NaNs.
    AllOnes,     ///< NaN where all bits but the sign are set (e4m3fn, e8m0).
    NegativeZero ///< NaN in place of -0 (fnuz).
  } special;
};

/// Reads the elements of a tensor: one by one, also where a file packs several
/// into one of its own.
class Elements {
public:
  /// `encoding` says what a U8 or I32 tensor holds; empty if it is plain. Fails
  /// on an encoding or dtype that is not known.
  static Error make(const SafeTensor &tensor, const std::string &encoding,
                    Elements &elements);

  int64_t size() const { return count; }
  uint64_t code(int64_t index) const;
  bool isNaN(int64_t index) const;
  /// The value of a number; integers as they are.
  double value(int64_t index) const;
  /// Position of a number among all of its format, in order of size; -0 comes
  /// just below +0.
  int64_t ordinal(int64_t index) const;
  /// "[1, 4]"; the last size is that of single elements.
  std::string indexText(int64_t index) const;
  /// "0.5 (0x3f00)".
  std::string valueText(int64_t index) const;

private:
  SafeTensor tensor;
  bool isInteger = false;
  FloatFormat format = {};
  int bits = 0; ///< Of one element.
  int64_t count = 0;
};

} // namespace mlafuse::rt

#endif // MLAFUSE_TEST_COMPARE_ELEMENTS_H
