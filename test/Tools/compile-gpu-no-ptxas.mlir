// Without NVIDIA's assembler a library holds PTX, and says so; a cubin is an
// error.
// UNSUPPORTED: default-ptxas
//
// RUN: mkdir -p %t.empty
// RUN: env PATH=%t.empty CUDA_HOME=%t.empty CUDA_PATH= %mlafuse_build/bin/mlafuse-compile %S/Inputs/two-kernels.mlir --target=nvvm:sm_90a,rocdl:gfx942,nvvm:sm_100a -o %t.so 2>&1 | FileCheck %s --check-prefix=NOTE -DEMPTY=%t.empty
// NOTE: mlafuse-compile: note: no ptxas (NVIDIA's assembler) in PATH, $CUDA_HOME/bin ([[EMPTY]]), $CUDA_PATH/bin (not set) and /usr/local/cuda/bin; --ptxas=FILE or --cuda-path=DIRECTORY says where it is; the output holds PTX alone for sm_90a, sm_100a, which the driver compiles when it loads it
// RUN: llvm-nm -D %t.so | FileCheck %s --check-prefix=PTX
// PTX-NOT: cubin
// PTX: R mlafuse_sm_100a_ptx
// PTX-NOT: cubin
// PTX: R mlafuse_sm_90a_ptx
// PTX-NOT: cubin

// RUN: env PATH=%t.empty CUDA_HOME=%t.empty CUDA_PATH= not %mlafuse_build/bin/mlafuse-compile %S/Inputs/two-kernels.mlir --target=nvvm:sm_90a --emit=cubin -o %t.cubin 2>&1 | FileCheck %s --check-prefix=ERROR
// ERROR: mlafuse-compile: error: no ptxas (NVIDIA's assembler) in PATH, $CUDA_HOME/bin ({{.*}}), $CUDA_PATH/bin (not set) and /usr/local/cuda/bin; --ptxas=FILE or --cuda-path=DIRECTORY says where it is
// RUN: not ls %t.cubin

// Forms that need no assembler say nothing of it.
// RUN: env PATH=%t.empty CUDA_HOME= CUDA_PATH= %mlafuse_build/bin/mlafuse-compile %S/Inputs/two-kernels.mlir --target=rocdl:gfx942 -o %t.so 2>&1 | count 0
