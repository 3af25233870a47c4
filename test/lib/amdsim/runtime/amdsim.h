/*===- amdsim.h - the C interface of a translated code object ---*- C -*-===*/
/* `amdsim.py --translate k.hsaco -o k.so` makes a shared library that exports
 * these functions. It can be loaded with dlopen and run any number of launches;
 * one launch at a time. Kernels use the process's memory: a pointer argument is
 * an address of the host. */
#ifndef AMDSIM_H
#define AMDSIM_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An argument of a kernel, as the code object's metadata describes it. */
typedef struct {
  const char *name; /* "" if it has none. */
  const char
      *kind; /* "global_buffer", "by_value", "hidden_block_count_x", ... */
  uint32_t offset, size; /* Bytes in the kernel arguments' memory. */
} amdsim_argument;

typedef struct {
  const char *name;
  uint32_t kernarg_bytes; /* Size of the arguments' memory. */
  uint32_t lds_bytes;     /* Static LDS of a workgroup. */
  uint32_t scratch_bytes; /* Of a lane. */
  uint32_t vector_registers, scalar_registers, accumulators;
  uint32_t vector_spills, scalar_spills;
  uint32_t max_workgroup_size; /* Lanes. */
  uint32_t workgroup_size[3];  /* Required; zeros if any is right. */
  uint32_t wave_size;
  uint32_t argument_count;
  const amdsim_argument *arguments;
} amdsim_kernel;

typedef struct {
  uint32_t grid[3];  /* Workgroups; none may be 0. */
  uint32_t block[3]; /* Lanes of a workgroup. */
  /* The arguments' memory; hidden arguments in it are filled in by the library,
   * and what is missing at its end is zeros. */
  const void *kernarg;
  uint64_t kernarg_bytes;
  uint32_t dynamic_lds_bytes;
  /* Order of the waves: 0 forward, 1 backward, others shuffled. A missing
   * barrier shows as results that differ between orders. */
  uint32_t seed;
  /* Says more of an address at which a kernel faulted; may be NULL. */
  const char *(*describe_address)(uint64_t address);
} amdsim_launch_parameters;

typedef struct {
  uint64_t instructions; /* Executed by all waves. */
  char message[512];     /* What went wrong. */
} amdsim_launch_result;

/* "gfx942" */
const char *amdsim_chip(void);
uint32_t amdsim_kernel_count(void);
/* NULL if there is no kernel of that index. */
const amdsim_kernel *amdsim_get_kernel(uint32_t index);
/* 0 if the launch is done, else `result->message` says what went wrong: an
 * instruction that is not known, an access out of the bounds of LDS, a trap. An
 * access to memory that the process lacks ends the process with a message on
 * stderr. */
int amdsim_launch(uint32_t kernel, const amdsim_launch_parameters *parameters,
                  amdsim_launch_result *result);

#ifdef __cplusplus
}
#endif

#endif
