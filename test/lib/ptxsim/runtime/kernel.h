/*===- kernel.h - what translated kernels call ------------------*- C -*-===*/
/* A kernel is a function without parameters: `self` is the thread that runs,
 * `block` its block. `at` is an instruction's text. Every function ends the
 * launch, with what is wrong, on an operand that the hardware would refuse. */
#ifndef PTXSIM_KERNEL_H
#define PTXSIM_KERNEL_H

#include "ptxsim.h"
#include "values.h"

enum {
  WARP_SIZE = 32,
  MAX_THREADS = 1024,
  STACK_BYTES = 1 << 20,
  /* Shared memory begins behind what the chip keeps for itself. */
  SHARED_START = 1024
};

typedef enum { THREAD_READY, THREAD_BLOCKED, THREAD_ENDED } ThreadState;

typedef struct {
  void *stack; /* Where it goes on. */
  ThreadState state;
  u32 index, warp, lane, id[3];
  const char *at;    /* The instruction at which it waits. */
  u32 openGroup;     /* Of cp.async, from 0. */
  u32 fencedAt;      /* The time of its last fence.proxy.async. */
  u32 hasGroupFence; /* Of wgmma, which registers need. */
} Thread;

/* The block that runs, and the thread. */
extern struct Block {
  const char *kernel;
  const u8 *parameters;
  u32 grid[3], size[3], id[3];
  Thread threads[MAX_THREADS];
  u32 count;
  u8 *shared; /* The byte at shared address 0. */
  u32 sharedEnd, dynamicShared;
  u64 progress; /* Counts what can end another thread's wait. */
  u32 random, seed;
  void *schedulerStack;
  int failed, isScheduling; /* The latter: no thread runs. */
  int overlaps, hasWaited;  /* For the launches before. */
  char *message;
  u32 messageBytes;
} block;
extern Thread *self;

typedef struct {
  ptxsim_kernel info;
  void (*run)(void);
} KernelCode;
/* The translation defines these. */
extern const KernelCode kernels[];
extern const u32 kernelCount;

/* Lets others run. */
void leave(void);
/* Says what went wrong and ends the launch. */
__attribute__((noreturn, format(printf, 1, 2))) void fail(const char *format,
                                                          ...);
/* The lanes of a warp that there are. */
u32 lanesOfWarp(u32 warp);

/* Memory: so many bytes at an address of shared memory (0 to its size) or of
 * any other (the host's), which must be a multiple of their number. */
u8 *readShared(u64 address, u32 bytes);
u8 *writeShared(u64 address, u32 bytes);
u8 *memoryAt(u64 address, u32 bytes, int writes);
void fenceProxy(void);
#define DEFINE_ACCESS(bits)                                                    \
  INLINE u##bits get##bits(const u8 *p) {                                      \
    u##bits x;                                                                 \
    memcpy(&x, p, bits / 8);                                                   \
    return x;                                                                  \
  }                                                                            \
  INLINE void put##bits(u8 *p, u##bits x) { memcpy(p, &x, bits / 8); }
DEFINE_ACCESS(8)
DEFINE_ACCESS(16)
DEFINE_ACCESS(32)
DEFINE_ACCESS(64)

void waitForLaunches(void);

/* Lanes of a warp; `mode` of a shuffle is 'u', 'd', 'b' or 'i'. */
u32 shuffle(const char *at, u32 mode, u32 value, u32 b, u32 c, u32 members,
            u32 *inRange);
u32 ballot(const char *at, u32 predicate, u32 members);
u32 matchAny(const char *at, u32 value, u32 members);
u32 redux_add(const char *at, u32 value, u32 members);
u32 redux_min_u32(const char *at, u32 value, u32 members);
u32 redux_max_u32(const char *at, u32 value, u32 members);
u32 redux_min_s32(const char *at, u32 value, u32 members);
u32 redux_max_s32(const char *at, u32 value, u32 members);
u32 redux_and(const char *at, u32 value, u32 members);
u32 redux_or(const char *at, u32 value, u32 members);
u32 redux_xor(const char *at, u32 value, u32 members);
void syncWarp(const char *at, u32 members);

/* Barriers: named ones (0 threads: all that there are), and in memory. */
void syncNamed(const char *at, u32 id, u32 threads);
void arriveNamed(const char *at, u32 id, u32 threads, int waits, u32 predicate);
u32 reduceNamed(const char *at, u32 id, u32 threads, u32 predicate, int isOr);
void makeBarrier(const char *at, u64 address, u32 count);
void endBarrier(const char *at, u64 address);
void arriveAt(const char *at, u64 address, u32 count);
void expectBytes(const char *at, u64 address, u32 bytes);
/* Whether the phase of that parity has ended; if not, others run first. */
u32 testBarrier(const char *at, u64 address, u32 parity);

/* Copies that run beside the program. */
void copyAsync(const char *at, u64 to, u64 from, u32 bytes, u32 sourceBytes);
void copyBulk(const char *at, u64 to, u64 from, u32 bytes, u64 barrier);
void prefetchBulk(const char *at, u64 from, u32 bytes);
void arriveBehindCopies(const char *at, u64 barrier);
void commitCopies(void);
void waitCopies(u32 pending);

/* Matrices. */
typedef f32 Decode(u32 bits);
f32 fromF16(u32 bits);
f32 fromBF16(u32 bits);
void loadMatrix(const char *at, u64 address, u32 count, u32 transposed,
                u32 *registers);
void storeMatrix(const char *at, u64 address, u32 count, u32 transposed,
                 u32 *registers);
/* mma.sync.m16n8k16 with f32 sums: d is c at first. */
void multiplyWarp(const char *at, Decode *decode, f32 *d, const u32 *a,
                  const u32 *b);
/* wgmma.mma_async.m64nNk16 with f32 sums. */
typedef struct {
  Decode *decode;
  u32 n, adds;
  f32 *d;         /* n / 2 of them. */
  const u32 *a;   /* Four registers, or none: */
  u64 descriptor; /* then A is there. */
  u64 b;
  u32 aIsMN, bIsMN;
} GroupProduct;
void multiplyGroup(const char *at, GroupProduct product);
void commitGroup(const char *at);
void waitGroup(const char *at, u32 pending);

#endif
