// RUN: mlafuse-opt %s --mlafuse-describe --split-input-file --verify-diagnostics

// expected-error@+1 {{argument #1 of entry 'scalar' is 'f32'; entries take and give ranked tensors}}
func.func @scalar(%x: tensor<4xf32>, %y: f32) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// expected-error@+1 {{argument #0 of entry 'f64' is 'tensor<4xf64>'}}
func.func @f64(%x: tensor<4xf64>) -> tensor<4xf64> {
  return %x : tensor<4xf64>
}

// -----

// expected-error@+1 {{result #0 of entry 'index_result' is 'index'}}
func.func @index_result(%x: tensor<4xf32>) -> index {
  %c0 = arith.constant 0 : index
  return %c0 : index
}

// -----

// expected-error@+1 {{two arguments of entry 'same_names' have the name 'a'}}
func.func @same_names(%x: tensor<4xf32> {mlafuse.name = "a"}, %y: tensor<4xf32> {mlafuse.name = "a"}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// expected-error@+1 {{'mlafuse.name' must be a string of UTF-8 that is not empty and has no control characters, got 1}}
func.func @name_type(%x: tensor<4xf32> {mlafuse.name = 1}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// expected-error@+1 {{'mlafuse.dims' of argument #0 must be an array of 1 strings, one per dimension ("" for none), got ["a", "b"]}}
func.func @dims_rank(%x: tensor<?xf32> {mlafuse.dims = ["a", "b"]}) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}

// -----

// expected-error@+1 {{dimension 0 of argument #1 is named 'M', but the ops that use it require it equal to 'T'; use one name}}
func.func @two_names(%x: tensor<?x64xbf16> {mlafuse.dims = ["T", ""]}, %o: tensor<?x64xbf16> {mlafuse.dims = ["M", ""]}) -> tensor<?x64xbf16> {
  %0 = mlafuse.rms_norm ins(%x : tensor<?x64xbf16>) outs(%o : tensor<?x64xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x64xbf16>
  return %0 : tensor<?x64xbf16>
}

// -----

// expected-error@+1 {{'mlafuse.strided' of argument #0 needs a rank of 2 or more, got 'tensor<?xf32>'}}
func.func @strided_vector(%x: tensor<?xf32> {mlafuse.strided}) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}

// -----

// expected-error@+1 {{entry 'branches' branches between blocks; use scf.if, scf.for or scf.while}}
func.func @branches(%x: tensor<4xf32>) -> tensor<4xf32> {
  cf.br ^bb1
^bb1:
  return %x : tensor<4xf32>
}

// -----

// expected-error@+1 {{the name "a-b" of an entry cannot be part of the C symbol 'mlafuse_entry_<name>'; use letters of ASCII, digits and underscores}}
func.func @"a-b"(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// expected-error@+1 {{the name "" of an entry cannot be part of the C symbol}}
func.func @""(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// expected-error@+1 {{'mlafuse.name' must be a string of UTF-8 that is not empty and has no control characters}}
func.func @control(%x: tensor<4xf32> {mlafuse.name = "a\0Ab"}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// expected-error@+1 {{'mlafuse.dims' of argument #0 has control characters or is not UTF-8}}
func.func @bad_dim(%x: tensor<?xf32> {mlafuse.dims = ["\FF"]}) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}
