//===- mlafuse.h - run compiled libraries ---------------------*- C -*-===//
//
// The C ABI of the runtime: load a library made by mlafuse-compile, ask what
// its functions take, and launch them on a stream of the caller's. It needs no
// LLVM and no GPU toolkit; what drives a device is a backend, a shared library
// beside this one that is loaded when a context asks for it.
//
// Every function that can fail returns a status, and mlafuse_last_error() then
// says in words what was wrong. Nothing is written through an out-parameter of
// a call that failed. Handles may be used from several threads at once, as long
// as none of them destroys one that another still uses.
//
//===------------------------------------------------------------------===//
#ifndef MLAFUSE_RUNTIME_MLAFUSE_H
#define MLAFUSE_RUNTIME_MLAFUSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define MLAFUSE_API __attribute__((visibility("default")))
#else
#define MLAFUSE_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define MLAFUSE_VERSION_MAJOR 0
#define MLAFUSE_VERSION_MINOR 1
#define MLAFUSE_VERSION_PATCH 0

// The last member of each enumeration is no value of it: it makes the type hold
// any 32 bits, so that a wrong value is an error and not undefined.

/// What became of a call.
typedef enum mlafuse_status {
  MLAFUSE_OK = 0,
  /// An argument of the call, or a tensor given to a launch, is not usable.
  MLAFUSE_INVALID_ARGUMENT = 1,
  /// There is no such file or function.
  MLAFUSE_NOT_FOUND = 2,
  /// The file is no compiled library, its manifest is damaged or of another
  /// version, or it was not compiled for the context's device.
  MLAFUSE_BAD_LIBRARY = 3,
  /// The backend's shared library is missing or cannot work on this machine.
  MLAFUSE_BACKEND_UNAVAILABLE = 4,
  /// Memory or threads could not be had.
  MLAFUSE_OUT_OF_RESOURCES = 5,
  /// The device, or the compiled entry, reported a failure.
  MLAFUSE_EXECUTION_FAILED = 6,
  MLAFUSE_STATUS_FORCE_32_BITS = INT32_MIN
} mlafuse_status;

/// Element types.
typedef enum mlafuse_type {
  MLAFUSE_BF16 = 1,
  MLAFUSE_F16 = 2,
  MLAFUSE_F32 = 3,
  MLAFUSE_F8E4M3FN = 4,
  MLAFUSE_F8E4M3FNUZ = 5,
  MLAFUSE_F8E5M2 = 6,
  MLAFUSE_F8E8M0FNU = 7,
  MLAFUSE_I8 = 8,
  MLAFUSE_I32 = 9,
  MLAFUSE_I64 = 10,
  /// Bytes of no said meaning: accepted for every one-byte type. No function
  /// asks for it.
  MLAFUSE_U8 = 11,
  MLAFUSE_TYPE_FORCE_32_BITS = INT32_MIN
} mlafuse_type;

/// How the elements of an argument lie in memory.
typedef enum mlafuse_layout {
  /// Row-major without gaps.
  MLAFUSE_CONTIGUOUS = 0,
  /// The innermost stride is 1, the outer ones are free.
  MLAFUSE_STRIDED = 1,
  MLAFUSE_LAYOUT_FORCE_32_BITS = INT32_MIN
} mlafuse_layout;

/// What a function does with the memory of an argument.
typedef enum mlafuse_access {
  MLAFUSE_READ = 0,
  MLAFUSE_WRITE = 1,
  MLAFUSE_READWRITE = 2,
  MLAFUSE_ACCESS_FORCE_32_BITS = INT32_MIN
} mlafuse_access;

/// Which way mlafuse_copy copies.
typedef enum mlafuse_copy_kind {
  MLAFUSE_HOST_TO_DEVICE = 0,
  MLAFUSE_DEVICE_TO_HOST = 1,
  MLAFUSE_DEVICE_TO_DEVICE = 2,
  MLAFUSE_COPY_KIND_FORCE_32_BITS = INT32_MIN
} mlafuse_copy_kind;

/// An open device.
typedef struct mlafuse_context mlafuse_context;
/// A loaded library.
typedef struct mlafuse_module mlafuse_module;
/// A function of a library; belongs to its module and lives as long.
typedef struct mlafuse_function mlafuse_function;

/// One argument of a function. The pointers live as long as the module.
typedef struct mlafuse_argument_info {
  const char *name;
  mlafuse_type type;
  mlafuse_layout layout;
  mlafuse_access access;
  int32_t rank;
  /// `rank` sizes in elements; -1 where the size is not fixed.
  const int64_t *static_sizes;
  /// `rank` sizes in words: "512", "T", "align(T, 4)", "ceildiv(K, 128)",
  /// "B * S", "D + P". A symbol has one value throughout a function.
  const char *const *dims;
} mlafuse_argument_info;

/// One result of a function: the memory of one of its arguments.
typedef struct mlafuse_result_info {
  const char *name; ///< Lives as long as the module.
  size_t argument;  ///< Index of the argument.
} mlafuse_result_info;

/// A tensor given to a launch. The caller keeps all that it points to alive:
/// shape and strides for the call, the data until the stream has passed it.
typedef struct mlafuse_tensor {
  void *data; ///< Element [0, ..., 0]; may be NULL if there are no elements.
  mlafuse_type type;
  int32_t rank;
  const int64_t *shape;   ///< `rank` sizes in elements.
  const int64_t *strides; ///< `rank` strides in elements; NULL: row-major.
} mlafuse_tensor;

//===------------------------------------------------------------------===//
// Version and errors
//===------------------------------------------------------------------===//

/// Version of the loaded runtime: major * 10000 + minor * 100 + patch.
MLAFUSE_API uint32_t mlafuse_version(void);

/// Version of the loaded runtime as text, "major.minor.patch".
MLAFUSE_API const char *mlafuse_version_text(void);

/// What was wrong with the last call of this thread that failed; "" if none
/// did. Valid until another call of this thread fails.
MLAFUSE_API const char *mlafuse_last_error(void);

/// The status's name in words, for logs.
MLAFUSE_API const char *mlafuse_status_text(mlafuse_status status);

//===------------------------------------------------------------------===//
// Contexts
//===------------------------------------------------------------------===//

/// Opens a device. `backend` is "cpu", "cuda" or "hip". On a GPU it is the
/// calling thread's current device (for CUDA: that of its current context, the
/// first device without one), through its primary context. `threads` is the
/// number of threads that a launch on the CPU may use, the caller's included;
/// 0: one for each core that this process may run on; a GPU makes no use of it.
MLAFUSE_API mlafuse_status mlafuse_context_create(const char *backend,
                                                  int32_t threads,
                                                  mlafuse_context **context);

/// Closes the device when its last module is unloaded. NULL is ignored.
MLAFUSE_API void mlafuse_context_destroy(mlafuse_context *context);

/// Name of the backend; lives as long as the context.
MLAFUSE_API const char *mlafuse_context_backend(const mlafuse_context *context);

/// The device's chip as its driver names it: "sm_90", "gfx942:sramecc+:xnack-";
/// for the CPU the level of its instructions, "x86-64-v3". Lives as long as the
/// context.
MLAFUSE_API const char *mlafuse_context_chip(const mlafuse_context *context);

/// Threads that a launch uses at most, the caller's included; 1 on a GPU.
MLAFUSE_API int32_t mlafuse_context_threads(const mlafuse_context *context);

//===------------------------------------------------------------------===//
// Memory of the device
//===------------------------------------------------------------------===//

/// Allocates `bytes` bytes, aligned to 64 bytes or more. `*memory` is NULL if
/// `bytes` is 0. The content is undefined.
MLAFUSE_API mlafuse_status mlafuse_alloc(mlafuse_context *context, size_t bytes,
                                         void **memory);

/// Frees what mlafuse_alloc gave. NULL is ignored.
MLAFUSE_API void mlafuse_free(mlafuse_context *context, void *memory);

/// Copies `bytes` bytes in the stream's order. The ranges do not overlap. On a
/// GPU the call may return before the copy is done.
MLAFUSE_API mlafuse_status mlafuse_copy(mlafuse_context *context, void *stream,
                                        void *destination, const void *source,
                                        size_t bytes, mlafuse_copy_kind kind);

/// Waits until all that was put on `stream` is done.
MLAFUSE_API mlafuse_status mlafuse_synchronize(mlafuse_context *context,
                                               void *stream);

//===------------------------------------------------------------------===//
// Modules and functions
//===------------------------------------------------------------------===//

/// Loads the library at `path` (a path, never searched for), checks that its
/// manifest is whole, and loads the code that fits the context's device best.
/// The error of a library that has none lists the chips that it was compiled
/// for.
MLAFUSE_API mlafuse_status mlafuse_module_load(mlafuse_context *context,
                                               const char *path,
                                               mlafuse_module **module);

/// mlafuse_module_load that takes the code for `chip`, as the manifest names it
/// ("sm_80"), and fails if there is none or this device cannot run it; "": any.
MLAFUSE_API mlafuse_status mlafuse_module_load_target(mlafuse_context *context,
                                                      const char *path,
                                                      const char *chip,
                                                      mlafuse_module **module);

/// Unloads a library and its functions. NULL is ignored.
MLAFUSE_API void mlafuse_module_unload(mlafuse_module *module);

/// The manifest: JSON, as abi.h describes it. Lives as long as the module.
MLAFUSE_API const char *mlafuse_module_manifest(const mlafuse_module *module);

/// The chip, as the manifest names it, whose code was loaded. Lives as long as
/// the module.
MLAFUSE_API const char *mlafuse_module_chip(const mlafuse_module *module);

/// Number of functions.
MLAFUSE_API size_t mlafuse_module_function_count(const mlafuse_module *module);

/// Function number `index` in the manifest's order; NULL if there is none.
MLAFUSE_API const mlafuse_function *
mlafuse_module_function(const mlafuse_module *module, size_t index);

/// Finds a function by name. The error of a wrong name lists the right ones.
MLAFUSE_API mlafuse_status
mlafuse_module_find(const mlafuse_module *module, const char *name,
                    const mlafuse_function **function);

/// Name of a function; lives as long as its module.
MLAFUSE_API const char *mlafuse_function_name(const mlafuse_function *function);

/// Number of arguments; a launch takes exactly that many tensors.
MLAFUSE_API size_t
mlafuse_function_argument_count(const mlafuse_function *function);

/// Number of results.
MLAFUSE_API size_t
mlafuse_function_result_count(const mlafuse_function *function);

/// Describes argument number `index`.
MLAFUSE_API mlafuse_status
mlafuse_function_argument(const mlafuse_function *function, size_t index,
                          mlafuse_argument_info *info);

/// Describes result number `index`.
MLAFUSE_API mlafuse_status mlafuse_function_result(
    const mlafuse_function *function, size_t index, mlafuse_result_info *info);

//===------------------------------------------------------------------===//
// Launching
//===------------------------------------------------------------------===//

/// Bytes of workspace that a launch with these tensors needs. Makes all checks
/// of a launch but those of data pointers (`data` is not looked at), so that
/// workspace can be had before any tensor is.
MLAFUSE_API mlafuse_status mlafuse_workspace_size(
    const mlafuse_function *function, const mlafuse_tensor *tensors,
    size_t count, int64_t *bytes);

/// Runs a function. Before anything runs, the tensors are checked against the
/// manifest: number, type, rank, sizes, strides, data pointers and their
/// alignment (to the element's size); the first that does not fit fails the
/// call with MLAFUSE_INVALID_ARGUMENT and a text that names it. `stream` is a
/// CUstream or hipStream_t (NULL: the default stream), where the call returns
/// when the kernels are on the stream: one that fails while it runs is told by
/// a later call that waits. On the CPU `stream` is NULL, and the call returns
/// when the work is done. `workspace` is device memory, aligned to 64 bytes, of
/// at least the bytes that mlafuse_workspace_size gives; two launches that may
/// run at the same time must not share it. A launch allocates nothing for a
/// function of up to 48 arguments, and synchronizes nothing.
MLAFUSE_API mlafuse_status mlafuse_launch(const mlafuse_function *function,
                                          void *stream,
                                          const mlafuse_tensor *tensors,
                                          size_t count, void *workspace,
                                          int64_t workspace_size);

#ifdef __cplusplus
}
#endif

#endif // MLAFUSE_RUNTIME_MLAFUSE_H
