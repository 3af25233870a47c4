//===- BrokenLibrary.c - libraries that must be refused ---------------===//
#include <stdint.h>

#define EXPORT __attribute__((visibility("default")))
#define GPU(backend, chip, format)                                             \
  "{\"backend\": \"" backend "\", \"chip\": \"" chip                           \
  "\", \"prefix\": \"mlafuse\", \"kernels\": [], \"images\": [{\"format\": "   \
  "\"" format "\", \"symbol\": \"no_image\", \"bytes\": 1}]}"
#define OTHER(backend)                                                         \
  "{\"backend\": \"" backend "\", \"chip\": \"chip9\", \"prefix\": "           \
  "\"mlafuse\"}"
/// One that every device runs.
#define ALL                                                                                 \
  "{\"backend\": \"cpu\", \"chip\": \"generic\", \"prefix\": "                              \
  "\"mlafuse\"}, " GPU("cuda", "sm_50", "ptx") ", " GPU("hip", "gfx90a", "hsaco") ", " GPU( \
      "hip", "gfx942",                                                                      \
      "hsaco") ", " GPU("hip", "gfx950",                                                    \
                        "hsaco") ", " GPU("hip", "gfx1100",                                 \
                                          "hsaco") ", " GPU("hip", "gfx1201",               \
                                                            "hsaco")
#define MANIFEST(version, targets, functions)                                  \
  "{\"mlafuse_abi\": " version                                                 \
  ", \"compiler\": \"by hand\", \"targets\": [" targets "], " functions
#define FUNCTIONS                                                              \
  "\"functions\": [{\"name\": \"f\", \"arguments\": [], \"results\": []}]}"

#if defined(BROKEN_no_manifest)
#elif defined(BROKEN_other_version)
EXPORT const char mlafuse_manifest[] = MANIFEST("1", ALL, FUNCTIONS);
#elif defined(BROKEN_cut_manifest)
EXPORT const char mlafuse_manifest[] =
    MANIFEST("2", ALL, "\"functions\": [{\"na");
#elif defined(BROKEN_other_backend)
EXPORT const char mlafuse_manifest[] = MANIFEST("2", OTHER("other"), FUNCTIONS);
#elif defined(BROKEN_other_chip)
EXPORT const char mlafuse_manifest[] = MANIFEST(
    "2", GPU("cuda", "sm_35", "cubin") ", " GPU("hip", "gfx600", "hsaco"),
    FUNCTIONS);
#else
EXPORT const char mlafuse_manifest[] = MANIFEST("2", ALL, FUNCTIONS);
#endif

#if !defined(BROKEN_no_entry)
EXPORT int32_t mlafuse_entry_f(const void *context, void *const *descriptors) {
  (void)context;
  (void)descriptors;
  return 0;
}
#endif

#if !defined(BROKEN_no_workspace)
EXPORT int64_t mlafuse_workspace_f(void *const *descriptors) {
  (void)descriptors;
  return 0;
}
#endif
