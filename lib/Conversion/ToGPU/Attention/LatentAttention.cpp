//===- LatentAttention.cpp - GPU kernels of latent_attention --------------===//

#include "../Alignment.h"
#include "../Lowerings.h"
#include "../Overlap.h"
#include "Combine.h"
#include "NarrowAttention.h"
#include "SwappedAttention.h"
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

/// Whether all but the queries is known to be written when a kernel that may
/// overlap the launch ahead starts.
static bool canReadKeysEarly(LatentAttentionOp op) {
  SmallVector<Value> buffers = {op.getCache()};
  for (Value buffer : {op.getBlockTable(), op.getSeqLens(), op.getIndices(),
                       op.getKScale(), op.getNumActualTokens()})
    if (buffer && isa<MemRefType>(buffer.getType()))
      buffers.push_back(buffer);
  return canReadEarly(op, op.getQ(), buffers);
}

/// The attention kernel, of which there are several, and the one that combines
/// what it cut.
static LogicalResult launch(Emitter &e, const Chip &chip,
                            AttentionProblem problem,
                            AttentionSchedule schedule,
                            const SplitBuffers &buffers, bool readsEarly) {
  PartFormat format = PartFormat::F32;
  if (hasWarpgroupAttention(problem, schedule)) {
    problem.readsEarly = readsEarly;
    launchWarpgroupAttention(e, chip, problem, schedule, buffers);
    format = getWarpgroupFormat(problem);
  } else if (hasSwappedAttention(problem, schedule)) {
    problem.readsEarly = readsEarly;
    launchSwappedAttention(e, chip, problem, schedule, buffers);
    format = PartFormat::ScaledF16;
  } else if (hasNarrowAttention(problem, schedule)) {
    problem.readsEarly = readsEarly;
    launchNarrowAttention(e, chip, problem, schedule, buffers);
    format = PartFormat::ScaledF16;
  } else {
    schedule = getWarpSchedule(problem.op, schedule);
    if (failed(launchWarpAttention(e, chip, problem, schedule, buffers)))
      return failure();
  }
  // Both kernels make the same plan.
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
  if (schedule->splits != 1 &&
      SplitBuffers::getMaxGroups(*schedule, chip) > kMaxCombinedParts)
    schedule->splits = schedule->splits
                           ? std::min(schedule->splits, kMaxCombinedParts)
                           : kMaxCombinedParts;
  // Before addresses are taken: who has one may do anything.
  bool readsEarly = chip.overlapsLaunches() && canReadKeysEarly(op);
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
      result = launch(e, chip, *problem, *schedule, splits, readsEarly);
  };
  if (mayBeAligned)
    alignment.dispatch(e, emit);
  else
    emit(e);
  return result;
}
