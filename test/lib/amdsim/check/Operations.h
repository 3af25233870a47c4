//===- Operations.h - expressions to compare --------------------*- C++ -*-===//
//
// OPERATION(name, type, result, expression of a, b, c and the index i)
//
// Compiled for the device into a kernel each, and for the host as the
// reference. Results are compared bit by bit; a NaN equals any other.
//
//===----------------------------------------------------------------------===//

// Arithmetic of floats. Division and square root are exact sequences.
OPERATION(f32_add, float, float, a + b)
OPERATION(f32_sub, float, float, a - b)
OPERATION(f32_mul, float, float, a *b)
OPERATION(f32_div, float, float, a / b)
OPERATION(f32_rcp, float, float, 1.0f / a)
OPERATION(f32_sqrt, float, float, __builtin_sqrtf(__builtin_fabsf(a)))
OPERATION(f32_rsqrt, float, float, 1.0f / __builtin_sqrtf(__builtin_fabsf(a)))
OPERATION(f32_fma, float, float, __builtin_fmaf(a, b, c))
OPERATION(f32_fnma, float, float, __builtin_fmaf(-a, b, -c))
OPERATION(f32_max, float, float,
          isNumber(a) && isNumber(b) && a != b ? __builtin_fmaxf(a, b) : c)
OPERATION(f32_min, float, float,
          isNumber(a) && isNumber(b) && a != b ? __builtin_fminf(a, b) : c)
OPERATION(f32_max_nan, float, float, __builtin_fmaxf(a, __builtin_nanf("")))
OPERATION(f32_maximum, float, float, __builtin_elementwise_maximum(a, b))
OPERATION(f32_minimum, float, float, __builtin_elementwise_minimum(a, b))
OPERATION(f32_clamp, float, float, a >= b ? (a <= c ? a : c) : b)
OPERATION(f32_abs_sum, float, float,
          __builtin_fabsf(a) + __builtin_fabsf(b) - __builtin_fabsf(c))
OPERATION(f32_copysign, float, float, __builtin_copysignf(a, b))
OPERATION(f32_floor, float, float, __builtin_floorf(a))
OPERATION(f32_ceil, float, float, __builtin_ceilf(a))
OPERATION(f32_trunc, float, float, __builtin_truncf(a))
OPERATION(f32_rint, float, float, __builtin_rintf(a))
OPERATION(f32_roundeven, float, float, __builtin_roundevenf(a))
OPERATION(f32_round, float, float, __builtin_roundf(a))
OPERATION(f32_ldexp, float, float, __builtin_ldexpf(a, i % 300 - 150))
OPERATION(f32_is_nan, float, unsigned, a != a)
OPERATION(f32_is_inf, float, unsigned, __builtin_isinf(a))
OPERATION(f32_is_finite, float, unsigned, __builtin_isfinite(a))
OPERATION(f32_is_normal, float, unsigned, __builtin_isnormal(a))
OPERATION(f32_less, float, unsigned,
          (a < b) + 2 * (a <= b) + 4 * (a == b) + 8 * (a != b) + 16 * !(a < c))
OPERATION(f32_unordered, float, unsigned,
          __builtin_isunordered(a, b) + 2 * __builtin_islessgreater(a, b))
OPERATION(f32_bits, float, unsigned, (bitsOf(a) & 0x7f800000) >> 23)
OPERATION(f32_exponent, float, float,
          fromBits((bitsOf(a) + 0x7fffff) & 0x7f800000))
OPERATION(f64_add, double, double, a + b)
OPERATION(f64_mul, double, double, a *b - c)
OPERATION(f64_div, double, double, a / b)
OPERATION(f64_sqrt, double, double, __builtin_sqrt(__builtin_fabs(a)))
OPERATION(f64_fma, double, double, __builtin_fma(a, b, c))
OPERATION(f64_floor, double, double, __builtin_floor(a))
OPERATION(f64_less, double, unsigned, (a < b) + 2 * (a != c))
OPERATION(f16_add, half, half, a + b)
OPERATION(f16_mul, half, half, a *b)
OPERATION(f16_div, half, half, a / b)
OPERATION(f16_neg, half, half, -a - b)
OPERATION(f16_less, half, unsigned, (a < b) + 2 * (a == c))
OPERATION(f16_floor, half, half, __builtin_elementwise_floor(a))
OPERATION(f16_maximum, half, half, __builtin_elementwise_maximum(a, b))
OPERATION(f16_fma, half, half, __builtin_elementwise_fma(a, b, c))
OPERATION(bf16_add, bfloat, bfloat, a + b)
OPERATION(bf16_mul, bfloat, bfloat, a *b)
OPERATION(bf16_div, bfloat, bfloat, a / b)
OPERATION(bf16_less, bfloat, unsigned, (a < b) + 2 * (a == c))
OPERATION(bf16_abs, bfloat, bfloat, __builtin_elementwise_abs(a))

// Pairs, which packed instructions take.
OPERATION(f32x2_add, float2, float2, a + b)
OPERATION(f32x2_mul, float2, float2, a *b)
OPERATION(f32x2_fma, float2, float2, __builtin_elementwise_fma(a, b, c))
OPERATION(f32x2_neg, float2, float2, a *b - c * 3.0f)
OPERATION(f32x2_swap, float2, float2, a.yx *b + c.xx)
OPERATION(f32x4_scale, float4, float4, a *b.wzyx + 0.5f)
OPERATION(f16x2_add, half2, half2, a + b)
OPERATION(f16x2_mul, half2, half2, a *b.yx)
OPERATION(f16x2_fma, half2, half2, __builtin_elementwise_fma(a, b, -c))
OPERATION(f16x4_add, half4, half4, a - b + c)
OPERATION(bf16x2_add, bfloat2, bfloat2, a + b)
OPERATION(bf16x4_mul, bfloat4, bfloat4, a *b)
OPERATION(i16x2_add, short2, short2, a + b - c)
OPERATION(i16x2_mul, short2, short2, a *b)
OPERATION(i16x2_max, short2, short2, __builtin_elementwise_max(a, b))
OPERATION(u16x2_min, ushort2, ushort2, __builtin_elementwise_min(a, b))
OPERATION(u16x2_shift, ushort2, ushort2, (a << 3) ^ (b >> 2))
OPERATION(i8x4_add, char4, char4, a + b)
OPERATION(i8x16_max, char16, char16, __builtin_elementwise_max(a, b))

// Conversions.
OPERATION(f32_to_f16, float, half, (half)a)
OPERATION(f32_to_bf16, float, bfloat, (bfloat)a)
OPERATION(f16_to_f32, half, float, (float)a)
OPERATION(bf16_to_f32, bfloat, float, (float)a)
OPERATION(f32_to_f64, float, double, (double)a *b)
OPERATION(f64_to_f32, double, float, (float)a)
OPERATION(f32_to_i32, float, int, (int)small(a))
OPERATION(f32_to_u32, float, unsigned, (unsigned)__builtin_fabsf(small(a)))
OPERATION(f32_to_i64, float, long long, (long long)small(a))
OPERATION(f32_to_u8, float, unsigned char, (unsigned char)(bitsOf(a) >> 20))
OPERATION(f64_to_i64, double, long long,
          (long long)(__builtin_fabs(a) < 1e15 ? a : 7.0))
OPERATION(i32_to_f32, int, float, (float)a)
OPERATION(u32_to_f32, unsigned, float, (float)a)
OPERATION(i64_to_f32, long long, float, (float)a)
OPERATION(u64_to_f32, unsigned long long, float, (float)a)
OPERATION(i64_to_f64, long long, double, (double)a)
OPERATION(i32_to_bf16, int, bfloat, (bfloat)(float)a)
OPERATION(i16_to_f16, short, half, (half)a)
OPERATION(u8_to_f32, unsigned char, float, (float)a)
OPERATION(u8x4_to_f32, uchar4, float4, __builtin_convertvector(a, float4))
OPERATION(f32x2_to_f16, float2, half2, __builtin_convertvector(a, half2))
OPERATION(f32x2_to_bf16, float2, bfloat2, __builtin_convertvector(a, bfloat2))
OPERATION(f32x8_to_bf16, float8, bfloat8,
          __builtin_convertvector(a *b, bfloat8))
OPERATION(bf16x8_to_f32, bfloat8, float8,
          __builtin_convertvector(a, float8) * 2.5f)
OPERATION(f16x8_to_f32, half8, float8,
          __builtin_convertvector(a, float8) + 1.0f)
OPERATION(f16_mixed, half, float, (float)a *(float)b + (float)c)
OPERATION(f16_mixed_low, half, half,
          (half)__builtin_fmaf((float)a, (float)b, (float)c))

// Integers.
OPERATION(i32_add, int, int, (int)((unsigned)a + (unsigned)b))
OPERATION(u32_mul, unsigned, unsigned, a *b)
OPERATION(u32_mul_high, unsigned, unsigned,
          (unsigned)(((unsigned long long)a * b) >> 32))
OPERATION(i32_mul_high, int, int, (int)(((long long)a * b) >> 32))
OPERATION(u32_mul24, unsigned, unsigned, (a & 0xffffff) * (b & 0xffffff) + c)
OPERATION(i32_div, int, int, a / ((b & 0xffff) + 1))
OPERATION(u32_div, unsigned, unsigned, a / ((b >> 3) + 1))
OPERATION(u32_rem, unsigned, unsigned, a % (b | 1))
OPERATION(u32_div_constant, unsigned, unsigned, a / 7168u + a % 129u)
OPERATION(i32_shift, int, int, a >> (b & 31))
OPERATION(u32_shift, unsigned, unsigned, (a << (b & 31)) | (a >> (c & 31)))
OPERATION(u32_rotate, unsigned, unsigned, __builtin_rotateleft32(a, b & 31))
OPERATION(u32_funnel, unsigned, unsigned,
          (unsigned)((((unsigned long long)a << 32) | b) >> (c & 31)))
OPERATION(u32_logic, unsigned, unsigned, ((a & b) | (~a & c)) ^ (a | c))
OPERATION(u32_field, unsigned, unsigned, (a >> 7 & 0x1f) + (b >> 11 & 0x3ff))
OPERATION(i32_field, int, int, (int)((unsigned)a << 9) >> 21)
OPERATION(u32_count, unsigned, unsigned, (unsigned)__builtin_popcount(a) + c)
OPERATION(u32_leading, unsigned, unsigned, a ? (unsigned)__builtin_clz(a) : 32u)
OPERATION(u32_trailing, unsigned, unsigned,
          a ? (unsigned)__builtin_ctz(a) : 32u)
OPERATION(u32_reverse, unsigned, unsigned, __builtin_bitreverse32(a))
OPERATION(u32_swap, unsigned, unsigned, __builtin_bswap32(a))
OPERATION(i32_max3, int, int, max(max(a, b), c))
OPERATION(i32_min3, int, int, min(min(a, b), c))
OPERATION(u32_median, unsigned, unsigned, max(min(a, b), min(max(a, b), c)))
OPERATION(i32_abs, int, int, a < 0 ? (int)(0u - (unsigned)a) : a)
OPERATION(u32_saturate, unsigned, unsigned, __builtin_elementwise_add_sat(a, b))
OPERATION(u32_difference, unsigned, unsigned,
          __builtin_elementwise_sub_sat(a, b))
OPERATION(i32_select, int, int, a < b ? b : c)
OPERATION(i64_add, long long, long long,
          (long long)((unsigned long long)a + (unsigned long long)b))
OPERATION(u64_mul, unsigned long long, unsigned long long, a *b)
OPERATION(u64_mad, unsigned long long, unsigned long long,
          (unsigned long long)(unsigned)a *(unsigned)b + c)
OPERATION(i64_shift, long long, long long, a >> (b & 63))
OPERATION(u64_shift, unsigned long long, unsigned long long,
          (a << (b & 63)) ^ (a >> (c & 63)))
OPERATION(i64_less, long long, unsigned, (a < b) + 2 * (a == c))
OPERATION(u64_div, unsigned long long, unsigned long long,
          a / ((b & 0xffffff) + 1))
OPERATION(i64_max, long long, long long, max(a, b))
OPERATION(i16_add, short, short, (short)(a + b * c))
OPERATION(u16_max, unsigned short, unsigned short, max(a, b))
OPERATION(u16_shift, unsigned short, unsigned short,
          (unsigned short)(a << (b & 15)))
OPERATION(i16_shift, short, short, (short)(a >> (b & 15)))
OPERATION(i8_add, signed char, signed char, (signed char)(a + b))
OPERATION(u8_average, unsigned char, unsigned char,
          (unsigned char)((a + b + 1) / 2))
OPERATION(u8x4_bytes, uchar4, uchar4, (a ^ b).wzyx)
OPERATION(u8x2_pack, uchar2, unsigned short, (unsigned short)(a.x | a.y << 8))
OPERATION(u32_e8m0, unsigned, unsigned, ((a >> 23) & 255) << (8 * (i & 3)))
OPERATION(u32_bytes, unsigned, unsigned, (a & 0xff00ff00u) | (b & 0x00ff00ffu))
