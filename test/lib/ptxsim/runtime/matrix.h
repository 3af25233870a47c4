/*===- matrix.h - matrix products -------------------------------*- C -*-===*/
/* Layouts: PTX ISA, "Warp Level Matrix Multiply-Accumulate Instructions" and
 * "Asynchronous Warpgroup Level Matrix Instructions". */
#ifndef PTXSIM_MATRIX_H
#define PTXSIM_MATRIX_H

#include "copies.h"
#include "warp.h"

f32 fromF16(u32 bits) { return (f32)H(bits & 0xffff); }
f32 fromBF16(u32 bits) { return B(bits & 0xffff); }

/* ldmatrix and stmatrix of 8x8 elements of 16 bits. */
typedef struct {
  u64 address;
  u32 count, transposed;
  u32 *registers;
} MatrixAccess;
static u8 *matrixElement(void **operands, u32 matrix, u32 row, u32 column) {
  const MatrixAccess *a = operands[8 * matrix + row];
  return block.shared + a->address + 2 * column;
}
static void moveMatrices(void **operands, int isLoad) {
  const MatrixAccess *first = operands[0];
  for (u32 lane = 0; lane < 8 * first->count; lane++) {
    u64 address = ((MatrixAccess *)operands[lane])->address;
    checkShared(address, 16, 16);
    if (!isLoad)
      markWritten(address, 16);
  }
  for (u32 lane = 0; lane < WARP_SIZE; lane++) {
    MatrixAccess *a = operands[lane];
    for (u32 m = 0; m < a->count; m++)
      for (u32 half = 0; half < 2; half++) {
        u32 row = lane / 4, column = lane % 4 * 2 + half;
        u8 *element = a->transposed ? matrixElement(operands, m, column, row)
                                    : matrixElement(operands, m, row, column);
        u8 *place = (u8 *)&a->registers[m] + 2 * half;
        memcpy(isLoad ? place : element, isLoad ? element : place, 2);
      }
  }
}
static void loadMatrixLanes(u32 members, void **operands) {
  (void)members;
  moveMatrices(operands, 1);
}
/* A store marks units for the lane that comes last, which runs this. */
static void storeMatrixLanes(u32 members, void **operands) {
  (void)members;
  moveMatrices(operands, 0);
}
void loadMatrix(const char *at, u64 address, u32 count, u32 transposed,
                u32 *registers) {
  MatrixAccess a = {address, count, transposed, registers};
  meetAligned(at, loadMatrixLanes, &a);
}
void storeMatrix(const char *at, u64 address, u32 count, u32 transposed,
                 u32 *registers) {
  MatrixAccess a = {address, count, transposed, registers};
  meetAligned(at, storeMatrixLanes, &a);
}

/* mma.sync.m16n8k16 with f32 sums: d is c at first. */
typedef struct {
  Decode *decode;
  const u32 *a, *b;
  f32 *d;
} WarpProduct;
static f32 half16(Decode *decode, u32 word, u32 half) {
  return decode(word >> 16 * half & 0xffff);
}
static void multiplyLanes(u32 members, void **operands) {
  (void)members;
  f32 a[16][16], b[16][8];
  for (u32 lane = 0; lane < WARP_SIZE; lane++) {
    const WarpProduct *p = operands[lane];
    for (u32 i = 0; i < 4; i++)
      for (u32 h = 0; h < 2; h++)
        a[lane / 4 + 8 * (i % 2)][lane % 4 * 2 + 8 * (i / 2) + h] =
            half16(p->decode, p->a[i], h);
    for (u32 i = 0; i < 2; i++)
      for (u32 h = 0; h < 2; h++)
        b[lane % 4 * 2 + 8 * i + h][lane / 4] = half16(p->decode, p->b[i], h);
  }
  for (u32 lane = 0; lane < WARP_SIZE; lane++) {
    const WarpProduct *p = operands[lane];
    for (u32 i = 0; i < 4; i++) {
      u32 row = lane / 4 + 8 * (i / 2), column = lane % 4 * 2 + i % 2;
      f64 sum = p->d[i];
      for (u32 k = 0; k < 16; k++)
        sum += (f64)a[row][k] * b[k][column];
      p->d[i] = (f32)sum;
    }
  }
}
void multiplyWarp(const char *at, Decode *decode, f32 *d, const u32 *a,
                  const u32 *b) {
  WarpProduct p = {decode, a, b, d};
  meetAligned(at, multiplyLanes, &p);
}

#endif
