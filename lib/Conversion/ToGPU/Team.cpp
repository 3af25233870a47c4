//===- Team.cpp - the threads that share a row ----------------------------===//

#include "Team.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;

Team::Team(Kernel &kernel, Emitter &e, int64_t threads)
    : kernel(kernel), threads(threads) {
  if (threads == kernel.getThreads()) {
    member = kernel.getThread();
    number = rows::index(e, 0);
    return;
  }
  assert(isSubgroup() && "teams that share a block are subgroups");
  member = modulo(e, kernel.getThread(), threads);
  number = dividedBy(e, kernel.getThread(), threads);
}

Value Team::reduceRuns(Emitter &e, Value value, int64_t size,
                       Combine combine) const {
  for (int64_t offset = 1; offset < size; offset *= 2) {
    auto shuffle = gpu::ShuffleOp::create(
        e, value, static_cast<int32_t>(offset), kernel.getChip().subgroupSize,
        gpu::ShuffleMode::XOR);
    value = combine(e, value, shuffle.getShuffleResult());
  }
  return value;
}

Value Team::reduce(Emitter &e, Value value, Combine combine) const {
  int64_t subgroup = kernel.getChip().subgroupSize;
  value = reduceRuns(e, value, subgroup, combine);
  if (isSubgroup())
    return value;

  int64_t parts = threads / subgroup;
  Value shared = kernel.addShared(parts, value.getType());
  runIf(e, isEqual(e, modulo(e, member, subgroup), 0), [&](Emitter &e) {
    memref::StoreOp::create(e, value, shared,
                            ValueRange{dividedBy(e, member, subgroup)});
  });
  Kernel::barrier(e);
  Value all = RowView{shared, {}}.load(e, rows::index(e, 0), parts);
  return reduceLanes(e, all, combine);
}
