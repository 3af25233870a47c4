//===- Fixture.c - a compiled library written by hand -----------------===//
//
// What mlafuse-compile would make of a few small functions, for the tests of
// the runtime and its backends: it follows abi.h and nothing else. Here are the
// manifest and the code for the CPU; FixtureGpu.c has that for GPUs, if the C
// compiler can make kernels.
//
//===------------------------------------------------------------------===//
#include "FixtureDescriptor.h"

#if defined(FIXTURE_HAS_GPU)
#define TEXT(value) #value
#define VALUE_TEXT(value) TEXT(value)
#define KERNELS                                                                \
  "\"kernels\": [{\"name\": \"store_factors\"}, {\"name\": \"scale_rows\"},"   \
  " {\"name\": \"sizes\"}, {\"name\": \"scatter\"}]"
#define GPU_TARGET(backend, chip, format)                                      \
  ", {\"backend\": \"" backend "\", \"chip\": \"" chip                         \
  "\", \"prefix\": \"fixture_gpu\", \"images\": [{\"format\": \"" format       \
  "\", \"symbol\": \"fixture_" chip                                            \
  "\", \"bytes\": " VALUE_TEXT(IMAGE_BYTES) "}], " KERNELS "}"
#define GPU_TARGETS                                                            \
  GPU_TARGET("cuda", "sm_75", "ptx")                                           \
  GPU_TARGET("hip", "gfx942", "hsaco")                                         \
  GPU_TARGET("hip", "gfx950", "hsaco")                                         \
  GPU_TARGET("hip", "gfx1201", "hsaco")
#else
#define GPU_TARGETS ""
#endif

EXPORT const char mlafuse_manifest[] =
    "{\"mlafuse_abi\": 2, \"compiler\": \"by hand\","
    " \"targets\": [{\"backend\": \"cpu\", \"chip\": \"generic\","
    " \"prefix\": \"mlafuse\"}" GPU_TARGETS "],"
    " \"functions\": ["
    "{\"name\": \"scale_rows\", \"arguments\": ["
    "{\"name\": \"x\", \"type\": \"f32\", \"shape\": [\"T\", 4],"
    " \"layout\": \"strided\", \"access\": \"read\"},"
    "{\"name\": \"s\", \"type\": \"f32\", \"shape\": [\"T\"],"
    " \"layout\": \"contiguous\", \"access\": \"read\"},"
    "{\"name\": \"y\", \"type\": \"f32\", \"shape\": [\"T\", 4],"
    " \"layout\": \"strided\", \"access\": \"write\"}],"
    " \"results\": [{\"name\": \"scaled\", \"argument\": 2}]},"
    "{\"name\": \"sizes\", \"arguments\": ["
    "{\"name\": \"a\", \"type\": \"bf16\", \"shape\": [\"B\", \"S\", 2],"
    " \"layout\": \"contiguous\", \"access\": \"read\"},"
    "{\"name\": \"aligned\", \"type\": \"f8E4M3FN\","
    " \"shape\": [{\"align\": [\"S\", 4]}],"
    " \"layout\": \"contiguous\", \"access\": \"write\"},"
    "{\"name\": \"divided\", \"type\": \"i32\","
    " \"shape\": [{\"ceildiv\": [{\"product\": [\"B\", \"S\"]}, 4]}],"
    " \"layout\": \"contiguous\", \"access\": \"write\"},"
    "{\"name\": \"flat\", \"type\": \"i8\","
    " \"shape\": [{\"product\": [\"B\", \"S\"]}],"
    " \"layout\": \"contiguous\", \"access\": \"write\"}],"
    " \"results\": [{\"name\": \"aligned\", \"argument\": 1},"
    " {\"name\": \"flat\", \"argument\": 3}]},"
    "{\"name\": \"scatter\", \"arguments\": ["
    "{\"name\": \"slots\", \"type\": \"i64\", \"shape\": [\"N\"],"
    " \"layout\": \"contiguous\", \"access\": \"read\","
    " \"range\": [0, \"P\"], \"distinct\": true},"
    "{\"name\": \"cache\", \"type\": \"f16\", \"shape\": [\"P\"],"
    " \"layout\": \"contiguous\", \"access\": \"readwrite\","
    " \"range\": [0.5, 1]}],"
    " \"results\": [{\"name\": \"cache\", \"argument\": 1}]},"
    "{\"name\": \"untouched\", \"arguments\": ["
    "{\"name\": \"y\", \"type\": \"i8\", \"shape\": [\"T\"],"
    " \"layout\": \"contiguous\", \"access\": \"write\"}],"
    " \"results\": [{\"name\": \"y\", \"argument\": 0}]},"
    "{\"name\": \"refuse\", \"arguments\": [], \"results\": []}]}";

typedef struct {
  const Descriptor *x, *s, *y;
  float *factors;
} ScaleRows;

static void scaleRows(void *argument, int64_t begin, int64_t end) {
  const ScaleRows *loop = argument;
  const float *x = (const float *)loop->x->aligned + loop->x->offset;
  float *y = (float *)loop->y->aligned + loop->y->offset;
  const float *s = (const float *)loop->s->aligned + loop->s->offset;
  for (int64_t row = begin; row < end; ++row) {
    // By way of the workspace, a slot of 64 bytes for each row.
    float *factor = loop->factors + row * 16;
    *factor = s[row];
    for (int64_t i = 0; i < 4; ++i)
      y[row * loop->y->fields[2] + i] =
          x[row * loop->x->fields[2] + i] * *factor;
  }
}

EXPORT int64_t mlafuse_workspace_scale_rows(void *const *descriptors) {
  return ((const Descriptor *)descriptors[0])->fields[0] * 64;
}

EXPORT int32_t mlafuse_entry_scale_rows(const mlafuse_launch_context *context,
                                        void *const *descriptors) {
  if (context->abi_version != MLAFUSE_ABI_VERSION || context->reserved != 0 ||
      context->workspace_size < mlafuse_workspace_scale_rows(descriptors))
    return MLAFUSE_ENTRY_BAD_CONTEXT;
  ScaleRows loop = {descriptors[0], descriptors[1], descriptors[2],
                    context->workspace};
  context->parallel_for(context->runtime, scaleRows, &loop, loop.x->fields[0],
                        2);
  return MLAFUSE_ENTRY_OK;
}

EXPORT int64_t mlafuse_workspace_sizes(void *const *descriptors) {
  (void)descriptors;
  return 0;
}

/// aligned[i] = i, flat[i] = number of elements of `divided`.
EXPORT int32_t mlafuse_entry_sizes(const mlafuse_launch_context *context,
                                   void *const *descriptors) {
  (void)context;
  const Descriptor *aligned = descriptors[1], *divided = descriptors[2];
  const Descriptor *flat = descriptors[3];
  for (int64_t i = 0; i < aligned->fields[0]; ++i)
    ((uint8_t *)aligned->aligned)[i] = (uint8_t)i;
  for (int64_t i = 0; i < flat->fields[0]; ++i)
    ((uint8_t *)flat->aligned)[i] = (uint8_t)divided->fields[0];
  return MLAFUSE_ENTRY_OK;
}

EXPORT int64_t mlafuse_workspace_scatter(void *const *descriptors) {
  (void)descriptors;
  return 0;
}

/// Negates the f16 numbers that the slots name.
EXPORT int32_t mlafuse_entry_scatter(const mlafuse_launch_context *context,
                                     void *const *descriptors) {
  (void)context;
  const Descriptor *slots = descriptors[0], *cache = descriptors[1];
  for (int64_t i = 0; i < slots->fields[0]; ++i)
    ((uint16_t *)cache->aligned)[((const int64_t *)slots->aligned)[i]] ^=
        0x8000;
  return MLAFUSE_ENTRY_OK;
}

EXPORT int64_t mlafuse_workspace_untouched(void *const *descriptors) {
  (void)descriptors;
  return 0;
}

/// Writes nothing.
EXPORT int32_t mlafuse_entry_untouched(const mlafuse_launch_context *context,
                                       void *const *descriptors) {
  (void)context;
  (void)descriptors;
  return MLAFUSE_ENTRY_OK;
}

EXPORT int64_t mlafuse_workspace_refuse(void *const *descriptors) {
  (void)descriptors;
  return 0;
}

EXPORT int32_t mlafuse_entry_refuse(const mlafuse_launch_context *context,
                                    void *const *descriptors) {
  (void)context;
  (void)descriptors;
  return MLAFUSE_ENTRY_BAD_CONTEXT;
}
