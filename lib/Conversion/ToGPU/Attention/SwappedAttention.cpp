//===- SwappedAttention.cpp - latent_attention, keys on the left ----------===//

#include "SwappedAttention.h"
#include "KeyLocator.h"
#include "SwappedBlock.h"
#include "SwappedScores.h"
#include "SwappedValues.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;

bool kernel::hasSwappedAttention(const AttentionProblem &problem,
                                 const AttentionSchedule &schedule) {
  return problem.isAligned && usesSwappedTiles(problem.op, schedule);
}

void kernel::launchSwappedAttention(Emitter &e, const Chip &chip,
                                    const AttentionProblem &problem,
                                    const AttentionSchedule &schedule,
                                    const SplitBuffers &buffers) {
  Kernel kernel(e, chip, buffers.getGrid(e), rows::index(e, 1),
                SwappedBlock::kThreads);
  Emitter body = kernel.getBody();
  SwappedBlock block(body, problem, schedule.stages);
  kernel.setDynamicShared(block.getSharedBytes());
  // ptxas asks for it where roles hand registers over.
  kernel.setBlocksPerMultiprocessor(1);
  Value thread = ptx::toI32(body, kernel.getThread());
  runIf(body, ptx::isEqualI(body, thread, 0),
        [&](Emitter &e) { block.initBarriers(e); });
  if (chip.overlapsLaunches()) {
    kernel.setOverlapsPrevious();
    if (!problem.readsEarly)
      ptx::waitForPreviousLaunch(body);
    ptx::startNextLaunch(body);
  }
  AttentionInputs inputs(body, problem);
  // Its barriers are also those after the mbarriers' initialization.
  SplitPlan plan = SplitPlan::create(body, kernel, inputs, schedule, buffers);
  KeyLocator locator(body, inputs);

  Value role = ptx::dividedByI(body, thread, SwappedBlock::kGroupThreads);
  Value member = ptx::moduloI(body, thread, SwappedBlock::kGroupThreads);
  Value scores =
      ptx::isLessI(body, role, ptx::i32(body, SwappedBlock::kScoreGroups));
  auto roles = scf::IfOp::create(body, scores, /*withElse=*/true);
  Emitter first(body.getLoc(), roles.getThenBodyBuilder());
  emitSwappedScores(first, block, inputs, plan, locator, role, member);
  Emitter second(body.getLoc(), roles.getElseBodyBuilder());
  emitSwappedValues(second, block, inputs, plan, locator, member);
}
