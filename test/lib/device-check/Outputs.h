//===- Outputs.h - what two launches wrote, compared ----------*- C++ -*-===//
#ifndef MLAFUSE_TEST_DEVICECHECK_OUTPUTS_H
#define MLAFUSE_TEST_DEVICECHECK_OUTPUTS_H

#include "Images.h"

namespace mlafuse::rt {

/// How far the results of a function may lie from the CPU's.
enum class Strictness {
  Bits, ///< Equal bits, where a NaN equals every NaN.
  /// A sum whose order is free, then one rounding: `norm_..._result`,
  /// `norm_..._contracted` and `norm_..._no_weight`.
  Sum,
  /// The same with a rounding ahead of the weight: every other `norm_...`. A
  /// value that falls to the other side there is one code off, and after the
  /// weight may be two.
  SumRoundedTwice,
  /// An exponential and a logarithm: `merge_...`.
  Exponential
};

/// By the parts of the function's name, as gpu-cases names them.
Strictness strictnessOf(const std::string &function);

/// What elements of i8 and i32 stand for, by the end of the argument's name
/// (codes_e2m1x2), in the words of mlafuse-compare; empty for plain elements.
std::string encodingOf(const Argument &argument);

/// Fails if memory between or around the elements of a destination was changed,
/// or anything of an argument that is only read.
Error checkUntouched(const Argument &argument, const Placement &placement,
                     const MemoryImage &before, const MemoryImage &actual);

/// What was found of one argument in all launches of a function.
struct Tally {
  int64_t compared = 0;
  int64_t differing = 0; ///< Not equal in their bits, both NaN excepted.
  int64_t far = 0;       ///< Of these, further off than a neighbour may be.
  double worst = 0;      ///< Largest distance: relative for f32, else in codes.
  /// The first that is far off, or else that differs:
  /// "[1, 4]: 0.5 (0x3f00), wanted 1 (0x3f80)".
  std::string first;
};

/// Compares the elements of an argument and everything around them: guards and
/// gaps must be those of `before`, and of an argument that is only read all
/// bytes. An error says what else was changed.
Error compareArgument(const Argument &argument, const Placement &placement,
                      Strictness strictness, const MemoryImage &before,
                      const MemoryImage &actual, const MemoryImage &expected,
                      Tally &tally);

/// True for the scales that a function writes, by the argument's name.
bool isScales(const Argument &argument);

/// Whether the tally is within what the strictness allows; otherwise why not.
/// Bits: nothing differs. Otherwise a value at the edge of two roundings may
/// fall to the other side, seldom, and take a scale and the codes of its group
/// with it: `movedScales` is how many scales of the function are far off.
Error judge(const Argument &argument, Strictness strictness, const Tally &tally,
            int64_t movedScales);

} // namespace mlafuse::rt

#endif // MLAFUSE_TEST_DEVICECHECK_OUTPUTS_H
