// RUN: mlafuse-opt %s --mlafuse-describe --mlafuse-bufferize --mlafuse-results-to-arguments --split-input-file --verify-diagnostics

func.func @slice(%x: tensor<4x64xf32>) -> tensor<2x64xf32> {
  // expected-error@+1 {{result #0 ('result0') of entry 'slice' is a slice of other memory; return the whole value}}
  %0 = tensor.extract_slice %x[0, 0] [2, 64] [1, 1] : tensor<4x64xf32> to tensor<2x64xf32>
  return %0 : tensor<2x64xf32>
}

// -----

func.func @constant(%x: tensor<4xf32>) -> tensor<2xf32> {
  // expected-error@+1 {{result #0 ('result0') of entry 'constant' is neither the memory of an argument nor a new tensor (it comes from 'memref.get_global')}}
  %0 = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @other_shape(%x: tensor<4x8xf32>) -> tensor<32xf32> {
  // expected-error@+1 {{result #0 ('result0') of entry 'other_shape' is the memory of argument 'arg0' in another shape ('memref<32xf32>', not 'memref<4x8xf32>'); return it in the argument's shape}}
  %0 = tensor.collapse_shape %x [[0, 1]] : tensor<4x8xf32> into tensor<32xf32>
  return %0 : tensor<32xf32>
}

// -----

func.func @size_from_data(%n: tensor<1xi32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %v = tensor.extract %n[%c0] : tensor<1xi32>
  %i = arith.index_cast %v : i32 to index
  // expected-error@+1 {{result #0 ('result0') of entry 'size_from_data' is a new tensor whose dimension 0 does not follow from the sizes of the arguments; pass its destination as an argument}}
  %e = tensor.empty(%i) : tensor<?xf32>
  return %e : tensor<?xf32>
}

// -----

func.func @taken_name(%x: tensor<4xf32> {mlafuse.name = "y"}) -> (tensor<4xf32> {mlafuse.name = "y"}) {
  // expected-error@+1 {{result #0 ('y') of entry 'taken_name' is a new tensor, which becomes an argument of that name, but there is one already; rename it with 'mlafuse.name'}}
  %e = tensor.empty() : tensor<4xf32>
  return %e : tensor<4xf32>
}
