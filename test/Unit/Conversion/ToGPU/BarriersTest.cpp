//===- BarriersTest.cpp - PTX of what parts of a block wait on ------------===//

#include "NVIDIA/Barriers.h"
#include "PTX.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::test;
namespace ptx = mlafuse::kernel::ptx;

TEST(NamedBarrier, Sync) {
  expectLines(getPTX("sm_80",
                     [](Body &body) {
                       ptx::NamedBarrier barrier(body.e, 3, 96);
                       barrier.arrive(body.e);
                       barrier.sync(body.e);
                     }),
              {"bar.arrive #, 96;", "bar.sync #, 96;"});
}

TEST(NamedBarrier, FindsAny) {
  expectLines(getPTX("sm_80",
                     [](Body &body) {
                       ptx::NamedBarrier barrier(body.e, 3, 96);
                       Value flag = ptx::isEqualI(body.e, body.getI32(), 7);
                       Value any = barrier.syncAndFindAny(body.e, flag);
                       Value result = arith::ExtUIOp::create(
                           body.e, body.e.getI32Type(), any);
                       body.keep(result);
                     }),
              {"setp.ne.b32 mine, #, 0;", "bar.red.or.pred any, #, 96, mine;",
               "selp.b32 #, 1, 0, any;"});
}

TEST(SharedBarrier, PhasesOfArrivals) {
  expectLines(getPTX("sm_90a",
                     [](Body &body) {
                       ptx::SharedBarrier barrier{body.getShared(16)};
                       barrier.init(body.e, 128);
                       ptx::fenceBarrierInit(body.e);
                       barrier.arrive(body.e);
                       barrier.wait(body.e, body.getI32());
                     }),
              {"mbarrier.init.shared::cta.b64 [#+16], 128;",
               "fence.mbarrier_init.release.cluster;",
               "mbarrier.arrive.shared::cta.b64 _, [#+16];",
               "mbarrier.try_wait.parity.shared::cta.b64 done, [#+16], #;",
               "@done bra ended;", "bra waiting;"});
}

TEST(SharedBarrier, HasEnded) {
  expectLines(getPTX("sm_90a",
                     [](Body &body) {
                       ptx::SharedBarrier barrier{body.getShared(16)};
                       Value ended = barrier.hasEnded(body.e, body.getI32());
                       Value result = arith::ExtUIOp::create(
                           body.e, body.e.getI32Type(), ended);
                       body.keep(result);
                     }),
              {"mbarrier.test_wait.parity.shared::cta.b64 done, [#+16], #;",
               "selp.b32 #, 1, 0, done;"});
}

TEST(SharedBarrier, ArrivesByWarp) {
  expectLines(getPTX("sm_80",
                     [](Body &body) {
                       ptx::SharedBarrier barrier{body.getShared(8)};
                       barrier.arriveByWarp(body.e, body.getI32());
                     }),
              {"bar.warp.sync", "setp.ne.b32", "mbarrier.arrive"});
}

TEST(SharedBarrier, ArrivesWithCopies) {
  expectLines(getPTX("sm_90a",
                     [](Body &body) {
                       ptx::SharedBarrier{body.getShared(8)}.arriveWithCopies(
                           body.e);
                     }),
              {"cp.async.mbarrier.arrive.noinc.shared::cta.b64 [#+8];"});
}

TEST(SharedBarrier, CountsBytes) {
  expectLines(getPTX("sm_90a",
                     [](Body &body) {
                       ptx::SharedBarrier barrier{body.getShared(8)};
                       barrier.expectBytes(body.e, 1024);
                       ptx::copyBulk(body.e, body.getShared(16),
                                     body.getGlobal(), 1024, barrier);
                     }),
              {"mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [#+8], 1024;",
               "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::"
               "bytes [#+16], [#], 1024, [#+8];"});
}

// Two of them in one function: their labels are their own.
TEST(SharedBarrier, WaitsTwice) {
  expectLines(getPTX("sm_90a",
                     [](Body &body) {
                       ptx::SharedBarrier barrier{body.getShared()};
                       barrier.wait(body.e, body.getI32(0));
                       barrier.wait(body.e, body.getI32(1));
                     }),
              {"{", "waiting:", "ended:", "}", "{", "waiting:", "ended:", "}"});
}

TEST(Barriers, Warp) {
  expectLines(getPTX("sm_80", [](Body &body) { ptx::syncWarp(body.e); }),
              {"bar.warp.sync 0xffffffff;"});
}

TEST(Barriers, MatrixUnits) {
  expectLines(
      getPTX("sm_90a", [](Body &body) { ptx::fenceMatrixUnits(body.e); }),
      {"fence.proxy.async.shared::cta;"});
}

TEST(DependentLaunch, WaitsAndStarts) {
  expectLines(getPTX("sm_90a",
                     [](Body &body) {
                       ptx::waitForPreviousLaunch(body.e);
                       ptx::startNextLaunch(body.e);
                     }),
              {"griddepcontrol.wait;", "griddepcontrol.launch_dependents;"});
}

// The wait depends on all of the values, so it stays behind what makes them.
TEST(DependentLaunch, WaitsBehindValues) {
  expectLines(
      getPTX("sm_90a",
             [](Body &body) {
               Value first = body.getI32();
               Value address = ptx::plusI(
                   body.e, body.getGlobal(),
                   ptx::toI64(body.e, ptx::timesI(body.e, body.getI32(), 32)));
               ptx::waitForPreviousLaunch(body.e, {first, address});
             }),
      {"or.b32 #, #, #;", "setp.ge.s32 p, #, 0;", "@p griddepcontrol.wait;"});
}
