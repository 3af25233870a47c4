//===- SwappedAttention.cpp - latent_attention, keys on the left ----------===//

#include "SwappedAttention.h"
#include "KeyLocator.h"
#include "RoleKernel.h"
#include "SwappedBlock.h"
#include "SwappedLoader.h"
#include "SwappedScores.h"
#include "SwappedValues.h"
#include "WarpKeys.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;

/// The last warp of values.
static constexpr int64_t kPrefetcher =
    (SwappedBlock::kValuesRole + 1) * SwappedBlock::kGroupWarps - 1;

bool kernel::hasSwappedAttention(const AttentionProblem &problem,
                                 const AttentionSchedule &schedule) {
  return problem.isAligned && usesSwappedTiles(problem.op, schedule);
}

void kernel::launchSwappedAttention(Emitter &e, const Chip &chip,
                                    const AttentionProblem &problem,
                                    const AttentionSchedule &schedule,
                                    const SplitBuffers &buffers) {
  RoleKernel roles(e, chip, buffers, SwappedBlock::kThreads);
  Emitter &body = roles.body;
  SwappedBlock block(body, problem, schedule.stages);
  // ptxas asks for it where roles hand registers over.
  roles.kernel.setBlocksPerMultiprocessor(1);
  roles.start(problem, block.getSharedBytes(),
              [&](Emitter &e) { block.initBarriers(e); });
  Value thread = roles.thread;
  AttentionInputs inputs(body, problem);
  KeyLocator locator(body, inputs);
  auto address = [&](Emitter &e, const FirstKeys &first) {
    return getFirstEntryAddress(e, locator, first, thread,
                                SwappedBlock::kLoaderRole *
                                    SwappedBlock::kGroupThreads);
  };
  // Its barriers are also those after the mbarriers' initialization.
  SplitPlan plan =
      roles.makePlan(inputs, schedule, buffers, locator, kPrefetcher, address);

  Value role = ptx::dividedByI(body, thread, SwappedBlock::kGroupThreads);
  Value member = ptx::moduloI(body, thread, SwappedBlock::kGroupThreads);
  Value scores =
      ptx::isLessI(body, role, ptx::i32(body, SwappedBlock::kScoreGroups));
  auto branch = scf::IfOp::create(body, scores, /*withElse=*/true);
  Emitter first(body.getLoc(), branch.getThenBodyBuilder());
  emitSwappedScores(first, block, inputs, plan, role, member);
  Emitter second(body.getLoc(), branch.getElseBodyBuilder());
  Value values = ptx::isEqualI(second, role, SwappedBlock::kValuesRole);
  auto inner = scf::IfOp::create(second, values, /*withElse=*/true);
  Emitter third(body.getLoc(), inner.getThenBodyBuilder());
  emitSwappedValues(third, block, inputs, plan, member);
  Emitter fourth(body.getLoc(), inner.getElseBodyBuilder());
  emitSwappedLoader(fourth, block, inputs, plan, locator, member);
}
