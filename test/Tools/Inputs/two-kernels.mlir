// What --emit=lowered makes of a program for a GPU, in small: two launches.
module attributes {gpu.container_module} {
  func.func @f(%x: memref<?x256xf32, strided<[?, 1]>>, %y: memref<?x256xf32>) attributes {mlafuse.signature = {
      arguments = [{access = "read", layout = "strided", name = "x", shape = ["T", 256], type = f32},
                   {access = "write", layout = "contiguous", name = "y", shape = ["T", 256], type = f32}],
      name = "f", results = [{argument = 1 : i64, name = "y", shape = ["T", 256]}]}} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c256 = arith.constant 256 : index
    %t = memref.dim %x, %c0 : memref<?x256xf32, strided<[?, 1]>>
    gpu.launch_func @mlafuse_kernels::@f_kernel blocks in (%t, %c2, %c1) threads in (%c256, %c1, %c1)
        args(%x : memref<?x256xf32, strided<[?, 1]>>, %y : memref<?x256xf32>)
    gpu.launch_func @mlafuse_kernels::@f_kernel_0 blocks in (%t, %c1, %c1) threads in (%c256, %c1, %c1)
        args(%y : memref<?x256xf32>)
    return
  }
  gpu.module @mlafuse_kernels {
    // Nothing here is contracted, approximated or flushed to zero.
    gpu.func @f_kernel(%x: memref<?x256xf32, strided<[?, 1]>>, %y: memref<?x256xf32>) kernel
        attributes {known_block_size = array<i32: 256, 1, 1>} {
      %row = gpu.block_id x
      %column = gpu.thread_id x
      %v = memref.load %x[%row, %column] : memref<?x256xf32, strided<[?, 1]>>
      %square = arith.mulf %v, %v : f32
      %sum = arith.addf %square, %v : f32
      %root = math.sqrt %sum : f32
      %quotient = arith.divf %root, %v : f32
      memref.store %quotient, %y[%row, %column] : memref<?x256xf32>
      gpu.return
    }
    gpu.func @f_kernel_0(%y: memref<?x256xf32>) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
      %row = gpu.block_id x
      %column = gpu.thread_id x
      %v = memref.load %y[%row, %column] : memref<?x256xf32>
      %n = arith.negf %v : f32
      memref.store %n, %y[%row, %column] : memref<?x256xf32>
      gpu.return
    }
  }
}
