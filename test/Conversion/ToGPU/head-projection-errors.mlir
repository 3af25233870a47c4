// RUN: mlafuse-opt %s --split-input-file --verify-diagnostics --mlafuse-to-gpu=chip=sm_90a

func.func @f32(%x: memref<?x1x16x512xf32>, %w: memref<16x512x128xf32>, %o: memref<?x2048xf32>) {
  // expected-error @below {{has no kernel for sm_90a with x of 'f32', but with bf16 and f16}}
  mlafuse.head_projection ins(%x, %w : memref<?x1x16x512xf32>, memref<16x512x128xf32>) outs(%o : memref<?x2048xf32>)
  return
}

// -----

func.func @mixed(%x: memref<?x1x16x512xbf16>, %w: memref<16x512x128xf16>, %o: memref<?x2048xbf16>) {
  // expected-error @below {{has no kernel for sm_90a with x of 'bf16' and w of 'f16': both have one type}}
  mlafuse.head_projection ins(%x, %w : memref<?x1x16x512xbf16>, memref<16x512x128xf16>) outs(%o : memref<?x2048xbf16>)
  return
}

// -----

func.func @depth(%x: memref<?x1x16x100xbf16>, %w: memref<16x100x128xbf16>, %o: memref<?x2048xbf16>) {
  // expected-error @below {{has no kernel for sm_90a with heads of 100 values: they come in multiples of 16}}
  mlafuse.head_projection ins(%x, %w : memref<?x1x16x100xbf16>, memref<16x100x128xbf16>) outs(%o : memref<?x2048xbf16>)
  return
}

// -----

func.func @width(%x: memref<?x1x16x512xbf16>, %w: memref<16x512x100xbf16>, %o: memref<?x1600xbf16>) {
  // expected-error @below {{has no kernel for sm_90a with heads of 100 columns: they come in multiples of 8}}
  mlafuse.head_projection ins(%x, %w : memref<?x1x16x512xbf16>, memref<16x512x100xbf16>) outs(%o : memref<?x1600xbf16>)
  return
}

// -----

func.func @token(%x: memref<?x1x16x512xbf16>, %w: memref<16x512x128xbf16>, %q: memref<?x2048xf8E4M3FN>, %s: memref<?x1xf32>) {
  // expected-error @below {{has no kernel for sm_90a with #mlafuse.quant_key<fp8_dynamic_token_sym> and heads of 128 columns: a scale covers 2048, and a block has columns of one head: take groups that divide a head, or quantize by an op of its own (mlafuse.quantize, which mlafuse-compile --no-fuse keeps apart)}}
  mlafuse.head_projection ins(%x, %w : memref<?x1x16x512xbf16>, memref<16x512x128xbf16>) outs(%q, %s : memref<?x2048xf8E4M3FN>, memref<?x1xf32>) {key = #mlafuse.quant_key<fp8_dynamic_token_sym>}
  return
}

// -----

func.func @spans_heads(%x: memref<?x1x4x512xbf16>, %w: memref<4x512x96xbf16>, %q: memref<?x384xf8E4M3FN>, %s: memref<?x3xf32>) {
  // expected-error @below {{has no kernel for sm_90a with #mlafuse.quant_key<fp8_dynamic_128_sym> and heads of 96 columns: a scale covers 128}}
  mlafuse.head_projection ins(%x, %w : memref<?x1x4x512xbf16>, memref<4x512x96xbf16>) outs(%q, %s : memref<?x384xf8E4M3FN>, memref<?x3xf32>) {key = #mlafuse.quant_key<fp8_dynamic_128_sym>}
  return
}

// -----

func.func @odd_group(%x: memref<?x1x4x512xbf16>, %w: memref<4x512x96xbf16>, %q: memref<?x384xf8E4M3FN>, %s: memref<?x8xf32>) {
  // expected-error @below {{group = [1, 48], sym>: groups are 16 columns times a power of two}}
  mlafuse.head_projection ins(%x, %w : memref<?x1x4x512xbf16>, memref<4x512x96xbf16>) outs(%q, %s : memref<?x384xf8E4M3FN>, memref<?x8xf32>)
      {key = #mlafuse.quant_key<f8E4M3FN, scale = f32, dynamic, group = [1, 48], sym>}
  return
}

// -----

func.func @tensor_scale(%x: memref<?x1x4x512xbf16>, %w: memref<4x512x128xbf16>, %q: memref<?x512xf8E4M3FN>, %s: memref<1xf32>) {
  // expected-error @below {{has no sm_90a kernel with #mlafuse.quant_key<fp8_dynamic_tensor_sym>, whose scale needs all rows before the first code}}
  mlafuse.head_projection ins(%x, %w : memref<?x1x4x512xbf16>, memref<4x512x128xbf16>) outs(%q, %s : memref<?x512xf8E4M3FN>, memref<1xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_tensor_sym>}
  return
}

// -----

func.func @too_deep(%x: memref<?x1x4x1024xbf16>, %w: memref<4x1024x128xbf16>, %q: memref<?x512xf8E4M3FN>, %s: memref<?x4xf32>) {
  // expected-error @below {{has no kernel for sm_90a with heads of 1024 values and groups of 128 columns: their block takes 345184 bytes of shared memory, and has 232448; there is room for heads of 576 values, or for groups of 64 columns; or quantize by an op of its own}}
  mlafuse.head_projection ins(%x, %w : memref<?x1x4x1024xbf16>, memref<4x1024x128xbf16>) outs(%q, %s : memref<?x512xf8E4M3FN>, memref<?x4xf32>) {key = #mlafuse.quant_key<fp8_dynamic_128_sym>}
  return
}

// -----

func.func @much_too_deep(%x: memref<?x1x4x4096xbf16>, %w: memref<4x4096x128xbf16>, %o: memref<?x512xbf16>) {
  // expected-error @below {{has no kernel for sm_90a with heads of 4096 values: their block takes 599712 bytes of shared memory, and has 232448; there is room for heads of 1216 values}}
  mlafuse.head_projection ins(%x, %w : memref<?x1x4x4096xbf16>, memref<4x4096x128xbf16>) outs(%o : memref<?x512xbf16>)
  return
}

// -----

func.func @much_too_deep_groups(%x: memref<?x1x4x4096xbf16>, %w: memref<4x4096x128xbf16>, %q: memref<?x512xf8E4M3FN>, %s: memref<?x4xf32>) {
  // expected-error @below {{there is room for heads of 576 values; or quantize by an op of its own}}
  mlafuse.head_projection ins(%x, %w : memref<?x1x4x4096xbf16>, memref<4x4096x128xbf16>) outs(%q, %s : memref<?x512xf8E4M3FN>, memref<?x4xf32>) {key = #mlafuse.quant_key<fp8_dynamic_128_sym>}
  return
}

// -----

func.func @wide_group(%x: memref<?x1x4x128xbf16>, %w: memref<4x128x512xbf16>, %q: memref<?x2048xf8E4M3FN>, %s: memref<?x4xf32>) {
  // expected-error @below {{has no kernel for sm_90a with heads of 128 values and groups of 512 columns: their block takes 263120 bytes of shared memory, and has 232448; there is room for groups of 256 columns}}
  mlafuse.head_projection ins(%x, %w : memref<?x1x4x128xbf16>, memref<4x128x512xbf16>) outs(%q, %s : memref<?x2048xf8E4M3FN>, memref<?x4xf32>) {key = #mlafuse.quant_key<f8E4M3FN, scale = f32, dynamic, group = [1, 512], sym>}
  return
}

// -----

func.func @odd_groups(%x: memref<?x1x1x128xbf16>, %w: memref<1x128x136xbf16>, %q: memref<?x136xf8E4M3FN>, %s: memref<?x2xf32>) {
  // expected-error @below {{16 columns times a power of two}}
  mlafuse.head_projection ins(%x, %w : memref<?x1x1x128xbf16>, memref<1x128x136xbf16>) outs(%q, %s : memref<?x136xf8E4M3FN>, memref<?x2xf32>) {key = #mlafuse.quant_key<f8E4M3FN, scale = f32, dynamic, group = [1, 68], sym>}
  return
}
