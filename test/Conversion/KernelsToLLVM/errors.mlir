// RUN: mlafuse-opt %s --mlafuse-kernels-to-llvm=chip=gfx942 --split-input-file --verify-diagnostics
// RUN: not mlafuse-opt %s --mlafuse-kernels-to-llvm=chip=sm_75 --split-input-file 2>&1 | FileCheck %s

// CHECK: no chip is named 'sm_75'; known are sm_80, sm_89, sm_90a, sm_100a, gfx942, gfx950, gfx1201
gpu.module @kernels {
  // expected-error @below {{needs 'known_block_size', which the compiled kernel is bound to}}
  gpu.func @no_size() kernel {
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @alloca() kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    // expected-error @below {{is not possible in a kernel}}
    %x = memref.alloca() : memref<4xf32>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @grid(%x: memref<1xindex>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    // expected-error @below {{needs a library on AMD; pass the size as an argument}}
    %n = gpu.grid_dim x
    %c0 = arith.constant 0 : index
    memref.store %n, %x[%c0] : memref<1xindex>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @library(%x: memref<1xf32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %v = memref.load %x[%c0] : memref<1xf32>
    // expected-error @below {{of a device library, which is not linked}}
    %e = math.erf %v : f32
    memref.store %e, %x[%c0] : memref<1xf32>
    gpu.return
  }
}
