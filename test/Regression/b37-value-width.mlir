// Values wider and narrower than keys, of any width: 192 and 128, as in prompts of MLA,
// and pairs that no vector divides.

// CASE d192-v128: in_q F32 [5, 2, 192] = 0.0
// CASE d192-v128: in_k F32 [5, 2, 192] = 1.0
// CASE d192-v128: in_v F32 [5, 2, 128] = (t // 2) ** 2 + i
// CASE d192-v128: in_cu_q I32 [2] = 5 * i
// CASE d192-v128: in_cu_k I32 [2] = 5 * i
// CASE d192-v128: out_o F32 [5, 256] = f32(sum(j * j + i % 128 for j in range(t + 1)) / (t + 1))
// CASE d192-v128: out_lse F32 [5, 2] = f32(log(1 + t))

// CASE d576-v512: in_q F32 [5, 2, 576] = 0.0
// CASE d576-v512: in_k F32 [5, 2, 576] = 1.0
// CASE d576-v512: in_v F32 [5, 2, 512] = (t // 2) ** 2 + i
// CASE d576-v512: in_cu_q I32 [2] = 5 * i
// CASE d576-v512: in_cu_k I32 [2] = 5 * i
// CASE d576-v512: out_o F32 [5, 1024] = f32(sum(j * j + i % 512 for j in range(t + 1)) / (t + 1))
// CASE d576-v512: out_lse F32 [5, 2] = f32(log(1 + t))

// CASE d64-v96: in_q F32 [5, 2, 64] = 0.0
// CASE d64-v96: in_k F32 [5, 2, 64] = 1.0
// CASE d64-v96: in_v F32 [5, 2, 96] = (t // 2) ** 2 + i
// CASE d64-v96: in_cu_q I32 [2] = 5 * i
// CASE d64-v96: in_cu_k I32 [2] = 5 * i
// CASE d64-v96: out_o F32 [5, 192] = f32(sum(j * j + i % 96 for j in range(t + 1)) / (t + 1))
// CASE d64-v96: out_lse F32 [5, 2] = f32(log(1 + t))

// CASE d96-v64: in_q F32 [5, 2, 96] = 0.0
// CASE d96-v64: in_k F32 [5, 2, 96] = 1.0
// CASE d96-v64: in_v F32 [5, 2, 64] = (t // 2) ** 2 + i
// CASE d96-v64: in_cu_q I32 [2] = 5 * i
// CASE d96-v64: in_cu_k I32 [2] = 5 * i
// CASE d96-v64: out_o F32 [5, 128] = f32(sum(j * j + i % 64 for j in range(t + 1)) / (t + 1))
// CASE d96-v64: out_lse F32 [5, 2] = f32(log(1 + t))

// CASE d17-v33: in_q F32 [5, 2, 17] = 0.0
// CASE d17-v33: in_k F32 [5, 2, 17] = 1.0
// CASE d17-v33: in_v F32 [5, 2, 33] = (t // 2) ** 2 + i
// CASE d17-v33: in_cu_q I32 [2] = 5 * i
// CASE d17-v33: in_cu_k I32 [2] = 5 * i
// CASE d17-v33: out_o F32 [5, 66] = f32(sum(j * j + i % 33 for j in range(t + 1)) / (t + 1))
// CASE d17-v33: out_lse F32 [5, 2] = f32(log(1 + t))

// CASE d1-v1: in_q F32 [5, 2, 1] = 0.0
// CASE d1-v1: in_k F32 [5, 2, 1] = 1.0
// CASE d1-v1: in_v F32 [5, 2, 1] = (t // 2) ** 2 + i
// CASE d1-v1: in_cu_q I32 [2] = 5 * i
// CASE d1-v1: in_cu_k I32 [2] = 5 * i
// CASE d1-v1: out_o F32 [5, 2] = f32(sum(j * j + i % 1 for j in range(t + 1)) / (t + 1))
// CASE d1-v1: out_lse F32 [5, 2] = f32(log(1 + t))

// CASE d40-v7: in_q F32 [5, 2, 40] = 0.0
// CASE d40-v7: in_k F32 [5, 2, 40] = 1.0
// CASE d40-v7: in_v F32 [5, 2, 7] = (t // 2) ** 2 + i
// CASE d40-v7: in_cu_q I32 [2] = 5 * i
// CASE d40-v7: in_cu_k I32 [2] = 5 * i
// CASE d40-v7: out_o F32 [5, 14] = f32(sum(j * j + i % 7 for j in range(t + 1)) / (t + 1))
// CASE d40-v7: out_lse F32 [5, 2] = f32(log(1 + t))

// RUN: %compile
// RUN: %case d192_v128 d192-v128
// RUN: %case d576_v512 d576-v512
// RUN: %case d64_v96 d64-v96
// RUN: %case d96_v64 d96-v64
// RUN: %case d17_v33 d17-v33
// RUN: %case d1_v1 d1-v1
// RUN: %case d40_v7 d40-v7

func.func @d192_v128(%q: tensor<?x2x192xf32> {mlafuse.name = "in_q"}, %k: tensor<?x2x192xf32> {mlafuse.name = "in_k"},
    %v: tensor<?x2x128xf32> {mlafuse.name = "in_v"}, %cu_q: tensor<?xi32> {mlafuse.name = "in_cu_q"},
    %cu_k: tensor<?xi32> {mlafuse.name = "in_cu_k"}, %o_out: tensor<?x256xf32>, %lse_out: tensor<?x2xf32>)
    -> (tensor<?x256xf32> {mlafuse.name = "out_o"}, tensor<?x2xf32> {mlafuse.name = "out_lse"}) {
  %o, %lse = mlafuse.mla_prefill ins(%q, %k, %v, %cu_q, %cu_k : tensor<?x2x192xf32>, tensor<?x2x192xf32>, tensor<?x2x128xf32>, tensor<?xi32>, tensor<?xi32>)
      outs(%o_out, %lse_out : tensor<?x256xf32>, tensor<?x2xf32>)
      {softmax_scale = 1.0 : f32, causal} -> tensor<?x256xf32>, tensor<?x2xf32>
  return %o, %lse : tensor<?x256xf32>, tensor<?x2xf32>
}

func.func @d576_v512(%q: tensor<?x2x576xf32> {mlafuse.name = "in_q"}, %k: tensor<?x2x576xf32> {mlafuse.name = "in_k"},
    %v: tensor<?x2x512xf32> {mlafuse.name = "in_v"}, %cu_q: tensor<?xi32> {mlafuse.name = "in_cu_q"},
    %cu_k: tensor<?xi32> {mlafuse.name = "in_cu_k"}, %o_out: tensor<?x1024xf32>, %lse_out: tensor<?x2xf32>)
    -> (tensor<?x1024xf32> {mlafuse.name = "out_o"}, tensor<?x2xf32> {mlafuse.name = "out_lse"}) {
  %o, %lse = mlafuse.mla_prefill ins(%q, %k, %v, %cu_q, %cu_k : tensor<?x2x576xf32>, tensor<?x2x576xf32>, tensor<?x2x512xf32>, tensor<?xi32>, tensor<?xi32>)
      outs(%o_out, %lse_out : tensor<?x1024xf32>, tensor<?x2xf32>)
      {softmax_scale = 1.0 : f32, causal} -> tensor<?x1024xf32>, tensor<?x2xf32>
  return %o, %lse : tensor<?x1024xf32>, tensor<?x2xf32>
}

func.func @d64_v96(%q: tensor<?x2x64xf32> {mlafuse.name = "in_q"}, %k: tensor<?x2x64xf32> {mlafuse.name = "in_k"},
    %v: tensor<?x2x96xf32> {mlafuse.name = "in_v"}, %cu_q: tensor<?xi32> {mlafuse.name = "in_cu_q"},
    %cu_k: tensor<?xi32> {mlafuse.name = "in_cu_k"}, %o_out: tensor<?x192xf32>, %lse_out: tensor<?x2xf32>)
    -> (tensor<?x192xf32> {mlafuse.name = "out_o"}, tensor<?x2xf32> {mlafuse.name = "out_lse"}) {
  %o, %lse = mlafuse.mla_prefill ins(%q, %k, %v, %cu_q, %cu_k : tensor<?x2x64xf32>, tensor<?x2x64xf32>, tensor<?x2x96xf32>, tensor<?xi32>, tensor<?xi32>)
      outs(%o_out, %lse_out : tensor<?x192xf32>, tensor<?x2xf32>)
      {softmax_scale = 1.0 : f32, causal} -> tensor<?x192xf32>, tensor<?x2xf32>
  return %o, %lse : tensor<?x192xf32>, tensor<?x2xf32>
}

func.func @d96_v64(%q: tensor<?x2x96xf32> {mlafuse.name = "in_q"}, %k: tensor<?x2x96xf32> {mlafuse.name = "in_k"},
    %v: tensor<?x2x64xf32> {mlafuse.name = "in_v"}, %cu_q: tensor<?xi32> {mlafuse.name = "in_cu_q"},
    %cu_k: tensor<?xi32> {mlafuse.name = "in_cu_k"}, %o_out: tensor<?x128xf32>, %lse_out: tensor<?x2xf32>)
    -> (tensor<?x128xf32> {mlafuse.name = "out_o"}, tensor<?x2xf32> {mlafuse.name = "out_lse"}) {
  %o, %lse = mlafuse.mla_prefill ins(%q, %k, %v, %cu_q, %cu_k : tensor<?x2x96xf32>, tensor<?x2x96xf32>, tensor<?x2x64xf32>, tensor<?xi32>, tensor<?xi32>)
      outs(%o_out, %lse_out : tensor<?x128xf32>, tensor<?x2xf32>)
      {softmax_scale = 1.0 : f32, causal} -> tensor<?x128xf32>, tensor<?x2xf32>
  return %o, %lse : tensor<?x128xf32>, tensor<?x2xf32>
}

func.func @d17_v33(%q: tensor<?x2x17xf32> {mlafuse.name = "in_q"}, %k: tensor<?x2x17xf32> {mlafuse.name = "in_k"},
    %v: tensor<?x2x33xf32> {mlafuse.name = "in_v"}, %cu_q: tensor<?xi32> {mlafuse.name = "in_cu_q"},
    %cu_k: tensor<?xi32> {mlafuse.name = "in_cu_k"}, %o_out: tensor<?x66xf32>, %lse_out: tensor<?x2xf32>)
    -> (tensor<?x66xf32> {mlafuse.name = "out_o"}, tensor<?x2xf32> {mlafuse.name = "out_lse"}) {
  %o, %lse = mlafuse.mla_prefill ins(%q, %k, %v, %cu_q, %cu_k : tensor<?x2x17xf32>, tensor<?x2x17xf32>, tensor<?x2x33xf32>, tensor<?xi32>, tensor<?xi32>)
      outs(%o_out, %lse_out : tensor<?x66xf32>, tensor<?x2xf32>)
      {softmax_scale = 1.0 : f32, causal} -> tensor<?x66xf32>, tensor<?x2xf32>
  return %o, %lse : tensor<?x66xf32>, tensor<?x2xf32>
}

func.func @d1_v1(%q: tensor<?x2x1xf32> {mlafuse.name = "in_q"}, %k: tensor<?x2x1xf32> {mlafuse.name = "in_k"},
    %v: tensor<?x2x1xf32> {mlafuse.name = "in_v"}, %cu_q: tensor<?xi32> {mlafuse.name = "in_cu_q"},
    %cu_k: tensor<?xi32> {mlafuse.name = "in_cu_k"}, %o_out: tensor<?x2xf32>, %lse_out: tensor<?x2xf32>)
    -> (tensor<?x2xf32> {mlafuse.name = "out_o"}, tensor<?x2xf32> {mlafuse.name = "out_lse"}) {
  %o, %lse = mlafuse.mla_prefill ins(%q, %k, %v, %cu_q, %cu_k : tensor<?x2x1xf32>, tensor<?x2x1xf32>, tensor<?x2x1xf32>, tensor<?xi32>, tensor<?xi32>)
      outs(%o_out, %lse_out : tensor<?x2xf32>, tensor<?x2xf32>)
      {softmax_scale = 1.0 : f32, causal} -> tensor<?x2xf32>, tensor<?x2xf32>
  return %o, %lse : tensor<?x2xf32>, tensor<?x2xf32>
}

func.func @d40_v7(%q: tensor<?x2x40xf32> {mlafuse.name = "in_q"}, %k: tensor<?x2x40xf32> {mlafuse.name = "in_k"},
    %v: tensor<?x2x7xf32> {mlafuse.name = "in_v"}, %cu_q: tensor<?xi32> {mlafuse.name = "in_cu_q"},
    %cu_k: tensor<?xi32> {mlafuse.name = "in_cu_k"}, %o_out: tensor<?x14xf32>, %lse_out: tensor<?x2xf32>)
    -> (tensor<?x14xf32> {mlafuse.name = "out_o"}, tensor<?x2xf32> {mlafuse.name = "out_lse"}) {
  %o, %lse = mlafuse.mla_prefill ins(%q, %k, %v, %cu_q, %cu_k : tensor<?x2x40xf32>, tensor<?x2x40xf32>, tensor<?x2x7xf32>, tensor<?xi32>, tensor<?xi32>)
      outs(%o_out, %lse_out : tensor<?x14xf32>, tensor<?x2xf32>)
      {softmax_scale = 1.0 : f32, causal} -> tensor<?x14xf32>, tensor<?x2xf32>
  return %o, %lse : tensor<?x14xf32>, tensor<?x2xf32>
}
