// RUN: mlafuse-opt %s --mlafuse-describe --mlafuse-bufferize --mlafuse-results-to-arguments --canonicalize --mlafuse-place-workspace --split-input-file --verify-diagnostics

func.func @size_from_data(%x: tensor<?x64xf32>, %n: tensor<1xi32>) -> tensor<?x64xf32> {
  %c0 = arith.constant 0 : index
  // expected-note@+1 {{the data is read here}}
  %v = tensor.extract %n[%c0] : tensor<1xi32>
  %i = arith.index_cast %v : i32 to index
  // expected-error@+1 {{a new tensor has a size that depends on data; workspace sizes follow from the arguments' sizes alone}}
  %e = tensor.empty(%i) : tensor<?x64xf32>
  %r = mlafuse.rms_norm ins(%x : tensor<?x64xf32>) outs(%e : tensor<?x64xf32>) {epsilon = 1.0e-6 : f32} -> tensor<?x64xf32>
  %o = mlafuse.rms_norm ins(%r : tensor<?x64xf32>) outs(%x : tensor<?x64xf32>) {epsilon = 1.0e-6 : f32} -> tensor<?x64xf32>
  return %o : tensor<?x64xf32>
}

// -----

func.func @carried(%x: tensor<4x64xf32>, %o: tensor<4x64xf32>) -> tensor<4x64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %x) -> tensor<4x64xf32> {
    // expected-error@+1 {{a new tensor is carried from one iteration of a loop to the next; make it before the loop}}
    %e = tensor.empty() : tensor<4x64xf32>
    %n = mlafuse.rms_norm ins(%a : tensor<4x64xf32>) outs(%e : tensor<4x64xf32>) {epsilon = 1.0e-6 : f32} -> tensor<4x64xf32>
    scf.yield %n : tensor<4x64xf32>
  }
  %n = mlafuse.rms_norm ins(%r : tensor<4x64xf32>) outs(%o : tensor<4x64xf32>) {epsilon = 1.0e-6 : f32} -> tensor<4x64xf32>
  return %n : tensor<4x64xf32>
}

// -----

func.func @changing_size(%x: tensor<4x64xf32>, %o: tensor<4x64xf32>) -> tensor<4x64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %o) -> tensor<4x64xf32> {
    // expected-error@+1 {{a new tensor has a size that changes in a loop; make it before the loop, with the largest size}}
    %e = tensor.empty(%i) : tensor<?x64xf32>
    %s = tensor.extract_slice %x[0, 0] [%i, 64] [1, 1] : tensor<4x64xf32> to tensor<?x64xf32>
    %n = mlafuse.rms_norm ins(%s : tensor<?x64xf32>) outs(%e : tensor<?x64xf32>) {epsilon = 1.0e-6 : f32} -> tensor<?x64xf32>
    %t = tensor.extract_slice %a[0, 0] [%i, 64] [1, 1] : tensor<4x64xf32> to tensor<?x64xf32>
    %m = mlafuse.rms_norm ins(%n : tensor<?x64xf32>) outs(%t : tensor<?x64xf32>) {epsilon = 1.0e-6 : f32} -> tensor<?x64xf32>
    %q = tensor.insert_slice %m into %a[0, 0] [%i, 64] [1, 1] : tensor<?x64xf32> into tensor<4x64xf32>
    scf.yield %q : tensor<4x64xf32>
  }
  return %r : tensor<4x64xf32>
}

// -----

func.func @parallel(%x: tensor<4x64xf32>) -> tensor<4x64xf32> {
  %0 = scf.forall (%i) in (4) shared_outs(%a = %x) -> tensor<4x64xf32> {
    %s = tensor.extract_slice %a[%i, 0] [1, 64] [1, 1] : tensor<4x64xf32> to tensor<1x64xf32>
    // expected-error@+1 {{a new tensor in a parallel loop would be one per iteration; make it before the loop}}
    %e = tensor.empty() : tensor<1x64xf32>
    %n = mlafuse.rms_norm ins(%s : tensor<1x64xf32>) outs(%e : tensor<1x64xf32>) {epsilon = 1.0e-6 : f32} -> tensor<1x64xf32>
    %m = mlafuse.rms_norm ins(%n : tensor<1x64xf32>) outs(%s : tensor<1x64xf32>) {epsilon = 1.0e-6 : f32} -> tensor<1x64xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %m into %a[%i, 0] [1, 64] [1, 1] : tensor<1x64xf32> into tensor<4x64xf32>
    }
  }
  return %0 : tensor<4x64xf32>
}

// -----

// The division holds only under its guard; sizes are known before any guard.
func.func @guarded(%x: tensor<?x64xf32>, %b: tensor<?xf32>, %y: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %x, %c0 : tensor<?x64xf32>
  %n = tensor.dim %b, %c0 : tensor<?xf32>
  %is = arith.cmpi ne, %n, %c0 : index
  %r = scf.if %is -> tensor<?x64xf32> {
    // expected-note@+1 {{compute it so that it holds always, or outside the condition}}
    %k = arith.divui %t, %n : index
    // expected-error@+1 {{a new tensor has a size that is computed under a condition and fails without it; workspace sizes are computed before the function runs}}
    %e = tensor.empty(%k) : tensor<?x64xf32>
    %s = tensor.extract_slice %x[0, 0] [%k, 64] [1, 1] : tensor<?x64xf32> to tensor<?x64xf32>
    %m = mlafuse.rms_norm ins(%s : tensor<?x64xf32>) outs(%e : tensor<?x64xf32>) {epsilon = 1.0e-6 : f32} -> tensor<?x64xf32>
    %d = tensor.extract_slice %y[0, 0] [%k, 64] [1, 1] : tensor<?x64xf32> to tensor<?x64xf32>
    %q = mlafuse.rms_norm ins(%m : tensor<?x64xf32>) outs(%d : tensor<?x64xf32>) {epsilon = 1.0e-6 : f32} -> tensor<?x64xf32>
    %i = tensor.insert_slice %q into %y[0, 0] [%k, 64] [1, 1] : tensor<?x64xf32> into tensor<?x64xf32>
    scf.yield %i : tensor<?x64xf32>
  } else {
    scf.yield %y : tensor<?x64xf32>
  }
  return %r : tensor<?x64xf32>
}
