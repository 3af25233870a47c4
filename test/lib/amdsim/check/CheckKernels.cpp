//===- CheckKernels.cpp - whole kernels -------------------------------===//
#include "Harness.h"
#include "SmallFloats.h"

#include <algorithm>

namespace amdsim::check {

void checkTranscendentals(Kernels &kernels) {
  constexpr int count = 1000;
  Buffer<float> a(count), b(count), c(count), o(7 * count);
  Random random(1);
  for (int i = 0; i < count; ++i) {
    a[i] = random.unit() * 30 + 0.1f;
    b[i] = random.unit();
  }
  int n = 991;
  kernels.run("vector_add", 4, 256, a, b, c, n);
  {
    Comparison comparison("vector_add");
    for (int i = 0; i < count; ++i) {
      Buffer<float> untouched(1);
      float expected = i < n ? a[i] + b[i] : untouched[0];
      comparison.add(sameBits(expected, c[i]), i, expected, c[i]);
    }
  }
  int all = count;
  kernels.run("transcendentals", 16, 64, a, o, all);
  using Function = double (*)(double);
  struct {
    const char *name;
    Function reference;
    double tolerance;
  } functions[] = {
      {"v_exp", [](double x) { return std::exp2(x); }, 1e-7},
      {"v_log", [](double x) { return std::log2(std::fabs(x)); }, 1e-7},
      {"v_rcp", [](double x) { return 1 / x; }, 1e-7},
      {"v_rsq", [](double x) { return 1 / std::sqrt(std::fabs(x)); }, 1e-7},
      {"exp2", [](double x) { return std::exp2(x); }, 3e-7},
      {"log", [](double x) { return std::log(std::fabs(x)); }, 3e-7},
      {"exp", [](double x) { return std::exp(x); }, 3e-7}};
  for (int k = 0; k < 7; ++k) {
    Comparison comparison(functions[k].name);
    for (int i = 0; i < count; ++i) {
      double expected = functions[k].reference(a[i]);
      double actual = o[k * count + i];
      // A logarithm near 0 has the error of its argument.
      double size = std::max(std::fabs(expected), k == 1 || k == 5 ? 1.0 : 0.0);
      comparison.add(std::fabs(actual - expected) <=
                         functions[k].tolerance * size,
                     i, expected, actual);
    }
  }
}

void checkNorm(Kernels &kernels) {
  SmallFloat fp8 = SmallFloat::fp8(kernels.chip());
  for (int width : {4, 252, 1024, 1536}) {
    constexpr int rows = 5;
    Buffer<float> x(rows * width), weight(width), scales(rows);
    Buffer<uint8_t> codes(rows * width);
    Random random(width);
    for (int i = 0; i < rows * width; ++i)
      x[i] = random.unit();
    for (int i = 0; i < width; ++i)
      weight[i] = random.unit() + 1;
    float epsilon = 1e-6f, limit = static_cast<float>(fp8.largest());
    kernels.run("norm", rows, 256, x, weight, codes, scales, width, epsilon,
                limit);
    Comparison comparison("norm of " + std::to_string(width));
    for (int row = 0; row < rows; ++row) {
      const float *in = x.data() + row * width;
      double sum = 0, largest = 0;
      for (int i = 0; i < width; ++i)
        sum += double(in[i]) * in[i];
      double r = 1 / std::sqrt(sum / width + epsilon);
      for (int i = 0; i < width; ++i)
        largest = std::max(largest, std::fabs(in[i] * r * weight[i]));
      double scale = largest / limit;
      comparison.add(std::fabs(scales[row] - scale) < 1e-6 * scale, row, scale,
                     scales[row]);
      for (int i = 0; i < width; ++i) {
        // The order of the sum may move a value across the middle of two codes.
        double exact = in[i] * r * weight[i] / scale;
        uint32_t code = codes[row * width + i];
        bool isNear = code == fp8.encode(exact * (1 + 1e-6)) ||
                      code == fp8.encode(exact * (1 - 1e-6));
        comparison.add(isNear, row * width + i, fp8.encode(exact), code);
      }
    }
  }
}

void checkBarriers(Kernels &kernels) {
  int wrong[2] = {0, 0};
  for (int k = 0; k < 2; ++k)
    for (uint32_t seed : {0, 1, 3}) {
      Buffer<uint32_t> o(256);
      kernels.seed = seed;
      kernels.run(k == 0 ? "with_barrier" : "without_barrier", 1, 256, o);
      for (uint32_t t = 0; t < 256; ++t)
        wrong[k] += o[t] != 255 - t;
    }
  Comparison comparison("barriers");
  comparison.add(wrong[0] == 0, 0, 0, wrong[0]);
  comparison.add(wrong[1] > 0, 1, 1, wrong[1]);
  Buffer<float> o(64);
  kernels.run("unwritten", 1, 64, o);
  Comparison unwritten("unwritten LDS");
  for (int t = 0; t < 64; ++t)
    unwritten.add(std::isnan(o[t]), t, NAN, o[t]);
}

} // namespace amdsim::check
