//===- Kernel.h - one launch and what its threads share ---------*- C++ -*-===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_KERNEL_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_KERNEL_H

#include "../Rows/RowView.h"
#include "MLAFuse/Target/Chip.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace mlafuse::kernel {

using namespace rows;

/// The body of a launch: blocks of `threads` threads in a line.
class Kernel {
public:
  /// Opens a launch of `blocks` x `blocksY` blocks (indices) at `e`.
  Kernel(Emitter &e, const Chip &chip, mlir::Value blocks, mlir::Value blocksY,
         int64_t threads);

  const Chip &getChip() const { return chip; }
  int64_t getThreads() const { return threads; }
  mlir::Value getThread() const { return thread; }
  mlir::Value getBlock() const { return block; }
  mlir::Value getBlockY() const { return blockY; }

  /// Emits into the body.
  Emitter getBody();

  /// `size` elements of shared memory.
  mlir::Value addShared(int64_t size, mlir::Type elementType);

  /// Has the launch add `bytes` of shared memory to what the kernel declares:
  /// those that a gpu.dynamic_shared_memory of the body gives. They start at a
  /// multiple of Chip::kDynamicSharedAlignment.
  void setDynamicShared(int64_t bytes);

  /// Has a multiprocessor hold `blocks` of the kernel at once, which bounds
  /// their registers.
  void setBlocksPerMultiprocessor(int32_t blocks);

  /// Lets the kernel start before the one ahead of it on the stream has ended;
  /// see kOverlapsPreviousAttr for what it has to do then.
  void setOverlapsPrevious();

  /// Waits for all threads of the block; all of them get here. What a thread
  /// wrote to shared memory is seen by the others after it; what it wrote to
  /// global memory need not be.
  static void barrier(Emitter &e);

private:
  const Chip &chip;
  int64_t threads;
  mlir::gpu::LaunchOp launch;
  mlir::Value thread, block, blockY;
};

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// `value` of any float type, widened to f32.
mlir::Value toF32(Emitter &e, mlir::Value value);
/// The f32 `value`, rounded to `elementType`.
mlir::Value fromF32(Emitter &e, mlir::Value value, mlir::Type elementType);
/// fromF32 and back.
mlir::Value roundTo(Emitter &e, mlir::Value value, mlir::Type elementType);
/// The larger, the smaller of two f32; a NaN is ignored.
mlir::Value largest(Emitter &e, mlir::Value a, mlir::Value b);
mlir::Value smallest(Emitter &e, mlir::Value a, mlir::Value b);
/// Of f32: a - b, and whether a > b.
mlir::Value subtract(Emitter &e, mlir::Value a, mlir::Value b);
mlir::Value isGreater(Emitter &e, mlir::Value a, mlir::Value b);
/// `a` where `condition` (i1) holds, else `b`.
mlir::Value select(Emitter &e, mlir::Value condition, mlir::Value a,
                   mlir::Value b);

/// Folds values by twos: a chain is as long as it has links.
mlir::Value foldPairwise(Emitter &e, mlir::ValueRange values, Combine combine);

/// Runs `body` where `condition` holds; a null one always does.
void runIf(Emitter &e, mlir::Value condition,
           llvm::function_ref<void(Emitter &)> body);
/// The value of `body` where `condition` holds, else `otherwise`.
mlir::Value valueIf(Emitter &e, mlir::Value condition, mlir::Value otherwise,
                    llvm::function_ref<mlir::Value(Emitter &)> body);

/// Whether both conditions hold; a null one always does.
mlir::Value both(Emitter &e, mlir::Value a, mlir::Value b);

/// Comparisons of indices.
mlir::Value isLess(Emitter &e, mlir::Value a, mlir::Value b);
mlir::Value isEqual(Emitter &e, mlir::Value a, int64_t b);
/// The remainder of an index.
mlir::Value modulo(Emitter &e, mlir::Value a, int64_t b);
/// ceil(a / b) of an index.
mlir::Value ceilDiv(Emitter &e, mlir::Value a, int64_t b);

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_KERNEL_H
