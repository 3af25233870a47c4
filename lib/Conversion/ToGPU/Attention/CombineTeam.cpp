//===- CombineTeam.cpp - warps that share a piece's parts -----------------===//

#include "CombineTeam.h"
#include "../NVIDIA/Barriers.h"
#include "../NVIDIA/Warp.h"
#include "Fragments.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;
using ptx::i32;
using ptx::isLessI;
using ptx::plusI;
using ptx::Registers;
using ptx::timesI;

/// Columns of a warp that is one of a team, in lanes' shares.
static constexpr int64_t kTeamLanes = 8;

CombineTeam::CombineTeam(Emitter &e, Kernel &kernel, Value warp,
                         const PartSharing &sharing)
    : sharing(sharing), lanes(kernel.getChip().subgroupSize), warp(warp) {
  auto addOfWarps = [&](int64_t size) {
    return kernel.addShared(PartSharing::kWarps * size, e.getF32Type());
  };
  columnSums = addOfWarps(kTeamLanes * sharing.laneColumns);
  bases = addOfWarps(1);
  totals = addOfWarps(1);
}

static Registers pack(const PartSums &sums) {
  Registers all(sums.outputs);
  all.append({sums.total, sums.base});
  return all;
}

static PartSums unpack(ValueRange all) {
  PartSums sums;
  llvm::append_range(sums.outputs, all.drop_back(2));
  sums.total = all[all.size() - 2];
  sums.base = all.back();
  return sums;
}

PartSums CombineTeam::add(Emitter &e, const PartSums &sums) const {
  auto team = scf::IfOp::create(
      e, isLessI(e, i32(e, 1), sharing.members),
      [&](OpBuilder &builder, Location loc) {
        Emitter e(loc, builder);
        scf::YieldOp::create(e, pack(addAll(e, sums)));
      },
      [&](OpBuilder &builder, Location loc) {
        scf::YieldOp::create(builder, loc, pack(sums));
      });
  return unpack(team.getResults());
}

/// A lane has every fourth of the team's warps.
PartSums CombineTeam::addAll(Emitter &e, const PartSums &own) const {
  auto getPlace = [&](Emitter &e, Value warp, int64_t column) {
    Value place = plusI(e, timesI(e, warp, kTeamLanes), sharing.columnLane);
    return ptx::toIndex(
        e, plusI(e, timesI(e, place, sharing.laneColumns), column));
  };
  runIf(e, ptx::isEqualI(e, sharing.partLane, 0), [&](Emitter &e) {
    for (auto [i, value] : llvm::enumerate(own.outputs))
      memref::StoreOp::create(e, value, columnSums, getPlace(e, warp, i));
    memref::StoreOp::create(e, own.base, bases, ptx::toIndex(e, warp));
    memref::StoreOp::create(e, own.total, totals, ptx::toIndex(e, warp));
  });
  ptx::NamedBarrier barrier = {e, 1, PartSharing::kWarps * lanes};
  barrier.sync(e);

  PartSums sums;
  Value zero = rows::constant(e, 0);
  Value firstWarp = timesI(e, sharing.team, sharing.members);
  constexpr int64_t kOwn = PartSharing::kWarps / PartSharing::kMaxPartLanes;
  Value exist[kOwn], warps[kOwn];
  Registers logarithms;
  for (int64_t i = 0; i < kOwn; ++i) {
    Value member = plusI(e, sharing.partLane, i * PartSharing::kMaxPartLanes);
    exist[i] = isLessI(e, member, sharing.members);
    Value existing = arith::SelectOp::create(e, exist[i], member, i32(e, 0));
    warps[i] = plusI(e, firstWarp, existing);
    Value base = memref::LoadOp::create(e, bases, ptx::toIndex(e, warps[i]));
    logarithms.push_back(
        arith::SelectOp::create(e, exist[i], base, minusInfinity(e)));
  }
  sums.base = findLargestOfWarp(e, logarithms);
  Registers all(own.outputs.size() + 1, zero);
  for (int64_t i = 0; i < kOwn; ++i) {
    Value weight = ptx::exp2Fast(
        e, arith::SubFOp::create(e, logarithms[i], sums.base).getResult());
    auto addValue = [&](Value &sum, Value buffer, Value place) {
      Value value = memref::LoadOp::create(e, buffer, place);
      sum = ptx::fusedMultiplyAdd(e, weight, value, sum);
    };
    for (size_t column = 0; column < own.outputs.size(); ++column)
      addValue(all[column], columnSums, getPlace(e, warps[i], column));
    addValue(all.back(), totals, ptx::toIndex(e, warps[i]));
  }
  // The next piece takes the same memory.
  barrier.sync(e);
  all = addPartLanes(e, sharing, all);
  sums.total = all.pop_back_val();
  sums.outputs = all;
  return sums;
}
