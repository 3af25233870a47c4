//===- Team.cpp - the threads that share a row ----------------------------===//

#include "Team.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;

Team::Team(Kernel &kernel, Emitter &e, int64_t threads, Value thread)
    : kernel(kernel), threads(threads) {
  if (!thread)
    thread = kernel.getThread();
  if (threads == kernel.getThreads()) {
    member = thread;
    number = rows::index(e, 0);
    return;
  }
  assert(isSubgroup() && "teams that share a block wait for no other subgroup");
  member = modulo(e, thread, threads);
  number = dividedBy(e, thread, threads);
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
  return reduce(e, ValueRange(value), combine).front();
}

SmallVector<Value, 2> Team::reduce(Emitter &e, ValueRange values,
                                   Combine combine) const {
  int64_t subgroup = std::min(kernel.getChip().subgroupSize, threads);
  SmallVector<Value, 2> folded;
  for (Value value : values)
    folded.push_back(reduceRuns(e, value, subgroup, combine));
  if (isSubgroup())
    return folded;

  // Each value has `parts` places in a row, one per subgroup.
  int64_t parts = threads / subgroup;
  int64_t places = parts * values.size();
  Value shared =
      kernel.addShared(phase ? 2 * places : places, values[0].getType());
  Value first = phase ? times(e, phase, places) : rows::index(e, 0);
  runIf(e, isEqual(e, modulo(e, member, subgroup), 0), [&](Emitter &e) {
    Value place = plus(e, first, dividedBy(e, member, subgroup));
    for (auto [i, value] : llvm::enumerate(folded))
      memref::StoreOp::create(e, value, shared,
                              ValueRange{plus(e, place, i * parts)});
  });
  Kernel::barrier(e);
  for (auto [i, value] : llvm::enumerate(folded))
    value = reduceLanes(
        e, RowView{shared, {}}.load(e, plus(e, first, i * parts), parts),
        combine);
  return folded;
}
