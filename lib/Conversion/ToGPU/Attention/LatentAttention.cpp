//===- LatentAttention.cpp - GPU kernels of latent_attention --------------===//

#include "../Alignment.h"
#include "../Lowerings.h"
#include "Combine.h"
#include "NarrowAttention.h"
#include "WarpAttention.h"
#include "WarpgroupAttention.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;

/// The buffers whose rows are accessed 16 bytes at a time, where they can be.
static SmallVector<Value> getRowBuffers(LatentAttentionOp op) {
  SmallVector<Value> buffers = {op.getQ(), op.getCache(), op.getOutputInit()};
  if (op.getQPe())
    buffers.push_back(op.getQPe());
  return buffers;
}

/// The attention kernel, of which there are several, and the one that combines
/// what it cut.
static LogicalResult launch(Emitter &e, const Chip &chip,
                            const AttentionProblem &problem,
                            const AttentionSchedule &schedule,
                            const SplitBuffers &buffers) {
  PartFormat format = PartFormat::F32;
  if (hasWarpgroupAttention(problem, schedule)) {
    launchWarpgroupAttention(e, chip, problem, schedule, buffers);
    format = PartFormat::ScaledF16;
  } else if (hasNarrowAttention(problem, schedule)) {
    launchNarrowAttention(e, chip, problem, schedule, buffers);
  } else if (failed(launchWarpAttention(e, chip, problem,
                                        getWarpSchedule(problem.op, schedule),
                                        buffers)))
    return failure();
  launchCombine(e, chip, problem, schedule, buffers, format);
  return success();
}

LogicalResult kernel::lower(Emitter &e, const Chip &chip,
                            LatentAttentionOp op) {
  FailureOr<AttentionProblem> problem = AttentionProblem::get(op, chip);
  if (failed(problem))
    return failure();
  FailureOr<AttentionSchedule> schedule = chooseSchedule(op, chip);
  if (failed(schedule))
    return failure();
  SplitBuffers splits = SplitBuffers::create(e, *problem, *schedule, chip);

  Alignment alignment;
  SmallVector<Value> buffers = getRowBuffers(op);
  for (Value buffer : buffers) {
    auto type = cast<MemRefType>(buffer.getType());
    alignment.add(buffer,
                  Chip::kAccessBytes * 8 / type.getElementTypeBitWidth());
  }
  // Shapes alone may say that they are not.
  bool mayBeAligned = llvm::all_of(buffers, [&](Value buffer) {
    return alignment.getVector(buffer).alignment == Chip::kAccessBytes;
  });
  LogicalResult result = success();
  auto emit = [&](Emitter &e) {
    problem->isAligned = mayBeAligned && alignment.isWideForm();
    if (succeeded(result))
      result = launch(e, chip, *problem, *schedule, splits);
  };
  if (mayBeAligned)
    alignment.dispatch(e, emit);
  else
    emit(e);
  return result;
}
