//===- Passes.td - passes from memrefs to code --------------*- tablegen -*-===//
#ifndef MLAFUSE_CONVERSION_PASSES_TD
#define MLAFUSE_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def MLAFuseToCPU : Pass<"mlafuse-to-cpu", "::mlir::ModuleOp"> {
  let summary = "Lower mlafuse ops on memrefs to vectorized loops over rows";
  let description = [{
    Each op becomes one `scf.parallel` over its rows (or heads, or tiles), whose
    body works on vectors and holds no buffer larger than one row.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
    "::mlir::affine::AffineDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
}

def MLAFuseExpandNarrowFloats
    : Pass<"mlafuse-expand-narrow-floats", "::mlir::ModuleOp"> {
  let summary = "Compute bf16 arithmetic in f32 and convert narrow floats exactly";
  let description = [{
    Leaves no conversion of bf16 or f8 to LLVM, which has none on x86 that is
    both exact and free of calls. Runs after linalg became loops.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
    "::mlir::math::MathDialect", "::mlir::vector::VectorDialect"];
}

//===----------------------------------------------------------------------===//
// From tensors to buffers
//===----------------------------------------------------------------------===//

def MLAFuseCheckCacheUpdates
    : Pass<"mlafuse-check-cache-updates", "::mlir::ModuleOp"> {
  let summary = "Reject cache updates whose result nobody uses";
  let description = [{
    The updated cache is a value: an `mla_cache_update` whose result reaches no
    reader and no function result writes nothing, and the next canonicalization
    drops it silently. The pass follows the value through views, later updates,
    loops, branches and calls of private functions.
  }];
}

def MLAFuseDescribe : Pass<"mlafuse-describe", "::mlir::ModuleOp"> {
  let summary = "Derive what the manifest says of every public function";
  let description = [{
    Attaches `mlafuse.signature` (see MLAFuse/Conversion/Signature.h): names,
    types, layouts, ranges of values, and sizes as numbers, symbols or
    expressions, from what the ops require equal. Runs on tensors, before fusion,
    so that a fused and an unfused build have one manifest.
  }];
}

def MLAFuseBufferize : Pass<"mlafuse-bufferize", "::mlir::ModuleOp"> {
  let summary = "Turn tensors into memrefs, without a copy or an allocation that the source lacks";
  let description = [{
    Arguments of public functions become contiguous memrefs, or, with the
    argument attribute `mlafuse.strided`, memrefs with free outer strides and an
    inner stride of 1. A copy or an allocation that bufferization would add is an
    error that names the op which asks for it and the reader that is in the way.
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect",
    "::mlir::memref::MemRefDialect", "::mlir::arith::ArithDialect",
    "::mlir::affine::AffineDialect", "::mlir::tensor::TensorDialect"];
}

def MLAFuseResultsToArguments
    : Pass<"mlafuse-results-to-arguments", "::mlir::ModuleOp"> {
  let summary = "Bind every result to the memory of an argument";
  let description = [{
    A result that is an argument's memory is recorded in the signature; one that
    is an allocation becomes a new argument at the end. Then the functions return
    nothing, and the signature says how each argument is accessed.
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

def MLAFusePlaceWorkspace : Pass<"mlafuse-place-workspace", "::mlir::ModuleOp"> {
  let summary = "Turn allocations into slices of the entry's workspace";
  let description = [{
    Every `memref.alloc` outside of kernels becomes a view of a workspace that
    the function takes as its last argument (`memref<?xi8>`, 64-byte aligned).
    The view is aligned to 64 bytes, or to the allocation's `alignment` if that
    is more. A function `mlafuse_workspace_size_<name>` computes the bytes from
    the same arguments.
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect", "::mlir::arith::ArithDialect"];
}

//===----------------------------------------------------------------------===//
// From loops to code of the CPU
//===----------------------------------------------------------------------===//

def MLAFuseLowerLinalg : Pass<"mlafuse-lower-linalg", "::mlir::ModuleOp"> {
  let summary = "Turn linalg ops and memref.copy into parallel loops";
  let description = [{
    The source's own elementwise ops, fills and copies, on memrefs. Loops get a
    grain (see `mlafuse-outline-parallel`) that makes a range worth a thread.
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::affine::AffineDialect"];
}

def MLAFuseOutlineParallel : Pass<"mlafuse-outline-parallel", "::mlir::ModuleOp"> {
  let summary = "Move the body of every outermost scf.parallel into a function of its own";
  let description = [{
    The body becomes `(ptr captured, i64 begin, i64 end)`, called through the
    launch context's `parallel_for`; loops within become serial. The i64
    attribute `mlafuse.grain` of a loop is the least number of iterations of one
    call (1 without it). Every entry takes the context as its first argument.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::scf::SCFDialect",
    "::mlir::arith::ArithDialect"];
}

def MLAFuseBoundStack : Pass<"mlafuse-bound-stack", "::mlir::ModuleOp"> {
  let summary = "Keep allocas from growing the stack in loops";
  let description = [{
    Allocas of static size move to the entry of their function; loops around
    others get an alloca scope.
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect", "::mlir::LLVM::LLVMDialect"];
}

def MLAFuseAddManifest : Pass<"mlafuse-add-manifest", "::mlir::ModuleOp"> {
  let summary = "Add the manifest of a library for one CPU";
  let description = [{
    The constant `mlafuse_manifest` describes every function with a signature
    (see mlafuse/runtime/abi.h). `mlafuse-compile` adds it without this pass,
    once it knows all targets and their images.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"\"generic\"",
           "CPU name that the manifest records">];
}

def MLAFuseMakeEntries : Pass<"mlafuse-make-entries", "::mlir::ModuleOp"> {
  let summary = "Emit the C entry points of every function with a signature";
  let description = [{
    `<prefix>_entry_<name>` checks the launch context, unpacks the descriptors
    and calls the function, whose status it returns if there is one;
    `<prefix>_workspace_<name>` computes its workspace (see
    mlafuse/runtime/abi.h). Everything else becomes internal.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::arith::ArithDialect",
    "::mlir::scf::SCFDialect"];
  let options = [
    Option<"prefix", "prefix", "std::string", /*default=*/"\"mlafuse\"",
           "What the names of the target's entry points begin with">];
}

//===----------------------------------------------------------------------===//
// From memrefs to kernels of a GPU
//===----------------------------------------------------------------------===//

def MLAFuseSetSchedule : Pass<"mlafuse-set-schedule", "::mlir::ModuleOp"> {
  let summary = "Set the schedule of attention and projections";
  let description = [{
    The parameters of the option go before those of the ops' own `schedule`,
    which keeps the others. `mla_decode` takes that of `latent_attention`.

    ```
    mlafuse-opt --mlafuse-schedule="block_keys = 32; head_projection: stages = 2"
    ```

    is this pass, with the option as its value. A parameter that the op does not
    know, or a value that is not positive, is an error.
  }];
  let options = [
    Option<"schedule", "schedule", "std::string", /*default=*/"\"\"",
           "What `#mlafuse.schedule<...>` has between the angle brackets, for "
           "latent_attention, or for the op that stands ahead of a colon; "
           "several are separated by semicolons">];
}

def MLAFuseToGPU : Pass<"mlafuse-to-gpu", "::mlir::ModuleOp"> {
  let summary = "Lower mlafuse ops on memrefs to GPU kernels";
  let description = [{
    Each op becomes one or a few `gpu.launch` regions of `vector`, `memref` and
    `gpu` ops. What differs between chips is what MLAFuse/Target says of them.
    Conversions of narrow floats stay `arith.truncf` (nearest even, saturating,
    NaN stays NaN) and `arith.extf`; f4E2M1FN is packed by `vector.bitcast` to
    i8 or i32. An op that the chip has no kernel for is an error.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
    "::mlir::affine::AffineDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect",
    "::mlir::gpu::GPUDialect", "::mlir::LLVM::LLVMDialect"];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"\"sm_90a\"",
           "The chip, by LLVM's name">];
}

def MLAFuseOutlineKernels : Pass<"mlafuse-outline-kernels", "::mlir::ModuleOp"> {
  let summary = "Move every gpu.launch region into one gpu.module";
  let description = [{
    The module is named `mlafuse_kernels` (with a number behind it if the
    program has something of that name), a kernel after its function. Attributes
    of a launch go along: `mlafuse.blocks_per_multiprocessor` (i32; blocks that
    one multiprocessor holds at once, a bound on their registers) to the kernel,
    `mlafuse.overlaps_previous` (unit; the kernel may start before the one ahead
    of it on the stream has ended) to the `gpu.launch_func`. A kernel that
    overlaps waits by itself, by PTX's `griddepcontrol.wait`, or it is an error.
  }];
  let dependentDialects = ["::mlir::gpu::GPUDialect", "::mlir::DLTIDialect"];
}

def MLAFuseCheckHostCode : Pass<"mlafuse-check-host-code", "::mlir::ModuleOp"> {
  let summary = "Reject what would touch a GPU's memory on the host";
  let description = [{
    Beside launches, the functions of a GPU target compute sizes and views. An
    op that reads or writes memory, or a parallel loop, has no kernel: it is an
    error that names the op and the chip, and of a copy what is copied.
  }];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"\"sm_90a\"",
           "The chip, by LLVM's name">];
}

def MLAFuseKernelsToLLVM : Pass<"mlafuse-kernels-to-llvm", "::mlir::ModuleOp"> {
  let summary = "Lower the kernels of a chip to the LLVM dialect";
  let description = [{
    Converts every function of the `gpu.module` to LLVM with NVVM or ROCDL ops.
    Narrow floats are converted by the chip's instruction where it has one, in
    software, bit-equal, where it does not.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect",
    "::mlir::ROCDL::ROCDLDialect", "::mlir::amdgpu::AMDGPUDialect",
    "::mlir::arith::ArithDialect",
    "::mlir::vector::VectorDialect", "::mlir::memref::MemRefDialect",
    "::mlir::cf::ControlFlowDialect",
    "::mlir::math::MathDialect"];
  let options = [
    Option<"chip", "chip", "std::string", /*default=*/"\"sm_90a\"",
           "The chip, by LLVM's name">];
}

def MLAFuseLaunchKernels : Pass<"mlafuse-launch-kernels", "::mlir::ModuleOp"> {
  let summary = "Turn gpu.launch_func into calls of the runtime";
  let description = [{
    Every entry takes the launch context as its first argument and returns a
    status; a launch calls the context's `launch_kernel` with the kernel's
    index. Kernel parameters that no kernel reads are dropped on both sides. A
    launch of no block is left out.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::arith::ArithDialect",
    "::mlir::scf::SCFDialect", "::mlir::memref::MemRefDialect"];
}

#endif // MLAFUSE_CONVERSION_PASSES_TD
