// A buffer of codes that has no room for all rows behind the offset: the other results of
// the op that makes the rows are whole.

func.func @residual(%x: tensor<?x1536xbf16> {mlafuse.dims=["T",""]}, %r: tensor<?x1536xbf16> {mlafuse.dims=["T",""]}, %w: tensor<1536xbf16>, %q: tensor<?x1536xf8E4M3FN> {mlafuse.dims=["all",""]}, %s: tensor<12x?xf32>, %t: tensor<?x1536xbf16> {mlafuse.dims=["T",""]}, %h: tensor<?x1536xbf16> {mlafuse.dims=["T",""]}) -> (tensor<?x1536xf8E4M3FN>, tensor<12x?xf32>, tensor<?x1536xbf16>) {
  %o = arith.constant 3 : index
  %y, %hh = mlafuse.add_rms_norm ins(%x, %w : tensor<?x1536xbf16>, tensor<1536xbf16>) residual(%r : tensor<?x1536xbf16>) outs(%t, %h : tensor<?x1536xbf16>, tensor<?x1536xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x1536xbf16>, tensor<?x1536xbf16>
  %0:2 = mlafuse.quantize ins(%y : tensor<?x1536xbf16>) row_offset(%o : index) outs(%q, %s : tensor<?x1536xf8E4M3FN>, tensor<12x?xf32>) {key = #mlafuse.quant_key<fp8_dynamic_128_sym>, scale_layout = #mlafuse.scale_layout<tma_aligned>} -> tensor<?x1536xf8E4M3FN>, tensor<12x?xf32>
  return %0#0, %0#1, %hh : tensor<?x1536xf8E4M3FN>, tensor<12x?xf32>, tensor<?x1536xbf16>
}
func.func @kept(%x: tensor<?x1536xbf16> {mlafuse.dims=["T",""]}, %w: tensor<1536xbf16>, %q: tensor<?x1536xf8E4M3FN> {mlafuse.dims=["all",""]}, %s: tensor<12x?xf32>, %t: tensor<?x1536xbf16> {mlafuse.dims=["T",""]}) -> (tensor<?x1536xf8E4M3FN>, tensor<12x?xf32>, tensor<?x1536xbf16>) {
  %o = arith.constant 3 : index
  %y = mlafuse.rms_norm ins(%x, %w : tensor<?x1536xbf16>, tensor<1536xbf16>) outs(%t : tensor<?x1536xbf16>) {epsilon = 1.0e-6 : f32} -> tensor<?x1536xbf16>
  %0:2 = mlafuse.quantize ins(%y : tensor<?x1536xbf16>) row_offset(%o : index) outs(%q, %s : tensor<?x1536xf8E4M3FN>, tensor<12x?xf32>) {key = #mlafuse.quant_key<fp8_dynamic_128_sym>, scale_layout = #mlafuse.scale_layout<tma_aligned>} -> tensor<?x1536xf8E4M3FN>, tensor<12x?xf32>
  return %0#0, %0#1, %y : tensor<?x1536xf8E4M3FN>, tensor<12x?xf32>, tensor<?x1536xbf16>
}
func.func @merged(%oa: tensor<?x4x64xbf16> {mlafuse.dims=["T","",""]}, %la: tensor<?x4xf32> {mlafuse.dims=["T",""]}, %ob: tensor<?x4x64xbf16> {mlafuse.dims=["T","",""]}, %lb: tensor<?x4xf32> {mlafuse.dims=["T",""]}, %q: tensor<?x256xf8E4M3FN> {mlafuse.dims=["all",""]}, %s: tensor<?x1xf32> {mlafuse.dims=["all",""]}, %t: tensor<?x256xbf16> {mlafuse.dims=["T",""]}, %l: tensor<?x4xf32> {mlafuse.dims=["T",""]}) -> (tensor<?x256xf8E4M3FN>, tensor<?x1xf32>, tensor<?x4xf32>) {
  %o = arith.constant 3 : index
  %y, %lse = mlafuse.merge_attn_states ins(%oa, %la, %ob, %lb : tensor<?x4x64xbf16>, tensor<?x4xf32>, tensor<?x4x64xbf16>, tensor<?x4xf32>) outs(%t, %l : tensor<?x256xbf16>, tensor<?x4xf32>) -> tensor<?x256xbf16>, tensor<?x4xf32>
  %0:2 = mlafuse.quantize ins(%y : tensor<?x256xbf16>) row_offset(%o : index) outs(%q, %s : tensor<?x256xf8E4M3FN>, tensor<?x1xf32>) {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x256xf8E4M3FN>, tensor<?x1xf32>
  return %0#0, %0#1, %lse : tensor<?x256xf8E4M3FN>, tensor<?x1xf32>, tensor<?x4xf32>
}
