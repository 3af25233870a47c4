/*===- launch.h - runs the workgroups of a launch ---------------*- C -*-===*/
/* The translated code object defines what is declared here. */
#ifndef AMDSIM_LAUNCH_H
#define AMDSIM_LAUNCH_H

#include "amdsim.h"
#include "memory.h"
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

typedef enum { WAVE_ENDED, WAVE_AT_BARRIER, WAVE_FAILED } WaveStatus;
static WaveStatus runWave(Wave *w);

/* What the first scalar registers of a wave hold. */
typedef enum {
  USER_PRIVATE_SEGMENT_BUFFER,
  USER_DISPATCH,
  USER_QUEUE,
  USER_KERNARG,
  USER_DISPATCH_ID,
  USER_FLAT_SCRATCH,
  USER_PRIVATE_SEGMENT_SIZE
} UserRegister;
typedef struct {
  amdsim_kernel info;
  u64 entry;
  u32 userRegisters;               /* How many there are. */
  u32 userKinds;                   /* Bit k: UserRegister k is there. */
  u32 preloadCount, preloadOffset; /* Words of the arguments. */
  u32 workgroupIds;                /* Bits: x, y, z, size. */
  u32 mode;
  u32 scratchBytes;
} KernelCode;
extern const KernelCode kernels[];
extern const u32 kernelCount;
extern const int isGfx12;
extern u8 image[];
#define BASE ((u64)image)

/* For the handler of faults: what runs. */
static struct {
  const char *kernel;
  const Wave *wave;
  u32 workgroup[3], waveIndex;
  const char *(*describe)(u64);
} running;

static void reportFault(int number, siginfo_t *info, void *context) {
  (void)context;
  u64 address = (u64)info->si_addr;
  const char *more = running.describe ? running.describe(address) : NULL;
  fprintf(stderr,
          "amdsim: kernel '%s': access at address 0x%llx%s%s, which is not "
          "mapped; pc 0x%llx, workgroup (%u,%u,%u), wave %u\n",
          running.kernel, (unsigned long long)address, more ? ", " : "",
          more ? more : "", (unsigned long long)running.wave->at,
          running.workgroup[0], running.workgroup[1], running.workgroup[2],
          running.waveIndex);
  fflush(stderr);
  signal(number, SIG_DFL);
  raise(number);
}

/* Memory that ends where the process's does. */
static u8 *allocateGuarded(u64 bytes) {
  u64 inner = (bytes + 4095) & ~4095ull;
  u8 *m =
      mmap(NULL, inner + 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (m == MAP_FAILED || mprotect(m, inner, PROT_READ | PROT_WRITE) != 0)
    return NULL;
  return m + inner - bytes;
}
static void freeGuarded(u8 *memory, u64 bytes) {
  u64 inner = (bytes + 4095) & ~4095ull;
  munmap(memory + bytes - inner, inner + 4096);
}

static void put(u8 *memory, const amdsim_argument *argument, u64 value) {
  memcpy(memory + argument->offset, &value, MIN(argument->size, 8));
}
static void fillHiddenArguments(u8 *memory, const amdsim_kernel *kernel,
                                const amdsim_launch_parameters *p) {
  u32 dimensions = p->grid[2] * p->block[2] > 1   ? 3
                   : p->grid[1] * p->block[1] > 1 ? 2
                                                  : 1;
  struct {
    const char *kind;
    u64 value;
  } known[] = {{"hidden_block_count_x", p->grid[0]},
               {"hidden_block_count_y", p->grid[1]},
               {"hidden_block_count_z", p->grid[2]},
               {"hidden_group_size_x", p->block[0]},
               {"hidden_group_size_y", p->block[1]},
               {"hidden_group_size_z", p->block[2]},
               {"hidden_grid_dims", dimensions},
               {"hidden_dynamic_lds_size", p->dynamic_lds_bytes},
               {"hidden_shared_base", SHARED_APERTURE},
               {"hidden_private_base", PRIVATE_APERTURE}};
  for (u32 i = 0; i < kernel->argument_count; i++)
    for (u32 k = 0; k < sizeof known / sizeof *known; k++)
      if (strcmp(kernel->arguments[i].kind, known[k].kind) == 0)
        put(memory, &kernel->arguments[i], known[k].value);
}

/* The packet that AMD's queues hold for this launch: kernels may read sizes
 * from it. */
static void fillDispatchPacket(u8 packet[64], const KernelCode *code,
                               const amdsim_launch_parameters *p,
                               u64 arguments) {
  u16 shorts[4] = {3, (u16)p->block[0], (u16)p->block[1], (u16)p->block[2]};
  u32 words[5] = {p->grid[0] * p->block[0], p->grid[1] * p->block[1],
                  p->grid[2] * p->block[2], code->info.scratch_bytes,
                  code->info.lds_bytes + p->dynamic_lds_bytes};
  memset(packet, 0, 64);
  memcpy(packet + 2, shorts, sizeof shorts);
  memcpy(packet + 12, words, sizeof words);
  memcpy(packet + 40, &arguments, 8);
}

static u32 fillUserRegisters(u32 *registers, const KernelCode *code,
                             const u8 *packet, const u8 *arguments) {
  static const u32 sizes[] = {4, 2, 2, 2, 2, 2, 1};
  u32 count = 0;
  memset(registers, 0, 32 * sizeof *registers);
  for (u32 kind = 0; kind <= USER_PRIVATE_SEGMENT_SIZE; kind++) {
    if (!(code->userKinds >> kind & 1))
      continue;
    u64 value = kind == USER_DISPATCH               ? (u64)packet
                : kind == USER_KERNARG              ? (u64)arguments
                : kind == USER_PRIVATE_SEGMENT_SIZE ? code->info.scratch_bytes
                                                    : 0;
    memcpy(registers + count, &value, sizes[kind] == 1 ? 4 : 8);
    count += sizes[kind];
  }
  memcpy(registers + count, arguments + 4 * code->preloadOffset,
         4 * code->preloadCount);
  return MAX(count + code->preloadCount, code->userRegisters);
}

typedef struct {
  const KernelCode *code;
  const amdsim_launch_parameters *parameters;
  u32 userRegisters[64], userCount, waveCount;
  Wave *waves;
  u8 *lds, *scratch;
  u64 ldsBytes, scratchBytes;
} Launch;

static void startWave(const Launch *launch, u32 index, const u32 workgroup[3]) {
  const KernelCode *code = launch->code;
  const u32 *block = launch->parameters->block;
  Wave *w = launch->waves + index;
  memset(w, 0, sizeof *w);
  /* What was never written shows up. */
  memset(w->v, 0xff, sizeof w->v);
  for (u32 i = 0; i < VCC_REGISTER; i++)
    w->s[i] = 0xdead0000 + i;
  w->pc = (u64)image + code->entry;
  w->lds = launch->lds;
  w->ldsBytes = (u32)launch->ldsBytes;
  w->scratch = launch->scratch + (u64)index * WAVE_SIZE * code->scratchBytes;
  w->scratchBytes = code->scratchBytes;
  w->mode = code->mode;
  w->lanes = MIN(block[0] * block[1] * block[2] - index * WAVE_SIZE, WAVE_SIZE);
  setMask(w, EXEC_REGISTER, lanes_below((int)w->lanes));
  memcpy(w->s, launch->userRegisters, 4 * launch->userCount);
  u32 next = launch->userCount;
  if (isGfx12) {
    w->s[TRAP_REGISTERS + 9] = workgroup[0];
    w->s[TRAP_REGISTERS + 7] = workgroup[1] | workgroup[2] << 16;
  } else {
    for (u32 k = 0; k < 3; k++)
      if (code->workgroupIds >> k & 1)
        w->s[next++] = workgroup[k];
    if (code->workgroupIds >> 3 & 1)
      w->s[next++] = 0;
  }
  for (u32 l = 0; l < w->lanes; l++) {
    u32 t = index * WAVE_SIZE + l;
    w->v[0][l] = t % block[0] | t / block[0] % block[1] << 10 |
                 t / block[0] / block[1] << 20;
  }
}

/* The wave that runs as number `turn` in a round. */
static u32 chooseWave(u32 turn, u32 round, u32 count, u32 seed) {
  if (seed == 0)
    return turn;
  if (seed == 1)
    return count - 1 - turn;
  return count % 7 == 0 ? (turn + seed) % count
                        : (turn * 7 + seed + round * 3) % count;
}

/* Runs each wave to its next barrier, until all have ended. */
static int runWorkgroup(Launch *launch, const u32 workgroup[3],
                        amdsim_launch_result *result) {
  u8 ended[64] = {0};
  u32 left = launch->waveCount;
  memset(launch->lds, 0xff, launch->ldsBytes);
  memcpy(running.workgroup, workgroup, sizeof running.workgroup);
  for (u32 k = 0; k < launch->waveCount; k++)
    startWave(launch, k, workgroup);
  for (u32 round = 0; left > 0; round++)
    for (u32 turn = 0; turn < launch->waveCount; turn++) {
      u32 k =
          chooseWave(turn, round, launch->waveCount, launch->parameters->seed);
      Wave *w = launch->waves + k;
      if (ended[k])
        continue;
      running.wave = w;
      running.waveIndex = k;
      applyMode(w);
      WaveStatus status = runWave(w);
      if (w->error) {
        snprintf(result->message, sizeof result->message,
                 "kernel '%s': %s; pc 0x%llx, workgroup (%u,%u,%u), wave %u",
                 running.kernel, w->error, (unsigned long long)w->errorAt,
                 workgroup[0], workgroup[1], workgroup[2], k);
        return 1;
      }
      if (status == WAVE_ENDED) {
        ended[k] = 1;
        left--;
        result->instructions += w->instructions;
      }
    }
  return 0;
}

static int runGrid(Launch *launch, amdsim_launch_result *result) {
  const u32 *grid = launch->parameters->grid;
  u32 id[3];
  for (id[2] = 0; id[2] < grid[2]; id[2]++)
    for (id[1] = 0; id[1] < grid[1]; id[1]++)
      for (id[0] = 0; id[0] < grid[0]; id[0]++)
        if (runWorkgroup(launch, id, result) != 0)
          return 1;
  return 0;
}

static void relocate(void);

const amdsim_kernel *amdsim_get_kernel(u32 index) {
  return index < kernelCount ? &kernels[index].info : NULL;
}
u32 amdsim_kernel_count(void) { return kernelCount; }

static int refuse(amdsim_launch_result *result, const char *message) {
  snprintf(result->message, sizeof result->message, "%s", message);
  return 1;
}

int amdsim_launch(u32 kernel, const amdsim_launch_parameters *p,
                  amdsim_launch_result *result) {
  memset(result, 0, sizeof *result);
  if (kernel >= kernelCount)
    return refuse(result, "there is no kernel of that index");
  Launch launch = {&kernels[kernel], p, {0}, 0, 0, NULL, NULL, NULL, 0, 0};
  const KernelCode *code = launch.code;
  u64 lanes = (u64)p->block[0] * p->block[1] * p->block[2];
  if (lanes == 0 || lanes > 1024)
    return refuse(result, "a workgroup has 1 to 1024 lanes");
  if (p->kernarg_bytes > code->info.kernarg_bytes)
    return refuse(result, "the kernel takes fewer bytes of arguments");
  relocate();
  u64 argumentBytes = (MAX(code->info.kernarg_bytes, 16u) + 15ull) & ~15ull;
  launch.waveCount = (u32)((lanes + WAVE_SIZE - 1) / WAVE_SIZE);
  launch.ldsBytes = code->info.lds_bytes + p->dynamic_lds_bytes;
  launch.scratchBytes = (u64)launch.waveCount * WAVE_SIZE * code->scratchBytes;
  u8 *arguments = allocateGuarded(argumentBytes);
  launch.lds = malloc(launch.ldsBytes + 1);
  launch.scratch = malloc(launch.scratchBytes + 1);
  launch.waves = malloc(launch.waveCount * sizeof *launch.waves);
  if (!arguments || !launch.lds || !launch.scratch || !launch.waves)
    return refuse(result, "no memory is left");
  u8 packet[64];
  memset(arguments, 0, argumentBytes);
  memcpy(arguments, p->kernarg, p->kernarg_bytes);
  fillHiddenArguments(arguments, &code->info, p);
  fillDispatchPacket(packet, code, p, (u64)arguments);
  launch.userCount =
      fillUserRegisters(launch.userRegisters, code, packet, arguments);

  struct sigaction action = {0}, oldSegv, oldBus;
  action.sa_sigaction = reportFault;
  action.sa_flags = SA_SIGINFO;
  running.kernel = code->info.name;
  running.describe = p->describe_address;
  sigaction(SIGSEGV, &action, &oldSegv);
  sigaction(SIGBUS, &action, &oldBus);
  unsigned control = _mm_getcsr();
  int status = runGrid(&launch, result);
  _mm_setcsr(control);
  sigaction(SIGSEGV, &oldSegv, NULL);
  sigaction(SIGBUS, &oldBus, NULL);

  freeGuarded(arguments, argumentBytes);
  free(launch.lds);
  free(launch.scratch);
  free(launch.waves);
  return status;
}

#endif
