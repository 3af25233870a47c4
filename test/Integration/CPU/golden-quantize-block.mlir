// NVFP4 and MX quantization against their golden files.

// RUN: %compile
// RUN: %golden nvfp4 quantize-nvfp4_linear_t7_n512
// RUN: %golden nvfp4_32 quantize-nvfp4_ties
// RUN: %golden nvfp4_swizzled_320 quantize-nvfp4_swizzled_t7_n320
// RUN: %golden nvfp4_swizzled_96 quantize-nvfp4_swizzled_t130_n96
// RUN: %golden mxfp8 quantize-mxfp8_t7_n256
// RUN: %golden mxfp4 quantize-mxfp4_t7_n256

func.func @nvfp4(%x: tensor<?x512xbf16> {mlafuse.name = "in_x"},
    %global_scale: tensor<1xf32> {mlafuse.name = "in_global_scale"}, %q_out: tensor<?x256xi8>,
    %s_out: tensor<?x32xf8E4M3FN>)
    -> (tensor<?x256xi8> {mlafuse.name = "out_q"}, tensor<?x32xf8E4M3FN> {mlafuse.name = "out_scale"}) {
  %q, %s = mlafuse.quantize ins(%x : tensor<?x512xbf16>) global_scale(%global_scale : tensor<1xf32>) outs(%q_out, %s_out : tensor<?x256xi8>, tensor<?x32xf8E4M3FN>)
      {key = #mlafuse.quant_key<nvfp4_dynamic>} -> tensor<?x256xi8>, tensor<?x32xf8E4M3FN>
  return %q, %s : tensor<?x256xi8>, tensor<?x32xf8E4M3FN>
}

func.func @nvfp4_32(%x: tensor<?x32xbf16> {mlafuse.name = "in_x"},
    %global_scale: tensor<1xf32> {mlafuse.name = "in_global_scale"}, %q_out: tensor<?x16xi8>,
    %s_out: tensor<?x2xf8E4M3FN>)
    -> (tensor<?x16xi8> {mlafuse.name = "out_q"}, tensor<?x2xf8E4M3FN> {mlafuse.name = "out_scale"}) {
  %q, %s = mlafuse.quantize ins(%x : tensor<?x32xbf16>) global_scale(%global_scale : tensor<1xf32>) outs(%q_out, %s_out : tensor<?x16xi8>, tensor<?x2xf8E4M3FN>)
      {key = #mlafuse.quant_key<nvfp4_dynamic>} -> tensor<?x16xi8>, tensor<?x2xf8E4M3FN>
  return %q, %s : tensor<?x16xi8>, tensor<?x2xf8E4M3FN>
}

func.func @nvfp4_swizzled_320(%x: tensor<?x320xbf16> {mlafuse.name = "in_x"},
    %global_scale: tensor<1xf32> {mlafuse.name = "in_global_scale"}, %q_out: tensor<?x160xi8>,
    %s_out: tensor<?x20xf8E4M3FN>)
    -> (tensor<?x160xi8> {mlafuse.name = "out_q"}, tensor<?x20xf8E4M3FN> {mlafuse.name = "out_scale"}) {
  %q, %s = mlafuse.quantize ins(%x : tensor<?x320xbf16>) global_scale(%global_scale : tensor<1xf32>) outs(%q_out, %s_out : tensor<?x160xi8>, tensor<?x20xf8E4M3FN>)
      {key = #mlafuse.quant_key<nvfp4_dynamic>, scale_layout = #mlafuse.scale_layout<swizzled_128x4>} -> tensor<?x160xi8>, tensor<?x20xf8E4M3FN>
  return %q, %s : tensor<?x160xi8>, tensor<?x20xf8E4M3FN>
}

func.func @nvfp4_swizzled_96(%x: tensor<?x96xbf16> {mlafuse.name = "in_x"},
    %global_scale: tensor<1xf32> {mlafuse.name = "in_global_scale"}, %q_out: tensor<?x48xi8>,
    %s_out: tensor<?x8xf8E4M3FN>)
    -> (tensor<?x48xi8> {mlafuse.name = "out_q"}, tensor<?x8xf8E4M3FN> {mlafuse.name = "out_scale"}) {
  %q, %s = mlafuse.quantize ins(%x : tensor<?x96xbf16>) global_scale(%global_scale : tensor<1xf32>) outs(%q_out, %s_out : tensor<?x48xi8>, tensor<?x8xf8E4M3FN>)
      {key = #mlafuse.quant_key<nvfp4_dynamic>, scale_layout = #mlafuse.scale_layout<swizzled_128x4>} -> tensor<?x48xi8>, tensor<?x8xf8E4M3FN>
  return %q, %s : tensor<?x48xi8>, tensor<?x8xf8E4M3FN>
}

func.func @mxfp8(%x: tensor<?x256xbf16> {mlafuse.name = "in_x"}, %q_out: tensor<?x256xf8E4M3FN>,
    %s_out: tensor<?x8xf8E8M0FNU>)
    -> (tensor<?x256xf8E4M3FN> {mlafuse.name = "out_q"}, tensor<?x8xf8E8M0FNU> {mlafuse.name = "out_scale"}) {
  %q, %s = mlafuse.quantize ins(%x : tensor<?x256xbf16>) outs(%q_out, %s_out : tensor<?x256xf8E4M3FN>, tensor<?x8xf8E8M0FNU>)
      {key = #mlafuse.quant_key<mxfp8_dynamic>} -> tensor<?x256xf8E4M3FN>, tensor<?x8xf8E8M0FNU>
  return %q, %s : tensor<?x256xf8E4M3FN>, tensor<?x8xf8E8M0FNU>
}

func.func @mxfp4(%x: tensor<?x256xbf16> {mlafuse.name = "in_x"}, %q_out: tensor<?x128xi8>,
    %s_out: tensor<?x8xf8E8M0FNU>)
    -> (tensor<?x128xi8> {mlafuse.name = "out_q"}, tensor<?x8xf8E8M0FNU> {mlafuse.name = "out_scale"}) {
  %q, %s = mlafuse.quantize ins(%x : tensor<?x256xbf16>) outs(%q_out, %s_out : tensor<?x128xi8>, tensor<?x8xf8E8M0FNU>)
      {key = #mlafuse.quant_key<mxfp4_dynamic>} -> tensor<?x128xi8>, tensor<?x8xf8E8M0FNU>
  return %q, %s : tensor<?x128xi8>, tensor<?x8xf8E8M0FNU>
}
