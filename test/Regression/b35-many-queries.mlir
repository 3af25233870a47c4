// More than a thousand queries of a request, and more rows and heads than any tile has:
// right, and the same bits in every run.

// CASE many: in_q F32 [1029, 3, 24] = 0.0
// CASE many: in_k F32 [1029, 3, 24] = 1.0
// CASE many: in_v F32 [1029, 3, 16] = t // 3
// CASE many: in_cu_q I32 [2] = 1029 * i
// CASE many: in_cu_k I32 [2] = 1029 * i
// CASE many: out_o F32 [1029, 48] = t / 2

// RUN: %compile
// RUN: %case prefill many
// RUN: mlafuse-run %t.so --function=latent --random=1 --dim=B=1 --dim=pages=6 --dim=table=65 --outputs=%t.latent1
// RUN: mlafuse-run %t.so --function=latent --random=1 --dim=B=1 --dim=pages=6 --dim=table=65 --outputs=%t.latent2
// RUN: mlafuse-compare --bits %t.latent1 %t.latent2
// RUN: mlafuse-run %t.so --function=sparse --random=1 --dim=B=2 --dim=pages=6 --dim=topk=70 --outputs=%t.sparse1
// RUN: mlafuse-run %t.so --function=sparse --random=1 --dim=B=2 --dim=pages=6 --dim=topk=70 --outputs=%t.sparse2
// RUN: mlafuse-compare --bits %t.sparse1 %t.sparse2

func.func @prefill(%q: tensor<?x3x24xf32> {mlafuse.name = "in_q"}, %k: tensor<?x3x24xf32> {mlafuse.name = "in_k"},
    %v: tensor<?x3x16xf32> {mlafuse.name = "in_v"}, %cu_q: tensor<?xi32> {mlafuse.name = "in_cu_q"},
    %cu_k: tensor<?xi32> {mlafuse.name = "in_cu_k"}, %o_out: tensor<?x48xf32>)
    -> (tensor<?x48xf32> {mlafuse.name = "out_o"}) {
  %o = mlafuse.mla_prefill ins(%q, %k, %v, %cu_q, %cu_k : tensor<?x3x24xf32>, tensor<?x3x24xf32>, tensor<?x3x16xf32>, tensor<?xi32>, tensor<?xi32>)
      outs(%o_out : tensor<?x48xf32>)
      {softmax_scale = 1.0 : f32, causal} -> tensor<?x48xf32>
  return %o : tensor<?x48xf32>
}

func.func @latent(%q: tensor<?x1024x33x80xbf16> {mlafuse.name = "in_q"}, %cache: tensor<?x16x80xbf16> {mlafuse.name = "in_cache"},
    %table: tensor<?x?xi32> {mlafuse.name = "in_block_table"}, %lens: tensor<?xi32> {mlafuse.name = "in_seq_lens"},
    %o_out: tensor<?x1024x33x64xf32>, %lse_out: tensor<?x1024x33xf32>)
    -> (tensor<?x1024x33x64xf32> {mlafuse.name = "out_o"}, tensor<?x1024x33xf32> {mlafuse.name = "out_lse"}) {
  %o, %lse = mlafuse.latent_attention ins(%q, %cache : tensor<?x1024x33x80xbf16>, tensor<?x16x80xbf16>)
      block_table(%table : tensor<?x?xi32>) seq_lens(%lens : tensor<?xi32>) outs(%o_out, %lse_out : tensor<?x1024x33x64xf32>, tensor<?x1024x33xf32>)
      {softmax_scale = 1.0 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x1024x33x64xf32>, tensor<?x1024x33xf32>
  return %o, %lse : tensor<?x1024x33x64xf32>, tensor<?x1024x33xf32>
}

func.func @sparse(%q: tensor<?x1024x3x80xbf16> {mlafuse.name = "in_q"}, %cache: tensor<?x16x80xbf16> {mlafuse.name = "in_cache"},
    %indices: tensor<?x1024x?xi32> {mlafuse.name = "in_indices"},
    %o_out: tensor<?x1024x3x64xf32>, %lse_out: tensor<?x1024x3xf32>)
    -> (tensor<?x1024x3x64xf32> {mlafuse.name = "out_o"}, tensor<?x1024x3xf32> {mlafuse.name = "out_lse"}) {
  %o, %lse = mlafuse.latent_attention ins(%q, %cache : tensor<?x1024x3x80xbf16>, tensor<?x16x80xbf16>)
      indices(%indices : tensor<?x1024x?xi32>) outs(%o_out, %lse_out : tensor<?x1024x3x64xf32>, tensor<?x1024x3xf32>)
      {softmax_scale = 1.0 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x1024x3x64xf32>, tensor<?x1024x3xf32>
  return %o, %lse : tensor<?x1024x3x64xf32>, tensor<?x1024x3xf32>
}
