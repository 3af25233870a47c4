// Schedules that take the registers of a thread to what is accepted, one of many
// threads, one of many keys and one of both kinds of warps: none spills.

// REQUIRES: ptxas
//
// RUN: mlafuse-compile %s --target=nvvm:sm_80 --schedule='warps = 16, block_keys = 16' --emit=ptx -o %t.threads
// RUN: %ptxas -v -arch=sm_80 %t.threads -o %t.cubin 2>&1 | FileCheck %s
// RUN: mlafuse-compile %s --target=nvvm:sm_90a --schedule='stages = 1, block_keys = 96' --emit=ptx -o %t.keys
// RUN: %ptxas -v -arch=sm_90a %t.keys -o %t.cubin 2>&1 | FileCheck %s
// RUN: mlafuse-compile %s --target=nvvm:sm_90a --schedule='warpgroups = 4' --emit=ptx -o %t.warpgroups
// RUN: %ptxas -v -arch=sm_90a %t.warpgroups -o %t.cubin 2>&1 | FileCheck %s

// CHECK-NOT: {{[1-9][0-9]*}} bytes spill
// CHECK: Compiling entry function 'attention_kernel'
// CHECK: 0 bytes spill stores, 0 bytes spill loads
// CHECK-NOT: {{[1-9][0-9]*}} bytes spill

func.func @attention(%q: tensor<?x1x16x576xbf16>, %cache: tensor<?x64x576xbf16>, %table: tensor<?x?xi32>, %lengths: tensor<?xi32>, %o: tensor<?x1x16x512xbf16>) -> tensor<?x1x16x512xbf16> {
  %r = mlafuse.latent_attention ins(%q, %cache : tensor<?x1x16x576xbf16>, tensor<?x64x576xbf16>) block_table(%table : tensor<?x?xi32>) seq_lens(%lengths : tensor<?xi32>) outs(%o : tensor<?x1x16x512xbf16>)
      {softmax_scale = 0.125 : f32, cache_format = #mlafuse.cache_format<bf16>} -> tensor<?x1x16x512xbf16>
  return %r : tensor<?x1x16x512xbf16>
}
