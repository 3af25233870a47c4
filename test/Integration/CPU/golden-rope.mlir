// rope against its golden files: both styles, both types of the table.

// RUN: %compile
// RUN: %golden interleaved rope-interleaved_h1
// RUN: %golden interleaved_f32_table rope-interleaved_f32cs_h4
// RUN: %golden neox rope-neox_h8

// RUN: %golden_differs interleaved_8 rope-neox_h8

func.func @interleaved(%x: tensor<?x1x64xbf16> {mlafuse.name = "in_x"},
    %pos: tensor<?xi64> {mlafuse.name = "in_positions"},
    %cs: tensor<?x64xbf16> {mlafuse.name = "in_cos_sin"}, %out: tensor<?x1x64xbf16>)
    -> (tensor<?x1x64xbf16> {mlafuse.name = "out_y"}) {
  %y = mlafuse.rope ins(%x, %pos, %cs : tensor<?x1x64xbf16>, tensor<?xi64>, tensor<?x64xbf16>) outs(%out : tensor<?x1x64xbf16>)
      {style = #mlafuse.rope_style<interleaved>} -> tensor<?x1x64xbf16>
  return %y : tensor<?x1x64xbf16>
}

func.func @interleaved_f32_table(%x: tensor<?x4x64xbf16> {mlafuse.name = "in_x"},
    %pos: tensor<?xi64> {mlafuse.name = "in_positions"}, %cs: tensor<?x64xf32> {mlafuse.name = "in_cos_sin"},
    %out: tensor<?x4x64xbf16>)
    -> (tensor<?x4x64xbf16> {mlafuse.name = "out_y"}) {
  %y = mlafuse.rope ins(%x, %pos, %cs : tensor<?x4x64xbf16>, tensor<?xi64>, tensor<?x64xf32>) outs(%out : tensor<?x4x64xbf16>)
      {style = #mlafuse.rope_style<interleaved>} -> tensor<?x4x64xbf16>
  return %y : tensor<?x4x64xbf16>
}

func.func @neox(%x: tensor<?x8x64xbf16> {mlafuse.name = "in_x"},
    %pos: tensor<?xi64> {mlafuse.name = "in_positions"},
    %cs: tensor<?x64xbf16> {mlafuse.name = "in_cos_sin"}, %out: tensor<?x8x64xbf16>)
    -> (tensor<?x8x64xbf16> {mlafuse.name = "out_y"}) {
  %y = mlafuse.rope ins(%x, %pos, %cs : tensor<?x8x64xbf16>, tensor<?xi64>, tensor<?x64xbf16>) outs(%out : tensor<?x8x64xbf16>)
      {style = #mlafuse.rope_style<neox>} -> tensor<?x8x64xbf16>
  return %y : tensor<?x8x64xbf16>
}

func.func @interleaved_8(%x: tensor<?x8x64xbf16> {mlafuse.name = "in_x"},
    %pos: tensor<?xi64> {mlafuse.name = "in_positions"},
    %cs: tensor<?x64xbf16> {mlafuse.name = "in_cos_sin"}, %out: tensor<?x8x64xbf16>)
    -> (tensor<?x8x64xbf16> {mlafuse.name = "out_y"}) {
  %y = mlafuse.rope ins(%x, %pos, %cs : tensor<?x8x64xbf16>, tensor<?xi64>, tensor<?x64xbf16>) outs(%out : tensor<?x8x64xbf16>)
      {style = #mlafuse.rope_style<interleaved>} -> tensor<?x8x64xbf16>
  return %y : tensor<?x8x64xbf16>
}
