/*===- thread.h - threads of a block, and who runs when ---------*- C -*-===*/
/* Every thread has a stack of its own and runs until it waits for others. Then
 * the next one runs; nothing is ever interrupted. */
#ifndef PTXSIM_THREAD_H
#define PTXSIM_THREAD_H

#include "kernel.h"
#include <setjmp.h>
#include <stdarg.h>

struct Block block;
Thread *self;
static u8 *stacks; /* One for each thread, with its local memory. */

static int isOfStack(u64 address) {
  return address - (u64)stacks < (u64)block.count * STACK_BYTES;
}

__attribute__((naked, noinline)) static void switchStacks(void **from,
                                                          void *to) {
  __asm__("pushq %rbp\n pushq %rbx\n pushq %r12\n pushq %r13\n pushq %r14\n"
          "pushq %r15\n movq %rsp, (%rdi)\n movq %rsi, %rsp\n popq %r15\n"
          "popq %r14\n popq %r13\n popq %r12\n popq %rbx\n popq %rbp\n ret");
}

/* Where a block ends whose copies fail while no thread runs. */
static jmp_buf endOfBlock;

/* Lets others run. */
void leave(void) { switchStacks(&self->stack, block.schedulerStack); }

/* Says what went wrong and ends the launch. */
void fail(const char *format, ...) {
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
  if (block.isScheduling)
    longjmp(endOfBlock, 1);
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
u32 lanesOfWarp(u32 warp) {
  u32 lanes = block.count - warp * WARP_SIZE;
  return lanes >= WARP_SIZE ? ~0u : (1u << lanes) - 1;
}

#endif
