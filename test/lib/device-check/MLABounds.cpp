//===- MLABounds.cpp - how near MLA's results must be -----------------===//
#include "MLABounds.h"
#include "ElementType.h"
#include "Elements.h"
#include "FloatFormat.h"
#include "Outputs.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>

namespace mlafuse::rt {
namespace {

std::string numberText(double value) {
  char text[32];
  snprintf(text, sizeof(text), "%.6g", value);
  return text;
}

Error elementsOf(const Argument &argument, const Placement &placement,
                 const MemoryImage &image, Elements &elements) {
  SafeTensor tensor = {
      argument.name, safeTensorsType(argument.type), placement.shape,
      image.data() + placement.begin,
      static_cast<size_t>(placement.elements() * placement.elementBytes)};
  return Elements::make(tensor, encodingOf(argument), elements);
}

Error failed(const Argument &argument, std::string text) {
  return Error(
      MLAFUSE_EXECUTION_FAILED,
      concat({"argument ", quoted(argument.name), ", ", std::move(text)}));
}

std::string headText(int64_t token, int64_t head) {
  return concat(
      {"token ", std::to_string(token), ", head ", std::to_string(head)});
}

bool sameBytes(const Placement &placement, const MemoryImage &a,
               const MemoryImage &b, int64_t first, int64_t count) {
  size_t begin =
      placement.begin + static_cast<size_t>(first * placement.elementBytes);
  return std::memcmp(a.data() + begin, b.data() + begin,
                     static_cast<size_t>(count * placement.elementBytes)) == 0;
}

/// Spacing of the numbers of a format where `value` lies.
double stepAt(double value, int mantissaBits, int smallestExponent) {
  int exponent = smallestExponent;
  if (value != 0)
    exponent = std::max(smallestExponent, std::ilogb(value));
  return std::ldexp(1, exponent - mantissaBits);
}

double codeStep(const Argument &codes, double value) {
  // f4E2M1FN, packed, or f8E4M3FN.
  return codes.type == MLAFUSE_I8 ? stepAt(value, 1, 0) : stepAt(value, 3, -6);
}

/// One token and head of an output.
class RowComparison {
public:
  RowComparison(const Elements &actual, const Elements &expected)
      : actual(actual), expected(expected) {}

  /// Returns ||a - e|| / ||e||: infinite where a number meets a NaN, or a row
  /// of zeros another.
  double compare(int64_t first, int64_t count) {
    double difference = 0, norm = 0;
    worst = first;
    double worstDistance = -1;
    for (int64_t i = first; i < first + count; ++i) {
      bool isNaN = expected.isNaN(i);
      if (isNaN && actual.isNaN(i))
        continue;
      double e = expected.value(i), d = actual.value(i) - e;
      // Of infinities only equal ones are near.
      if (std::isinf(e) && actual.value(i) == e)
        continue;
      double distance = std::isfinite(d) ? std::fabs(d) : INFINITY;
      if (distance > worstDistance) {
        worstDistance = distance;
        worst = i;
      }
      difference += distance * distance;
      norm += e * e;
    }
    if (difference == 0)
      return 0;
    return std::isfinite(difference) && norm > 0 ? std::sqrt(difference / norm)
                                                 : INFINITY;
  }

  std::string worstText() const {
    return concat({"; furthest at ", actual.indexText(worst), ": ",
                   actual.valueText(worst), ", wanted ",
                   expected.valueText(worst)});
  }

private:
  const Elements &actual, &expected;
  int64_t worst = 0;
};

} // namespace

double rowBound(MLAFunction::Op op, mlafuse_type type) {
  switch (op) {
  case MLAFunction::Op::Attention:
    return 4e-3;
  case MLAFunction::Op::Decode:
    // The attention's, and one rounding to 16 bits more of each, of queries, of
    // the attention's output and of the result, 1.1e-3 of a row; a row of few
    // columns scatters around the sum of their squares.
    return 6e-3;
  case MLAFunction::Op::Projection:
    // Sums of f32 in another order: 16-bit results differ where they lie at the
    // edge of two, bf16 by up to 2^-7 of the value; half of a row's magnitude
    // may be in one value.
    return type == MLAFUSE_F32 ? 1e-4 : 0x1p-8;
  }
  return 0;
}

Error compareRows(const Compared &output, TokenRows rows, double bound,
                  MLATally &tally) {
  Elements actual, expected;
  if (Error error =
          elementsOf(output.argument, output.placement, output.actual, actual))
    return error;
  bool hasOtherType = output.expectedArgument != nullptr;
  if (Error error = elementsOf(
          hasOtherType ? *output.expectedArgument : output.argument,
          hasOtherType ? *output.expectedPlacement : output.placement,
          output.expected, expected))
    return error;
  RowComparison comparison(actual, expected);
  int64_t tokens = output.placement.shape[0];
  // [B, S, H, L] or [T, H*V].
  if (output.placement.shape.size() == 4)
    tokens *= output.placement.shape[1];
  int64_t columns =
      tokens ? output.placement.elements() / tokens / rows.heads : 0;
  for (int64_t row = 0; row < tokens * rows.heads; ++row) {
    int64_t token = row / rows.heads, first = row * columns;
    bool isLive = token >= rows.offset && token < rows.offset + rows.live;
    if (!isLive) {
      if (!sameBytes(output.placement, output.before, output.actual, first,
                     columns))
        return failed(output.argument,
                      concat({headText(token, row % rows.heads),
                              ": not a row to be written"}));
      continue;
    }
    ++tally.rows;
    if (!hasOtherType && sameBytes(output.placement, output.actual,
                                   output.expected, first, columns))
      continue;
    double distance = comparison.compare(first, columns);
    tally.worstRow = std::max(tally.worstRow, distance);
    if (distance > bound)
      return failed(output.argument,
                    concat({headText(token, row % rows.heads), ": off by ",
                            numberText(distance), " of the row, at most ",
                            numberText(bound), comparison.worstText()}));
  }
  return {};
}

double lseBound(MLAFunction::Op op) {
  // Absorbed queries are rounded to 16 bits: a sum in another order may round
  // to the neighbour, and scores of some tens move by as much.
  return op == MLAFunction::Op::Decode ? 2e-2 : 1e-3;
}

Error compareLse(const Compared &lse, TokenRows rows, double bound,
                 MLATally &tally) {
  Elements actual, expected;
  if (Error error = elementsOf(lse.argument, lse.placement, lse.actual, actual))
    return error;
  if (Error error =
          elementsOf(lse.argument, lse.placement, lse.expected, expected))
    return error;
  for (int64_t i = 0; i < actual.size(); ++i) {
    int64_t token = i / rows.heads;
    if (token >= rows.live) {
      if (!sameBytes(lse.placement, lse.before, lse.actual, i, 1))
        return failed(lse.argument, concat({headText(token, i % rows.heads),
                                            ": not to be written"}));
      continue;
    }
    double a = actual.value(i), e = expected.value(i);
    if (a == e || (std::isnan(a) && std::isnan(e)))
      continue;
    double distance = std::fabs(a - e);
    if (!(distance <= bound))
      return failed(lse.argument, concat({headText(token, i % rows.heads), ": ",
                                          actual.valueText(i), ", wanted ",
                                          expected.valueText(i)}));
    tally.worstLse = std::max(tally.worstLse, distance);
  }
  return {};
}

int64_t groupColumns(const Argument &codes, int64_t columns) {
  constexpr std::string_view prefix = "codes_g";
  if (codes.name.compare(0, prefix.size(), prefix) != 0)
    return columns;
  return std::strtoll(codes.name.c_str() + prefix.size(), nullptr, 10);
}

namespace {

/// One group of columns under one scale.
class GroupComparison {
public:
  GroupComparison(const Dequantized &values, const Elements &actual,
                  const Elements &expected, const Elements &source,
                  MLATally &tally)
      : values(values), actual(actual), expected(expected), source(source),
        tally(tally) {}

  /// `first`: the group's first element in the codes; `sourceFirst`: in the
  /// source.
  Error compare(int64_t first, int64_t sourceFirst, int64_t count) {
    double a = values.actualScales[first], e = values.expectedScales[first];
    if (a != e && !(std::isnan(a) && std::isnan(e))) {
      ++tally.movedScales;
      if (!isScaleNear(a, e, largestSource(sourceFirst, count)))
        return failed(
            values.codes,
            concat({"group at ", expected.indexText(first), ": scale ",
                    numberText(a), ", wanted ", numberText(e)}));
    }
    double largest = 0;
    for (int64_t i = first; i < first + count; ++i)
      if (!expected.isNaN(i))
        largest = std::max(largest, std::fabs(expected.value(i) * e));
    for (int64_t i = first; i < first + count; ++i)
      if (Error error = compareNumber(i, a, e, largest))
        return error;
    return {};
  }

private:
  double largestSource(int64_t first, int64_t count) const {
    double largest = 0;
    for (int64_t i = first; i < first + count; ++i)
      largest = std::max(largest, std::fabs(source.value(i)));
    return largest;
  }

  bool isScaleNear(double a, double e, double largest) const {
    if (!values.scaleType)
      return false;
    // One code of e4m3; the numbers have the global scale divided out.
    if (*values.scaleType == MLAFUSE_F8E4M3FN) {
      double code =
          roundToType(MLAFUSE_F8E4M3FN, std::fabs(e) * values.globalScale);
      return std::fabs(a - e) * values.globalScale <=
             stepAt(code, 3, -6) * (1 + 1e-5);
    }
    if (std::fabs(a - e) <= scaleBound * std::fabs(e))
      return true;
    // Powers of two: the smaller one ends where the largest code fits exactly.
    double smaller = std::min(a, e);
    bool isStep = std::max(a, e) == 2 * smaller;
    return isStep && std::fabs(largest / (448 * smaller) - 1) <= scaleBound;
  }

  Error compareNumber(int64_t i, double a, double e, double largest) {
    ++tally.codes;
    if (actual.code(i) == expected.code(i) && a == e)
      return {};
    if (actual.isNaN(i) && expected.isNaN(i))
      return {};
    tally.movedCodes += actual.code(i) != expected.code(i);
    double number = actual.value(i) * a, wanted = expected.value(i) * e;
    double allowed = codeStep(values.codes, expected.value(i)) * std::fabs(e) +
                     groupBound * largest;
    if (std::fabs(number - wanted) <= allowed)
      return {};
    return failed(
        values.codes,
        concat({actual.indexText(i), ": ", numberText(number), " (code ",
                actual.valueText(i), ", scale ", numberText(a), "), wanted ",
                numberText(wanted), " (code ", expected.valueText(i),
                ", scale ", numberText(e), ") within ", numberText(allowed)}));
  }

  const Dequantized &values;
  const Elements &actual, &expected, &source;
  MLATally &tally;
};

} // namespace

Error compareDequantized(const Dequantized &values, TokenRows rows,
                         MLATally &tally) {
  Elements actual, expected, source;
  if (Error error = elementsOf(values.codes, values.placement,
                               values.actualCodes, actual))
    return error;
  if (Error error = elementsOf(values.codes, values.placement,
                               values.expectedCodes, expected))
    return error;
  if (Error error = elementsOf(values.sourceArgument, values.sourcePlacement,
                               values.source, source))
    return error;
  int64_t columns = values.sourcePlacement.width;
  int64_t group = groupColumns(values.codes, columns);
  GroupComparison comparison(values, actual, expected, source, tally);
  for (int64_t token = 0; token < rows.live; ++token) {
    ++tally.rows;
    for (int64_t column = 0; column < columns; column += group)
      if (Error error =
              comparison.compare((rows.offset + token) * columns + column,
                                 token * columns + column, group))
        return error;
  }
  return {};
}

} // namespace mlafuse::rt
