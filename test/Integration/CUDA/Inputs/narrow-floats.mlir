// Encoding and decoding of every narrow float, 2048 values a block of 256
// threads. Compiled for sm_90a the conversions are PTX's, for sm_80 software:
// on one card, on the same values, both give the same bytes.
//
// Parameters of each kernel: two memrefs of rank 1, f32 values and codes. An
// encode kernel reads the first and writes the second, a decode kernel the
// reverse.
module attributes {gpu.container_module} {
gpu.module @mlafuse_kernels {
  gpu.func @encode_f8E4M3FN(%x: memref<?xf32>, %q: memref<?xf8E4M3FN>) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %b = gpu.block_id x
    %t = gpu.thread_id x
    %i = affine.apply affine_map<(d0, d1) -> (d0 * 2048 + d1 * 8)>(%b, %t)
    %v = vector.load %x[%i] {alignment = 16 : i64} : memref<?xf32>, vector<8xf32>
    %c = arith.truncf %v : vector<8xf32> to vector<8xf8E4M3FN>
    vector.store %c, %q[%i] {alignment = 8 : i64} : memref<?xf8E4M3FN>, vector<8xf8E4M3FN>
    gpu.return
  }
  gpu.func @encode_f8E4M3FNUZ(%x: memref<?xf32>, %q: memref<?xf8E4M3FNUZ>) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %b = gpu.block_id x
    %t = gpu.thread_id x
    %i = affine.apply affine_map<(d0, d1) -> (d0 * 2048 + d1 * 8)>(%b, %t)
    %v = vector.load %x[%i] {alignment = 16 : i64} : memref<?xf32>, vector<8xf32>
    %c = arith.truncf %v : vector<8xf32> to vector<8xf8E4M3FNUZ>
    vector.store %c, %q[%i] {alignment = 8 : i64} : memref<?xf8E4M3FNUZ>, vector<8xf8E4M3FNUZ>
    gpu.return
  }
  gpu.func @encode_f8E5M2(%x: memref<?xf32>, %q: memref<?xf8E5M2>) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %b = gpu.block_id x
    %t = gpu.thread_id x
    %i = affine.apply affine_map<(d0, d1) -> (d0 * 2048 + d1 * 8)>(%b, %t)
    %v = vector.load %x[%i] {alignment = 16 : i64} : memref<?xf32>, vector<8xf32>
    %c = arith.truncf %v : vector<8xf32> to vector<8xf8E5M2>
    vector.store %c, %q[%i] {alignment = 8 : i64} : memref<?xf8E5M2>, vector<8xf8E5M2>
    gpu.return
  }
  gpu.func @decode_f8E4M3FN(%x: memref<?xf32>, %q: memref<?xf8E4M3FN>) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %b = gpu.block_id x
    %t = gpu.thread_id x
    %i = affine.apply affine_map<(d0, d1) -> (d0 * 2048 + d1 * 8)>(%b, %t)
    %c = vector.load %q[%i] {alignment = 8 : i64} : memref<?xf8E4M3FN>, vector<8xf8E4M3FN>
    %v = arith.extf %c : vector<8xf8E4M3FN> to vector<8xf32>
    vector.store %v, %x[%i] {alignment = 16 : i64} : memref<?xf32>, vector<8xf32>
    gpu.return
  }
  gpu.func @decode_f8E4M3FNUZ(%x: memref<?xf32>, %q: memref<?xf8E4M3FNUZ>) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %b = gpu.block_id x
    %t = gpu.thread_id x
    %i = affine.apply affine_map<(d0, d1) -> (d0 * 2048 + d1 * 8)>(%b, %t)
    %c = vector.load %q[%i] {alignment = 8 : i64} : memref<?xf8E4M3FNUZ>, vector<8xf8E4M3FNUZ>
    %v = arith.extf %c : vector<8xf8E4M3FNUZ> to vector<8xf32>
    vector.store %v, %x[%i] {alignment = 16 : i64} : memref<?xf32>, vector<8xf32>
    gpu.return
  }
  gpu.func @decode_f8E5M2(%x: memref<?xf32>, %q: memref<?xf8E5M2>) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %b = gpu.block_id x
    %t = gpu.thread_id x
    %i = affine.apply affine_map<(d0, d1) -> (d0 * 2048 + d1 * 8)>(%b, %t)
    %c = vector.load %q[%i] {alignment = 8 : i64} : memref<?xf8E5M2>, vector<8xf8E5M2>
    %v = arith.extf %c : vector<8xf8E5M2> to vector<8xf32>
    vector.store %v, %x[%i] {alignment = 16 : i64} : memref<?xf32>, vector<8xf32>
    gpu.return
  }
  gpu.func @decode_f8E8M0FNU(%x: memref<?xf32>, %q: memref<?xf8E8M0FNU>) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %b = gpu.block_id x
    %t = gpu.thread_id x
    %i = affine.apply affine_map<(d0, d1) -> (d0 * 2048 + d1 * 8)>(%b, %t)
    %c = vector.load %q[%i] {alignment = 8 : i64} : memref<?xf8E8M0FNU>, vector<8xf8E8M0FNU>
    %v = arith.extf %c : vector<8xf8E8M0FNU> to vector<8xf32>
    vector.store %v, %x[%i] {alignment = 16 : i64} : memref<?xf32>, vector<8xf32>
    gpu.return
  }
  gpu.func @encode_f4E2M1FN(%x: memref<?xf32>, %q: memref<?xi8>) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %b = gpu.block_id x
    %t = gpu.thread_id x
    %i = affine.apply affine_map<(d0, d1) -> (d0 * 2048 + d1 * 8)>(%b, %t)
    %h = affine.apply affine_map<(d0, d1) -> (d0 * 1024 + d1 * 4)>(%b, %t)
    %v = vector.load %x[%i] {alignment = 16 : i64} : memref<?xf32>, vector<8xf32>
    %c = arith.truncf %v : vector<8xf32> to vector<8xf4E2M1FN>
    %p = vector.bitcast %c : vector<8xf4E2M1FN> to vector<4xi8>
    vector.store %p, %q[%h] {alignment = 4 : i64} : memref<?xi8>, vector<4xi8>
    gpu.return
  }
  gpu.func @decode_f4E2M1FN(%x: memref<?xf32>, %q: memref<?xi8>) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %b = gpu.block_id x
    %t = gpu.thread_id x
    %i = affine.apply affine_map<(d0, d1) -> (d0 * 2048 + d1 * 8)>(%b, %t)
    %h = affine.apply affine_map<(d0, d1) -> (d0 * 1024 + d1 * 4)>(%b, %t)
    %p = vector.load %q[%h] {alignment = 4 : i64} : memref<?xi8>, vector<4xi8>
    %c = vector.bitcast %p : vector<4xi8> to vector<8xf4E2M1FN>
    %v = arith.extf %c : vector<8xf4E2M1FN> to vector<8xf32>
    vector.store %v, %x[%i] {alignment = 16 : i64} : memref<?xf32>, vector<8xf32>
    gpu.return
  }
  gpu.func @encode_bf16(%x: memref<?xf32>, %q: memref<?xbf16>) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %b = gpu.block_id x
    %t = gpu.thread_id x
    %i = affine.apply affine_map<(d0, d1) -> (d0 * 2048 + d1 * 8)>(%b, %t)
    %v = vector.load %x[%i] {alignment = 16 : i64} : memref<?xf32>, vector<8xf32>
    %c = arith.truncf %v : vector<8xf32> to vector<8xbf16>
    vector.store %c, %q[%i] {alignment = 16 : i64} : memref<?xbf16>, vector<8xbf16>
    gpu.return
  }
  gpu.func @decode_bf16(%x: memref<?xf32>, %q: memref<?xbf16>) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %b = gpu.block_id x
    %t = gpu.thread_id x
    %i = affine.apply affine_map<(d0, d1) -> (d0 * 2048 + d1 * 8)>(%b, %t)
    %c = vector.load %q[%i] {alignment = 16 : i64} : memref<?xbf16>, vector<8xbf16>
    %v = arith.extf %c : vector<8xbf16> to vector<8xf32>
    vector.store %v, %x[%i] {alignment = 16 : i64} : memref<?xf32>, vector<8xf32>
    gpu.return
  }
}
}
