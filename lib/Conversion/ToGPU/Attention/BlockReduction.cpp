//===- BlockReduction.cpp - integers of all threads of a block ------------===//

#include "BlockReduction.h"
#include "../NVIDIA/Warp.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;
using ptx::i32;

BlockReduction::BlockReduction(Emitter &e, Kernel &kernel)
    : kernel(kernel), lanes(kernel.getChip().subgroupSize),
      warps(kernel.getThreads() / lanes) {
  assert(warps <= lanes && "a warp reduces what the warps came to");
  warp = dividedBy(e, kernel.getThread(), lanes);
  lane = modulo(e, kernel.getThread(), lanes);
}

Value BlockReduction::reduceLanes(Emitter &e, Value value, Kind kind) const {
  return kind == Kind::Sum ? ptx::sumOverLanes(e, value)
                           : ptx::largestOverLanes(e, value);
}

/// Element `first` + lane, of warp `lane`, where `condition` holds; else 0.
Value BlockReduction::loadOfWarp(Emitter &e, Value shared, int64_t first,
                                 Value condition) const {
  return valueIf(e, condition, i32(e, 0), [&](Emitter &e) -> Value {
    return memref::LoadOp::create(e, shared, plus(e, lane, first));
  });
}

ptx::Registers BlockReduction::reduce(Emitter &e, ValueRange values,
                                      ArrayRef<Kind> kinds) const {
  Value shared = kernel.addShared(warps * values.size(), e.getI32Type());
  ptx::Registers ofWarp;
  for (auto [value, kind] : llvm::zip_equal(values, kinds))
    ofWarp.push_back(reduceLanes(e, value, kind));
  runIf(e, isEqual(e, lane, 0), [&](Emitter &e) {
    for (auto [i, value] : llvm::enumerate(ofWarp))
      memref::StoreOp::create(e, value, shared, plus(e, warp, i * warps));
  });
  Kernel::barrier(e);
  // Zeros of lanes without a warp change no largest value: none is below.
  Value isWarp = isLess(e, lane, rows::index(e, warps));
  ptx::Registers results;
  for (auto [i, kind] : llvm::enumerate(kinds))
    results.push_back(
        reduceLanes(e, loadOfWarp(e, shared, i * warps, isWarp), kind));
  return results;
}

Value BlockReduction::sumBefore(Emitter &e, Value value) const {
  Value inclusive = value;
  for (int64_t offset = 1; offset < lanes; offset *= 2) {
    auto shuffle = gpu::ShuffleOp::create(e, inclusive, offset, lanes,
                                          gpu::ShuffleMode::UP);
    Value other = arith::SelectOp::create(
        e, shuffle.getValid(), shuffle.getShuffleResult(), i32(e, 0));
    inclusive = ptx::plusI(e, inclusive, other);
  }
  Value shared = kernel.addShared(warps, e.getI32Type());
  runIf(e, isEqual(e, lane, lanes - 1), [&](Emitter &e) {
    memref::StoreOp::create(e, inclusive, shared, warp);
  });
  Kernel::barrier(e);
  Value ofWarps =
      ptx::sumOverLanes(e, loadOfWarp(e, shared, 0, isLess(e, lane, warp)));
  return arith::AddIOp::create(e, ofWarps,
                               arith::SubIOp::create(e, inclusive, value));
}
