//===- FixtureGpu.c - entries and images for GPUs ---------------------===//
#include "FixtureBlock.h"
#include "FixtureDescriptor.h"

EXPORT const unsigned char fixture_sm_75[IMAGE_BYTES] = {
#embed FIXTURE_SM_75
};
EXPORT const unsigned char fixture_gfx942[IMAGE_BYTES] = {
#embed FIXTURE_GFX942
};
EXPORT const unsigned char fixture_gfx950[IMAGE_BYTES] = {
#embed FIXTURE_GFX950
};
EXPORT const unsigned char fixture_gfx1201[IMAGE_BYTES] = {
#embed FIXTURE_GFX1201
};

/// In the order of the manifest.
enum { StoreFactors, ScaleRows, Sizes, Scatter };

/// Launches `kernel` for `threads` threads; none for none.
static int32_t launch(const mlafuse_launch_context *context, uint32_t kernel,
                      int64_t threads, void **parameters, uint32_t count) {
  if (threads == 0)
    return MLAFUSE_ENTRY_OK;
  mlafuse_kernel_launch launch = {
      kernel,        {(uint32_t)((threads + BLOCK - 1) / BLOCK), 1, 1},
      {BLOCK, 1, 1}, 0,
      count,         0,
      parameters};
  return context->launch_kernel(context->runtime, &launch) == 0
             ? MLAFUSE_ENTRY_OK
             : MLAFUSE_ENTRY_LAUNCH_FAILED;
}

static int64_t max(int64_t a, int64_t b) { return a > b ? a : b; }

EXPORT int64_t fixture_gpu_workspace_scale_rows(void *const *descriptors) {
  return ((const Descriptor *)descriptors[0])->fields[0] * 64;
}

EXPORT int32_t fixture_gpu_entry_scale_rows(
    const mlafuse_launch_context *context, void *const *descriptors) {
  Descriptor *x = descriptors[0], *s = descriptors[1], *y = descriptors[2];
  int64_t rows = x->fields[0];
  void *factors = context->workspace;
  if (context->abi_version != MLAFUSE_ABI_VERSION ||
      context->workspace_size < fixture_gpu_workspace_scale_rows(descriptors))
    return MLAFUSE_ENTRY_BAD_CONTEXT;
  void *store[] = {&s->aligned, &factors, &rows};
  int32_t code = launch(context, StoreFactors, rows, store, 3);
  if (code != MLAFUSE_ENTRY_OK)
    return code;
  void *scale[] = {&x->aligned, &x->fields[2], &factors,
                   &y->aligned, &y->fields[2], &rows};
  return launch(context, ScaleRows, rows * 4, scale, 6);
}

EXPORT int64_t fixture_gpu_workspace_sizes(void *const *descriptors) {
  (void)descriptors;
  return 0;
}

EXPORT int32_t fixture_gpu_entry_sizes(const mlafuse_launch_context *context,
                                       void *const *descriptors) {
  Descriptor *aligned = descriptors[1], *divided = descriptors[2];
  Descriptor *flat = descriptors[3];
  void *parameters[] = {&aligned->aligned, &aligned->fields[0], &flat->aligned,
                        &flat->fields[0], &divided->fields[0]};
  return launch(context, Sizes, max(aligned->fields[0], flat->fields[0]),
                parameters, 5);
}

EXPORT int64_t fixture_gpu_workspace_scatter(void *const *descriptors) {
  (void)descriptors;
  return 0;
}

EXPORT int32_t fixture_gpu_entry_scatter(const mlafuse_launch_context *context,
                                         void *const *descriptors) {
  Descriptor *slots = descriptors[0], *cache = descriptors[1];
  void *parameters[] = {&slots->aligned, &cache->aligned, &slots->fields[0]};
  return launch(context, Scatter, slots->fields[0], parameters, 3);
}

EXPORT int64_t fixture_gpu_workspace_untouched(void *const *descriptors) {
  (void)descriptors;
  return 0;
}

EXPORT int32_t fixture_gpu_entry_untouched(
    const mlafuse_launch_context *context, void *const *descriptors) {
  (void)context;
  (void)descriptors;
  return MLAFUSE_ENTRY_OK;
}

EXPORT int64_t fixture_gpu_workspace_refuse(void *const *descriptors) {
  (void)descriptors;
  return 0;
}

EXPORT int32_t fixture_gpu_entry_refuse(const mlafuse_launch_context *context,
                                        void *const *descriptors) {
  (void)context;
  (void)descriptors;
  return MLAFUSE_ENTRY_BAD_CONTEXT;
}
