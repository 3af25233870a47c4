/*===- barriers.h - barriers of a block, named and in memory ----*- C -*-===*/
#ifndef PTXSIM_BARRIERS_H
#define PTXSIM_BARRIERS_H

#include "shared.h"

/* bar.* */
typedef struct {
  u32 arrived, expected, any, all, generation;
} Barrier;
enum { BARRIERS = 16 };
static struct {
  Barrier barriers[BARRIERS];
  u32 waitsFor[MAX_THREADS];        /* 1 + the barrier. */
  u32 any[BARRIERS], all[BARRIERS]; /* Of those that ended last. */
} named;

static u32 liveThreads(void) {
  u32 live = 0;
  for (u32 i = 0; i < block.count; i++)
    live += block.threads[i].state != THREAD_ENDED;
  return live;
}

/* Those who wait at a barrier go on. */
static void openNamed(u32 id) {
  Barrier *b = &named.barriers[id];
  b->arrived = 0;
  named.any[id] = b->any;
  named.all[id] = b->all;
  block.progress++;
  for (u32 i = 0; i < block.count; i++)
    if (named.waitsFor[i] == id + 1) {
      named.waitsFor[i] = 0;
      makeReady(&block.threads[i]);
    }
}
/* A thread that ends is not waited for where all that there are are. */
static void leaveBarriers(void) {
  u32 live = liveThreads();
  for (u32 id = 0; id < BARRIERS; id++) {
    const Barrier *b = &named.barriers[id];
    if (b->arrived != 0 && b->expected == 0 && b->arrived >= live)
      openNamed(id);
  }
}

void arriveNamed(const char *at, u32 id, u32 threads, int waits,
                 u32 predicate) {
  self->at = at;
  if (id >= BARRIERS)
    fail("there is no barrier %u", id);
  Barrier *b = &named.barriers[id];
  if (threads % WARP_SIZE != 0)
    fail("%u threads at barrier %u are no multiple of 32", threads, id);
  if (b->arrived == 0) {
    b->expected = threads;
    b->any = 0;
    b->all = 1;
  } else if (b->expected != threads) {
    fail("barrier %u is for %u threads here, for %u where others came", id,
         threads, b->expected);
  }
  b->any |= predicate != 0;
  b->all &= predicate != 0;
  b->arrived++;
  u32 wanted = threads ? threads : liveThreads();
  if (b->arrived < wanted) {
    if (waits) {
      named.waitsFor[self->index] = id + 1;
      blockSelf();
    }
    return;
  }
  openNamed(id);
}
void syncNamed(const char *at, u32 id, u32 threads) {
  arriveNamed(at, id, threads, 1, 0);
}
u32 reduceNamed(const char *at, u32 id, u32 threads, u32 predicate, int isOr) {
  arriveNamed(at, id, threads, 1, predicate);
  return isOr ? named.any[id] : named.all[id];
}

/* mbarrier.*: the 64 bits in shared memory are opaque to programs. What else
 * may lie there, as the bytes that it starts with, has no such `mark`. */
enum { BARRIER_MARK = 0x15a, MOST_BYTES = (1 << 20) - 1 };
typedef union {
  u64 bits;
  struct {
    i64 bytes : 24; /* Still to come. */
    u64 pending : 15, expected : 15, phase : 1, mark : 9;
  };
} MemoryBarrier;

static MemoryBarrier *barrierAt(u64 address) {
  checkShared(address, 8, 8);
  MemoryBarrier *b = (MemoryBarrier *)(block.shared + address);
  if (b->mark != BARRIER_MARK)
    fail("no barrier was made at shared address 0x%llx",
         (unsigned long long)address);
  return b;
}
void makeBarrier(const char *at, u64 address, u32 count) {
  self->at = at;
  checkShared(address, 8, 8);
  MemoryBarrier b = {0};
  b.pending = b.expected = count & 0x7fff;
  b.mark = BARRIER_MARK;
  if (count == 0 || count > 0x7fff)
    fail("a barrier for %u arrivals", count);
  put64(block.shared + address, b.bits);
}
void endBarrier(const char *at, u64 address) {
  self->at = at;
  barrierAt(address)->bits = 0;
}
static void addBytes(MemoryBarrier *b, i64 bytes) {
  i64 sum = b->bytes + bytes;
  if (sum > MOST_BYTES || sum < -MOST_BYTES)
    fail("a barrier for %lld bytes", (long long)sum);
  b->bytes = sum;
}
static void endPhaseIfDone(MemoryBarrier *b) {
  if (b->pending != 0 || b->bytes != 0)
    return;
  b->phase ^= 1;
  b->pending = b->expected;
  block.progress++;
}
void arriveAt(const char *at, u64 address, u32 count) {
  self->at = at;
  MemoryBarrier *b = barrierAt(address);
  if (b->pending < count)
    fail("more arrivals than the %u that the barrier at 0x%llx is for",
         b->expected, (unsigned long long)address);
  b->pending -= count;
  endPhaseIfDone(b);
}
void expectBytes(const char *at, u64 address, u32 bytes) {
  self->at = at;
  addBytes(barrierAt(address), bytes);
}
static void completeBytes(u64 address, u32 bytes) {
  MemoryBarrier *b = barrierAt(address);
  addBytes(b, -(i64)bytes);
  endPhaseIfDone(b);
}
/* Whether the phase of that parity has ended; if not, others run first. */
u32 testBarrier(const char *at, u64 address, u32 parity) {
  self->at = at;
  if (barrierAt(address)->phase != (parity & 1))
    return 1;
  leave();
  return 0;
}

#endif
