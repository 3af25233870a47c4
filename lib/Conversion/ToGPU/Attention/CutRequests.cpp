//===- CutRequests.cpp - the requests that a plan has cut -----------------===//

#include "CutRequests.h"
#include "BlockReduction.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;
using ptx::i32;
using ptx::plusI;
using ptx::toI32;

/// Of an entry of the list: the members of CutRequest.
static constexpr int64_t kFields = 3;

static Value getPlace(Emitter &e, Value entry, int64_t field) {
  return ptx::toIndex(e, plusI(e, ptx::timesI(e, entry, kFields), field));
}

CutRequests::CutRequests(Emitter &e, Kernel &kernel,
                         const SplitBuffers &buffers, int64_t maxGroups) {
  list = kernel.addShared(maxGroups * kFields, e.getI32Type());
  BlockReduction reduction(e, kernel);
  Value groups = toI32(e, buffers.groups);
  Value thread = toI32(e, kernel.getThread());
  // A group for each thread at a time.
  auto loop = scf::ForOp::create(
      e, i32(e, 0), groups, i32(e, kernel.getThreads()), ValueRange{i32(e, 0)},
      [&](OpBuilder &builder, Location loc, Value first, ValueRange state) {
        Emitter e(loc, builder);
        Value group = plusI(e, first, thread);
        auto loadField = [&](Emitter &e, int64_t field) -> Value {
          return memref::LoadOp::create(
              e, buffers.parts,
              ValueRange{ptx::toIndex(e, group), rows::index(e, field)});
        };
        Value isGroup = ptx::isLessI(e, group, groups);
        Value parts = valueIf(e, isGroup, i32(e, 0), [&](Emitter &e) {
          return loadField(e, SplitBuffers::kPartCount);
        });
        Value request = valueIf(e, isGroup, i32(e, 0), [&](Emitter &e) {
          return loadField(e, SplitBuffers::kRequest);
        });
        Value isCut = arith::CmpIOp::create(e, arith::CmpIPredicate::ne, parts,
                                            i32(e, 0));
        Value one = arith::ExtUIOp::create(e, e.getI32Type(), isCut);
        Value entry = plusI(e, state[0], reduction.sumBefore(e, one));
        runIf(e, isCut, [&](Emitter &e) {
          Value fields[kFields] = {group, request, parts};
          for (auto [field, value] : llvm::enumerate(fields))
            memref::StoreOp::create(e, value, list, getPlace(e, entry, field));
        });
        // Its barrier is also the list's.
        Value more =
            reduction.reduce(e, one, BlockReduction::Kind::Sum).front();
        scf::YieldOp::create(e, ValueRange{plusI(e, state[0], more)});
      });
  count = loop.getResult(0);
}

CutRequest CutRequests::get(Emitter &e, Value i) const {
  auto load = [&](int64_t field) -> Value {
    return memref::LoadOp::create(e, list, getPlace(e, i, field));
  };
  return {load(0), load(1), load(2)};
}
