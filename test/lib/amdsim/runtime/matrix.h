/*===- matrix.h - MFMA and WMMA ---------------------------------*- C -*-===*/
/* Products are summed as f64 and rounded once; the hardware rounds in between.
 */
#ifndef AMDSIM_MATRIX_H
#define AMDSIM_MATRIX_H

#include "small_floats.h"

typedef enum {
  ELEMENT_F32,
  ELEMENT_F16,
  ELEMENT_BF16,
  ELEMENT_I8,
  ELEMENT_FP8,
  ELEMENT_BF8,
  ELEMENT_F64,
  ELEMENT_XF32,
  ELEMENT_FP6,
  ELEMENT_BF6,
  ELEMENT_FP4,
  ELEMENT_U8,
  ELEMENT_I4,
  ELEMENT_U4,
  ELEMENT_I32
} Element;
static const int elementBits[] = {32, 16, 16, 8, 8, 8, 64, 32,
                                  6,  6,  4,  8, 4, 4, 32};

/* Element j of those that lane l holds in the registers from `r` on. */
static inline f64 matrixElement(Wave *w, Element type, int r, int l, int j) {
  if (type == ELEMENT_F64)
    return D(V64(r + 2 * j));
  int size = elementBits[type], bit = size * j;
  u64 words = w->v[r + bit / 32][l];
  if (bit % 32 + size > 32)
    words |= (u64)w->v[r + bit / 32 + 1][l] << 32;
  u32 c = (u32)(words >> bit % 32 & lanes_below(size));
  switch (type) {
  case ELEMENT_F32:
    return F(c);
  case ELEMENT_XF32: /* 10 bits of mantissa, rounded to nearest even. */
    if ((c & 0x7f800000) != 0x7f800000)
      c = (c + 0xfff + (c >> 13 & 1)) & 0xffffe000;
    return F(c);
  case ELEMENT_F16:
    return H(c);
  case ELEMENT_BF16:
    return B(c);
  case ELEMENT_I8:
    return (i8)c;
  case ELEMENT_I4:
    return (i32)(c << 28) >> 28;
  case ELEMENT_FP8:
    return from_fp8(c);
  case ELEMENT_BF8:
    return from_bf8(c);
  case ELEMENT_FP6:
    return decode(&fp6, c);
  case ELEMENT_BF6:
    return decode(&bf6, c);
  case ELEMENT_FP4:
    return from_fp4(c);
  default:
    return c;
  }
}

/* A block scale of each lane: byte `byte` of a register, or of `constant`. */
typedef struct {
  int r; /* -1: none, -2: the constant. */
  int byte;
  u32 constant;
} Scale;
static inline f64 scaleOf(Wave *w, const Scale *scale, int l) {
  u32 word = scale->r >= 0 ? w->v[scale->r][l] : scale->constant;
  u32 exponent = word >> 8 * scale->byte & 255;
  return exponent == 255 ? NAN : ldexp(1.0, (int)exponent - 127);
}

#if WAVE_SIZE == 64
typedef struct {
  int size, depth, blocks; /* size x size x depth, so many times. */
  Element a, b, result;    /* The result: F32, I32 or F64. */
  int d, ra, rb, rc;       /* Registers; rc < 0: the constant `c`. */
  u64 c;
  int negate; /* Bits: A, B, C; of F64 only. */
  Scale scaleA, scaleB;
} Mfma;

/* Row and column of the result's register r in lane l. */
static inline void mfmaPlace(const Mfma *m, int l, int r, int *block, int *row,
                             int *column) {
  *column = l % m->size;
  if (m->result == ELEMENT_F64) {
    *block = m->size == 16 ? 0 : l % 16 / 4;
    *row = m->size == 16 ? l / 16 + 4 * r : l / 16;
  } else if (m->size == 4) {
    *block = l / 4;
    *row = r;
  } else if (m->size == 16) {
    *block = r / 4;
    *row = 4 * (l / 16) + r % 4;
  } else {
    *block = r / 16;
    *row = 8 * (r % 16 / 4) + 4 * (l / 32) + r % 4;
  }
}

/* Column of A (row of B) of element j in lane l. Eight-bit operands of the
 * deepest forms come in two runs of 16. */
static inline int mfmaDepth(const Mfma *m, Element type, int group, int perLane,
                            int j) {
  if (m->depth * m->size == 2048 && elementBits[type] == 8 && perLane == 32)
    return 16 * group + j % 16 + j / 16 * (m->depth / 2);
  return group * perLane + j;
}

/* Takes no notice of EXEC. */
static void mfma(Wave *w, const Mfma *m) {
  static f64 a[4096], b[4096], scaleA[256], scaleB[256], result[64][32];
  int size = m->size, depth = m->depth;
  int groups = size * m->blocks < 64 ? 64 / (size * m->blocks) : 1;
  int perLane = depth / groups, scales = depth / 32;
  int perResult = MAX(size * size * m->blocks / 64, 1);
  int isSmallF64 = m->result == ELEMENT_F64 && size == 4;
  for (int l = 0; l < 64; l++) {
    int i = l % size, block = m->blocks > 1 ? l / size % m->blocks : 0;
    int group = isSmallF64 ? l / 16 : m->blocks == 1 ? l / size : 0;
    int at = (block * size + i) * depth;
    for (int j = 0; j < (isSmallF64 ? 1 : perLane); j++) {
      a[at + mfmaDepth(m, m->a, group, perLane, j)] =
          matrixElement(w, m->a, m->ra, l, j);
      b[at + mfmaDepth(m, m->b, group, perLane, j)] =
          matrixElement(w, m->b, m->rb, l, j);
    }
    if (m->scaleA.r != -1) {
      scaleA[i * scales + group] = scaleOf(w, &m->scaleA, l);
      scaleB[i * scales + group] = scaleOf(w, &m->scaleB, l);
    }
  }
  for (int l = 0; l < 64; l++)
    for (int r = 0; r < perResult; r++) {
      int block, row, column;
      mfmaPlace(m, l, r, &block, &row, &column);
      const f64 *pa = a + (block * size + row) * depth;
      const f64 *pb = b + (block * size + column) * depth;
      f64 sum = 0, c;
      if (m->scaleA.r == -1)
        for (int k = 0; k < depth; k++)
          sum += pa[k] * pb[k];
      for (int s = 0; m->scaleA.r != -1 && s < scales; s++) {
        f64 part = 0;
        for (int k = 32 * s; k < 32 * s + 32; k++)
          part += pa[k] * pb[k];
        sum += part * scaleA[row * scales + s] * scaleB[column * scales + s];
      }
      if (m->result == ELEMENT_F64)
        c = D(m->rc < 0 ? m->c : V64(m->rc + 2 * r));
      else if (m->result == ELEMENT_I32)
        c = (i32)(m->rc < 0 ? (u32)m->c : V(m->rc + r));
      else
        c = F(m->rc < 0 ? (u32)m->c : V(m->rc + r));
      if (m->negate & 4)
        c = -c;
      if ((m->negate ^ m->negate >> 1) & 1)
        sum = -sum;
      result[l][r] = c + sum;
    }
  for (int l = 0; l < 64; l++)
    for (int r = 0; r < perResult; r++) {
      f64 x = result[l][r];
      if (m->result == ELEMENT_F64)
        setV64(w, m->d + 2 * r, l, UD(x));
      else
        V(m->d + r) = m->result == ELEMENT_I32 ? (u32)(i64)x : U((f32)x);
    }
}
#endif

#if WAVE_SIZE == 32
typedef struct {
  int isGfx12, depth;
  Element a, b, result;
  int d, ra, rb, rc; /* rc < 0: the constant `c`. */
  u32 c;
  int negateC, absoluteC, upperHalf;
} Wmma;

/* 16x16xdepth. gfx11: both halves of the wave hold all of A and B, and result r
 * is row 2r + l / 16. gfx12: the halves share the depth, row 8 (l / 16) + r. */
static void wmma(Wave *w, const Wmma *m) {
  static f64 a[16 * 64], b[16 * 64];
  static u32 result[8][32];
  int perLane = m->isGfx12 ? m->depth / 2 : m->depth;
  int isHalf = m->result == ELEMENT_F16 || m->result == ELEMENT_BF16;
  int isPacked = isHalf && m->isGfx12;
  for (int l = 0; l < (m->isGfx12 ? 32 : 16); l++)
    for (int j = 0; j < perLane; j++) {
      int k = m->isGfx12 ? l / 16 * perLane + j : j;
      a[l % 16 * m->depth + k] = matrixElement(w, m->a, m->ra, l, j);
      b[l % 16 * m->depth + k] = matrixElement(w, m->b, m->rb, l, j);
    }
  memset(result, 0, sizeof result);
  for (int l = 0; l < 32; l++)
    for (int r = 0; r < 8; r++) {
      int row = m->isGfx12 ? 8 * (l / 16) + r : 2 * r + l / 16, column = l % 16;
      int shift = isPacked ? 16 * (r & 1) : isHalf ? 16 * m->upperHalf : 0;
      u32 bits = m->rc < 0 ? m->c : V(m->rc + (isPacked ? r / 2 : r)) >> shift;
      f64 c = m->result == ELEMENT_F16    ? (f64)H(bits)
              : m->result == ELEMENT_BF16 ? (f64)B(bits & 0xffff)
              : m->result == ELEMENT_F32  ? (f64)F(bits)
                                          : (f64)(i32)bits;
      if (m->absoluteC)
        c = fabs(c);
      if (m->negateC)
        c = -c;
      for (int k = 0; k < m->depth; k++)
        c += a[row * m->depth + k] * b[column * m->depth + k];
      if (!isHalf) {
        result[r][l] = m->result == ELEMENT_F32 ? U((f32)c) : (u32)(i64)c;
        continue;
      }
      u32 half = m->result == ELEMENT_F16 ? UH((f16)c) : UB((f32)c);
      if (isPacked)
        result[r / 2][l] |= half << shift;
      else
        result[r][l] = (V(m->d + r) & ~(0xffffu << shift)) | half << shift;
    }
  for (int r = 0; r < (isPacked ? 4 : 8); r++)
    memcpy(w->v[m->d + r], result[r], sizeof result[r]);
}
#endif

#endif
