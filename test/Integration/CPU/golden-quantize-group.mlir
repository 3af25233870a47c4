// FP8 quantization of groups against its golden files: every layout, with and
// without power-of-two scales.

// RUN: %compile
// RUN: %golden row_major quantize-g128_row_major_t7_n512
// RUN: %golden column_major quantize-g128_column_major_t7_n512
// RUN: %golden tma_aligned quantize-g128_tma_aligned_t7_n512
// RUN: %golden ue8m0_row_major quantize-g128_ue8m0_row_major_t7_n512
// RUN: %golden ue8m0_column_major quantize-g128_ue8m0_column_major_t7_n512
// RUN: %golden ue8m0_tma_aligned quantize-g128_ue8m0_tma_aligned_t7_n512
// RUN: %golden ue8m0_256 quantize-g128_ue8m0_edge_t4_n256
// RUN: %golden ue8m0_f32 quantize-g128_ue8m0_edge_f32_t3_n128
// RUN: %golden packed quantize-g128_packed_t7_n640
// RUN: %golden group_64 quantize-g64_row_major_t5_n320
// RUN: %golden group_64_tma quantize-g64_tma_aligned_t5_n320

func.func @row_major(%x: tensor<?x512xbf16> {mlafuse.name = "in_x"}, %q_out: tensor<?x512xf8E4M3FN>,
    %s_out: tensor<?x4xf32>)
    -> (tensor<?x512xf8E4M3FN> {mlafuse.name = "out_q"}, tensor<?x4xf32> {mlafuse.name = "out_scale"}) {
  %q, %s = mlafuse.quantize ins(%x : tensor<?x512xbf16>) outs(%q_out, %s_out : tensor<?x512xf8E4M3FN>, tensor<?x4xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_128_sym>} -> tensor<?x512xf8E4M3FN>, tensor<?x4xf32>
  return %q, %s : tensor<?x512xf8E4M3FN>, tensor<?x4xf32>
}

func.func @column_major(%x: tensor<?x512xbf16> {mlafuse.name = "in_x"}, %q_out: tensor<?x512xf8E4M3FN>,
    %s_out: tensor<4x?xf32>)
    -> (tensor<?x512xf8E4M3FN> {mlafuse.name = "out_q"}, tensor<4x?xf32> {mlafuse.name = "out_scale"}) {
  %q, %s = mlafuse.quantize ins(%x : tensor<?x512xbf16>) outs(%q_out, %s_out : tensor<?x512xf8E4M3FN>, tensor<4x?xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_128_sym>, scale_layout = #mlafuse.scale_layout<column_major>} -> tensor<?x512xf8E4M3FN>, tensor<4x?xf32>
  return %q, %s : tensor<?x512xf8E4M3FN>, tensor<4x?xf32>
}

func.func @tma_aligned(%x: tensor<?x512xbf16> {mlafuse.name = "in_x"}, %q_out: tensor<?x512xf8E4M3FN>,
    %s_out: tensor<4x?xf32>)
    -> (tensor<?x512xf8E4M3FN> {mlafuse.name = "out_q"}, tensor<4x?xf32> {mlafuse.name = "out_scale"}) {
  %q, %s = mlafuse.quantize ins(%x : tensor<?x512xbf16>) outs(%q_out, %s_out : tensor<?x512xf8E4M3FN>, tensor<4x?xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_128_sym>, scale_layout = #mlafuse.scale_layout<tma_aligned>} -> tensor<?x512xf8E4M3FN>, tensor<4x?xf32>
  return %q, %s : tensor<?x512xf8E4M3FN>, tensor<4x?xf32>
}

func.func @ue8m0_row_major(%x: tensor<?x512xbf16> {mlafuse.name = "in_x"}, %q_out: tensor<?x512xf8E4M3FN>,
    %s_out: tensor<?x4xf32>)
    -> (tensor<?x512xf8E4M3FN> {mlafuse.name = "out_q"}, tensor<?x4xf32> {mlafuse.name = "out_scale"}) {
  %q, %s = mlafuse.quantize ins(%x : tensor<?x512xbf16>) outs(%q_out, %s_out : tensor<?x512xf8E4M3FN>, tensor<?x4xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_128_sym>, scale_layout = #mlafuse.scale_layout<row_major>, scale_rule = #mlafuse.scale_rule<rounding = ue8m0>} -> tensor<?x512xf8E4M3FN>, tensor<?x4xf32>
  return %q, %s : tensor<?x512xf8E4M3FN>, tensor<?x4xf32>
}

func.func @ue8m0_column_major(%x: tensor<?x512xbf16> {mlafuse.name = "in_x"}, %q_out: tensor<?x512xf8E4M3FN>,
    %s_out: tensor<4x?xf32>)
    -> (tensor<?x512xf8E4M3FN> {mlafuse.name = "out_q"}, tensor<4x?xf32> {mlafuse.name = "out_scale"}) {
  %q, %s = mlafuse.quantize ins(%x : tensor<?x512xbf16>) outs(%q_out, %s_out : tensor<?x512xf8E4M3FN>, tensor<4x?xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_128_sym>, scale_layout = #mlafuse.scale_layout<column_major>, scale_rule = #mlafuse.scale_rule<rounding = ue8m0>} -> tensor<?x512xf8E4M3FN>, tensor<4x?xf32>
  return %q, %s : tensor<?x512xf8E4M3FN>, tensor<4x?xf32>
}

func.func @ue8m0_tma_aligned(%x: tensor<?x512xbf16> {mlafuse.name = "in_x"}, %q_out: tensor<?x512xf8E4M3FN>,
    %s_out: tensor<4x?xf32>)
    -> (tensor<?x512xf8E4M3FN> {mlafuse.name = "out_q"}, tensor<4x?xf32> {mlafuse.name = "out_scale"}) {
  %q, %s = mlafuse.quantize ins(%x : tensor<?x512xbf16>) outs(%q_out, %s_out : tensor<?x512xf8E4M3FN>, tensor<4x?xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_128_sym>, scale_layout = #mlafuse.scale_layout<tma_aligned>, scale_rule = #mlafuse.scale_rule<rounding = ue8m0>} -> tensor<?x512xf8E4M3FN>, tensor<4x?xf32>
  return %q, %s : tensor<?x512xf8E4M3FN>, tensor<4x?xf32>
}

func.func @ue8m0_256(%x: tensor<?x256xbf16> {mlafuse.name = "in_x"}, %q_out: tensor<?x256xf8E4M3FN>,
    %s_out: tensor<?x2xf32>)
    -> (tensor<?x256xf8E4M3FN> {mlafuse.name = "out_q"}, tensor<?x2xf32> {mlafuse.name = "out_scale"}) {
  %q, %s = mlafuse.quantize ins(%x : tensor<?x256xbf16>) outs(%q_out, %s_out : tensor<?x256xf8E4M3FN>, tensor<?x2xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_128_sym>, scale_rule = #mlafuse.scale_rule<rounding = ue8m0>} -> tensor<?x256xf8E4M3FN>, tensor<?x2xf32>
  return %q, %s : tensor<?x256xf8E4M3FN>, tensor<?x2xf32>
}

func.func @ue8m0_f32(%x: tensor<?x128xf32> {mlafuse.name = "in_x"}, %q_out: tensor<?x128xf8E4M3FN>,
    %s_out: tensor<?x1xf32>)
    -> (tensor<?x128xf8E4M3FN> {mlafuse.name = "out_q"}, tensor<?x1xf32> {mlafuse.name = "out_scale"}) {
  %q, %s = mlafuse.quantize ins(%x : tensor<?x128xf32>) outs(%q_out, %s_out : tensor<?x128xf8E4M3FN>, tensor<?x1xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_128_sym>, scale_rule = #mlafuse.scale_rule<rounding = ue8m0>} -> tensor<?x128xf8E4M3FN>, tensor<?x1xf32>
  return %q, %s : tensor<?x128xf8E4M3FN>, tensor<?x1xf32>
}

func.func @packed(%x: tensor<?x640xbf16> {mlafuse.name = "in_x"}, %q_out: tensor<?x640xf8E4M3FN>,
    %s_out: tensor<2x?xi32>)
    -> (tensor<?x640xf8E4M3FN> {mlafuse.name = "out_q"}, tensor<2x?xi32> {mlafuse.name = "out_scale"}) {
  %q, %s = mlafuse.quantize ins(%x : tensor<?x640xbf16>) outs(%q_out, %s_out : tensor<?x640xf8E4M3FN>, tensor<2x?xi32>)
      {key = #mlafuse.quant_key<fp8_dynamic_128_sym>, scale_layout = #mlafuse.scale_layout<packed_ue8m0>, scale_rule = #mlafuse.scale_rule<rounding = ue8m0>} -> tensor<?x640xf8E4M3FN>, tensor<2x?xi32>
  return %q, %s : tensor<?x640xf8E4M3FN>, tensor<2x?xi32>
}

func.func @group_64(%x: tensor<?x320xbf16> {mlafuse.name = "in_x"}, %q_out: tensor<?x320xf8E4M3FN>,
    %s_out: tensor<?x5xf32>)
    -> (tensor<?x320xf8E4M3FN> {mlafuse.name = "out_q"}, tensor<?x5xf32> {mlafuse.name = "out_scale"}) {
  %q, %s = mlafuse.quantize ins(%x : tensor<?x320xbf16>) outs(%q_out, %s_out : tensor<?x320xf8E4M3FN>, tensor<?x5xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_64_sym>} -> tensor<?x320xf8E4M3FN>, tensor<?x5xf32>
  return %q, %s : tensor<?x320xf8E4M3FN>, tensor<?x5xf32>
}

func.func @group_64_tma(%x: tensor<?x320xbf16> {mlafuse.name = "in_x"}, %q_out: tensor<?x320xf8E4M3FN>,
    %s_out: tensor<5x?xf32>)
    -> (tensor<?x320xf8E4M3FN> {mlafuse.name = "out_q"}, tensor<5x?xf32> {mlafuse.name = "out_scale"}) {
  %q, %s = mlafuse.quantize ins(%x : tensor<?x320xbf16>) outs(%q_out, %s_out : tensor<?x320xf8E4M3FN>, tensor<5x?xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_64_sym>, scale_layout = #mlafuse.scale_layout<tma_aligned>} -> tensor<?x320xf8E4M3FN>, tensor<5x?xf32>
  return %q, %s : tensor<?x320xf8E4M3FN>, tensor<5x?xf32>
}
