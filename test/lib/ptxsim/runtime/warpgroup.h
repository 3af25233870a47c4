/*===- warpgroup.h - matrix products of four warps --------------*- C -*-===*/
/* PTX ISA, "Asynchronous Warpgroup Level Matrix Instructions". Products are
 * made at once. What they read in shared memory is looked at again when they
 * are waited for: it must be the same. */
#ifndef PTXSIM_WARPGROUP_H
#define PTXSIM_WARPGROUP_H

#include "matrix.h"

/* An operand in shared memory with the swizzle of 128 bytes. */
typedef struct {
  u64 descriptor;
  u32 rows; /* Of A, or columns of B; 16 elements of the sum in each. */
  u32 isMN; /* These, not the sum's elements, are next to each other. */
} SharedOperand;

static u32 fieldOf(u64 descriptor, u32 bit) {
  return (u32)(descriptor >> bit & 0x3fff) * 16;
}
static void checkOperand(u64 descriptor) {
  if (descriptor >> 62 != 1 || descriptor >> 49 & 7)
    fail("descriptor 0x%llx: the simulator knows the swizzle of 128 bytes "
         "alone, without an offset",
         (unsigned long long)descriptor);
}
/* The address of element k of the sum in a row. */
static u32 addressOf(const SharedOperand *o, u32 row, u32 k) {
  u32 leading = fieldOf(o->descriptor, 16), stride = fieldOf(o->descriptor, 32);
  u32 address = fieldOf(o->descriptor, 0);
  address +=
      o->isMN ? row / 64 * leading + k / 8 * stride + k % 8 * 128 + row % 64 * 2
              : row / 8 * stride + row % 8 * 128 + k * 2;
  return address ^ (address >> 7 & 7) << 4;
}
/* Fails where the writer of a unit, and some thread of the reading warpgroup,
 * has not executed fence.proxy.async since. */
static void checkFences(u32 address) {
  u32 writer = writerOfUnit[address / 16], time = timeOfUnit[address / 16];
  if (!writer || block.threads[writer - 1].fencedAt > time)
    return;
  const Thread *group = &block.threads[self->index / 128 * 128];
  for (u32 i = 0; i < 128; i++)
    if (group[i].fencedAt <= time)
      fail("the product reads 0x%x, which thread %u wrote; neither it nor "
           "thread "
           "%u has executed fence.proxy.async since",
           address, writer - 1, group[i].index);
  writerOfUnit[address / 16] = 0; /* Looked at once. */
}
static void readOperand(const SharedOperand *o, u16 *elements) {
  for (u32 row = 0; row < o->rows; row++)
    for (u32 k = 0; k < 16; k++) {
      u32 address = addressOf(o, row, k);
      checkShared(address, 2, 2);
      if (k % 8 == 0 || o->isMN)
        checkFences(address);
      elements[row * 16 + k] = get16(block.shared + address);
    }
}

/* What a warpgroup has under way. */
typedef struct {
  SharedOperand operand;
  u32 group;
  u64 sum;
  const char *at;
} Reading;
enum { MOST_READINGS = 512 };
static struct Readings {
  Reading items[MOST_READINGS];
  u32 count, openGroup;
} readings[MAX_THREADS / 128];

static u64 checkSum(const u16 *elements, u32 count) {
  u64 sum = 14695981039346656037ull;
  for (u32 i = 0; i < count; i++)
    sum = (sum ^ elements[i]) * 1099511628211ull;
  return sum;
}
static void noteReading(const SharedOperand *o, const u16 *elements) {
  struct Readings *r = &readings[self->index / 128];
  if (r->count == MOST_READINGS)
    fail("more than %d products are not waited for", MOST_READINGS / 2);
  r->items[r->count++] =
      (Reading){*o, r->openGroup, checkSum(elements, o->rows * 16), self->at};
}
static void endReadings(u32 pending) {
  struct Readings *r = &readings[self->index / 128];
  u32 kept = 0;
  u16 elements[256 * 16];
  for (u32 i = 0; i < r->count; i++) {
    Reading *reading = &r->items[i];
    if (reading->group + pending >= r->openGroup) {
      r->items[kept++] = *reading;
      continue;
    }
    for (u32 row = 0; row < reading->operand.rows; row++)
      for (u32 k = 0; k < 16; k++)
        elements[row * 16 + k] =
            get16(block.shared + addressOf(&reading->operand, row, k));
    if (checkSum(elements, reading->operand.rows * 16) != reading->sum)
      fail("what '%s' reads at 0x%x was written before it was waited for",
           reading->at, fieldOf(reading->operand.descriptor, 0));
  }
  r->count = kept;
}

static void readLeft(void **operands, f32 a[64][16]) {
  const GroupProduct *first = operands[0];
  if (!first->a) {
    u16 elements[64 * 16];
    SharedOperand o = {first->descriptor, 64, first->aIsMN};
    checkOperand(o.descriptor);
    readOperand(&o, elements);
    noteReading(&o, elements);
    for (u32 i = 0; i < 64 * 16; i++)
      a[i / 16][i % 16] = first->decode(elements[i]);
    return;
  }
  for (u32 t = 0; t < 128; t++) {
    const GroupProduct *p = operands[t];
    for (u32 i = 0; i < 4; i++)
      for (u32 h = 0; h < 2; h++)
        a[t / 32 * 16 + t % 32 / 4 + 8 * (i % 2)][t % 4 * 2 + 8 * (i / 2) + h] =
            half16(p->decode, p->a[i], h);
  }
}
static void multiplyGroupThreads(u32 members, void **operands) {
  (void)members;
  static f32 a[64][16], b[256][16];
  u16 elements[256 * 16];
  const GroupProduct *first = operands[0];
  for (u32 t = 0; t < 128; t++) {
    const GroupProduct *p = operands[t];
    if (p->b != first->b || p->descriptor != first->descriptor)
      fail("threads of the warpgroup have different descriptors");
  }
  SharedOperand right = {first->b, first->n, first->bIsMN};
  checkOperand(right.descriptor);
  readOperand(&right, elements);
  noteReading(&right, elements);
  readLeft(operands, a);
  for (u32 i = 0; i < first->n * 16; i++)
    b[i / 16][i % 16] = first->decode(elements[i]);
  for (u32 t = 0; t < 128; t++) {
    const GroupProduct *p = operands[t];
    for (u32 i = 0; i < p->n / 2; i++) {
      const f32 *row = a[t / 32 * 16 + t % 32 / 4 + 8 * (i / 2 % 2)];
      const f32 *column = b[i / 4 * 8 + t % 4 * 2 + i % 2];
      f64 sum = p->adds ? (f64)p->d[i] : 0;
      for (u32 k = 0; k < 16; k++)
        sum += (f64)row[k] * column[k];
      p->d[i] = (f32)sum;
    }
  }
}
void multiplyGroup(const char *at, GroupProduct product) {
  self->at = at;
  if (!self->hasGroupFence)
    fail("no wgmma.fence comes before the thread's first product");
  meetGroup(at, multiplyGroupThreads, &product);
}
/* Once for each warpgroup: its last thread does it. */
static void commitGroupThreads(u32 members, void **operands) {
  (void)members;
  (void)operands;
  readings[self->index / 128].openGroup++;
}
void commitGroup(const char *at) { meetGroup(at, commitGroupThreads, NULL); }
static void waitGroupThreads(u32 members, void **operands) {
  (void)members;
  endReadings(*(u32 *)operands[0]);
}
void waitGroup(const char *at, u32 pending) {
  meetGroup(at, waitGroupThreads, &pending);
}

#endif
