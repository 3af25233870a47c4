//===- Types.h - types and helpers of both sides ----------------*- C++ -*-===//
#ifndef AMDSIM_CHECK_TYPES_H
#define AMDSIM_CHECK_TYPES_H

using half = _Float16;
using bfloat = __bf16;
#define AMDSIM_VECTORS(type, name)                                             \
  using name##2 = type __attribute__((ext_vector_type(2)));                    \
  using name##4 = type __attribute__((ext_vector_type(4)));                    \
  using name##8 = type __attribute__((ext_vector_type(8)));                    \
  using name##16 = type __attribute__((ext_vector_type(16)));
AMDSIM_VECTORS(float, float)
AMDSIM_VECTORS(half, half)
AMDSIM_VECTORS(bfloat, bfloat)
AMDSIM_VECTORS(int, int)
AMDSIM_VECTORS(short, short)
AMDSIM_VECTORS(unsigned short, ushort)
AMDSIM_VECTORS(signed char, char)
AMDSIM_VECTORS(unsigned char, uchar)
#undef AMDSIM_VECTORS

template <typename T>
constexpr T max(T a, T b) {
  return a > b ? a : b;
}
template <typename T>
constexpr T min(T a, T b) {
  return a < b ? a : b;
}
inline unsigned bitsOf(float x) { return __builtin_bit_cast(unsigned, x); }
inline float fromBits(unsigned x) { return __builtin_bit_cast(float, x); }
inline bool isNumber(float x) { return x == x; }
/// What a conversion to an integer of 32 bits holds.
inline float small(float x) { return __builtin_fabsf(x) < 2e9f ? x : 7.0f; }

#endif // AMDSIM_CHECK_TYPES_H
