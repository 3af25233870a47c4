//===- BrokenLibrary.c - libraries that must be refused ---------------===//
#include <stdint.h>

#define EXPORT __attribute__((visibility("default")))
#define TARGETS(backend, chip)                                                 \
  "\"compiler\": \"by hand\", \"targets\": [{\"backend\": \"" backend          \
  "\", \"chip\": \"" chip "\"}], "
#define FUNCTIONS                                                              \
  "\"functions\": [{\"name\": \"f\", \"arguments\": [], \"results\": []}]}"

#if defined(BROKEN_no_manifest)
#elif defined(BROKEN_other_version)
EXPORT const char mlafuse_manifest[] =
    "{\"mlafuse_abi\": 2, " TARGETS("cpu", "generic") FUNCTIONS;
#elif defined(BROKEN_cut_manifest)
EXPORT const char mlafuse_manifest[] =
    "{\"mlafuse_abi\": 1, " TARGETS("cpu", "generic") "\"functions\": [{\"na";
#elif defined(BROKEN_other_backend)
EXPORT const char mlafuse_manifest[] =
    "{\"mlafuse_abi\": 1, " TARGETS("other", "chip9") FUNCTIONS;
#else
EXPORT const char mlafuse_manifest[] =
    "{\"mlafuse_abi\": 1, " TARGETS("cpu", "generic") FUNCTIONS;
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
