//===- Dim.cpp - sizes that depend on symbols -------------------------===//
#include "Dim.h"

namespace mlafuse::rt {
namespace {

std::optional<int64_t> multiply(int64_t a, int64_t b) {
  int64_t product;
  if (__builtin_mul_overflow(a, b, &product))
    return std::nullopt;
  return product;
}

std::optional<int64_t> add(int64_t a, int64_t b) {
  int64_t sum;
  if (__builtin_add_overflow(a, b, &sum))
    return std::nullopt;
  return sum;
}

/// All operands, from `start` on, put together by `combine`.
template <typename CombineT>
std::optional<int64_t> evaluateAll(const Dim &dim, const int64_t *symbols,
                                   int64_t start, CombineT combine) {
  std::optional<int64_t> result = start;
  for (const Dim &operand : dim.operands) {
    std::optional<int64_t> next = evaluate(operand, symbols);
    if (!next)
      return std::nullopt;
    result = combine(*result, *next);
    if (!result)
      return std::nullopt;
  }
  return result;
}

} // namespace

std::optional<int64_t> evaluate(const Dim &dim, const int64_t *symbols) {
  switch (dim.kind) {
  case Dim::Kind::Static:
    return dim.value;
  case Dim::Kind::Symbol: {
    int64_t size = symbols[dim.value];
    return size == unknownSize ? std::nullopt : std::optional<int64_t>(size);
  }
  case Dim::Kind::Align:
  case Dim::Kind::CeilDiv: {
    std::optional<int64_t> size = evaluate(dim.operands[0], symbols);
    if (!size)
      return std::nullopt;
    // Written so that sizes near the end of the range don't overflow.
    int64_t quotient = *size / dim.value + (*size % dim.value != 0);
    if (dim.kind == Dim::Kind::CeilDiv)
      return quotient;
    return multiply(quotient, dim.value);
  }
  case Dim::Kind::Product:
    return evaluateAll(dim, symbols, 1, multiply);
  case Dim::Kind::Sum:
    return evaluateAll(dim, symbols, 0, add);
  }
  return std::nullopt;
}

std::optional<size_t> firstUnknownSymbol(const Dim &dim,
                                         const int64_t *symbols) {
  if (dim.kind == Dim::Kind::Symbol && symbols[dim.value] == unknownSize)
    return static_cast<size_t>(dim.value);
  for (const Dim &operand : dim.operands)
    if (std::optional<size_t> symbol = firstUnknownSymbol(operand, symbols))
      return symbol;
  return std::nullopt;
}

} // namespace mlafuse::rt
