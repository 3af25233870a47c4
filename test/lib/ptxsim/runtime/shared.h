/*===- shared.h - accesses to memory ----------------------------*- C -*-===*/
#ifndef PTXSIM_SHARED_H
#define PTXSIM_SHARED_H

#include "thread.h"

/* Matrix products do not see what ordinary stores wrote until the writer or the
 * reader has executed fence.proxy.async. Time is the number of such fences. For
 * each unit of 16 bytes: who wrote it last (1 + the thread's index), and when.
 */
enum { SHARED_UNITS = (256 << 10) / 16 };
static u16 writerOfUnit[SHARED_UNITS];
static u32 timeOfUnit[SHARED_UNITS], fences;

static void checkShared(u64 address, u32 bytes, u32 alignment) {
  if (address < SHARED_START || address + bytes > block.sharedEnd)
    fail("%u bytes at shared address 0x%llx; shared memory is 0x%x to 0x%x",
         bytes, (unsigned long long)address, SHARED_START, block.sharedEnd);
  if (address % alignment != 0)
    fail("shared address 0x%llx is not a multiple of %u",
         (unsigned long long)address, alignment);
}
static inline u8 *readShared(u64 address, u32 bytes) {
  checkShared(address, bytes, bytes);
  return block.shared + address;
}
static void markWritten(u64 address, u32 bytes) {
  for (u64 unit = address / 16; unit <= (address + bytes - 1) / 16; unit++) {
    writerOfUnit[unit] = (u16)(self->index + 1);
    timeOfUnit[unit] = fences;
  }
}
static inline u8 *writeShared(u64 address, u32 bytes) {
  checkShared(address, bytes, bytes);
  markWritten(address, bytes);
  return block.shared + address;
}
/* fence.proxy.async */
static void fenceProxy(void) { self->fencedAt = ++fences; }

/* Addresses of other memory are the host's. */
static inline u8 *memoryAt(u64 address, u32 bytes) {
  if (address % bytes != 0)
    fail("address 0x%llx is not a multiple of %u", (unsigned long long)address,
         bytes);
  return (u8 *)address;
}

#define DEFINE_ACCESS(bits)                                                    \
  static inline u##bits get##bits(const u8 *p) {                               \
    u##bits x;                                                                 \
    memcpy(&x, p, bits / 8);                                                   \
    return x;                                                                  \
  }                                                                            \
  static inline void put##bits(u8 *p, u##bits x) { memcpy(p, &x, bits / 8); }
DEFINE_ACCESS(8)
DEFINE_ACCESS(16)
DEFINE_ACCESS(32)
DEFINE_ACCESS(64)

#endif
