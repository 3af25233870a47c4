/*===- ptxsim.h - the C interface of translated PTX -------------*- C -*-===*/
/* `ptxsim.py --translate k.ptx -o k.so` makes a shared library that exports
 * these functions. It can be loaded with dlopen and run any number of launches;
 * one launch at a time. Kernels use the process's memory: a pointer argument is
 * an address of the host. */
#ifndef PTXSIM_H
#define PTXSIM_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A parameter of a kernel. */
typedef struct {
  const char *name;
  uint32_t offset, size; /* Bytes in the parameters' memory. */
  uint32_t is_pointer;   /* 1: PTX says that it points to global memory. */
} ptxsim_parameter;

typedef struct {
  const char *name;
  uint32_t parameter_bytes; /* Size of the parameters' memory. */
  uint32_t shared_bytes;    /* Static shared memory of a block. */
  uint32_t local_bytes;     /* Of a thread. */
  uint32_t max_threads;     /* Of a block. */
  uint32_t block_size[3];   /* Required; zeros if any is right. */
  uint32_t parameter_count;
  const ptxsim_parameter *parameters;
} ptxsim_kernel;

typedef struct {
  uint32_t grid[3];  /* Blocks; none may be 0. */
  uint32_t block[3]; /* Threads of a block. */
  const void *parameters;
  uint64_t parameter_bytes;
  uint32_t dynamic_shared_bytes;
  /* Order of the threads, and when copies end: 0 at once and forward, 1
   * backward, others shuffled and late. A missing wait shows as results that
   * differ between seeds. */
  uint32_t seed;
  /* Whether it may begin before the launch ahead, of the same module, ends. */
  uint32_t overlaps_previous;
  /* Says more of an address at which a kernel faulted; may be NULL. */
  const char *(*describe_address)(uint64_t address);
} ptxsim_launch_parameters;

typedef struct {
  char message[1024]; /* What went wrong. */
} ptxsim_launch_result;

/* The .target of the module: "sm_90a" */
const char *ptxsim_target(void);
uint32_t ptxsim_kernel_count(void);
/* NULL if there is no kernel of that index. */
const ptxsim_kernel *ptxsim_get_kernel(uint32_t index);
/* 0 if the launch is done, else `result->message` says what went wrong: an
 * access out of the bounds of shared memory, threads that wait for each other,
 * a trap. An access to memory that the process lacks ends the process with a
 * message on stderr. */
int ptxsim_launch(uint32_t kernel, const ptxsim_launch_parameters *parameters,
                  ptxsim_launch_result *result);

#ifdef __cplusplus
}
#endif

#endif
