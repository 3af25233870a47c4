//===- SmallFloats.h - FP8 and FP4 by their tables --------------*- C++ -*-===//
#ifndef AMDSIM_CHECK_SMALLFLOATS_H
#define AMDSIM_CHECK_SMALLFLOATS_H

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace amdsim::check {

/// A format as the list of its positive codes' values, in order.
class SmallFloat {
public:
  enum Kind { FNUZ, FN, IEEE, Finite };
  SmallFloat(int exponentBits, int mantissaBits, int bias, Kind kind);

  static SmallFloat fp8(const std::string &chip) {
    return chip == "gfx942" ? SmallFloat(4, 3, 8, FNUZ)
                            : SmallFloat(4, 3, 7, FN);
  }
  static SmallFloat bf8(const std::string &chip) {
    return chip == "gfx942" ? SmallFloat(5, 2, 16, FNUZ)
                            : SmallFloat(5, 2, 15, IEEE);
  }
  static SmallFloat fp4() { return SmallFloat(2, 1, 1, Finite); }

  double decode(uint32_t code) const;
  /// The nearest code, ties to the even one; without saturation.
  uint32_t encode(double x) const;
  double largest() const { return values[largestCode]; }
  /// Numbers that matter: every value, the middles between them, and their
  /// neighbours.
  std::vector<float> points() const;

private:
  Kind kind;
  uint32_t sign, largestCode;
  std::vector<double> values;
};

inline SmallFloat::SmallFloat(int exponentBits, int mantissaBits, int bias,
                              Kind kind)
    : kind(kind), sign(1u << (exponentBits + mantissaBits)) {
  for (uint32_t code = 0; code < sign; ++code) {
    uint32_t e = code >> mantissaBits, m = code & ((1u << mantissaBits) - 1);
    double fraction = std::ldexp(m, -mantissaBits);
    values.push_back(e == 0 ? std::ldexp(fraction, 1 - bias)
                            : std::ldexp(1 + fraction, int(e) - bias));
  }
  largestCode = sign - 1;
  if (kind == FN)
    largestCode = sign - 2;
  if (kind == IEEE)
    largestCode = sign - (1u << mantissaBits) - 1;
}

inline double SmallFloat::decode(uint32_t code) const {
  uint32_t magnitude = code & (sign - 1);
  if (kind == FNUZ && code == sign)
    return NAN;
  if (magnitude > largestCode)
    return kind == IEEE && magnitude == largestCode + 1
               ? (code & sign ? -INFINITY : INFINITY)
               : NAN;
  return code & sign ? -values[magnitude] : values[magnitude];
}

inline uint32_t SmallFloat::encode(double x) const {
  uint32_t negative = std::signbit(x) ? sign : 0;
  double a = std::fabs(x);
  uint32_t nan = kind == FNUZ ? sign : negative | (sign - 1);
  if (std::isnan(x))
    return nan;
  uint32_t code = 0;
  while (code < largestCode && a > values[code + 1])
    ++code;
  // Between `code` and the next; the one behind the largest overflows.
  double next = code < largestCode
                    ? values[code + 1]
                    : 2 * values[largestCode] - values[largestCode - 1];
  double middle = (values[code] + next) / 2;
  if (a > middle || (a == middle && code % 2 == 1))
    ++code;
  if (code > largestCode) {
    if (kind == Finite)
      return negative | largestCode;
    return kind == IEEE ? negative | (largestCode + 1) : nan;
  }
  return kind == FNUZ && code == 0 ? 0 : negative | code;
}

inline std::vector<float> SmallFloat::points() const {
  std::vector<float> all = {0.0f, -0.0f, NAN, INFINITY, -INFINITY, 1e30f};
  for (uint32_t code = 0; code <= largestCode; ++code) {
    double next = code < largestCode
                      ? values[code + 1]
                      : 2 * values[largestCode] - values[largestCode - 1];
    for (double x : {values[code], (values[code] + next) / 2})
      for (float s : {1.0f, -1.0f}) {
        float f = static_cast<float>(x);
        all.push_back(s * f);
        all.push_back(s * std::nextafter(f, INFINITY));
        all.push_back(s * std::nextafter(f, -INFINITY));
      }
  }
  return all;
}

} // namespace amdsim::check

#endif // AMDSIM_CHECK_SMALLFLOATS_H
