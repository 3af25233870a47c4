//===- MLABounds.h - how near MLA's results must be -----------*- C++ -*-===//
//
// Matrix units take probabilities of 16 bits and add in an order of their own,
// so a result is near the CPU's and not equal to it. How near is measured where
// it does not depend on chance: by the row, not by the element.
//
//===----------------------------------------------------------------------===//
#ifndef MLAFUSE_TEST_DEVICECHECK_MLABOUNDS_H
#define MLAFUSE_TEST_DEVICECHECK_MLABOUNDS_H

#include "Images.h"
#include "MLAFunction.h"

namespace mlafuse::rt {

/// Largest ||a - e|| / ||e|| of a row, the output of one token and head.
double rowBound(MLAFunction::Op op, mlafuse_type type);

/// Largest distance of two natural logarithms.
double lseBound(MLAFunction::Op op);
/// Largest relative distance of two f32 scales.
constexpr double scaleBound = 1e-2;
/// What a number may be off beyond a step of its format, as a part of the
/// largest magnitude of its group.
constexpr double groupBound = 1e-2;

/// What was found in all comparisons of a function.
struct MLATally {
  int64_t rows = 0;    ///< Compared: of outputs or of codes.
  double worstRow = 0; ///< Of the outputs without a key.
  double worstLse = 0;
  int64_t codes = 0;
  int64_t movedCodes = 0; ///< Other codes than the CPU's.
  int64_t movedScales = 0;
};

/// Where the rows of an output lie: those of `live` tokens behind `offset`.
struct TokenRows {
  int64_t offset = 0, live = 0;
  int64_t heads = 1;
};

/// An argument and its memory as both devices left it.
struct Compared {
  const Argument &argument;
  const Placement &placement;
  const MemoryImage &before, &actual, &expected;
  /// What `expected` is of, if it has another type.
  const Argument *expectedArgument = nullptr;
  const Placement *expectedPlacement = nullptr;
};

/// Rows of floats: those of live tokens near, all others untouched. A row of
/// zeros must be zero, a NaN meet a NaN.
Error compareRows(const Compared &output, TokenRows rows, double bound,
                  MLATally &tally);

/// Logarithms [B, S, H]: those of live tokens near (-inf meets -inf), all
/// others untouched.
Error compareLse(const Compared &lse, TokenRows rows, double bound,
                 MLATally &tally);

/// Codes and scales as numbers. All tensors have a row for each of the output;
/// those of a device are its codes and, by element, its scales in f32.
struct Dequantized {
  const Argument &codes;
  const Placement &placement;
  const MemoryImage &actualCodes, &expectedCodes;
  const float *actualScales, *expectedScales; ///< By element, rows x columns.
  /// By element, behind the offset: what the CPU quantized.
  const MemoryImage &source;
  const Argument &sourceArgument;
  const Placement &sourcePlacement;
  /// f32 or f8E4M3FN; nothing if the scale is an input.
  std::optional<mlafuse_type> scaleType;
  double globalScale = 1;
};

/// Each scale within its bound and each number within a step of its format, at
/// the expected value, and groupBound of its group (static key: of its row). A
/// scale that is a power of two may be the next one where the largest magnitude
/// is within scaleBound of the point at which it changes.
Error compareDequantized(const Dequantized &values, TokenRows rows,
                         MLATally &tally);

/// Columns that share a scale, by the name of the codes; a whole row if the
/// name has none.
int64_t groupColumns(const Argument &codes, int64_t columns);

} // namespace mlafuse::rt

#endif // MLAFUSE_TEST_DEVICECHECK_MLABOUNDS_H
