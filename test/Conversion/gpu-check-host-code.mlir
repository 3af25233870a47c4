// RUN: mlafuse-opt %s --mlafuse-check-host-code=chip=gfx942 --split-input-file --verify-diagnostics

// Sizes, views, conditions and launches are what a host is for.
module attributes {gpu.container_module} {
  func.func @launches(%x: memref<?x64xf32>, %w: memref<?xi8>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %t = memref.dim %x, %c0 : memref<?x64xf32>
    %half = memref.subview %x[0, 0] [%t, 32] [1, 1] : memref<?x64xf32> to memref<?x32xf32, strided<[64, 1]>>
    %view = memref.view %w[%c0][%t] : memref<?xi8> to memref<?xf32>
    %at = memref.extract_aligned_pointer_as_index %x : memref<?x64xf32> -> index
    %aligned = arith.cmpi eq, %at, %c0 : index
    scf.if %aligned {
      scf.for %i = %c0 to %t step %c1 {
        gpu.launch_func @k::@k blocks in (%i, %c1, %c1) threads in (%c1, %c1, %c1) args(%view : memref<?xf32>)
      }
    }
    return
  }
  gpu.module @k {
    gpu.func @k(%x: memref<?xf32>) kernel {
      %c0 = arith.constant 0 : index
      %v = memref.load %x[%c0] : memref<?xf32>
      memref.store %v, %x[%c0] : memref<?xf32>
      gpu.return
    }
  }
}

// -----

func.func @generic(%x: memref<4xf32>) {
  // expected-error@+1 {{'linalg.generic' op has no kernel for gfx942, and the host of a GPU target reads and writes no memory}}
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%x : memref<4xf32>) {
  ^bb0(%a: f32):
    %n = arith.negf %a : f32
    linalg.yield %n : f32
  }
  return
}

// -----

func.func @copy(%x: memref<4xf32>, %y: memref<4xf32>, %many: i1) {
  scf.if %many {
    // expected-error@+1 {{'memref.copy' op of argument #0 to argument #1 has no kernel for gfx942: the op that computes a tensor writes it where it belongs if its destination is that place}}
    memref.copy %x, %y : memref<4xf32> to memref<4xf32>
  }
  return
}

// -----

// Each is said, and a loop for all that it holds.
func.func @elements(%x: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error@+1 {{'memref.load' op has no kernel for gfx942}}
  %v = memref.load %x[%c0] : memref<?xf32>
  // expected-error@+1 {{'scf.parallel' op has no kernel for gfx942}}
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    memref.store %v, %x[%i] : memref<?xf32>
  }
  return
}
