//===- CheckMatrices.cpp - MFMA and WMMA by their layouts -------------===//
#include "Harness.h"
#include "SmallFloats.h"
#include "Types.h"

#include <functional>

namespace amdsim::check {
namespace {

/// Where an instruction has its operands: `size` x `size` x `depth`. Lane l
/// holds `perLane` neighbours of row (column) l % size, from depth l / size *
/// perLane.
struct Shape {
  const char *kernel;
  int size, depth, wave;
};

/// Row of result r in lane l; its column is l % size.
int resultRow(const Shape &shape, int l, int r) {
  if (shape.wave == 32)
    return 8 * (l / 16) + r;
  if (shape.size == 16)
    return 4 * (l / 16) + r;
  return 8 * (r / 4) + 4 * (l / 32) + r % 4;
}

/// `make` gives a random element and its value.
template <typename T, typename C>
void checkShape(Kernels &kernels, const Shape &shape,
                const std::function<T(Random &)> &make,
                const std::function<double(T)> &value) {
  if (!kernels.has(shape.kernel))
    return;
  int lanes = shape.wave, perLane = shape.size * shape.depth / lanes;
  int results = shape.size * shape.size / lanes;
  Buffer<T> a(lanes * perLane), b(lanes * perLane);
  Buffer<C> c(lanes * results);
  Random random(3);
  for (size_t i = 0; i < a.size(); ++i) {
    a[i] = make(random);
    b[i] = make(random);
  }
  for (size_t i = 0; i < c.size(); ++i)
    c[i] = static_cast<C>(static_cast<int>(random.below(19)) - 9);
  auto at = [&](Buffer<T> &matrix, int i, int k) {
    return value(
        matrix[(k / perLane * shape.size + i) * perLane + k % perLane]);
  };
  std::vector<double> expected, magnitude;
  for (int l = 0; l < lanes; ++l)
    for (int r = 0; r < results; ++r) {
      double sum = static_cast<double>(c[l * results + r]);
      double size = std::fabs(sum);
      for (int k = 0; k < shape.depth; ++k) {
        double product =
            at(a, resultRow(shape, l, r), k) * at(b, l % shape.size, k);
        sum += product;
        size += std::fabs(product);
      }
      expected.push_back(sum);
      magnitude.push_back(size);
    }
  kernels.run(shape.kernel, 1, lanes, a, b, c);
  Comparison comparison(shape.kernel);
  for (size_t i = 0; i < c.size(); ++i) {
    double actual = static_cast<double>(c[i]);
    comparison.add(std::fabs(actual - expected[i]) <= 2e-7 * magnitude[i], i,
                   expected[i], actual);
  }
}

/// Of floats that 16 bits or fewer hold.
template <typename T>
T makeFloat(Random &random) {
  return static_cast<T>(random.unit());
}
template <typename T>
double valueOf(T x) {
  return static_cast<double>(static_cast<float>(x));
}
uint16_t makeBFloat(Random &random) {
  return static_cast<uint16_t>(bitsOf(random.unit()) >> 16);
}
double bfloatValue(uint16_t x) { return fromBits(uint32_t(x) << 16); }

} // namespace

void checkMatrices(Kernels &kernels) {
  SmallFloat fp8 = SmallFloat::fp8(kernels.chip());
  auto makeFp8 = [&](Random &random) {
    // No NaN, whichever flavour.
    return static_cast<uint8_t>(random.below(0x70) | random.below(2) << 7 | 1);
  };
  auto fp8Value = [&](uint8_t code) { return fp8.decode(code); };
  checkShape<uint16_t, float>(kernels, {"bf16_16x16x16", 16, 16, 64},
                              makeBFloat, bfloatValue);
  checkShape<half, float>(kernels, {"f16_32x32x8", 32, 8, 64}, makeFloat<half>,
                          valueOf<half>);
  checkShape<uint8_t, float>(kernels, {"fp8_16x16x32", 16, 32, 64}, makeFp8,
                             fp8Value);
  checkShape<int8_t, int32_t>(
      kernels, {"i8_16x16x32", 16, 32, 64},
      [](Random &random) { return static_cast<int8_t>(random.bits()); },
      valueOf<int8_t>);
  checkShape<float, float>(kernels, {"f32_16x16x4", 16, 4, 64},
                           makeFloat<float>, valueOf<float>);
  checkShape<uint16_t, float>(kernels, {"bf16_16x16x32", 16, 32, 64},
                              makeBFloat, bfloatValue);
  checkShape<half, float>(kernels, {"f16_32x32x16", 32, 16, 64},
                          makeFloat<half>, valueOf<half>);
  checkShape<uint16_t, float>(kernels, {"wmma_bf16", 16, 16, 32}, makeBFloat,
                              bfloatValue);
  checkShape<half, float>(kernels, {"wmma_f16", 16, 16, 32}, makeFloat<half>,
                          valueOf<half>);
  checkShape<uint8_t, float>(kernels, {"wmma_fp8", 16, 16, 32}, makeFp8,
                             fp8Value);
}

/// A lane holds two runs of 16 FP8 codes, or one of 32 FP4 codes, of a row, and
/// the scale of one block of 32.
void checkScaledMatrices(Kernels &kernels) {
  constexpr int size = 16, depth = 128;
  Buffer<uint8_t> a(64 * 32), b(64 * 32), scaleA(64 * 4), scaleB(64 * 4);
  Buffer<float> d(2 * 64 * 4);
  Random random(9);
  for (size_t i = 0; i < a.size(); ++i) {
    a[i] = static_cast<uint8_t>(random.below(0x70));
    b[i] = static_cast<uint8_t>(random.below(0x70));
  }
  for (size_t i = 0; i < scaleA.size(); ++i) {
    scaleA[i] = static_cast<uint8_t>(120 + random.below(14));
    scaleB[i] = static_cast<uint8_t>(120 + random.below(14));
  }
  kernels.run("scaled", 1, 64, a, b, scaleA, scaleB, d);
  SmallFloat fp8 = SmallFloat::fp8(kernels.chip()), fp4 = SmallFloat::fp4();
  auto element = [&](Buffer<uint8_t> &matrix, int i, int k, bool isFp4) {
    if (isFp4) {
      uint8_t byte = matrix[(k / 32 * size + i) * 32 + k % 32 / 2];
      return fp4.decode(byte >> 4 * (k % 2) & 15);
    }
    int lane = k % 64 / 16 * size + i;
    return fp8.decode(matrix[lane * 32 + k / 64 * 16 + k % 16]);
  };
  auto scale = [&](Buffer<uint8_t> &scales, int i, int k, int byte) {
    return std::ldexp(1.0, scales[(k / 32 * size + i) * 4 + byte] - 127);
  };
  Comparison comparison("scaled products");
  for (int form = 0; form < 2; ++form)
    for (int l = 0; l < 64; ++l)
      for (int r = 0; r < 4; ++r) {
        int row = 4 * (l / 16) + r, column = l % 16;
        double sum = 0, magnitude = 0;
        for (int k = 0; k < depth; ++k) {
          double product =
              element(a, row, k, form) * scale(scaleA, row, k, form) *
              element(b, column, k, form) * scale(scaleB, column, k, 2 * form);
          sum += product;
          magnitude += std::fabs(product);
        }
        float actual = d[form * 256 + l * 4 + r];
        comparison.add(std::fabs(actual - sum) <= 2e-7 * magnitude, l, sum,
                       actual);
      }
  Buffer<int16_t> in(256), out(256);
  Buffer<int32_t> words(256), moved(256);
  for (size_t i = 0; i < in.size(); ++i) {
    in[i] = static_cast<int16_t>(random.bits());
    words[i] = static_cast<int32_t>(random.bits());
  }
  kernels.run("transposed", 1, 64, in, out);
  kernels.run("direct_to_lds", 1, 64, words, moved);
  Comparison transposed("transposed"), direct("direct_to_lds");
  for (int l = 0; l < 64; ++l)
    for (int k = 0; k < 4; ++k) {
      int source = l / 16 * 16 + 4 * k + l % 16 / 4;
      int16_t wanted = in[source * 4 + l % 4];
      transposed.add(out[l * 4 + k] == wanted, l, wanted, out[l * 4 + k]);
      int32_t word = words[4 * (63 - l) + k];
      direct.add(moved[4 * l + k] == word, l, word, moved[4 * l + k]);
    }
}

} // namespace amdsim::check
