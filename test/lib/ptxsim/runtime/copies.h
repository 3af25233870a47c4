/*===- copies.h - copies that run beside a program --------------*- C -*-===*/
#ifndef PTXSIM_COPIES_H
#define PTXSIM_COPIES_H

#include "barriers.h"

typedef struct {
  Thread *owner;
  u32 group; /* Of the owner's cp.async; bulk copies have none. */
  u32 isBulk, isArrival;
  u64 from, to, barrier;
  u32 bytes, sourceBytes;
} Copy;
static struct {
  Copy *items;
  u32 count, capacity;
} copies;

static void doCopy(const Copy *copy) {
  if (copy->isArrival) {
    arriveAt("cp.async.mbarrier.arrive", copy->barrier, 1);
    return;
  }
  u8 *to = block.shared + copy->to;
  if (!copy->isBulk)
    markWritten(copy->to, copy->bytes);
  memcpy(to, (const u8 *)copy->from, copy->sourceBytes);
  memset(to + copy->sourceBytes, 0, copy->bytes - copy->sourceBytes);
  if (copy->isBulk)
    completeBytes(copy->barrier, copy->bytes);
  block.progress++;
}
static void endCopy(u32 index) {
  Copy copy = copies.items[index];
  memmove(copies.items + index, copies.items + index + 1,
          (--copies.count - index) * sizeof(Copy));
  Thread *before = self;
  const char *at = copy.owner->at;
  self = copy.owner;
  doCopy(&copy);
  self->at = at;
  self = before;
}
static void addCopy(Copy copy) {
  checkRead(copy.from, copy.sourceBytes);
  copy.owner = self;
  if (copies.count == copies.capacity) {
    copies.capacity = 2 * copies.capacity + 256;
    copies.items = realloc(copies.items, copies.capacity * sizeof(Copy));
  }
  copies.items[copies.count++] = copy;
  if (!isLate())
    endCopy(copies.count - 1);
}
/* An arrival comes behind its thread's copies. */
static int isDue(u32 index) {
  if (!copies.items[index].isArrival)
    return 1;
  for (u32 i = 0; i < index; i++)
    if (!copies.items[i].isBulk &&
        copies.items[i].owner == copies.items[index].owner)
      return 0;
  return 1;
}
/* Ends one copy, any one. */
static void endSomeCopy(void) {
  if (copies.count == 0)
    return;
  u32 index = nextRandom() % copies.count;
  block.isScheduling = 1;
  if (isDue(index))
    endCopy(index);
  block.isScheduling = 0;
}

void copyAsync(const char *at, u64 to, u64 from, u32 bytes, u32 sourceBytes) {
  self->at = at;
  checkShared(to, bytes, bytes);
  if (from % bytes != 0)
    fail("address 0x%llx is not a multiple of %u", (unsigned long long)from,
         bytes);
  if (sourceBytes > bytes)
    fail("%u bytes of a copy of %u", sourceBytes, bytes);
  addCopy((Copy){.group = self->openGroup,
                 .from = from,
                 .to = to,
                 .bytes = bytes,
                 .sourceBytes = sourceBytes});
}
void copyBulk(const char *at, u64 to, u64 from, u32 bytes, u64 barrier) {
  self->at = at;
  if (bytes == 0 || bytes % 16 != 0 || from % 16 != 0)
    fail("a bulk copy of %u bytes from 0x%llx: multiples of 16 are wanted",
         bytes, (unsigned long long)from);
  checkShared(to, bytes, 16);
  barrierAt(barrier);
  addCopy((Copy){.isBulk = 1,
                 .from = from,
                 .to = to,
                 .barrier = barrier,
                 .bytes = bytes,
                 .sourceBytes = bytes});
}
/* Nothing comes of it, but it has to be of memory. */
void prefetchBulk(const char *at, u64 from, u32 bytes) {
  self->at = at;
  if (bytes == 0 || bytes % 16 != 0 || from % 16 != 0)
    fail("a bulk prefetch of %u bytes from 0x%llx: multiples of 16 are wanted",
         bytes, (unsigned long long)from);
  (void)*(volatile const char *)from;
  (void)*(volatile const char *)(from + bytes - 1);
}
void arriveBehindCopies(const char *at, u64 barrier) {
  self->at = at;
  barrierAt(barrier);
  addCopy((Copy){.group = self->openGroup, .isArrival = 1, .barrier = barrier});
}
void commitCopies(void) { self->openGroup++; }
/* Until at most `pending` of this thread's groups are open. */
void waitCopies(u32 pending) {
  for (u32 i = 0; i < copies.count;) {
    const Copy *copy = &copies.items[i];
    if (!copy->isBulk && copy->owner == self &&
        copy->group + pending < self->openGroup)
      endCopy(i);
    else
      i++;
  }
}

#endif
