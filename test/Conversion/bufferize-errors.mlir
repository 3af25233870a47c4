// RUN: mlafuse-opt %s --mlafuse-bufferize --split-input-file --verify-diagnostics

func.func @late_reader(%kv: tensor<?x512xbf16>, %pe: tensor<?x64xbf16>, %slots: tensor<?xi64>, %cache: tensor<?x64x576xbf16>,
    %q: tensor<?x1x16x576xbf16>, %bt: tensor<?x?xi32>, %lens: tensor<?xi32>, %o: tensor<?x1x16x512xbf16>) -> (tensor<?x1x16x512xbf16>, tensor<?x64x576xbf16>) {
  // expected-error@+1 {{would copy the whole cache: 'mlafuse.latent_attention' reads the old cache after the update; let it take the updated cache}}
  %0 = mlafuse.mla_cache_update ins(%kv, %pe, %slots : tensor<?x512xbf16>, tensor<?x64xbf16>, tensor<?xi64>) outs(%cache : tensor<?x64x576xbf16>) {cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x64x576xbf16>
  // expected-note@+1 {{the later reader is here}}
  %1 = mlafuse.latent_attention ins(%q, %cache : tensor<?x1x16x576xbf16>, tensor<?x64x576xbf16>) block_table(%bt : tensor<?x?xi32>) seq_lens(%lens : tensor<?xi32>) outs(%o : tensor<?x1x16x512xbf16>) {softmax_scale = 0.1352 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x1x16x512xbf16>
  return %1, %0 : tensor<?x1x16x512xbf16>, tensor<?x64x576xbf16>
}

// -----

func.func @late_reader_of_a_slice(%x: tensor<4x64xbf16>, %y: tensor<4x64xbf16>, %o: tensor<2x64xbf16>) -> (tensor<4x64xbf16>, tensor<2x64xbf16>) {
  %s = tensor.extract_slice %y[0, 0] [2, 64] [1, 1] : tensor<4x64xbf16> to tensor<2x64xbf16>
  // expected-error@+1 {{cannot use operand #1 in place and would need a copy or a buffer of its own: 'mlafuse.rms_norm' reads the old value later}}
  %0 = mlafuse.rms_norm ins(%x : tensor<4x64xbf16>) outs(%y : tensor<4x64xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<4x64xbf16>
  // expected-note@+1 {{the later reader is here}}
  %1 = mlafuse.rms_norm ins(%s : tensor<2x64xbf16>) outs(%o : tensor<2x64xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<2x64xbf16>
  return %0, %1 : tensor<4x64xbf16>, tensor<2x64xbf16>
}

// -----

func.func @old_destination_returned(%x: tensor<?x64xbf16>, %o: tensor<?x64xbf16>) -> (tensor<?x64xbf16>, tensor<?x64xbf16>) {
  // expected-error@+1 {{cannot use operand #1 in place and would need a copy or a buffer of its own: its old value is returned}}
  %0 = mlafuse.rms_norm ins(%x : tensor<?x64xbf16>) outs(%o : tensor<?x64xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x64xbf16>
  // expected-note@+1 {{the later reader is here}}
  return %0, %o : tensor<?x64xbf16>, tensor<?x64xbf16>
}

// -----

func.func @constant_destination(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %c = arith.constant dense<0.0> : tensor<2x4xf32>
  // expected-error@+1 {{cannot use operand #1 in place and would need a copy or a buffer of its own: it is a constant}}
  %0 = mlafuse.rms_norm ins(%x : tensor<2x4xf32>) outs(%c : tensor<2x4xf32>) {epsilon = 1.0e-6 : f32} -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// -----

func.func @own_input(%x: tensor<64x64xbf16>) -> tensor<64x64xbf16> {
  // expected-error@+1 {{cannot use operand #1 in place and would need a copy or a buffer of its own: the op also reads it, and not row by row}}
  %0 = linalg.transpose ins(%x : tensor<64x64xbf16>) outs(%x : tensor<64x64xbf16>) permutation = [1, 0]
  return %0 : tensor<64x64xbf16>
}

// -----

func.func @strided_reshape(%x: tensor<?x4x64xbf16> {mlafuse.strided}, %o: tensor<?x64xbf16>) -> tensor<?x64xbf16> {
  // expected-error@+1 {{'tensor.collapse_shape' would need a new buffer and a copy, which the source does not contain: a reshape of a strided argument or of a slice is no view; drop 'mlafuse.strided', or reshape before slicing}}
  %c = tensor.collapse_shape %x [[0, 1], [2]] : tensor<?x4x64xbf16> into tensor<?x64xbf16>
  %0 = mlafuse.rms_norm ins(%c : tensor<?x64xbf16>) outs(%o : tensor<?x64xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x64xbf16>
  return %0 : tensor<?x64xbf16>
}

// -----

func.func private @elsewhere(tensor<4xf32>) -> tensor<4xf32>
func.func @call(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{cannot be compiled: every call is inlined, but the function that it calls has no body here, or calls itself}}
  %0 = func.call @elsewhere(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func private @kept(%x: tensor<4xf32>) -> tensor<4xf32> attributes {no_inline} {
  return %x : tensor<4xf32>
}
func.func @calls_kept(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{cannot be compiled: every call is inlined, but 'kept' is marked 'no_inline'}}
  %0 = call @kept(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @assertion(%x: tensor<1xi1>, %y: tensor<1xf32>) -> tensor<1xf32> {
  %c0 = arith.constant 0 : index
  %is = tensor.extract %x[%c0] : tensor<1xi1>
  // expected-error@+1 {{cannot be compiled: an entry has no way to report an assertion that fails; drop it, or return what it checks}}
  cf.assert %is, "no"
  return %y : tensor<1xf32>
}
