//===- Compare.h - results against golden or other results ----*- C++ -*-===//
#ifndef MLAFUSE_TEST_COMPARE_COMPARE_H
#define MLAFUSE_TEST_COMPARE_COMPARE_H

#include "Elements.h"
#include "Tolerance.h"

namespace mlafuse::rt {

/// A line for each tensor that was compared, and whether all of them were as
/// wanted.
struct Report {
  bool passed = true;
  std::string text;

  void add(bool ok, const std::string &line);
};

/// Compares two tensors of which `encoding` says what they hold.
Error compareTensors(const SafeTensor &actual, const SafeTensor &expected,
                     const std::string &encoding, const Tolerance &tolerance,
                     Report &report);

struct GoldenOptions {
  /// Names of results in the golden file, where they differ.
  std::map<std::string, std::string> names;
  /// Take the outputs of `contracted` numerics where the file has them.
  bool contracted = false;
  /// The results may be some of the file's outputs only.
  bool partial = false;
};

/// Compares every tensor of `actual` with the golden file's output of its name,
/// by the file's own tolerances. An output that `actual` lacks fails.
Error compareGolden(const SafeTensorsFile &actual,
                    const SafeTensorsFile &golden, const GoldenOptions &options,
                    Report &report);

/// Compares the bytes of all tensors of both files.
void compareBits(const SafeTensorsFile &a, const SafeTensorsFile &b,
                 Report &report);

} // namespace mlafuse::rt

#endif // MLAFUSE_TEST_COMPARE_COMPARE_H
