//===- SplitBuffers.cpp - the launch of a plan, as the host makes it ------===//

#include "SplitPlan.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;

SplitBuffers SplitBuffers::create(Emitter &e, const AttentionProblem &problem,
                                  const AttentionSchedule &schedule,
                                  const Chip &chip) {
  SplitBuffers buffers;
  buffers.rowTiles =
      ceilDiv(e, problem.getRowsPerRequest(e), schedule.tileRows);
  Value one = rows::index(e, 1);
  // Without rows there are no tiles.
  Value blocks = rows::index(e, getMaxGroups(schedule, chip));
  Value fitting = arith::DivUIOp::create(
      e, blocks, arith::MaxUIOp::create(e, buffers.rowTiles, one));
  buffers.groups = schedule.groups
                       ? rows::index(e, schedule.groups)
                       : arith::MaxUIOp::create(e, fitting, one).getResult();
  if (schedule.splits == 1)
    return buffers;

  Value slots = times(e, buffers.groups, kSlotsPerGroup);
  Value tiles = arith::MulIOp::create(e, slots, buffers.rowTiles);
  auto allocate = [&](ArrayRef<int64_t> shape, Type element,
                      Value size) -> Value {
    return memref::AllocOp::create(e, MemRefType::get(shape, element), size);
  };
  constexpr int64_t dynamic = ShapedType::kDynamic;
  buffers.outputs = allocate({dynamic, schedule.tileRows, problem.latent},
                             e.getF32Type(), tiles);
  buffers.sums = allocate({dynamic, schedule.tileRows}, e.getF32Type(), tiles);
  return buffers;
}

int64_t SplitBuffers::getMaxGroups(const AttentionSchedule &schedule,
                                   const Chip &chip) {
  return schedule.groups ? schedule.groups : chip.multiprocessors;
}

Value SplitBuffers::getGrid(Emitter &e) const {
  return arith::MulIOp::create(e, groups, rowTiles);
}
