//===- CheckMemory.cpp - memory of all kinds --------------------------===//
#include "Harness.h"
#include "Types.h"

#include <algorithm>

namespace amdsim::check {
namespace {

template <typename T>
Buffer<T> makeInput(size_t count) {
  Buffer<T> buffer(count);
  Random random(count);
  auto *bytes = reinterpret_cast<unsigned char *>(buffer.data());
  for (size_t i = 0; i < count * sizeof(T); ++i)
    bytes[i] = static_cast<unsigned char>(random.bits() >> 8);
  return buffer;
}

template <typename T>
void compare(const char *what, Buffer<T> &expected, Buffer<T> &actual) {
  Comparison comparison(what);
  for (size_t i = 0; i < expected.size(); ++i)
    comparison.add(sameBits(expected[i], actual[i]), i,
                   static_cast<double>(expected[i]),
                   static_cast<double>(actual[i]));
}

/// Copies `count` elements of so many bytes; the last ones must stay.
void checkCopy(Kernels &kernels, const char *name, size_t bytes) {
  constexpr size_t count = 150, touched = 147;
  Buffer<unsigned char> in = makeInput<unsigned char>(count * bytes);
  Buffer<unsigned char> out(count * bytes), expected(count * bytes);
  std::memcpy(expected.data(), in.data(), touched * bytes);
  int n = touched;
  kernels.run(name, 3, 64, in, out, n);
  compare(name, expected, out);
}

void checkHalves(Kernels &kernels) {
  Buffer<half> a(192), o(128), expected(128);
  Random random(4);
  for (size_t i = 0; i < a.size(); ++i)
    a[i] = static_cast<half>(random.unit());
  for (size_t t = 0; t < 64; ++t) {
    half x = a[t], y = a[t + 64];
    expected[2 * t + 1] = static_cast<half>(x * a[t + 128]) + x;
    expected[2 * t] = static_cast<half>(y * a[t + 1]) + y;
  }
  kernels.run("halves", 1, 64, a, o);
  compare("halves", expected, o);

  Buffer<signed char> bytes = makeInput<signed char>(72);
  Buffer<short> sums(64), wanted(64);
  for (size_t t = 0; t < 64; ++t)
    wanted[t] = static_cast<short>(
        2 * bytes[t] + 2 * static_cast<unsigned char>(bytes[t + 7]));
  kernels.run("bytes", 1, 64, bytes, sums);
  compare("bytes", wanted, sums);
}

void checkLds(Kernels &kernels) {
  Buffer<uint32_t> a = makeInput<uint32_t>(128), o(128), expected(128);
  uint32_t words[1024];
  for (uint32_t t = 0; t < 128; ++t)
    for (uint32_t k = 0; k < 8; ++k)
      words[k * 128 + t] = a[t] + k;
  for (uint32_t t = 0; t < 128; ++t) {
    uint32_t other = 127 - t;
    const uint32_t *w = words + t * 8, *p = words + other * 2;
    uint32_t sum =
        w[0] + 3 * w[1] + 5 * w[2] + 7 * w[3] + 11 * p[0] + 13 * p[1];
    sum += words[other] + words[256 + other] + words[other + 192];
    uint32_t byte = a[other] & 255, word = a[other] >> 3 & 0xffff;
    int own = static_cast<short>(a[t] >> 3);
    expected[t] = sum + byte + word + static_cast<uint32_t>(own);
  }
  kernels.run("through_lds", 1, 128, a, o);
  compare("through_lds", expected, o);
}

void checkOtherSpaces(Kernels &kernels) {
  Buffer<uint32_t> a = makeInput<uint32_t>(64), o(64), expected(64);
  for (uint32_t t = 0; t < 64; ++t) {
    uint32_t array[16], sum = 0;
    for (uint32_t k = 0; k < 16; ++k)
      array[(k + t) & 15] = a[t] * k;
    for (uint32_t k = 0; k < 16; ++k)
      sum = sum * 3 + array[(k * a[t]) & 15];
    expected[t] = sum;
  }
  kernels.run("through_scratch", 1, 64, a, o);
  compare("through_scratch", expected, o);
  for (int odd : {0, 1}) {
    for (uint32_t t = 0; t < 64; ++t)
      expected[t] = (int(t & 1) == odd ? a[t] : t * 5) + 1;
    kernels.run("through_flat", 1, 64, a, o, odd);
    compare("through_flat", expected, o);
  }
}

void checkBuffers(Kernels &kernels) {
  constexpr int bytes = 206, stride = 28;
  Buffer<unsigned char> a = makeInput<unsigned char>(1024);
  Buffer<unsigned char> o(64 * stride + 256), expected(64 * stride + 256);
  // Words and parts of them that end within the buffer.
  auto word = [&](int at) {
    uint32_t x = 0;
    if (at + 4 <= bytes)
      std::memcpy(&x, &a[at], 4);
    return x;
  };
  for (int t = 0; t < 64; ++t) {
    uint32_t x = word(4 * t), y = t < bytes ? a[t] : 0, w[4];
    uint32_t z = 2 * t + 2 <= bytes ? a[2 * t] | a[2 * t + 1] << 8 : 0;
    for (int k = 0; k < 4; ++k)
      w[k] = word(16 * t + 4 * k);
    unsigned char *row = &expected[t * stride];
    uint16_t mixed = static_cast<uint16_t>(y | z << 8);
    std::memcpy(row, &x, 4);
    std::memcpy(row + 4, &mixed, 2);
    row[6] = static_cast<unsigned char>(z);
    row[7] = 7;
    std::memcpy(row + 8, w, 12);
    std::memcpy(row + 20, w + 2, 8);
  }
  int size = bytes;
  kernels.run("buffers", 1, 64, a, o, size);
  compare("buffers", expected, o);
}

void checkAtomics(Kernels &kernels) {
  constexpr uint32_t groups = 2, count = groups * 256;
  Buffer<uint32_t> a(16), old(count), expected(16);
  Buffer<uint64_t> b(2), wide(2);
  Buffer<float> f(1);
  for (size_t k = 0; k < 16; ++k)
    a[k] = expected[k] = k == 4 ? ~0u : 0;
  b[0] = b[1] = wide[0] = wide[1] = 0;
  f[0] = 0;
  expected[7] = 0;
  for (uint32_t i = 0; i < count; ++i) {
    expected[0] += i;
    expected[1] = std::max(expected[1], i * 7 % 512);
    expected[5] ^= i;
    expected[7] = expected[7] * 3 + 1;
    wide[0] += uint64_t(i) << 30;
    wide[1] = std::max(wide[1], uint64_t(i) << 33);
  }
  expected[2] = 1 - count;
  expected[3] = ~0u;
  expected[4] = 0xffff0000;
  expected[6] = count;
  for (uint32_t g = 0; g < groups; ++g)
    for (uint32_t k = 0; k < 4; ++k) {
      uint32_t &sum = expected[8 + 4 * g + k];
      for (uint32_t t = k; t < 256; t += 4)
        sum += t;
    }
  // The last one takes a maximum after each sum, wave by wave or lane by lane.
  kernels.run("atomics", groups, 256, a, b, f, old);
  for (uint32_t g = 0; g < groups; ++g)
    expected[11 + 4 * g] = a[11 + 4 * g];
  compare("atomics", expected, a);
  compare("atomics of 64 bits", wide, b);
  Comparison comparison("atomics, results");
  comparison.add(f[0] == count / 2.0f, 0, count / 2.0f, f[0]);
  comparison.add(a[11] >= 255 * 9, 11, 255 * 9, a[11]);
  std::vector<bool> seen(count);
  for (uint32_t i = 0; i < count; ++i) {
    bool isNew = old[i] < count && !seen[old[i]];
    comparison.add(isNew, i, i, old[i]);
    if (isNew)
      seen[old[i]] = true;
  }
}

} // namespace

void checkMemory(Kernels &kernels) {
  struct {
    const char *name;
    size_t bytes;
  } copies[] = {{"copy_b8", 1},  {"copy_b16", 2},  {"copy_b32", 4},
                {"copy_b64", 8}, {"copy_b96", 12}, {"copy_b128", 16}};
  for (const auto &[name, bytes] : copies)
    checkCopy(kernels, name, bytes);
  checkHalves(kernels);
  checkLds(kernels);
  checkOtherSpaces(kernels);
  checkBuffers(kernels);
  checkAtomics(kernels);
}

} // namespace amdsim::check
