/*===- runtime.c - runs the blocks of a launch ------------------*- C -*-===*/

#include "copies.h"
#include "warpgroup.h"
#include <signal.h>
#include <sys/mman.h>

/* Of the threads: a page that nobody may touch, and behind it a stack. */
static u8 faultStack[1 << 16];
static const char *(*describeAddress)(u64);
static void (*runKernel)(void);

static void reportFault(int number, siginfo_t *info, void *context) {
  (void)context;
  u64 address = (u64)info->si_addr;
  const char *more = describeAddress ? describeAddress(address) : NULL;
  fprintf(stderr,
          "ptxsim: kernel '%s': access at address 0x%llx%s%s, which is not "
          "mapped; block (%u,%u,%u), thread %u, behind '%s'\n",
          block.kernel, (unsigned long long)address, more ? ", " : "",
          more ? more : "", block.id[0], block.id[1], block.id[2],
          self ? self->index : 0, self && self->at ? self->at : "?");
  fflush(stderr);
  signal(number, SIG_DFL);
  raise(number);
}

/* Where a thread begins. */
static void runThread(void) {
  runKernel();
  self->state = THREAD_ENDED;
  block.progress++;
  leaveBarriers();
  for (;;)
    leave();
}
static void startThread(u32 index) {
  Thread *t = &block.threads[index];
  const u32 *size = block.size;
  *t = (Thread){.index = index,
                .warp = index / WARP_SIZE,
                .lane = index % WARP_SIZE,
                .id = {index % size[0], index / size[0] % size[1],
                       index / size[0] / size[1]}};
  /* Registers to restore, the address to return to, and one word for the
   * alignment that a call leaves. */
  void **top = (void **)(stacks + (u64)(index + 1) * STACK_BYTES) - 8;
  memset(top, 0, 8 * sizeof *top);
  top[6] = (void *)runThread;
  t->stack = top;
}

/* The thread that runs as number `turn` of a round. */
static u32 chooseThread(u32 turn, u32 shift) {
  if (block.seed == 0)
    return turn;
  if (block.seed == 1)
    return block.count - 1 - turn;
  return (turn + shift * WARP_SIZE) % block.count;
}

static void describeWaits(void) {
  u32 length = (u32)snprintf(
      block.message, block.messageBytes,
      "kernel '%s': threads wait for each other; block (%u,%u,%u)",
      block.kernel, block.id[0], block.id[1], block.id[2]);
  for (u32 i = 0; i < block.count && length < block.messageBytes; i++) {
    const Thread *t = &block.threads[i];
    const Thread *before = i ? t - 1 : NULL;
    if (t->state == THREAD_ENDED || (before && before->at == t->at))
      continue;
    length +=
        (u32)snprintf(block.message + length, block.messageBytes - length,
                      "; from thread %u on: '%s'", i, t->at ? t->at : "?");
  }
}

/* A thread that polls leaves without having done anything: rounds of only such
 * ones, so many, are an endless wait. */
enum { IDLE_ROUNDS = 1000 };
/* Late copies end when nothing else goes on, and one at so many turns. */
enum { COPY_TURNS = 256 };
static int runThreads(void) {
  u32 idle = 0;
  for (;;) {
    u64 before = block.progress;
    u32 shift = nextRandom() % 32, alive = 0;
    for (u32 turn = 0; turn < block.count; turn++) {
      Thread *t = &block.threads[chooseThread(turn, shift)];
      alive += t->state != THREAD_ENDED;
      if (t->state != THREAD_READY)
        continue;
      self = t;
      switchStacks(&block.schedulerStack, t->stack);
      if (block.failed)
        return 1;
      if (nextRandom() % COPY_TURNS == 0)
        endSomeCopy();
    }
    if (alive == 0)
      break;
    u32 isIdle = block.progress == before;
    if (isIdle)
      endSomeCopy();
    idle = isIdle && copies.count == 0 ? idle + 1 : 0;
    if (idle > IDLE_ROUNDS) {
      describeWaits();
      return 1;
    }
  }
  while (copies.count)
    endSomeCopy();
  return 0;
}

static int runBlock(void) {
  block.hasWaited = !block.overlaps;
  memset(block.shared + SHARED_START, 0xff, block.sharedEnd - SHARED_START);
  memset(writerOfUnit, 0, sizeof writerOfUnit);
  fences = 0;
  memset(meetings, 0, sizeof meetings);
  memset(groupMeetings, 0, sizeof groupMeetings);
  memset(&named, 0, sizeof named);
  for (u32 i = 0; i < MAX_THREADS / 128; i++)
    readings[i].count = readings[i].openGroup = 0;
  for (u32 i = 0; i < block.count; i++)
    startThread(i);
  block.isScheduling = 0;
  return setjmp(endOfBlock) ? 1 : runThreads();
}

static int refuse(ptxsim_launch_result *result, const char *message) {
  snprintf(result->message, sizeof result->message, "%s", message);
  return 1;
}

const ptxsim_kernel *ptxsim_get_kernel(u32 index) {
  return index < kernelCount ? &kernels[index].info : NULL;
}
u32 ptxsim_kernel_count(void) { return kernelCount; }

static int runGrid(void) {
  u32 *id = block.id;
  for (id[2] = 0; id[2] < block.grid[2]; id[2]++)
    for (id[1] = 0; id[1] < block.grid[1]; id[1]++)
      for (id[0] = 0; id[0] < block.grid[0]; id[0]++)
        if (runBlock() != 0)
          return 1;
  return 0;
}

static int makeStacks(u64 threads) {
  stacks = mmap(NULL, threads * STACK_BYTES, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (stacks == MAP_FAILED)
    return 1;
  for (u64 i = 0; i < threads; i++)
    if (mprotect(stacks + i * STACK_BYTES, 4096, PROT_NONE) != 0)
      return 1;
  return 0;
}

/* Whether a block is what the kernel was compiled for; says if it is not. */
static int checkBlock(const ptxsim_kernel *kernel, const u32 *size,
                      ptxsim_launch_result *result) {
  u64 threads = (u64)size[0] * size[1] * size[2];
  const u32 *wanted = kernel->block_size;
  char text[256] = "";
  if (threads > kernel->max_threads)
    snprintf(text, sizeof text,
             "a block of %llu threads; it is compiled for at most %u",
             (unsigned long long)threads, kernel->max_threads);
  else if (wanted[0] && memcmp(wanted, size, 3 * sizeof *size) != 0)
    snprintf(text, sizeof text,
             "a block of %ux%ux%u threads; it wants %ux%ux%u", size[0], size[1],
             size[2], wanted[0], wanted[1], wanted[2]);
  if (!text[0])
    return 0;
  snprintf(result->message, sizeof result->message, "kernel '%s': %s",
           kernel->name, text);
  return 1;
}

int ptxsim_launch(u32 kernel, const ptxsim_launch_parameters *p,
                  ptxsim_launch_result *result) {
  result->message[0] = 0;
  if (kernel >= kernelCount)
    return refuse(result, "there is no kernel of that index");
  const KernelCode *code = &kernels[kernel];
  u64 threads = (u64)p->block[0] * p->block[1] * p->block[2];
  if (threads == 0 || threads > MAX_THREADS)
    return refuse(result, "a block has 1 to 1024 threads");
  if (checkBlock(&code->info, p->block, result) != 0)
    return 1;
  if (p->parameter_bytes < code->info.parameter_bytes)
    return refuse(result, "the kernel takes more bytes of parameters");
  u64 sharedEnd =
      (u64)SHARED_START + code->info.shared_bytes + p->dynamic_shared_bytes;
  if (sharedEnd > SHARED_MOST)
    return refuse(result, "too much shared memory");
  if (makeStacks(threads) != 0)
    return refuse(result, "no memory is left for stacks");
  u8 *shared = aligned_alloc(1024, SHARED_MOST);
  if (!shared)
    return refuse(result, "no memory is left");
  block.kernel = code->info.name;
  block.parameters = p->parameters;
  memcpy(block.grid, p->grid, sizeof block.grid);
  memcpy(block.size, p->block, sizeof block.size);
  block.count = (u32)threads;
  block.shared = shared;
  block.sharedEnd = (u32)sharedEnd;
  block.dynamicShared = p->dynamic_shared_bytes;
  block.seed = block.random = p->seed;
  block.failed = 0;
  block.overlaps = p->overlaps_previous != 0;
  if (!block.overlaps)
    forgetStored();
  block.message = result->message;
  block.messageBytes = sizeof result->message;
  runKernel = code->run;
  describeAddress = p->describe_address;
  copies.count = 0;

  /* A thread whose stack is full cannot report it there. */
  stack_t own = {.ss_sp = faultStack, .ss_size = sizeof faultStack}, old;
  sigaltstack(&own, &old);
  struct sigaction action = {0}, oldSegv, oldBus;
  action.sa_sigaction = reportFault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigaction(SIGSEGV, &action, &oldSegv);
  sigaction(SIGBUS, &action, &oldBus);
  int status = runGrid();
  sigaction(SIGSEGV, &oldSegv, NULL);
  sigaction(SIGBUS, &oldBus, NULL);
  sigaltstack(&old, NULL);
  self = NULL;
  free(shared);
  munmap(stacks, threads * STACK_BYTES);
  return status;
}
