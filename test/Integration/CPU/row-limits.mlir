// What a quantization writes ends where its rows do: at the count, padding of
// groups included, and at the end of the buffer that a row offset points into.

// Five groups are stored as eight. Row 1 is past the count: its bytes, 16 to 19 of
// either tile of four groups, stay; rows past both are padding.
// CASE groups: in_x BF16 [2, 80] = 0.0 if t < 1 else nan
// CASE groups: in_num_actual_tokens I32 [1] = 1
// CASE groups: in_global_scale F32 [1] = 1.0
// CASE groups: in_q U8 [2, 40] = 0x55
// CASE groups: in_s F8_E4M3 [128, 8] = code(0x55)
// CASE groups: out_q U8 [2, 40] = 0 if t < 1 else 0x55
// CASE groups: out_scale F8_E4M3 [128, 8] = code(0x55) if t % 64 == 2 and i < 4 else 0.0

// Three rows at offset 2 of four: the last does not fit, and is not written.
// CASE offset: in_x BF16 [3, 16] = 448.0 * 2**t
// CASE offset: in_q F8_E4M3 [4, 16] = code(0x55)
// CASE offset: in_s F32 [4, 1] = -7.0
// CASE offset: out_q F8_E4M3 [4, 16] = 448.0 if t >= 2 else code(0x55)
// CASE offset: out_scale F32 [4, 1] = 2.0**(t - 2) if t >= 2 else -7.0

// An offset past the end writes nothing.
// CASE past: in_x BF16 [3, 16] = 448.0
// CASE past: in_q F8_E4M3 [4, 16] = code(0x55)
// CASE past: in_s F32 [4, 1] = -7.0
// CASE past: out_q F8_E4M3 [4, 16] = code(0x55)
// CASE past: out_scale F32 [4, 1] = -7.0

// RUN: %compile
// RUN: %case groups groups
// RUN: %case offset offset
// RUN: %case past past

func.func @groups(%x: tensor<?x80xbf16> {mlafuse.name = "in_x"}, %n: tensor<1xi32> {mlafuse.name = "in_num_actual_tokens"},
    %g: tensor<1xf32> {mlafuse.name = "in_global_scale"}, %q: tensor<?x40xi8> {mlafuse.name = "in_q"},
    %s: tensor<?x8xf8E4M3FN> {mlafuse.name = "in_s"})
    -> (tensor<?x40xi8> {mlafuse.name = "out_q"}, tensor<?x8xf8E4M3FN> {mlafuse.name = "out_scale"}) {
  %r:2 = mlafuse.quantize ins(%x : tensor<?x80xbf16>) global_scale(%g : tensor<1xf32>) num_actual_tokens(%n : tensor<1xi32>)
      outs(%q, %s : tensor<?x40xi8>, tensor<?x8xf8E4M3FN>)
      {key = #mlafuse.quant_key<nvfp4_dynamic>, scale_layout = #mlafuse.scale_layout<swizzled_128x4>}
      -> tensor<?x40xi8>, tensor<?x8xf8E4M3FN>
  return %r#0, %r#1 : tensor<?x40xi8>, tensor<?x8xf8E4M3FN>
}

func.func @offset(%x: tensor<?x16xbf16> {mlafuse.name = "in_x"}, %q: tensor<?x16xf8E4M3FN> {mlafuse.name = "in_q"},
    %s: tensor<?x1xf32> {mlafuse.name = "in_s"})
    -> (tensor<?x16xf8E4M3FN> {mlafuse.name = "out_q"}, tensor<?x1xf32> {mlafuse.name = "out_scale"}) {
  %offset = arith.constant 2 : index
  %r:2 = mlafuse.quantize ins(%x : tensor<?x16xbf16>) row_offset(%offset : index)
      outs(%q, %s : tensor<?x16xf8E4M3FN>, tensor<?x1xf32>) {key = #mlafuse.quant_key<fp8_dynamic_token_sym>}
      -> tensor<?x16xf8E4M3FN>, tensor<?x1xf32>
  return %r#0, %r#1 : tensor<?x16xf8E4M3FN>, tensor<?x1xf32>
}

func.func @past(%x: tensor<?x16xbf16> {mlafuse.name = "in_x"}, %q: tensor<?x16xf8E4M3FN> {mlafuse.name = "in_q"},
    %s: tensor<?x1xf32> {mlafuse.name = "in_s"})
    -> (tensor<?x16xf8E4M3FN> {mlafuse.name = "out_q"}, tensor<?x1xf32> {mlafuse.name = "out_scale"}) {
  %offset = arith.constant 1000000 : index
  %r:2 = mlafuse.quantize ins(%x : tensor<?x16xbf16>) row_offset(%offset : index)
      outs(%q, %s : tensor<?x16xf8E4M3FN>, tensor<?x1xf32>) {key = #mlafuse.quant_key<fp8_dynamic_token_sym>}
      -> tensor<?x16xf8E4M3FN>, tensor<?x1xf32>
  return %r#0, %r#1 : tensor<?x16xf8E4M3FN>, tensor<?x1xf32>
}
