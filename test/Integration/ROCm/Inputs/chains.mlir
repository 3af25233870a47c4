// Chains that fuse: a norm with scales of groups, one whose rows are long, and two
// norms of one projection, one of them quantized.

func.func @groups(%x: tensor<?x1536xbf16>, %w: tensor<1536xbf16>, %q_out: tensor<?x1536xf8E4M3FN>,
    %s_out: tensor<?x12xf32>, %tmp: tensor<?x1536xbf16>) -> (tensor<?x1536xf8E4M3FN>, tensor<?x12xf32>) {
  %y = mlafuse.rms_norm ins(%x, %w : tensor<?x1536xbf16>, tensor<1536xbf16>) outs(%tmp : tensor<?x1536xbf16>)
      {epsilon = 1.0e-6 : f32} -> tensor<?x1536xbf16>
  %q, %s = mlafuse.quantize ins(%y : tensor<?x1536xbf16>) outs(%q_out, %s_out : tensor<?x1536xf8E4M3FN>, tensor<?x12xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_128_sym>} -> tensor<?x1536xf8E4M3FN>, tensor<?x12xf32>
  return %q, %s : tensor<?x1536xf8E4M3FN>, tensor<?x12xf32>
}

func.func @long(%x: tensor<?x7168xbf16>, %w: tensor<7168xbf16>, %r: tensor<?x7168xbf16>, %h_out: tensor<?x7168xbf16>,
    %q_out: tensor<?x7168xf8E4M3FN>, %s_out: tensor<?x1xf32>, %tmp: tensor<?x7168xbf16>)
    -> (tensor<?x7168xf8E4M3FN>, tensor<?x1xf32>, tensor<?x7168xbf16>) {
  %y, %h = mlafuse.add_rms_norm ins(%x, %w : tensor<?x7168xbf16>, tensor<7168xbf16>) residual(%r : tensor<?x7168xbf16>)
      outs(%tmp, %h_out : tensor<?x7168xbf16>, tensor<?x7168xbf16>) {epsilon = 1.0e-6 : f32}
      -> tensor<?x7168xbf16>, tensor<?x7168xbf16>
  %q, %s = mlafuse.quantize ins(%y : tensor<?x7168xbf16>) outs(%q_out, %s_out : tensor<?x7168xf8E4M3FN>, tensor<?x1xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x7168xf8E4M3FN>, tensor<?x1xf32>
  return %q, %s, %h : tensor<?x7168xf8E4M3FN>, tensor<?x1xf32>, tensor<?x7168xbf16>
}

// Groups of 8 of a row that is long: a thread's part of the row has two of them.
func.func @small_groups(%x: tensor<?x4608xbf16>, %q_out: tensor<?x4608xf8E4M3FN>, %s_out: tensor<?x576xf32>,
    %tmp: tensor<?x4608xbf16>) -> (tensor<?x4608xf8E4M3FN>, tensor<?x576xf32>) {
  %y = mlafuse.rms_norm ins(%x : tensor<?x4608xbf16>) outs(%tmp : tensor<?x4608xbf16>)
      {epsilon = 1.0e-6 : f32} -> tensor<?x4608xbf16>
  %q, %s = mlafuse.quantize ins(%y : tensor<?x4608xbf16>) outs(%q_out, %s_out : tensor<?x4608xf8E4M3FN>, tensor<?x576xf32>)
      {key = #mlafuse.quant_key<f8E4M3FN, scale = f32, dynamic, group = [1, 8], sym>}
      -> tensor<?x4608xf8E4M3FN>, tensor<?x576xf32>
  return %q, %s : tensor<?x4608xf8E4M3FN>, tensor<?x576xf32>
}

func.func @siblings(%p: tensor<?x7744xbf16>, %qw: tensor<7168xbf16>, %kw: tensor<512xbf16>,
    %q_out: tensor<?x7168xf8E4M3FN>, %s_out: tensor<?x1xf32>, %kv_out: tensor<?x512xbf16>, %tmp: tensor<?x7168xbf16>)
    -> (tensor<?x7168xf8E4M3FN>, tensor<?x1xf32>, tensor<?x512xbf16>) {
  %c0 = arith.constant 0 : index
  %t = tensor.dim %p, %c0 : tensor<?x7744xbf16>
  %q_c = tensor.extract_slice %p[0, 0] [%t, 7168] [1, 1] : tensor<?x7744xbf16> to tensor<?x7168xbf16>
  %kv_c = tensor.extract_slice %p[0, 7168] [%t, 512] [1, 1] : tensor<?x7744xbf16> to tensor<?x512xbf16>
  %y = mlafuse.rms_norm ins(%q_c, %qw : tensor<?x7168xbf16>, tensor<7168xbf16>) outs(%tmp : tensor<?x7168xbf16>)
      {epsilon = 1.0e-6 : f32} -> tensor<?x7168xbf16>
  %q, %s = mlafuse.quantize ins(%y : tensor<?x7168xbf16>) outs(%q_out, %s_out : tensor<?x7168xf8E4M3FN>, tensor<?x1xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x7168xf8E4M3FN>, tensor<?x1xf32>
  %kv = mlafuse.rms_norm ins(%kv_c, %kw : tensor<?x512xbf16>, tensor<512xbf16>) outs(%kv_out : tensor<?x512xbf16>)
      {epsilon = 1.0e-6 : f32} -> tensor<?x512xbf16>
  return %q, %s, %kv : tensor<?x7168xf8E4M3FN>, tensor<?x1xf32>, tensor<?x512xbf16>
}
