// Widths that are no multiple of a vector: all of a row is read, here its last
// element, which decides on the norm and on the scale, and nothing beyond it.

// CASE n1: in_x BF16 [2, 1] = 0.0 if i + 1 < 1 else 2.0 + 2 * t
// CASE n1: in_weight BF16 [1] = 0.5
// CASE n1: out_y BF16 [2, 1] = 0.0 if i + 1 < 1 else bf16(f32(bf16(f32((2.0 + 2 * t) * f32(1 / f32(sqrt(f32((2.0 + 2 * t) ** 2 / 1)))))) * 0.5))
// CASE n1: out_q F8_E4M3 [2, 1] = 0.0 if i + 1 < 1 else 448.0
// CASE n1: out_scale F32 [2, 1] = f32(bf16(f32(bf16(f32((2.0 + 2 * t) * f32(1 / f32(sqrt(f32((2.0 + 2 * t) ** 2 / 1)))))) * 0.5)) / 448)

// CASE n15: in_x BF16 [2, 15] = 0.0 if i + 1 < 15 else 2.0 + 2 * t
// CASE n15: in_weight BF16 [15] = 0.5
// CASE n15: out_y BF16 [2, 15] = 0.0 if i + 1 < 15 else bf16(f32(bf16(f32((2.0 + 2 * t) * f32(1 / f32(sqrt(f32((2.0 + 2 * t) ** 2 / 15)))))) * 0.5))
// CASE n15: out_q F8_E4M3 [2, 15] = 0.0 if i + 1 < 15 else 448.0
// CASE n15: out_scale F32 [2, 1] = f32(bf16(f32(bf16(f32((2.0 + 2 * t) * f32(1 / f32(sqrt(f32((2.0 + 2 * t) ** 2 / 15)))))) * 0.5)) / 448)

// CASE n17: in_x BF16 [2, 17] = 0.0 if i + 1 < 17 else 2.0 + 2 * t
// CASE n17: in_weight BF16 [17] = 0.5
// CASE n17: out_y BF16 [2, 17] = 0.0 if i + 1 < 17 else bf16(f32(bf16(f32((2.0 + 2 * t) * f32(1 / f32(sqrt(f32((2.0 + 2 * t) ** 2 / 17)))))) * 0.5))
// CASE n17: out_q F8_E4M3 [2, 17] = 0.0 if i + 1 < 17 else 448.0
// CASE n17: out_scale F32 [2, 1] = f32(bf16(f32(bf16(f32((2.0 + 2 * t) * f32(1 / f32(sqrt(f32((2.0 + 2 * t) ** 2 / 17)))))) * 0.5)) / 448)

// CASE n1152: in_x BF16 [2, 1152] = 0.0 if i + 1 < 1152 else 2.0 + 2 * t
// CASE n1152: in_weight BF16 [1152] = 0.5
// CASE n1152: out_y BF16 [2, 1152] = 0.0 if i + 1 < 1152 else bf16(f32(bf16(f32((2.0 + 2 * t) * f32(1 / f32(sqrt(f32((2.0 + 2 * t) ** 2 / 1152)))))) * 0.5))
// CASE n1152: out_q F8_E4M3 [2, 1152] = 0.0 if i + 1 < 1152 else 448.0
// CASE n1152: out_scale F32 [2, 1] = f32(bf16(f32(bf16(f32((2.0 + 2 * t) * f32(1 / f32(sqrt(f32((2.0 + 2 * t) ** 2 / 1152)))))) * 0.5)) / 448)

// CASE n3584: in_x BF16 [2, 3584] = 0.0 if i + 1 < 3584 else 2.0 + 2 * t
// CASE n3584: in_weight BF16 [3584] = 0.5
// CASE n3584: out_y BF16 [2, 3584] = 0.0 if i + 1 < 3584 else bf16(f32(bf16(f32((2.0 + 2 * t) * f32(1 / f32(sqrt(f32((2.0 + 2 * t) ** 2 / 3584)))))) * 0.5))
// CASE n3584: out_q F8_E4M3 [2, 3584] = 0.0 if i + 1 < 3584 else 448.0
// CASE n3584: out_scale F32 [2, 1] = f32(bf16(f32(bf16(f32((2.0 + 2 * t) * f32(1 / f32(sqrt(f32((2.0 + 2 * t) ** 2 / 3584)))))) * 0.5)) / 448)

// CASE n7165: in_x BF16 [2, 7165] = 0.0 if i + 1 < 7165 else 2.0 + 2 * t
// CASE n7165: in_weight BF16 [7165] = 0.5
// CASE n7165: out_y BF16 [2, 7165] = 0.0 if i + 1 < 7165 else bf16(f32(bf16(f32((2.0 + 2 * t) * f32(1 / f32(sqrt(f32((2.0 + 2 * t) ** 2 / 7165)))))) * 0.5))
// CASE n7165: out_q F8_E4M3 [2, 7165] = 0.0 if i + 1 < 7165 else 448.0
// CASE n7165: out_scale F32 [2, 1] = f32(bf16(f32(bf16(f32((2.0 + 2 * t) * f32(1 / f32(sqrt(f32((2.0 + 2 * t) ** 2 / 7165)))))) * 0.5)) / 448)

// RUN: %compile_both
// RUN: %case_both norm_1 n1
// RUN: %case_both norm_15 n15
// RUN: %case_both norm_17 n17
// RUN: %case_both norm_1152 n1152
// RUN: %case_both norm_3584 n3584
// RUN: %case_both norm_7165 n7165
// RUN: %cc -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -I %runtime_include %S/Inputs/b16-guard-pages.c -o %t.exe -ldl
// RUN: %t.exe %t.so
// RUN: %t.exe %t.unfused.so

func.func @norm_1(%x: tensor<?x1xbf16> {mlafuse.name = "in_x"},
    %w: tensor<1xbf16> {mlafuse.name = "in_weight"}, %y_out: tensor<?x1xbf16>, %q_out: tensor<?x1xf8E4M3FN>,
    %s_out: tensor<?x1xf32>)
    -> (tensor<?x1xbf16> {mlafuse.name = "out_y"}, tensor<?x1xf8E4M3FN> {mlafuse.name = "out_q"}, tensor<?x1xf32> {mlafuse.name = "out_scale"}) {
  %y = mlafuse.rms_norm ins(%x, %w : tensor<?x1xbf16>, tensor<1xbf16>) outs(%y_out : tensor<?x1xbf16>)
      {epsilon = 0.0 : f32} -> tensor<?x1xbf16>
  %q, %s = mlafuse.quantize ins(%y : tensor<?x1xbf16>) outs(%q_out, %s_out : tensor<?x1xf8E4M3FN>, tensor<?x1xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x1xf8E4M3FN>, tensor<?x1xf32>
  return %y, %q, %s : tensor<?x1xbf16>, tensor<?x1xf8E4M3FN>, tensor<?x1xf32>
}

func.func @norm_15(%x: tensor<?x15xbf16> {mlafuse.name = "in_x"},
    %w: tensor<15xbf16> {mlafuse.name = "in_weight"}, %y_out: tensor<?x15xbf16>,
    %q_out: tensor<?x15xf8E4M3FN>, %s_out: tensor<?x1xf32>)
    -> (tensor<?x15xbf16> {mlafuse.name = "out_y"}, tensor<?x15xf8E4M3FN> {mlafuse.name = "out_q"}, tensor<?x1xf32> {mlafuse.name = "out_scale"}) {
  %y = mlafuse.rms_norm ins(%x, %w : tensor<?x15xbf16>, tensor<15xbf16>) outs(%y_out : tensor<?x15xbf16>)
      {epsilon = 0.0 : f32} -> tensor<?x15xbf16>
  %q, %s = mlafuse.quantize ins(%y : tensor<?x15xbf16>) outs(%q_out, %s_out : tensor<?x15xf8E4M3FN>, tensor<?x1xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x15xf8E4M3FN>, tensor<?x1xf32>
  return %y, %q, %s : tensor<?x15xbf16>, tensor<?x15xf8E4M3FN>, tensor<?x1xf32>
}

func.func @norm_17(%x: tensor<?x17xbf16> {mlafuse.name = "in_x"},
    %w: tensor<17xbf16> {mlafuse.name = "in_weight"}, %y_out: tensor<?x17xbf16>,
    %q_out: tensor<?x17xf8E4M3FN>, %s_out: tensor<?x1xf32>)
    -> (tensor<?x17xbf16> {mlafuse.name = "out_y"}, tensor<?x17xf8E4M3FN> {mlafuse.name = "out_q"}, tensor<?x1xf32> {mlafuse.name = "out_scale"}) {
  %y = mlafuse.rms_norm ins(%x, %w : tensor<?x17xbf16>, tensor<17xbf16>) outs(%y_out : tensor<?x17xbf16>)
      {epsilon = 0.0 : f32} -> tensor<?x17xbf16>
  %q, %s = mlafuse.quantize ins(%y : tensor<?x17xbf16>) outs(%q_out, %s_out : tensor<?x17xf8E4M3FN>, tensor<?x1xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x17xf8E4M3FN>, tensor<?x1xf32>
  return %y, %q, %s : tensor<?x17xbf16>, tensor<?x17xf8E4M3FN>, tensor<?x1xf32>
}

func.func @norm_1152(%x: tensor<?x1152xbf16> {mlafuse.name = "in_x"},
    %w: tensor<1152xbf16> {mlafuse.name = "in_weight"}, %y_out: tensor<?x1152xbf16>,
    %q_out: tensor<?x1152xf8E4M3FN>, %s_out: tensor<?x1xf32>)
    -> (tensor<?x1152xbf16> {mlafuse.name = "out_y"}, tensor<?x1152xf8E4M3FN> {mlafuse.name = "out_q"}, tensor<?x1xf32> {mlafuse.name = "out_scale"}) {
  %y = mlafuse.rms_norm ins(%x, %w : tensor<?x1152xbf16>, tensor<1152xbf16>) outs(%y_out : tensor<?x1152xbf16>)
      {epsilon = 0.0 : f32} -> tensor<?x1152xbf16>
  %q, %s = mlafuse.quantize ins(%y : tensor<?x1152xbf16>) outs(%q_out, %s_out : tensor<?x1152xf8E4M3FN>, tensor<?x1xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x1152xf8E4M3FN>, tensor<?x1xf32>
  return %y, %q, %s : tensor<?x1152xbf16>, tensor<?x1152xf8E4M3FN>, tensor<?x1xf32>
}

func.func @norm_3584(%x: tensor<?x3584xbf16> {mlafuse.name = "in_x"},
    %w: tensor<3584xbf16> {mlafuse.name = "in_weight"}, %y_out: tensor<?x3584xbf16>,
    %q_out: tensor<?x3584xf8E4M3FN>, %s_out: tensor<?x1xf32>)
    -> (tensor<?x3584xbf16> {mlafuse.name = "out_y"}, tensor<?x3584xf8E4M3FN> {mlafuse.name = "out_q"}, tensor<?x1xf32> {mlafuse.name = "out_scale"}) {
  %y = mlafuse.rms_norm ins(%x, %w : tensor<?x3584xbf16>, tensor<3584xbf16>) outs(%y_out : tensor<?x3584xbf16>)
      {epsilon = 0.0 : f32} -> tensor<?x3584xbf16>
  %q, %s = mlafuse.quantize ins(%y : tensor<?x3584xbf16>) outs(%q_out, %s_out : tensor<?x3584xf8E4M3FN>, tensor<?x1xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x3584xf8E4M3FN>, tensor<?x1xf32>
  return %y, %q, %s : tensor<?x3584xbf16>, tensor<?x3584xf8E4M3FN>, tensor<?x1xf32>
}

func.func @norm_7165(%x: tensor<?x7165xbf16> {mlafuse.name = "in_x"},
    %w: tensor<7165xbf16> {mlafuse.name = "in_weight"}, %y_out: tensor<?x7165xbf16>,
    %q_out: tensor<?x7165xf8E4M3FN>, %s_out: tensor<?x1xf32>)
    -> (tensor<?x7165xbf16> {mlafuse.name = "out_y"}, tensor<?x7165xf8E4M3FN> {mlafuse.name = "out_q"}, tensor<?x1xf32> {mlafuse.name = "out_scale"}) {
  %y = mlafuse.rms_norm ins(%x, %w : tensor<?x7165xbf16>, tensor<7165xbf16>) outs(%y_out : tensor<?x7165xbf16>)
      {epsilon = 0.0 : f32} -> tensor<?x7165xbf16>
  %q, %s = mlafuse.quantize ins(%y : tensor<?x7165xbf16>) outs(%q_out, %s_out : tensor<?x7165xf8E4M3FN>, tensor<?x1xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_token_sym>} -> tensor<?x7165xf8E4M3FN>, tensor<?x1xf32>
  return %y, %q, %s : tensor<?x7165xbf16>, tensor<?x7165xf8E4M3FN>, tensor<?x1xf32>
}
