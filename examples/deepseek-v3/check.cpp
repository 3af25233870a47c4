//===- check.cpp - are the example's numbers right? -----------------------===//
//
// Usage: deepseek-v3-check INPUTS UNFUSED FUSED (safetensors files)
//
// Passes if the fused run gives the unfused run's outputs bit for bit, and both
// are close to an independent computation.
//
//===----------------------------------------------------------------------===//

#include "Geometry.h"
#include "Numbers.h"
#include "Reference.h"

#include <cstdio>

using namespace deepseek_v3;
using mlafuse::rt::Error;
using mlafuse::rt::SafeTensor;
using mlafuse::rt::SafeTensorsFile;

/// Sums in another order round to another bf16 here and there. A relative change
/// d of a value moves its FP8 code, by a step of 1/16, with probability 16 d: noise
/// of sqrt(d / 16), which is 1 to 2e-2 for the d of one moved code of q.
static constexpr double kRowTolerance = 3e-2;

static bool compareBits(const SafeTensorsFile &unfused,
                        const SafeTensorsFile &fused) {
  bool equal = unfused.getTensors().size() == fused.getTensors().size();
  for (const SafeTensor &expected : unfused.getTensors()) {
    const SafeTensor *actual = fused.find(expected.name);
    if (!actual || actual->shape != expected.shape ||
        actual->dtype != expected.dtype) {
      std::printf("  %-14s missing from the fused run, or of another type\n",
                  expected.name.c_str());
      equal = false;
      continue;
    }
    size_t differing = 0;
    for (size_t i = 0; i < expected.bytes; ++i)
      differing += expected.data[i] != actual->data[i];
    std::printf("  %-14s %s %s: %zu of %zu bytes differ\n",
                expected.name.c_str(), expected.dtype.c_str(),
                mlafuse::rt::shapeText(expected.shape).c_str(), differing,
                expected.bytes);
    equal &= differing == 0;
  }
  return equal;
}

static bool compareWithReference(const SafeTensor &output,
                                 const std::vector<float> &reference) {
  bool close = true;
  const auto *values = reinterpret_cast<const uint16_t *>(output.data);
  for (int64_t t = 0; t < kTokens; ++t) {
    double error = 0, norm = 0;
    for (int64_t i = t * kHidden; i < (t + 1) * kHidden; ++i) {
      double difference = fromBF16(values[i]) - reference[i];
      error += difference * difference;
      norm += static_cast<double>(reference[i]) * reference[i];
    }
    double relative = std::sqrt(error / norm);
    std::printf("  request of %4lld tokens: ||actual - reference|| / "
                "||reference|| = %.2e\n",
                static_cast<long long>(kLengths[t]), relative);
    // Not a number fails too.
    close &= relative <= kRowTolerance;
  }
  return close;
}

int main(int argc, char **argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: %s INPUTS UNFUSED FUSED\n", argv[0]);
    return 2;
  }
  SafeTensorsFile inputs, unfused, fused;
  SafeTensorsFile *files[] = {&inputs, &unfused, &fused};
  for (int i = 0; i < 3; ++i)
    if (Error error = files[i]->open(argv[i + 1])) {
      std::fprintf(stderr, "%s: error: %s\n", argv[0],
                   error.getText().c_str());
      return 2;
    }

  std::printf("fused against unfused, bit for bit:\n");
  bool equal = compareBits(unfused, fused);

  const SafeTensor *output = fused.find("output");
  if (!output || output->dtype != "BF16" ||
      output->shape != std::vector<int64_t>{kTokens, kHidden}) {
    std::fprintf(stderr, "%s: error: '%s' has no tensor 'output' of BF16 [%lld, %lld]\n",
                 argv[0], argv[3], static_cast<long long>(kTokens),
                 static_cast<long long>(kHidden));
    return 2;
  }
  std::printf("fused against a reference in plain C++:\n");
  std::string missing;
  std::vector<float> reference = computeReference(inputs, missing);
  if (!missing.empty()) {
    std::fprintf(stderr, "%s: error: '%s' has no tensor '%s'\n", argv[0],
                 argv[1], missing.c_str());
    return 2;
  }
  bool close = compareWithReference(*output, reference);

  if (!equal)
    std::printf("FAILED: the fused run differs from the unfused one\n");
  if (!close)
    std::printf("FAILED: a row is further than %.0e from the reference\n",
                kRowTolerance);
  if (equal && close)
    std::printf("OK: right numbers\n");
  return equal && close ? 0 : 1;
}
