/* call.c - a compiled library on a device, from C.
 *
 * usage: call-from-c-norm LIBRARY [cpu|cuda|hip]
 *
 * LIBRARY is norm.mlir, compiled for that device. Rows of bf16 go to the
 * device, are normalized and quantized there, and their codes come back; the
 * largest of a row must be the code of 448, the largest number of f8E4M3FN, and
 * its scale the row's largest magnitude over 448. Needs no LLVM and no GPU
 * toolkit: the runtime loads the device's driver.
 */
#include "mlafuse/runtime/mlafuse.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { rows = 5, width = 512, tensor_count = 4, code_of_448 = 0x7E };

/* All that the program holds, so that one place frees it. */
struct state {
  mlafuse_context *context;
  mlafuse_module *module;
  void *memory[tensor_count];
  void *workspace;
};

/* The upper half of an f32 is a bf16; these numbers lose nothing. */
static uint16_t to_bf16(float value) {
  union {
    float number;
    uint32_t bits;
  } f32 = {value};
  return (uint16_t)(f32.bits >> 16);
}

static int check_results(const uint8_t codes[rows][width],
                         const float scales[rows]) {
  for (int t = 0; t < rows; ++t) {
    /* Row t is 1 everywhere but for one value of t + 2. */
    double peak = t + 2, sum = (width - 1) + peak * peak;
    double wanted = peak / sqrt(sum / width) / 448;
    /* The normalized value is rounded to bf16, of 8 significant bits. */
    if (codes[t][t] != code_of_448 || fabs(scales[t] - wanted) > wanted / 256) {
      fprintf(stderr, "row %d: code 0x%02x, scale %g; wanted 0x%02x, %g\n", t,
              codes[t][t], (double)scales[t], code_of_448, wanted);
      return 0;
    }
  }
  return 1;
}

/* Stops at the first call that fails; mlafuse_last_error() then says why. */
static mlafuse_status run(struct state *state, const char *library,
                          const char *device, uint8_t codes[rows][width],
                          float scales[rows]) {
  static uint16_t x[rows][width], w[width];
  for (int t = 0; t < rows; ++t)
    for (int i = 0; i < width; ++i)
      x[t][i] = to_bf16(i == t ? (float)(t + 2) : 1.0F);
  for (int i = 0; i < width; ++i)
    w[i] = to_bf16(1.0F);

  mlafuse_status status = mlafuse_context_create(device, 0, &state->context);
  if (status != MLAFUSE_OK)
    return status;
  status = mlafuse_module_load(state->context, library, &state->module);
  if (status != MLAFUSE_OK)
    return status;
  const mlafuse_function *function;
  status = mlafuse_module_find(state->module, "norm_quantize", &function);
  if (status != MLAFUSE_OK)
    return status;

  /* Tensors of the device's memory, in the order of the function's arguments.
   */
  const size_t bytes[tensor_count] = {sizeof(x), sizeof(w), rows * width,
                                      rows * sizeof(float)};
  for (int i = 0; i < tensor_count; ++i) {
    status = mlafuse_alloc(state->context, bytes[i], &state->memory[i]);
    if (status != MLAFUSE_OK)
      return status;
  }
  int64_t matrix[2] = {rows, width}, vector[1] = {width}, column[2] = {rows, 1};
  mlafuse_tensor tensors[tensor_count] = {
      {state->memory[0], MLAFUSE_BF16, 2, matrix, NULL},
      {state->memory[1], MLAFUSE_BF16, 1, vector, NULL},
      {state->memory[2], MLAFUSE_F8E4M3FN, 2, matrix, NULL},
      {state->memory[3], MLAFUSE_F32, 2, column, NULL}};
  int64_t workspace_bytes;
  status =
      mlafuse_workspace_size(function, tensors, tensor_count, &workspace_bytes);
  if (status != MLAFUSE_OK)
    return status;
  status =
      mlafuse_alloc(state->context, (size_t)workspace_bytes, &state->workspace);
  if (status != MLAFUSE_OK)
    return status;

  /* The default stream runs all of this in order; a caller with a stream of its
   * own, a CUstream or hipStream_t, passes that. */
  void *stream = NULL;
  status = mlafuse_copy(state->context, stream, state->memory[0], x, bytes[0],
                        MLAFUSE_HOST_TO_DEVICE);
  if (status == MLAFUSE_OK)
    status = mlafuse_copy(state->context, stream, state->memory[1], w, bytes[1],
                          MLAFUSE_HOST_TO_DEVICE);
  if (status == MLAFUSE_OK)
    status = mlafuse_launch(function, stream, tensors, tensor_count,
                            state->workspace, workspace_bytes);
  if (status == MLAFUSE_OK)
    status = mlafuse_copy(state->context, stream, codes, state->memory[2],
                          bytes[2], MLAFUSE_DEVICE_TO_HOST);
  if (status == MLAFUSE_OK)
    status = mlafuse_copy(state->context, stream, scales, state->memory[3],
                          bytes[3], MLAFUSE_DEVICE_TO_HOST);
  if (status == MLAFUSE_OK)
    status = mlafuse_synchronize(state->context, stream);
  return status;
}

int main(int argc, char **argv) {
  if (argc < 2 || argc > 3) {
    fprintf(stderr, "usage: call-from-c-norm LIBRARY [cpu|cuda|hip]\n");
    return 2;
  }
  static uint8_t codes[rows][width];
  static float scales[rows];
  struct state state = {0};
  const char *device = argc == 3 ? argv[2] : "cpu";
  mlafuse_status status = run(&state, argv[1], device, codes, scales);
  if (status != MLAFUSE_OK)
    fprintf(stderr, "call-from-c-norm: %s: %s\n", mlafuse_status_text(status),
            mlafuse_last_error());
  for (int i = 0; i < tensor_count; ++i)
    mlafuse_free(state.context, state.memory[i]);
  mlafuse_free(state.context, state.workspace);
  mlafuse_module_unload(state.module);
  mlafuse_context_destroy(state.context);
  if (status != MLAFUSE_OK || !check_results(codes, scales))
    return EXIT_FAILURE;
  printf("%d rows of %d on %s: codes and scales are right\n", rows, width,
         device);
  return EXIT_SUCCESS;
}
