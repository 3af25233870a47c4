//===- Barriers.cpp - what parts of a block wait on -----------------------===//

#include "Barriers.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;

static void emit(Emitter &e, const Twine &text, ValueRange operands = {}) {
  ptx::emitAsm(e, text, TypeRange(), operands, ptx::Effect::Memory);
}

void ptx::NamedBarrier::sync(Emitter &e) const {
  emit(e, "bar.sync $0, " + Twine(threads) + ";", id);
}

void ptx::NamedBarrier::arrive(Emitter &e) const {
  emit(e, "bar.arrive $0, " + Twine(threads) + ";", id);
}

Value ptx::NamedBarrier::syncAndFindAny(Emitter &e, Value condition) const {
  Value flag = arith::ExtUIOp::create(e, e.getI32Type(), condition);
  Value any =
      emitAsm(e,
              "{\n.reg .pred mine, any;\nsetp.ne.b32 mine, $2, 0;\n"
              "bar.red.or.pred any, $1, " +
                  Twine(threads) + ", mine;\nselp.b32 $0, 1, 0, any;\n}",
              e.getI32Type(), {id, flag}, Effect::Memory);
  return arith::CmpIOp::create(e, arith::CmpIPredicate::ne, any, i32(e, 0));
}

void ptx::SharedBarrier::init(Emitter &e, int64_t arrivals) const {
  emit(e,
       "mbarrier.init.shared::cta.b64 [$0+" + Twine(place.offset) + "], " +
           Twine(arrivals) + ";",
       place.base);
}

void ptx::SharedBarrier::arrive(Emitter &e) const {
  emit(e,
       "mbarrier.arrive.shared::cta.b64 _, [$0+" + Twine(place.offset) + "];",
       place.base);
}

void ptx::SharedBarrier::arriveByWarp(Emitter &e, Value lane) const {
  syncWarp(e);
  runIf(e, isEqualI(e, lane, 0), [&](Emitter &e) { arrive(e); });
}

void ptx::SharedBarrier::arriveWithCopies(Emitter &e) const {
  emit(e,
       "cp.async.mbarrier.arrive.noinc.shared::cta.b64 [$0+" +
           Twine(place.offset) + "];",
       place.base);
}

void ptx::SharedBarrier::expectBytes(Emitter &e, int64_t bytes) const {
  emit(e,
       "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [$0+" +
           Twine(place.offset) + "], " + Twine(bytes) + ";",
       place.base);
}

void ptx::copyBulk(Emitter &e, Address to, Value from, int64_t bytes,
                   const SharedBarrier &barrier) {
  emit(
      e,
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [$0+" +
          Twine(to.offset) + "], [$1], " + Twine(bytes) + ", [$2+" +
          Twine(barrier.place.offset) + "];",
      {to.base, from, barrier.place.base});
}

void ptx::SharedBarrier::wait(Emitter &e, Value parity) const {
  // Braces make the labels and the predicate local.
  emit(
      e,
      "{\n.reg .pred done;\nwaiting:\nmbarrier.try_wait.parity.shared::cta.b64 "
      "done, [$0+" +
          Twine(place.offset) +
          "], $1;\n@done bra ended;\nbra waiting;\nended:\n}",
      {place.base, parity});
}

Value ptx::SharedBarrier::hasEnded(Emitter &e, Value parity) const {
  Value flag = emitAsm(
      e,
      "{\n.reg .pred done;\nmbarrier.test_wait.parity.shared::cta.b64 done, "
      "[$1+" +
          Twine(place.offset) + "], $2;\nselp.b32 $0, 1, 0, done;\n}",
      e.getI32Type(), {place.base, parity}, Effect::Memory);
  return arith::CmpIOp::create(e, arith::CmpIPredicate::ne, flag, i32(e, 0));
}

void ptx::fenceBarrierInit(Emitter &e) {
  emit(e, "fence.mbarrier_init.release.cluster;");
}

void ptx::syncWarp(Emitter &e) { emit(e, "bar.warp.sync 0xffffffff;"); }

void ptx::fenceMatrixUnits(Emitter &e) {
  emit(e, "fence.proxy.async.shared::cta;");
}

void ptx::waitForPreviousLaunch(Emitter &e) { emit(e, "griddepcontrol.wait;"); }

void ptx::waitForPreviousLaunch(Emitter &e, ValueRange ahead) {
  if (ahead.empty())
    return waitForPreviousLaunch(e);
  Value all;
  for (Value value : ahead) {
    if (value.getType().isInteger(64))
      value = splitI64(e, value).second;
    all = all ? arith::OrIOp::create(e, all, value).getResult() : value;
  }
  // Always: none is negative, but nobody else knows.
  emitAsm(e,
          "{\n.reg .pred p;\nsetp.ge.s32 p, $0, 0;\n"
          "@p griddepcontrol.wait;\n}",
          TypeRange(), all, Effect::Memory);
}

void ptx::startNextLaunch(Emitter &e) {
  emit(e, "griddepcontrol.launch_dependents;");
}
