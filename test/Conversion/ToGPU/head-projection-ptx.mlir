// The projections of a decode step, down to the assembler.
//
// RUN: mlafuse-compile %s --target=nvvm:sm_90a --emit=ptx -o - | FileCheck %s --check-prefixes=PTX,GROUPS
// RUN: mlafuse-compile %s --target=nvvm:sm_80 --emit=ptx -o - | FileCheck %s --check-prefixes=PTX,WARPS
// RUN: %if ptxas %{ mlafuse-compile %s --target=nvvm:sm_80 --emit=cubin -o %t.80 %}
// RUN: %if ptxas %{ mlafuse-compile %s --target=nvvm:sm_89 --emit=cubin -o %t.89 %}
// RUN: %if ptxas %{ mlafuse-compile %s --target=nvvm:sm_90a --emit=cubin -o %t.90a %}
// RUN: %if ptxas %{ mlafuse-compile %s --target=nvvm:sm_100a --emit=cubin -o %t.100a %}

// Kernels come in two forms each, by alignment.
// PTX-LABEL: .entry absorb_kernel(
// GROUPS: .reqntid 384, 1, 1
// WARPS: .reqntid 128, 1, 1
// GROUPS-COUNT-8: wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16
// WARPS-COUNT-128: mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32
// PTX-LABEL: .entry absorb_kernel_0(
func.func @absorb(%x: tensor<?x1x128x128xbf16>, %w: tensor<128x128x512xbf16>, %o: tensor<?x1x128x512xbf16>) -> tensor<?x1x128x512xbf16> {
  %0 = mlafuse.head_projection ins(%x, %w : tensor<?x1x128x128xbf16>, tensor<128x128x512xbf16>) outs(%o : tensor<?x1x128x512xbf16>) -> tensor<?x1x128x512xbf16>
  return %0 : tensor<?x1x128x512xbf16>
}

// PTX-LABEL: .entry v_up_kernel(
// GROUPS: cp.async.mbarrier.arrive.noinc.shared::cta.b64
// GROUPS-COUNT-8: ldmatrix.sync.aligned.m8n8.x4.shared.b16
// GROUPS: wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16
// WARPS: cp.async.wait_group
// WARPS: ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16
// PTX-COUNT-2: shfl.sync.bfly.b32
// PTX: st.global{{.*}}.v4
func.func @v_up(%x: tensor<?x1x128x512xbf16>, %w: tensor<128x512x128xbf16>, %o: tensor<?x16384xf8E4M3FN>, %s: tensor<?x128xf32>) -> (tensor<?x16384xf8E4M3FN>, tensor<?x128xf32>) {
  %0, %1 = mlafuse.head_projection ins(%x, %w : tensor<?x1x128x512xbf16>, tensor<128x512x128xbf16>) outs(%o, %s : tensor<?x16384xf8E4M3FN>, tensor<?x128xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_128_sym>} -> tensor<?x16384xf8E4M3FN>, tensor<?x128xf32>
  return %0, %1 : tensor<?x16384xf8E4M3FN>, tensor<?x128xf32>
}
