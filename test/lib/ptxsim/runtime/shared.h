/*===- shared.h - accesses to memory ----------------------------*- C -*-===*/
#ifndef PTXSIM_SHARED_H
#define PTXSIM_SHARED_H

#include "order.h"

/* Matrix products do not see what ordinary stores wrote until the writer or the
 * reader has executed fence.proxy.async. Time is the number of such fences. For
 * each unit of 16 bytes: who wrote it last (1 + the thread's index), and when.
 */
enum { SHARED_MOST = 256 << 10, SHARED_UNITS = SHARED_MOST / 16 };
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
u8 *readShared(u64 address, u32 bytes) {
  checkShared(address, bytes, bytes);
  return block.shared + address;
}
static void markWritten(u64 address, u32 bytes) {
  for (u64 unit = address / 16; unit <= (address + bytes - 1) / 16; unit++) {
    writerOfUnit[unit] = (u16)(self->index + 1);
    timeOfUnit[unit] = fences;
  }
}
u8 *writeShared(u64 address, u32 bytes) {
  checkShared(address, bytes, bytes);
  markWritten(address, bytes);
  return block.shared + address;
}
/* fence.proxy.async */
void fenceProxy(void) { self->fencedAt = ++fences; }

/* Addresses of other memory are the host's; a generic one may be of shared
 * memory. */
u8 *memoryAt(u64 address, u32 bytes, int writes) {
  u64 offset = address - (u64)block.shared;
  if (offset < SHARED_MOST)
    return writes ? writeShared(offset, bytes) : readShared(offset, bytes);
  if (address % bytes != 0)
    fail("address 0x%llx is not a multiple of %u", (unsigned long long)address,
         bytes);
  if (isOfStack(address))
    return (u8 *)address;
  if (writes)
    checkStore(address, bytes);
  else
    checkRead(address, bytes);
  return (u8 *)address;
}

#endif
