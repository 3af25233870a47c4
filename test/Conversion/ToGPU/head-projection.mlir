// RUN: mlafuse-opt %s --split-input-file --mlafuse-to-gpu=chip=sm_90a --canonicalize --cse | FileCheck %s
// RUN: mlafuse-opt %s --split-input-file --mlafuse-to-gpu=chip=sm_80 --canonicalize --cse | FileCheck %s --check-prefix=WARPS

// A block has the weights of a head in shared memory, and three warpgroups: two
// take 64 rows each in turn, the third brings them. Slices of rows have a ring of
// four slots, and barriers for each of both multipliers' four slices, so that one
// warpgroup sees each phase of a barrier; slots that are free have four, and the
// weights one for each 64 values of K.

// CHECK-LABEL: func.func @v_up
// CHECK: %[[BLOCKS:.*]] = arith.muli %{{.*}}, %c128
// CHECK: gpu.launch blocks({{.*}}) in (%{{.*}} = %[[BLOCKS]], {{.*}}) threads({{.*}}) in (%{{.*}} = %c384, {{.*}}) dynamic_shared_memory_size %c230432_i32
// CHECK-COUNT-8: mbarrier.init.shared::cta.b64 {{.*}}, 128;
// CHECK-COUNT-4: mbarrier.init.shared::cta.b64 {{.*}}, 4;
// CHECK-COUNT-8: mbarrier.init.shared::cta.b64 {{.*}}, 128;
// CHECK-NOT: mbarrier.init
// CHECK: fence.mbarrier_init

// Multipliers. The second one brings the weights, and has the first of them on their
// way before it waits for the barriers.
// CHECK: setmaxnreg.inc.sync.aligned.u32 208;
// CHECK: scf.if
// CHECK-NEXT: llvm.inline_asm {{.*}}griddepcontrol.wait
// CHECK: griddepcontrol.launch_dependents
// CHECK-COUNT-8: cp.async.cg.shared.global
// CHECK-NOT: cp.async.cg
// CHECK: bar.sync $0, 384;
// CHECK-NEXT: {{.*}}cp.async.mbarrier.arrive.noinc
// CHECK-COUNT-56: cp.async.cg.shared.global
// CHECK: } else {
// A quarter of the head's weights from each of the other's warps.
// CHECK: cp.async.bulk.prefetch.L2.global [$0], 32768;
// CHECK-NEXT: {{.*}}bar.sync $0, 384;
// CHECK-NEXT: {{.*}}griddepcontrol.wait
// CHECK: scf.for
// CHECK: mbarrier.try_wait.parity
// CHECK-COUNT-8: ldmatrix.sync.aligned.m8n8.x4.shared.b16
// CHECK: bar.warp.sync
// CHECK: scf.if
// CHECK-NEXT: mbarrier.arrive.shared::cta.b64
// CHECK: scf.if
// CHECK: mbarrier.try_wait.parity
// CHECK: fence.proxy.async
// CHECK: wgmma.fence
// CHECK-COUNT-4: wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16
// CHECK-NOT: wgmma
// CHECK: mbarrier.try_wait.parity
// CHECK: fence.proxy.async
// CHECK-COUNT-4: wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16
// CHECK: wgmma.commit_group
// CHECK: mbarrier.try_wait.parity
// CHECK-COUNT-8: ldmatrix
// CHECK-COUNT-8: wgmma.mma_async
// The registers of the first slice are filled again.
// CHECK: mbarrier.try_wait.parity
// CHECK: wgmma.wait_group.sync.aligned 1;
// CHECK-COUNT-8: ldmatrix
// CHECK-COUNT-8: wgmma.mma_async
// CHECK: wgmma.wait_group.sync.aligned 1;
// CHECK-COUNT-8: wgmma.mma_async
// CHECK-NOT: wgmma.mma_async
// CHECK: wgmma.wait_group.sync.aligned 0

// Both halves of the rows are quantized where the sums are: pairs of columns are rounded
// as the output without quantization would be, and a row's maximum takes exchanges of
// which none waits for another.
// Codes go through shared memory, eight rows of 128 at a time.
// CHECK: scf.if
// CHECK-COUNT-16: cvt.rn.bf16x2.f32
// CHECK-NOT: cvt.rn.bf16x2
// CHECK-COUNT-15: max.xorsign.abs.bf16x2
// CHECK-NOT: max.xorsign
// CHECK: shfl.sync.bfly.b32 $0, $1, 1, 31
// CHECK-NEXT: {{.*}}shfl.sync.bfly.b32 $0, $1, 2, 31
// CHECK-NEXT: {{.*}}shfl.sync.bfly.b32 $0, $1, 3, 31
// CHECK-COUNT-3: max.xorsign.abs.bf16x2
// CHECK: rcp.approx.ftz.f32
// CHECK-COUNT-8: arith.truncf %{{.*}} : vector<4xf32> to vector<4xf8E4M3FN>
// CHECK-NOT: arith.truncf
// CHECK: bar.warp.sync
// CHECK-COUNT-2: stmatrix.sync.aligned.m8n8.x4.shared.b16
// CHECK-NOT: stmatrix
// CHECK: bar.warp.sync
// CHECK: ld.shared.v4.b32
// CHECK: vector.store {{.*}} {alignment = 16 : i64} : memref<?x16384xf8E4M3FN>, vector<16xf8E4M3FN>
// CHECK: ld.shared.v4.b32
// CHECK: vector.store {{.*}} {alignment = 16 : i64} : memref<?x16384xf8E4M3FN>, vector<16xf8E4M3FN>
// CHECK: memref.store %{{.*}} : memref<?x128xf32>

// The second half has rows where there are many.
// CHECK: scf.if
// CHECK-COUNT-16: cvt.rn.bf16x2.f32
// CHECK-COUNT-2: stmatrix
// CHECK-NOT: stmatrix
// CHECK: memref.store %{{.*}} : memref<?x128xf32>

// The loader: a thread has 16 bytes of every eighth row. Where they are, but for the
// tile and the order of chunks, is known ahead of the wait.
// CHECK: } else {
// CHECK: setmaxnreg.dec.sync.aligned.u32 88;
// CHECK: arith.xori
// CHECK: bar.sync $0, 384;
// CHECK-NEXT: {{.*}}griddepcontrol.wait
// CHECK: scf.for
// CHECK: mbarrier.try_wait.parity
// CHECK: cp.async.cg.shared.global
// CHECK: %[[MORE:.*]] = arith.cmpi sgt, %{{.*}}, %c8_i32 : i32
// CHECK-NEXT: scf.if %[[MORE]] {
// CHECK: arith.xori %{{.*}}, %c32_i32
// CHECK: cp.async.cg.shared.global.L2::128B [$0+131328], [$1+1048576], 16;
// CHECK-COUNT-6: cp.async.cg.shared.global
// CHECK-NOT: cp.async.cg
// CHECK: cp.async.mbarrier.arrive.noinc
// CHECK: mlafuse.overlaps_previous

// What is not aligned comes through registers.
// CHECK: gpu.launch
// CHECK-NOT: cp.async.
// CHECK: vector.load {{.*}} {alignment = 2 : i64} : memref<128x512x128xbf16>, vector<8xbf16>
// CHECK: st.shared.v4.b32
// CHECK: mbarrier.arrive.shared::cta.b64
// CHECK: setmaxnreg.dec.sync.aligned.u32 88;
// CHECK: vector.load {{.*}} {alignment = 2 : i64} : memref<?x128x512xbf16>, vector<8xbf16>
// CHECK: st.shared.v4.b32
// CHECK: mbarrier.arrive.shared::cta.b64

// By warps: a block has 64 rows and the columns of a head. Slices of the weights
// come through a ring; a lane's 16 columns of B are one ldmatrix.

// WARPS-LABEL: func.func @v_up
// WARPS: gpu.launch {{.*}} threads({{.*}}) in (%{{.*}} = %c128{{.*}}, {{.*}}) dynamic_shared_memory_size
// WARPS-COUNT-3: cp.async.commit_group
// WARPS: vector.load %{{.*}} {alignment = 16 : i64} : memref<?x128x512xbf16>, vector<8xbf16>
// WARPS: cp.async.wait_group 2
// WARPS-NEXT: gpu.barrier
// WARPS: cp.async.commit_group
// WARPS: ldmatrix.sync.aligned.m8n8.x4.trans
// WARPS-COUNT-2: mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32
// WARPS: cp.async.wait_group 2
// WARPS-NOT: wgmma
// WARPS-NOT: mbarrier
// WARPS: st.shared.v2.f32
// WARPS: vector.store {{.*}} {alignment = 16 : i64} : memref<?x16384xf8E4M3FN>, vector<32xf8E4M3FN>
func.func @v_up(%x: memref<?x1x128x512xbf16>, %w: memref<128x512x128xbf16>, %q: memref<?x16384xf8E4M3FN>, %s: memref<?x128xf32>) {
  mlafuse.head_projection ins(%x, %w : memref<?x1x128x512xbf16>, memref<128x512x128xbf16>) outs(%q, %s : memref<?x16384xf8E4M3FN>, memref<?x128xf32>) {key = #mlafuse.quant_key<fp8_dynamic_128_sym>}
  return
}

// -----

// Without a key sums are rounded where they are, and go through shared memory as bf16.
// By warps they go there as f32.

// CHECK-LABEL: func.func @plain
// CHECK-COUNT-16: cvt.rn.bf16x2.f32
// CHECK-COUNT-4: stmatrix
// CHECK-NOT: stmatrix
// CHECK: ld.shared.v4.b32
// CHECK-NOT: prmt
// CHECK: vector.store {{.*}} {alignment = 16 : i64} : memref<?x2048xbf16>, vector<8xbf16>
func.func @plain(%x: memref<?x1x16x512xbf16>, %w: memref<16x512x128xbf16>, %o: memref<?x2048xbf16>) {
  mlafuse.head_projection ins(%x, %w : memref<?x1x16x512xbf16>, memref<16x512x128xbf16>) outs(%o : memref<?x2048xbf16>)
  return
}

// WARPS-LABEL: func.func @plain
// WARPS: ld.shared.v4.f32
// WARPS: ld.shared.v4.f32
// WARPS-NOT: gpu.shuffle
// WARPS: vector.store {{.*}} {alignment = 16 : i64} : memref<?x2048xbf16>, vector<8xbf16>

// Contracted numerics quantize the sums, here by a scale that is given.

// CHECK-LABEL: func.func @contracted
// CHECK: wgmma.wait_group.sync.aligned 0
// CHECK-NOT: cvt.rn.bf16x2
// CHECK-NOT: shfl.sync
// CHECK-COUNT-8: arith.truncf %{{.*}} : vector<4xf32> to vector<4xf8E4M3FN>
// CHECK: stmatrix
// WARPS-LABEL: func.func @contracted
// WARPS: ld.shared.v4.f32
// WARPS-NOT: to vector<32xbf16>
// WARPS: arith.truncf %{{.*}} : vector<32xf32> to vector<32xf8E4M3FN>
func.func @contracted(%x: memref<?x1x16x512xbf16>, %w: memref<16x512x128xbf16>, %q: memref<?x2048xf8E4M3FN>, %scale: memref<1xf32>) {
  mlafuse.head_projection ins(%x, %w : memref<?x1x16x512xbf16>, memref<16x512x128xbf16>) scale(%scale : memref<1xf32>) outs(%q : memref<?x2048xf8E4M3FN>)
      {key = #mlafuse.quant_key<fp8_static_tensor_sym>, numerics = #mlafuse.numerics<contracted>}
  return
}

// -----

// A lane has four values of its row of each group of 16; with `contracted` numerics
// maxima are of the sums, and quotients are corrected by their remainder. Words of codes
// are put in order by halves.

// CHECK-LABEL: func.func @groups
// CHECK-COUNT-16: cvt.rn.f16x2.f32
// Of each group: the larger of two pairs, the lanes', and what to multiply with.
// CHECK-COUNT-3: max.xorsign.abs.f16x2
// CHECK: rcp.approx.ftz.f32
// CHECK-COUNT-21: max.xorsign.abs.f16x2
// CHECK-NOT: max.xorsign
// CHECK-COUNT-2: stmatrix
// CHECK: ld.shared.v4.b32
// CHECK-COUNT-2: prmt.b32 $0, $1, $2, 0x5410;
// CHECK-COUNT-2: prmt.b32 $0, $1, $2, 0x7632;
// CHECK-COUNT-8: memref.store %{{.*}} : memref<128x?xf32, strided<[?, 1]>>
// CHECK: cvt.rn.f16x2.f32
func.func @groups(%x: memref<?x1x16x512xf16>, %w: memref<16x512x128xf16>, %q: memref<?x2048xf8E5M2>, %s: memref<128x?xf32, strided<[?, 1]>>) {
  mlafuse.head_projection ins(%x, %w : memref<?x1x16x512xf16>, memref<16x512x128xf16>) outs(%q, %s : memref<?x2048xf8E5M2>, memref<128x?xf32, strided<[?, 1]>>)
      {key = #mlafuse.quant_key<f8E5M2, scale = f32, dynamic, group = [1, 16], sym>, scale_layout = #mlafuse.scale_layout<column_major>}
  return
}

// CHECK-LABEL: func.func @contracted_groups
// CHECK-NOT: max.xorsign
// CHECK-COUNT-2: shfl.sync.bfly.b32
// CHECK: arith.divf
// CHECK-NOT: rcp.approx
// CHECK: stmatrix
// CHECK-COUNT-2: shfl.sync.bfly.b32
func.func @contracted_groups(%x: memref<?x1x16x512xbf16>, %w: memref<16x512x64xbf16>, %q: memref<?x1024xf8E4M3FN>, %s: memref<?x16xf32>) {
  mlafuse.head_projection ins(%x, %w : memref<?x1x16x512xbf16>, memref<16x512x64xbf16>) outs(%q, %s : memref<?x1024xf8E4M3FN>, memref<?x16xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_64_sym>, numerics = #mlafuse.numerics<contracted>}
  return
}

// A scale that is not that of a maximum has quotients of a division, and a power of two
// is multiplied with.

// CHECK-LABEL: func.func @floor
// CHECK: max.xorsign
// CHECK-NOT: rcp.approx
// CHECK: arith.divf
// CHECK: stmatrix
func.func @floor(%x: memref<?x1x16x512xbf16>, %w: memref<16x512x128xbf16>, %q: memref<?x2048xf8E4M3FN>, %s: memref<?x16xf32>) {
  mlafuse.head_projection ins(%x, %w : memref<?x1x16x512xbf16>, memref<16x512x128xbf16>) outs(%q, %s : memref<?x2048xf8E4M3FN>, memref<?x16xf32>)
      {key = #mlafuse.quant_key<fp8_dynamic_128_sym>, scale_rule = #mlafuse.scale_rule<floor = 1.0e-30 on absmax>}
  return
}

// -----

// Eight codes of 4 bits are a word, and bytes are put in order.

// CHECK-LABEL: func.func @nvfp4
// CHECK-COUNT-4: arith.truncf %{{.*}} : vector<8xf32> to vector<8xf4E2M1FN>
// CHECK-NOT: arith.truncf
// CHECK: stmatrix
// CHECK-NOT: stmatrix
// CHECK: ld.shared.v4.b32
// CHECK-COUNT-2: prmt.b32 $0, $1, $2, 0x5140;
// CHECK-COUNT-2: prmt.b32 $0, $1, $2, 0x7362;
// CHECK: vector.store {{.*}} {alignment = 16 : i64} : memref<?x1024xi8>, vector<16xi8>
// CHECK-COUNT-8: memref.store %{{.*}} : memref<?x128xf8E4M3FN>
func.func @nvfp4(%x: memref<?x1x16x512xf16>, %w: memref<16x512x128xf16>, %g: memref<1xf32>, %q: memref<?x1024xi8>, %s: memref<?x128xf8E4M3FN>) {
  mlafuse.head_projection ins(%x, %w : memref<?x1x16x512xf16>, memref<16x512x128xf16>) global_scale(%g : memref<1xf32>) outs(%q, %s : memref<?x1024xi8>, memref<?x128xf8E4M3FN>)
      {key = #mlafuse.quant_key<nvfp4_dynamic>}
  return
}

// -----

// All four tiles of a head's columns fit in shared memory: a tile of rows stays in its
// slot for all of them. Rows of queries that are part of wider ones keep their two
// indices, and a strided output too.

// CHECK-LABEL: func.func @absorb
// CHECK-NOT: memref.collapse_shape
// CHECK: %[[BLOCKS:.*]] = arith.muli %{{.*}}, %c16
// CHECK: gpu.launch blocks({{.*}}) in (%{{.*}} = %[[BLOCKS]], {{.*}}) threads
// Four for slices of rows, four slots, and two for each tile of weights.
// CHECK-COUNT-16: mbarrier.init
// CHECK-NOT: mbarrier.init
// CHECK: scf.for
// CHECK: scf.for %[[TILE:.*]] = %c0_i32 to %c4_i32
// CHECK: %[[IS_LAST:.*]] = arith.cmpi eq, %[[TILE]], %c3_i32
// CHECK: ldmatrix
// CHECK: %[[FREES:.*]] = arith.andi %{{.*}}, %[[IS_LAST]] : i1
// CHECK: scf.if %[[FREES]]
// CHECK-COUNT-8: wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16
// CHECK-NOT: wgmma.mma_async
// CHECK: vector.store {{.*}} {alignment = 16 : i64} : memref<?x?x16x512xf16, strided<[?, ?, 576, 1]>>, vector<8xf16>
// CHECK: setmaxnreg.dec
// CHECK: arith.divui %{{.*}}, %{{.*}} : i32
// CHECK: arith.remui %{{.*}}, %{{.*}} : i32
// CHECK-COUNT-8: cp.async.cg.shared.global
func.func @absorb(%x: memref<?x?x16x128xf16, strided<[?, ?, 192, 1]>>, %w: memref<16x128x512xf16>, %o: memref<?x?x16x512xf16, strided<[?, ?, 576, 1]>>) {
  mlafuse.head_projection ins(%x, %w : memref<?x?x16x128xf16, strided<[?, ?, 192, 1]>>, memref<16x128x512xf16>) outs(%o : memref<?x?x16x512xf16, strided<[?, ?, 576, 1]>>)
  return
}

// -----

// Warpgroups take K as it is, by threads that have other chunks of each row. By warps
// K of 48 is padded to 64, with zeros on both sides.

// CHECK-LABEL: func.func @padded
// CHECK-COUNT-3: wgmma.mma_async.sync.aligned.m64n40k16
// CHECK-NOT: wgmma.mma_async
// CHECK: cp.async.wait_group 0
// CHECK-NEXT: } else {
// CHECK-COUNT-3: cp.async.cg.shared.global
// CHECK-NOT: cp.async.cg
// CHECK: cp.async.mbarrier.arrive.noinc

// WARPS-LABEL: func.func @padded
// WARPS: arith.select %{{.*}}, %c16_i32, %c0_i32 : i32
// WARPS: cp.async.cg.shared.global.L2::128B [$0+{{[0-9]+}}], [$1+0], 16, $2
// WARPS: arith.select %{{.*}}, %{{.*}}, %{{.*}} : vector<4xi32>
func.func @padded(%x: memref<?x1x5x48xbf16>, %w: memref<5x48x40xbf16>, %o: memref<?x200xbf16>) {
  mlafuse.head_projection ins(%x, %w : memref<?x1x5x48xbf16>, memref<5x48x40xbf16>) outs(%o : memref<?x200xbf16>)
  return
}

// -----

// A word of packed scales is four heads': each block stores its byte, and that of
// the last head the bytes that no head has.

// CHECK-LABEL: func.func @packed
// CHECK: stmatrix
// CHECK: llvm.inttoptr
// CHECK: llvm.store %{{.*}}, %{{.*}} : i8, !llvm.ptr<1>
// CHECK: arith.cmpi eq, %{{.*}}, %c8
// CHECK-COUNT-3: llvm.store %c0_i8, %{{.*}} : i8, !llvm.ptr<1>
// The padding of the scales' rows is the work of blocks of their own.
// CHECK: } else {
// CHECK: vector.store %{{.*}} : memref<3x?xi32>, vector<1xi32>
func.func @packed(%x: memref<?x1x9x512xbf16>, %w: memref<9x512x128xbf16>, %q: memref<?x1152xf8E4M3FN>, %s: memref<3x?xi32>) {
  mlafuse.head_projection ins(%x, %w : memref<?x1x9x512xbf16>, memref<9x512x128xbf16>) outs(%q, %s : memref<?x1152xf8E4M3FN>, memref<3x?xi32>)
      {key = #mlafuse.quant_key<fp8_dynamic_128_sym>, scale_layout = #mlafuse.scale_layout<packed_ue8m0>, scale_rule = #mlafuse.scale_rule<rounding = ue8m0>}
  return
}

// -----

// Four groups of a tile are a word: its lane has all four scales.

// CHECK-LABEL: func.func @packed_words
// CHECK: stmatrix
// CHECK-COUNT-3: arith.ori %{{.*}}, %{{.*}} : i32
// CHECK-NOT: llvm.inttoptr
// CHECK: memref.store %{{.*}} : memref<4x?xi32>
func.func @packed_words(%x: memref<?x1x4x512xbf16>, %w: memref<4x512x128xbf16>, %q: memref<?x512xf8E4M3FN>, %s: memref<4x?xi32>) {
  mlafuse.head_projection ins(%x, %w : memref<?x1x4x512xbf16>, memref<4x512x128xbf16>) outs(%q, %s : memref<?x512xf8E4M3FN>, memref<4x?xi32>)
      {key = #mlafuse.quant_key<f8E4M3FN, scale = f32, dynamic, group = [1, 32], sym>, scale_layout = #mlafuse.scale_layout<packed_ue8m0>, scale_rule = #mlafuse.scale_rule<rounding = ue8m0>}
  return
}

// -----

// A projection that follows a kernel of its function reads weights that only this
// function's caller can have written before that one ends; the rest after.

// CHECK-LABEL: func.func @follows
// CHECK: gpu.launch
// CHECK: gpu.launch
// CHECK: setmaxnreg.inc
// CHECK-NOT: griddepcontrol.wait
// CHECK: cp.async.mbarrier.arrive.noinc
// CHECK: griddepcontrol.wait
// CHECK-NEXT: {{.*}}griddepcontrol.launch_dependents
// CHECK: memref.load %{{.*}} : memref<1xi32>
// CHECK: setmaxnreg.dec
// CHECK: griddepcontrol.wait
// CHECK-NEXT: {{.*}}griddepcontrol.launch_dependents
// CHECK: memref.load %{{.*}} : memref<1xi32>
// CHECK: cp.async.cg
// CHECK: } {mlafuse.blocks_per_multiprocessor = 1 : i32, mlafuse.overlaps_previous}
func.func @follows(%a: memref<?x512xbf16>, %x: memref<?x1x1x512xbf16>, %w: memref<1x512x128xbf16>, %o: memref<?x128xbf16>, %n: memref<1xi32>) {
  %rows = memref.collapse_shape %x [[0, 1, 2], [3]] : memref<?x1x1x512xbf16> into memref<?x512xbf16>
  mlafuse.rms_norm ins(%a : memref<?x512xbf16>) outs(%rows : memref<?x512xbf16>) {epsilon = 1.0e-6 : f32}
  mlafuse.head_projection ins(%x, %w : memref<?x1x1x512xbf16>, memref<1x512x128xbf16>) num_actual_tokens(%n : memref<1xi32>) outs(%o : memref<?x128xbf16>)
  return
}

// Weights that the function makes are read after.

// CHECK-LABEL: func.func @makes_weights
// CHECK: setmaxnreg.inc
// CHECK-NOT: cp.async.cg
// CHECK: griddepcontrol.wait
func.func @makes_weights(%a: memref<?x128xbf16>, %x: memref<?x1x1x512xbf16>, %w: memref<1x512x128xbf16>, %o: memref<?x128xbf16>) {
  %rows = memref.collapse_shape %w [[0, 1], [2]] : memref<1x512x128xbf16> into memref<512x128xbf16>
  mlafuse.rms_norm ins(%a : memref<?x128xbf16>) outs(%rows : memref<512x128xbf16>) {epsilon = 1.0e-6 : f32}
  mlafuse.head_projection ins(%x, %w : memref<?x1x1x512xbf16>, memref<1x512x128xbf16>) outs(%o : memref<?x128xbf16>)
  return
}

// -----

// The assembler moves no registers of threads that it does not know the number of.

// CHECK-LABEL: func.func @tall
// CHECK: gpu.launch {{.*}} threads({{.*}}) in (%{{.*}} = %c512
// CHECK: setmaxnreg.inc.sync.aligned.u32 152;
// CHECK: } {mlafuse.blocks_per_multiprocessor = 1 : i32, mlafuse.overlaps_previous}

// With few columns it does not take more than a launch gives, and moves none.

// CHECK-LABEL: func.func @low
// CHECK-NOT: setmaxnreg
// CHECK: } {mlafuse.overlaps_previous}
func.func @tall(%x: memref<?x1x16x512xbf16>, %w: memref<16x512x8xbf16>, %o: memref<?x128xbf16>) {
  mlafuse.head_projection ins(%x, %w : memref<?x1x16x512xbf16>, memref<16x512x8xbf16>) outs(%o : memref<?x128xbf16>) {schedule = #mlafuse.schedule<tile_rows = 192>}
  return
}
func.func @low(%x: memref<?x1x16x512xbf16>, %w: memref<16x512x8xbf16>, %o: memref<?x128xbf16>) {
  mlafuse.head_projection ins(%x, %w : memref<?x1x16x512xbf16>, memref<16x512x8xbf16>) outs(%o : memref<?x128xbf16>)
  return
}
