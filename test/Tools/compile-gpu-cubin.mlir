// What NVIDIA's assembler makes.
// REQUIRES: ptxas
//
// RUN: mlafuse-compile %S/Inputs/two-kernels.mlir --target=nvvm:sm_80 --emit=cubin -o %t.80
// RUN: llvm-readelf -h %t.80 | FileCheck %s --check-prefix=CUBIN
// RUN: mlafuse-compile %S/Inputs/two-kernels.mlir --target=nvvm:sm_89 --emit=cubin -o %t.89
// RUN: llvm-readelf -h %t.89 | FileCheck %s --check-prefix=CUBIN
// RUN: mlafuse-compile %S/Inputs/two-kernels.mlir --target=nvvm:sm_90a --emit=cubin -o %t.90a
// RUN: llvm-readelf -h %t.90a | FileCheck %s --check-prefix=CUBIN
// RUN: mlafuse-compile %S/Inputs/two-kernels.mlir --target=nvvm:sm_100a --emit=cubin -o %t.100a
// RUN: llvm-readelf -h %t.100a | FileCheck %s --check-prefix=CUBIN
// CUBIN: Machine: NVIDIA CUDA architecture

// PTX goes along for the oldest chip whose PTX later ones run, and for no other.
// RUN: mlafuse-compile %S/Inputs/two-kernels.mlir --target=nvvm:sm_90a,nvvm:sm_89,nvvm:sm_80 -o %t.so
// RUN: llvm-nm -D %t.so | FileCheck %s --check-prefix=OLDEST
// OLDEST-NOT: _ptx
// OLDEST: R mlafuse_sm_80_cubin
// OLDEST-NOT: _ptx
// OLDEST: R mlafuse_sm_80_ptx
// OLDEST-NOT: _ptx
// OLDEST: R mlafuse_sm_89_cubin
// OLDEST-NOT: _ptx
// OLDEST: R mlafuse_sm_90a_cubin
// OLDEST-NOT: _ptx

// RUN: mlafuse-compile %S/Inputs/two-kernels.mlir --target=nvvm:sm_90a -o %t.so
// RUN: llvm-nm -D %t.so | FileCheck %s --check-prefix=NO_OTHER
// NO_OTHER-NOT: ptx
// NO_OTHER: R mlafuse_sm_90a_cubin
// NO_OTHER-NOT: ptx
