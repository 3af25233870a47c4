//===- Dim.h - sizes that depend on symbols -------------------*- C++ -*-===//
#ifndef MLAFUSE_RT_COMMON_DIM_H
#define MLAFUSE_RT_COMMON_DIM_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mlafuse::rt {

/// The value of a symbol that is not known yet.
constexpr int64_t unknownSize = -1;

/// One size of a shape: a number, a symbol, or an expression over them.
struct Dim {
  enum class Kind { Static, Symbol, Align, CeilDiv, Product, Sum };

  Kind kind = Kind::Static;
  /// Static: the size. Symbol: its index among the function's symbols. Align
  /// and CeilDiv: the positive number that is aligned to or divided by.
  int64_t value = 0;
  /// Align and CeilDiv: one. Product and Sum: one or more.
  std::vector<Dim> operands;
  /// As users read it: "512", "T", "align(T, 4)", "ceildiv(T, 4)", "B * S",
  /// "D + P".
  std::string text;
};

/// The size, with `symbols[i]` as the value of symbol i. Nothing if a symbol in
/// it is unknown or the size does not fit 64 bits.
std::optional<int64_t> evaluate(const Dim &dim, const int64_t *symbols);

/// Index of the first symbol of `dim` whose value is unknown.
std::optional<size_t> firstUnknownSymbol(const Dim &dim,
                                         const int64_t *symbols);

} // namespace mlafuse::rt

#endif // MLAFUSE_RT_COMMON_DIM_H
