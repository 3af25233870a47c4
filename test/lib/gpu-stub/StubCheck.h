//===- StubCheck.h - a host program for a stub ------------------*- C++ -*-===//
#ifndef MLAFUSE_GPUSTUB_STUBCHECK_H
#define MLAFUSE_GPUSTUB_STUBCHECK_H

// The directory of one vendor's stub has it.
#include "StubApi.h"

#include <cstdio>
#include <string>
#include <vector>

namespace check {

/// Prints what a call returned.
void printed(api::Error error);

/// Ends the program if a call fails that must not.
void must(api::Error error);

/// The bytes of a file, and a NUL.
std::vector<char> readFile(const char *path);

api::Module loadModule(const char *path);
api::Kernel getKernel(api::Module module, const char *name);

/// c = a + b with the kernel vector_add.
struct Addition {
  static constexpr int count = 300;
  static constexpr size_t bytes = count * sizeof(float);
  float *a, *b, *c;
  std::vector<float> host = std::vector<float>(count);
  api::Kernel kernel;

  explicit Addition(api::Module module);
  void fill(float *device, float first);
  api::Error launch(api::Stream stream, unsigned grid = 2, unsigned block = 256,
                    unsigned shared = 0);
  float read(int i);
};

/// What only this vendor has, in the scenario `misuse`: before and after the
/// rest.
void misuseFirst(Addition &add);
void misuseLast(Addition &add);
/// Scenarios of this vendor; false if `scenario` is none of them.
bool runOther(const std::string &scenario, const char *path);

} // namespace check

#endif // MLAFUSE_GPUSTUB_STUBCHECK_H
