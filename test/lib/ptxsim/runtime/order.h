/*===- order.h - launches that may overlap the one before -------*- C -*-===*/
/* Launches run one after another here. On a card one may begin while those
 * before it run, until it executes griddepcontrol.wait: what they store it must
 * not read ahead of that, and nothing of its own store. */
#ifndef PTXSIM_ORDER_H
#define PTXSIM_ORDER_H

#include "thread.h"

/* Units of 16 bytes of global memory that this launch, and those before that it
 * may overlap, have stored to: a hash table whose empty places are 0. */
static struct {
  u64 *units, capacity, count;
} stored;

static u64 *placeOfUnit(u64 unit) {
  u64 mask = stored.capacity - 1;
  for (u64 i = unit * 0x9e3779b97f4a7c15ull >> 20;; i++)
    if (stored.units[i & mask] == unit || stored.units[i & mask] == 0)
      return &stored.units[i & mask];
}
static void growStored(void) {
  u64 *old = stored.units, capacity = stored.capacity;
  stored.capacity = capacity ? 2 * capacity : 1 << 12;
  stored.units = calloc(stored.capacity, sizeof(u64));
  for (u64 i = 0; i < capacity; i++)
    if (old[i])
      *placeOfUnit(old[i]) = old[i];
  free(old);
}
static void noteStored(u64 address, u32 bytes) {
  for (u64 unit = address / 16; unit <= (address + bytes - 1) / 16; unit++) {
    if (2 * stored.count >= stored.capacity)
      growStored();
    u64 *place = placeOfUnit(unit);
    stored.count += *place == 0;
    *place = unit;
  }
}
static void forgetStored(void) {
  if (stored.count)
    memset(stored.units, 0, stored.capacity * sizeof(u64));
  stored.count = 0;
}

static void checkRead(u64 address, u32 bytes) {
  if (block.hasWaited || !stored.count || !bytes)
    return;
  for (u64 unit = address / 16; unit <= (address + bytes - 1) / 16; unit++)
    if (*placeOfUnit(unit))
      fail("reads 0x%llx ahead of griddepcontrol.wait; a launch that this one "
           "may overlap stores there",
           (unsigned long long)address);
}
static void checkStore(u64 address, u32 bytes) {
  if (!block.hasWaited)
    fail("stores to 0x%llx ahead of griddepcontrol.wait",
         (unsigned long long)address);
  noteStored(address, bytes);
}
/* griddepcontrol.wait: of one thread for its block, whose others wait for it.
 */
void waitForLaunches(void) { block.hasWaited = 1; }

#endif
