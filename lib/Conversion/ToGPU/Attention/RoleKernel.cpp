//===- RoleKernel.cpp - kernels whose warps have roles --------------------===//

#include "RoleKernel.h"
#include "../NVIDIA/Barriers.h"
#include "../NVIDIA/Warp.h"
#include "KeyPrefetch.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;

RoleKernel::RoleKernel(Emitter &e, const Chip &chip,
                       const SplitBuffers &buffers, int64_t threads)
    : kernel(e, chip, buffers.getGrid(e), rows::index(e, 1), threads),
      body(kernel.getBody()) {}

void RoleKernel::start(const AttentionProblem &problem, int64_t sharedBytes,
                       function_ref<void(Emitter &)> initBarriers) {
  kernel.setDynamicShared(sharedBytes);
  thread = ptx::toI32(body, kernel.getThread());
  runIf(body, ptx::isEqualI(body, thread, 0), initBarriers);
  if (!kernel.getChip().overlapsLaunches())
    return;
  kernel.setOverlapsPrevious();
  plansAhead = !problem.readsEarly && !problem.op.getNumActualTokens();
  if (plansAhead)
    return;
  if (!problem.readsEarly)
    ptx::waitForPreviousLaunch(body);
  ptx::startNextLaunch(body);
}

SplitPlan RoleKernel::makePlan(const AttentionInputs &inputs,
                               const AttentionSchedule &schedule,
                               const SplitBuffers &buffers,
                               const KeyLocator &locator, int64_t prefetcher,
                               SplitPlan::FirstAddress address) {
  if (!plansAhead)
    return SplitPlan::create(body, kernel, inputs, schedule, buffers,
                             /*wait=*/{}, address);
  Value warp = ptx::sameInAllLanes(
      body, ptx::dividedByI(body, thread, kernel.getChip().subgroupSize));
  Value isPrefetcher = ptx::isEqualI(body, warp, prefetcher);
  KeyPrefetch keys(body, kernel, locator, schedule.blockKeys, isPrefetcher);
  auto wait = [&](Emitter &e, ValueRange ahead) {
    ptx::waitForPreviousLaunch(e, ahead);
    keys.markEnd(e);
    ptx::startNextLaunch(e);
  };
  auto prefetch = [&](Emitter &e, const FirstKeys &first, Value end) {
    keys.emit(e, first, end);
  };
  return SplitPlan::create(body, kernel, inputs, schedule, buffers, wait,
                           address, {isPrefetcher, prefetch});
}
