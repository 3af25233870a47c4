/*===- thread.h - threads of a block, and who runs when ---------*- C -*-===*/
/* Every thread has a stack of its own and runs until it waits for others. Then
 * the next one runs; nothing is ever interrupted. */
#ifndef PTXSIM_THREAD_H
#define PTXSIM_THREAD_H

#include "ptxsim.h"
#include "values.h"
#include <stdarg.h>

enum {
  WARP_SIZE = 32,
  MAX_THREADS = 1024,
  STACK_BYTES = 256 << 10,
  /* Shared memory begins behind what the chip keeps for itself. */
  SHARED_START = 1024
};

typedef enum { THREAD_READY, THREAD_BLOCKED, THREAD_ENDED } ThreadState;

typedef struct {
  void *stack; /* Where it goes on. */
  ThreadState state;
  u32 index, warp, lane, id[3];
  const char *at; /* The instruction at which it waits. */
  u32 openGroup;  /* Of cp.async, from 0. */
  u32 fencedAt;   /* The time of its last fence.proxy.async. */
} Thread;

/* The block that runs. */
static struct {
  const char *kernel;
  const u8 *parameters;
  u32 grid[3], size[3], id[3];
  Thread threads[MAX_THREADS];
  u32 count, warps;
  u8 *shared; /* The byte at shared address 0. */
  u32 sharedEnd;
  u64 progress; /* Counts what can end another thread's wait. */
  u32 random, seed;
  void *schedulerStack;
  int failed;
  char *message;
  u32 messageBytes;
} block;
static Thread *self;

__attribute__((naked, noinline)) static void switchStacks(void **from,
                                                          void *to) {
  __asm__("pushq %rbp\n pushq %rbx\n pushq %r12\n pushq %r13\n pushq %r14\n"
          "pushq %r15\n movq %rsp, (%rdi)\n movq %rsi, %rsp\n popq %r15\n"
          "popq %r14\n popq %r13\n popq %r12\n popq %rbx\n popq %rbp\n ret");
}

/* Lets others run. */
static void leave(void) { switchStacks(&self->stack, block.schedulerStack); }

/* Says what went wrong and ends the launch. */
__attribute__((noreturn, format(printf, 1, 2))) static void
fail(const char *format, ...) {
  char text[640];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  snprintf(block.message, block.messageBytes,
           "kernel '%s': %s; block (%u,%u,%u), thread %u, at '%s'",
           block.kernel, text, block.id[0], block.id[1], block.id[2],
           self->index, self->at ? self->at : "?");
  block.failed = 1;
  for (;;)
    leave();
}

static u32 nextRandom(void) {
  block.random = block.random * 1664525u + 1013904223u;
  return block.random >> 8;
}
/* Whether copies end late. */
static int isLate(void) { return block.seed >= 2; }

/* Waits until somebody makes this thread ready. */
static void blockSelf(void) {
  self->state = THREAD_BLOCKED;
  leave();
}
static void makeReady(Thread *t) {
  t->state = THREAD_READY;
  block.progress++;
}

static inline Thread *threadOfWarp(u32 warp, u32 lane) {
  u32 index = warp * WARP_SIZE + lane;
  return index < block.count ? &block.threads[index] : NULL;
}
/* The lanes of a warp that there are. */
static inline u32 lanesOfWarp(u32 warp) {
  u32 lanes = block.count - warp * WARP_SIZE;
  return lanes >= WARP_SIZE ? ~0u : (1u << lanes) - 1;
}

#endif
