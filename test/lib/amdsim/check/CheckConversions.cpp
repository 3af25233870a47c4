//===- CheckConversions.cpp - FP8, BF8, FP4 ---------------------------===//
#include "Harness.h"
#include "SmallFloats.h"

namespace amdsim::check {
namespace {

bool isSameCode(const SmallFloat &format, uint32_t a, uint32_t b) {
  bool bothNaN = std::isnan(format.decode(a)) && std::isnan(format.decode(b));
  return a == b || bothNaN;
}

/// The format's points, then numbers of all sizes; a multiple of `unit`.
std::vector<float> makeInputs(const SmallFloat &format, size_t unit,
                              float scale) {
  std::vector<float> inputs = format.points();
  for (float &x : inputs)
    x *= scale;
  Random random(7);
  while (inputs.size() < 2048 || inputs.size() % unit != 0)
    inputs.push_back(std::ldexp(random.unit(), int(random.below(40)) - 22) *
                     scale);
  return inputs;
}

void compareFloats(const char *what, Buffer<float> &actual,
                   const SmallFloat &format, float scale) {
  Comparison comparison(what);
  for (size_t i = 0; i < actual.size(); ++i) {
    float expected = static_cast<float>(format.decode(i & 255) * scale);
    comparison.add(sameBits(expected, actual[i]) ||
                       (std::isnan(expected) && std::isnan(actual[i])),
                   i, expected, actual[i]);
  }
}

void compareCodes(const char *what, const std::vector<float> &inputs,
                  const uint8_t *codes, const SmallFloat &format, float scale) {
  Comparison comparison(what);
  for (size_t i = 0; i < inputs.size(); ++i) {
    uint32_t expected = format.encode(double(inputs[i]) / scale);
    comparison.add(isSameCode(format, expected, codes[i]), i, expected,
                   codes[i]);
  }
}

Buffer<float> toBuffer(const std::vector<float> &values) {
  Buffer<float> buffer(values.size());
  for (size_t i = 0; i < values.size(); ++i)
    buffer[i] = values[i];
  return buffer;
}

/// Four codes a word, all of them in order.
Buffer<uint32_t> allCodes() {
  Buffer<uint32_t> codes(64);
  for (uint32_t i = 0; i < 64; ++i)
    codes[i] = 0x03020100 + 0x04040404 * i;
  return codes;
}

} // namespace

void checkConversions(Kernels &kernels) {
  SmallFloat fp8 = SmallFloat::fp8(kernels.chip());
  SmallFloat bf8 = SmallFloat::bf8(kernels.chip());
  for (const SmallFloat *format : {&fp8, &bf8}) {
    std::vector<float> inputs = makeInputs(*format, 256, 1);
    Buffer<float> x = toBuffer(inputs);
    Buffer<uint32_t> f(inputs.size() / 4), b(inputs.size() / 4);
    kernels.run("encode", inputs.size() / 256, 64, x, f, b);
    compareCodes("encode fp8", inputs, reinterpret_cast<uint8_t *>(f.data()),
                 fp8, 1);
    compareCodes("encode bf8", inputs, reinterpret_cast<uint8_t *>(b.data()),
                 bf8, 1);
  }
  Buffer<uint32_t> codes = allCodes();
  for (const char *kernel : {"decode", "decode_pairs"}) {
    Buffer<float> f(256), b(256);
    kernels.run(kernel, 1, 64, codes, f, b);
    compareFloats("decode fp8", f, fp8, 1);
    compareFloats("decode bf8", b, bf8, 1);
  }
}

void checkScaledConversions(Kernels &kernels) {
  SmallFloat fp4 = SmallFloat::fp4(), fp8 = SmallFloat::fp8(kernels.chip());
  for (float scale : {1.0f, 4.0f, 0.125f}) {
    // A NaN has no code of four bits.
    std::vector<float> inputs = makeInputs(fp4, 512, scale);
    for (float &x : inputs)
      x = std::isnan(x) ? 0 : x;
    Buffer<float> x = toBuffer(inputs);
    Buffer<uint32_t> packed(inputs.size() / 8);
    kernels.run("encode_fp4", inputs.size() / 512, 64, x, packed, scale);
    std::vector<uint8_t> codes;
    for (size_t i = 0; i < inputs.size(); ++i)
      codes.push_back(packed[i / 8] >> 4 * (i % 8) & 15);
    compareCodes("encode fp4", inputs, codes.data(), fp4, scale);

    Buffer<uint16_t> halves(inputs.size());
    for (size_t i = 0; i < inputs.size(); ++i) {
      uint32_t bits;
      std::memcpy(&bits, &inputs[i], 4);
      halves[i] = static_cast<uint16_t>(bits >> 16);
      bits &= 0xffff0000;
      std::memcpy(&inputs[i], &bits, 4);
    }
    kernels.run("encode_fp4_bf16", inputs.size() / 512, 64, halves, packed,
                scale);
    for (size_t i = 0; i < inputs.size(); ++i)
      codes[i] = packed[i / 8] >> 4 * (i % 8) & 15;
    compareCodes("encode fp4 of bf16", inputs, codes.data(), fp4, scale);

    Buffer<float> decoded(512);
    Buffer<uint32_t> all(64);
    for (uint32_t i = 0; i < 64; ++i)
      all[i] = i % 2 == 0 ? 0x76543210 : 0xfedcba98;
    kernels.run("decode_fp4", 1, 64, all, decoded, scale);
    Comparison comparison("decode fp4");
    for (size_t i = 0; i < 512; ++i)
      comparison.add(decoded[i] == fp4.decode(i % 16) * scale, i,
                     fp4.decode(i % 16) * scale, decoded[i]);

    inputs = makeInputs(fp8, 256, scale);
    Buffer<float> y = toBuffer(inputs);
    Buffer<uint32_t> bytes(inputs.size() / 4);
    kernels.run("encode_fp8", inputs.size() / 256, 64, y, bytes, scale);
    compareCodes("encode fp8 with a scale", inputs,
                 reinterpret_cast<uint8_t *>(bytes.data()), fp8, scale);
    Buffer<uint32_t> eight = allCodes();
    Buffer<float> back(256);
    kernels.run("decode_fp8", 1, 64, eight, back, scale);
    compareFloats("decode fp8 with a scale", back, fp8, scale);
  }
}

} // namespace amdsim::check
