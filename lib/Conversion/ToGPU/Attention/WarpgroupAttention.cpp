//===- WarpgroupAttention.cpp - latent_attention by wgmma -----------------===//

#include "WarpgroupAttention.h"
#include "KeyLocator.h"
#include "WarpgroupAttender.h"
#include "WarpgroupBlock.h"
#include "WarpgroupLoader.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;

bool kernel::hasWarpgroupAttention(const AttentionProblem &problem,
                                   const AttentionSchedule &schedule) {
  return problem.isAligned && usesWarpgroups(problem.op, schedule);
}

void kernel::launchWarpgroupAttention(Emitter &e, const Chip &chip,
                                      const AttentionProblem &problem,
                                      const AttentionSchedule &schedule,
                                      const SplitBuffers &buffers) {
  bool convertsKeys = problem.format != CacheFormat::BF16;
  Kernel kernel(e, chip, buffers.getGrid(e), rows::index(e, 1),
                WarpgroupBlock::getThreads(convertsKeys));
  Emitter body = kernel.getBody();
  WarpgroupBlock block(body, problem.rope, convertsKeys);
  kernel.setDynamicShared(block.getSharedBytes());
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

  Value role = ptx::dividedByI(body, thread, WarpgroupBlock::kGroupThreads);
  Value member = ptx::moduloI(body, thread, WarpgroupBlock::kGroupThreads);
  Value attends =
      ptx::isLessI(body, role, ptx::i32(body, WarpgroupBlock::kAttenders));
  auto roles = scf::IfOp::create(body, attends, /*withElse=*/true);
  Emitter attender(body.getLoc(), roles.getThenBodyBuilder());
  emitAttender(attender, block, inputs, plan, role, member);
  Emitter loader(body.getLoc(), roles.getElseBodyBuilder());
  emitLoaders(loader, block, inputs, plan, locator, role, member);
}
