//===- Elements.cpp - elements of a tensor as codes and numbers -------===//
#include "Elements.h"

#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <cstring>

namespace mlafuse::rt {
namespace {

using Special = FloatFormat::Special;

struct Known {
  std::string_view dtype;
  std::string_view encoding;
  int bits;
  bool isInteger;
  FloatFormat format;
};

constexpr FloatFormat e2m1 = {2, 1, 1, true, Special::None};
constexpr FloatFormat e8m0 = {8, 0, 127, false, Special::AllOnes};

constexpr Known knownTypes[] = {
    {"F32", "", 32, false, {8, 23, 127, true, Special::IEEE}},
    {"BF16", "", 16, false, {8, 7, 127, true, Special::IEEE}},
    {"F16", "", 16, false, {5, 10, 15, true, Special::IEEE}},
    {"F8_E5M2", "", 8, false, {5, 2, 15, true, Special::IEEE}},
    {"F8_E4M3", "", 8, false, {4, 3, 7, true, Special::AllOnes}},
    {"F8_E8M0", "", 8, false, e8m0},
    {"U8", "e4m3fnuz", 8, false, {4, 3, 8, true, Special::NegativeZero}},
    {"U8", "e2m1", 8, false, e2m1},
    {"U8", "e2m1x2", 4, false, e2m1},
    {"I32", "e8m0x4", 8, false, e8m0},
    // Rows of several types, of which only the bytes can be compared.
    {"U8", "ds_mla_row", 8, true, {}},
    {"U8", "", 8, true, {}},
    {"I32", "", 32, true, {}},
    {"I64", "", 64, true, {}},
};

} // namespace

Error Elements::make(const SafeTensor &tensor, const std::string &encoding,
                     Elements &elements) {
  for (const Known &known : knownTypes) {
    if (known.dtype != tensor.dtype || known.encoding != encoding)
      continue;
    elements.tensor = tensor;
    elements.isInteger = known.isInteger;
    elements.format = known.format;
    elements.bits = known.bits;
    elements.count = static_cast<int64_t>(tensor.bytes * 8) / known.bits;
    return {};
  }
  return Error(MLAFUSE_INVALID_ARGUMENT,
               concat({"nothing is known of elements of type ", tensor.dtype,
                       encoding.empty() ? "" : ", encoding ", encoding}));
}

uint64_t Elements::code(int64_t index) const {
  // Nibbles and bytes of a word: the lowest first, as bytes of the machine.
  if (bits == 4)
    return tensor.data[index / 2] >> (index % 2 * 4) & 0xF;
  uint64_t result = 0;
  std::memcpy(&result, tensor.data + index * (bits / 8),
              static_cast<size_t>(bits / 8));
  return result;
}

bool Elements::isNaN(int64_t index) const {
  if (isInteger)
    return false;
  uint64_t bitsBelowSign =
      code(index) &
      ((uint64_t(1) << (format.exponentBits + format.mantissaBits)) - 1);
  uint64_t infinity = ((uint64_t(1) << format.exponentBits) - 1)
                      << format.mantissaBits;
  switch (format.special) {
  case Special::None:
    return false;
  case Special::IEEE:
    return bitsBelowSign > infinity;
  case Special::AllOnes:
    return bitsBelowSign ==
           (infinity | ((uint64_t(1) << format.mantissaBits) - 1));
  case Special::NegativeZero:
    return code(index) != 0 && bitsBelowSign == 0;
  }
  return false;
}

double Elements::value(int64_t index) const {
  uint64_t code = this->code(index);
  if (isInteger)
    return bits == 64   ? static_cast<double>(static_cast<int64_t>(code))
           : bits == 32 ? static_cast<int32_t>(code)
                        : static_cast<double>(code);
  uint64_t mantissa = code & ((uint64_t(1) << format.mantissaBits) - 1);
  int exponent = static_cast<int>(code >> format.mantissaBits &
                                  ((1 << format.exponentBits) - 1));
  bool negative =
      format.hasSign &&
      (code >> (format.exponentBits + format.mantissaBits) & 1) != 0;
  double magnitude;
  if (isNaN(index))
    magnitude = NAN;
  else if (format.special == Special::IEEE &&
           exponent == (1 << format.exponentBits) - 1)
    magnitude = INFINITY;
  else if (format.mantissaBits > 0 && exponent == 0)
    magnitude = std::ldexp(mantissa, 1 - format.bias - format.mantissaBits);
  else
    magnitude = std::ldexp(mantissa + (uint64_t(1) << format.mantissaBits),
                           exponent - format.bias - format.mantissaBits);
  return negative ? -magnitude : magnitude;
}

int64_t Elements::ordinal(int64_t index) const {
  int64_t code = static_cast<int64_t>(this->code(index));
  if (isInteger || !format.hasSign)
    return code;
  int64_t sign = int64_t(1) << (format.exponentBits + format.mantissaBits);
  return code & sign ? -(code & (sign - 1)) - 1 : code;
}

std::string Elements::indexText(int64_t index) const {
  std::vector<int64_t> sizes = tensor.shape, place(sizes.size());
  if (!sizes.empty()) {
    int64_t stored = 1;
    for (int64_t size : sizes)
      stored *= size;
    sizes.back() *= count / stored;
  }
  for (size_t d = sizes.size(); d-- > 0; index /= sizes[d])
    place[d] = index % sizes[d];
  return shapeText(place);
}

std::string Elements::valueText(int64_t index) const {
  char text[64];
  snprintf(text, sizeof(text), "%.9g (0x%0*" PRIx64 ")", value(index),
           (bits + 3) / 4, code(index));
  return text;
}

} // namespace mlafuse::rt
