//===- Tolerance.h - how near a result must come --------------*- C++ -*-===//
#ifndef MLAFUSE_TEST_COMPARE_TOLERANCE_H
#define MLAFUSE_TEST_COMPARE_TOLERANCE_H

#include "Error.h"

#include <cstdint>
#include <map>

namespace mlafuse::rt {

/// What section 7 of the golden files' README says of one tensor.
struct Tolerance {
  enum class Kind {
    Bits,  ///< Equal bit for bit, where a NaN equals every NaN.
    Close, ///< |a - e| <= atol + rtol * |e|.
    Codes  ///< At most maxUlp numbers of the format apart.
  } kind = Kind::Bits;
  double rtol = 0, atol = 0;
  int64_t maxUlp = 0;
  double minExact = 0; ///< Least share of elements that are equal bit for bit.
};

/// Parses the metadata `tolerance`: a JSON object, tensor name -> tolerance.
Error parseTolerances(const std::string &text,
                      std::map<std::string, Tolerance> &tolerances);

/// Parses the metadata `encodings`: a JSON object, tensor name -> encoding.
Error parseEncodings(const std::string &text,
                     std::map<std::string, std::string> &encodings);

/// "bits", "rtol 0.001, atol 0, min_exact 0.9", ...
std::string toleranceText(const Tolerance &tolerance);

} // namespace mlafuse::rt

#endif // MLAFUSE_TEST_COMPARE_TOLERANCE_H
