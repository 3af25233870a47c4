//===- abi.h - contract of compiled libraries and runtime -----*- C -*-===//
//
// What a library made by mlafuse-compile exports and what it may use. A compiled
// library imports nothing from the runtime: all that it calls comes through the
// launch context.
//
// Exports, for every target of the manifest, with its <prefix>, and every public
// function <name> of the compiled module:
//   int32_t <prefix>_entry_<name>(const mlafuse_launch_context *,
//                                 void *const *descriptors);
//   int64_t <prefix>_workspace_<name>(void *const *descriptors);   // bytes
//   const unsigned char <symbol>[];   // the images of a GPU target
// and once per library:
//   const char mlafuse_manifest[];    // JSON text, NUL-terminated; see below
// <name> consists of ASCII letters, digits and underscores.
//
// `descriptors` holds one pointer per argument of the manifest, in its order, to
// an MLIR memref descriptor of that argument's rank r (all 64-bit fields):
//   { void *allocated; void *aligned; int64_t offset;      // offset in elements
//     int64_t sizes[r]; int64_t strides[r]; }              // strides in elements
// An entry returns one of the MLAFUSE_ENTRY_ codes. It checks no sizes: the
// runtime did that against the manifest. An entry of a GPU target only launches
// kernels: it allocates nothing, waits for nothing and reads no device memory.
//
//===----------------------------------------------------------------------===//
//
// Manifest, version 2 (JSON):
//   {"mlafuse_abi": 2, "compiler": "<text>",
//    "targets": [
//      {"backend": "cpu", "chip": "<LLVM CPU name>", "prefix": "mlafuse",
//       "entries": [{"name": "<name>", "workspace": "<formula>"}, ...]},
//      {"backend": "cuda", "chip": "sm_90a", "prefix": "mlafuse_sm_90a",
//       "images": [{"format": "cubin"|"ptx"|"hsaco", "symbol": "<symbol>",
//                   "bytes": <size>}, ...],
//       "kernels": [{"name": "<symbol in the image>"}, ...],
//       "entries": [{"name": "<name>", "workspace": "<formula>",
//                    "launches": <count>,            // optional
//                    "kernels": ["<name>", ...]}, ...]},
//      {"backend": "hip", "chip": "gfx942", ...}],   // images: one or more
//    "functions": [{
//      "name": "<name>",
//      "arguments": [{"name": "<tensor name>", "type": "<element type>",
//                     "shape": [<dim>, ...], "layout": "contiguous"|"strided",
//                     "access": "read"|"write"|"readwrite",
//                     "range": [<low>, <high>],      // optional
//                     "distinct": true,              // optional
//                     "offsets": <dim>}, ...],       // optional
//      "results": [{"name": "<tensor name>", "argument": <index>}, ...]}]}
// <element type>: bf16 f16 f32 f8E4M3FN f8E4M3FNUZ f8E5M2 f8E8M0FNU i8 i32 i64.
// <dim>: an integer, a symbol "T" (one size per function, equal wherever it
//   stands), or an expression over them: {"align": [<dim>, n]} (round up to a
//   multiple of n), {"ceildiv": [<dim>, n]}, {"product": [<dim>, <dim>, ...]},
//   {"sum": [<dim>, <dim>, ...]}.
// "strided": outer strides are free, the innermost is 1. "contiguous": row-major.
// "range": values that make sense for the argument, low inclusive and high
//   exclusive; each a number or a <dim>. "distinct": no value twice. "offsets",
//   on a vector of i32 or i64: its values ascend from 0 to <dim>, both included.
//   They guide generated inputs and are not checked at launch (the data is on
//   the device).
// "entries", optional: what a call of each function takes on the target. They are
//   for people and tests; a launch asks <prefix>_workspace_<name>. "launches":
//   how many kernels a call launches at most, missing where a loop decides.
//   "workspace": the bytes over the function's symbols, as in
//   "align(130 * T, 64) + 448".
// Every result is the memory of an argument; an argument that no input names
//   and that holds a result (or is only written) is a pure destination.
//
//===----------------------------------------------------------------------===//
#ifndef MLAFUSE_RUNTIME_ABI_H
#define MLAFUSE_RUNTIME_ABI_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MLAFUSE_ABI_VERSION 2

/// Runs iterations [begin, end) of a parallel loop; `argument` is the loop's
/// own data and outlives the call.
typedef void (*mlafuse_loop_body)(void *argument, int64_t begin, int64_t end);

enum {
  /// The kernel may start before the one ahead of it on the stream has ended: it
  /// waits for that one by itself (PTX's griddepcontrol.wait). A runtime may
  /// launch it like any other.
  MLAFUSE_LAUNCH_OVERLAPS_PREVIOUS = 1
};

/// One kernel launch of a GPU target's entry.
typedef struct mlafuse_kernel_launch {
  uint32_t kernel;   ///< Index into the target's "kernels".
  uint32_t grid[3];  ///< Blocks (workgroups); none is 0.
  uint32_t block[3]; ///< Threads of a block (work-items of a workgroup).
  /// Bytes of shared memory (LDS) beyond what the kernel itself declares.
  uint32_t dynamic_shared_bytes;
  uint32_t parameter_count;
  uint32_t flags; ///< MLAFUSE_LAUNCH_ bits.
  /// One pointer per kernel parameter, to its value, as cuLaunchKernel and
  /// hipModuleLaunchKernel take them.
  void **parameters;
} mlafuse_kernel_launch;

/// What the runtime hands to a compiled entry. Owned by the caller.
typedef struct mlafuse_launch_context {
  uint32_t abi_version; ///< MLAFUSE_ABI_VERSION.
  uint32_t reserved;    ///< 0.
  void *stream;         ///< CUstream or hipStream_t; NULL on the CPU.
  void *workspace;      ///< 64-byte aligned; may be NULL if no byte is needed.
  int64_t workspace_size; ///< Bytes at `workspace`.
  /// Runs `body` over [0, count), cut into ranges of at least `grain`
  /// iterations, on the runtime's threads; returns when all have run. NULL on a
  /// GPU.
  void (*parallel_for)(void *runtime, mlafuse_loop_body body, void *argument,
                       int64_t count, int64_t grain);
  void *runtime; ///< First argument of the functions here.
  /// Puts a kernel on the stream; 0, or an error that the runtime keeps in
  /// words. NULL on the CPU.
  int32_t (*launch_kernel)(void *runtime, const mlafuse_kernel_launch *launch);
} mlafuse_launch_context;

enum {
  MLAFUSE_ENTRY_OK = 0,
  /// The context has another abi_version or too small a workspace.
  MLAFUSE_ENTRY_BAD_CONTEXT = 1,
  /// launch_kernel failed; the entry launched nothing after that.
  MLAFUSE_ENTRY_LAUNCH_FAILED = 2
};

#ifdef __cplusplus
}
#endif

#endif // MLAFUSE_RUNTIME_ABI_H
