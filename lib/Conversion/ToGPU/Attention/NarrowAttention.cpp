//===- NarrowAttention.cpp - latent_attention of few rows -----------------===//

#include "NarrowAttention.h"
#include "../NVIDIA/Barriers.h"
#include "KeyLocator.h"
#include "NarrowBlock.h"
#include "NarrowLoader.h"
#include "NarrowScores.h"
#include "NarrowValues.h"
#include "RoleKernel.h"
#include "WarpKeys.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;

/// The last warp of values.
static constexpr int64_t kPrefetcher =
    NarrowBlock::kScoreWarps + NarrowBlock::kValueWarps - 1;

bool kernel::hasNarrowAttention(const AttentionProblem &problem,
                                const AttentionSchedule &schedule) {
  return problem.isAligned && usesNarrowTiles(problem.op, schedule);
}

void kernel::launchNarrowAttention(Emitter &e, const Chip &chip,
                                   const AttentionProblem &problem,
                                   const AttentionSchedule &schedule,
                                   const SplitBuffers &buffers) {
  RoleKernel roles(e, chip, buffers, NarrowBlock::kThreads);
  Emitter &body = roles.body;
  NarrowBlock block(body, problem, schedule.stages);
  // ptxas asks for it where roles hand registers over.
  roles.kernel.setBlocksPerMultiprocessor(1);
  roles.start(problem, block.getSharedBytes(),
              [&](Emitter &e) { block.initBarriers(e); });
  Value thread = roles.thread;
  AttentionInputs inputs(body, problem);
  KeyLocator locator(body, inputs);
  constexpr int64_t loader = 1 + NarrowBlock::kWarpgroups;
  auto address = [&](Emitter &e, const FirstKeys &first) {
    return getFirstEntryAddress(e, locator, first, thread,
                                loader * NarrowBlock::kWarpgroupThreads);
  };
  // Its barriers are also those after the mbarriers' initialization.
  SplitPlan plan =
      roles.makePlan(inputs, schedule, buffers, locator, kPrefetcher, address);

  auto branch = [](Emitter &e, Value condition,
                   function_ref<void(Emitter &)> yes,
                   function_ref<void(Emitter &)> no) {
    auto branches = scf::IfOp::create(e, condition, /*withElse=*/true);
    Emitter first(e.getLoc(), branches.getThenBodyBuilder());
    yes(first);
    Emitter second(e.getLoc(), branches.getElseBodyBuilder());
    no(second);
  };
  auto isBefore = [&](Emitter &e, int64_t warpgroup) {
    return ptx::isLessI(
        e, thread, ptx::i32(e, warpgroup * NarrowBlock::kWarpgroupThreads));
  };
  auto skip = [&](Emitter &e, int64_t warpgroups) {
    return ptx::plusI(e, thread, -warpgroups * NarrowBlock::kWarpgroupThreads);
  };
  branch(
      body, isBefore(body, 1),
      [&](Emitter &e) { emitNarrowScores(e, block, inputs, plan, thread); },
      [&](Emitter &e) {
        branch(
            e, isBefore(e, loader),
            [&](Emitter &e) {
              emitNarrowValues(e, block, inputs, plan, skip(e, 1));
            },
            [&](Emitter &e) {
              emitNarrowLoader(e, block, plan, locator, skip(e, loader));
            });
      });
}
