//===- WarpgroupAttention.cpp - latent_attention by wgmma -----------------===//

#include "WarpgroupAttention.h"
#include "AttenderResult.h"
#include "KeyLocator.h"
#include "RoleKernel.h"
#include "WarpgroupAttender.h"
#include "WarpgroupBlock.h"
#include "WarpgroupLoader.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;

/// The last warp of the second attender, whose keys come second; both wait for
/// it only when queries are there.
static constexpr int64_t kPrefetcher =
    WarpgroupBlock::kAttenders * WarpgroupBlock::kGroupWarps - 1;

bool kernel::hasWarpgroupAttention(const AttentionProblem &problem,
                                   const AttentionSchedule &schedule) {
  return problem.isAligned && usesWarpgroups(problem.op, schedule);
}

PartFormat kernel::getWarpgroupFormat(const AttentionProblem &problem) {
  return AttenderResult::getFormat(problem);
}

void kernel::launchWarpgroupAttention(Emitter &e, const Chip &chip,
                                      const AttentionProblem &problem,
                                      const AttentionSchedule &schedule,
                                      const SplitBuffers &buffers) {
  bool convertsKeys = problem.format != CacheFormat::BF16;
  RoleKernel roles(e, chip, buffers, WarpgroupBlock::getThreads(convertsKeys));
  Emitter &body = roles.body;
  WarpgroupBlock block(body, problem.rope, convertsKeys);
  roles.start(problem, block.getSharedBytes(),
              [&](Emitter &e) { block.initBarriers(e); });
  Value thread = roles.thread;
  AttentionInputs inputs(body, problem);
  KeyLocator locator(body, inputs);
  // Its barriers are also those after the mbarriers' initialization.
  SplitPlan plan =
      roles.makePlan(inputs, schedule, buffers, locator, kPrefetcher);

  Value role = ptx::dividedByI(body, thread, WarpgroupBlock::kGroupThreads);
  Value member = ptx::moduloI(body, thread, WarpgroupBlock::kGroupThreads);
  Value attends =
      ptx::isLessI(body, role, ptx::i32(body, WarpgroupBlock::kAttenders));
  auto branch = scf::IfOp::create(body, attends, /*withElse=*/true);
  Emitter attender(body.getLoc(), branch.getThenBodyBuilder());
  emitAttender(attender, block, inputs, plan, role, member);
  Emitter loader(body.getLoc(), branch.getElseBodyBuilder());
  emitLoaders(loader, block, inputs, plan, locator, role, member);
}
