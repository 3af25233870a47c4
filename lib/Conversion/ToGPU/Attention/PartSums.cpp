//===- PartSums.cpp - what some parts of a row come to --------------------===//

#include "PartSums.h"
#include "../NVIDIA/GlobalMemory.h"
#include "../NVIDIA/Warp.h"
#include "Fragments.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;
using ptx::dividedByI;
using ptx::isLessI;
using ptx::plusI;
using ptx::Registers;
using ptx::timesI;
using ptx::toI64;

Value PartRows::getAddress(Emitter &e, Value part) const {
  Value place = plusI(e, address, timesI(e, toI64(e, part), stride));
  Value before = arith::SubIOp::create(e, place, slotBytes);
  return arith::SelectOp::create(e, ptx::isEqualI(e, part, 0), before, place);
}

PartSums PartSums::create(Emitter &e, PartFormat format) {
  Value zero = constant(e, 0);
  return {Registers(getLaneColumns(format), zero), minusInfinity(e), zero};
}

Registers PartSums::pack() const {
  Registers all(outputs);
  all.append({base, total});
  return all;
}

PartSums PartSums::unpack(ValueRange all) {
  PartSums sums;
  llvm::append_range(sums.outputs, all.drop_back(2));
  sums.base = all[all.size() - 2];
  sums.total = all.back();
  return sums;
}

Value kernel::getRatio(Emitter &e, Value logarithm, Value base) {
  Value finite = arith::SelectOp::create(e, isMinusInfinity(e, base),
                                         constant(e, 0), base);
  return ptx::exp2Fast(e, arith::SubFOp::create(e, logarithm, finite));
}

/// A lane's columns, f32.
static Registers unpackColumns(Emitter &e, PartFormat format,
                               const Registers &loaded) {
  if (format == PartFormat::F32)
    return loaded;
  Registers all;
  for (Value pair : loaded) {
    auto [low, high] = ptx::unpackPair(e, e.getF16Type(), pair);
    all.append({low, high});
  }
  return all;
}

static PartSums rescale(Emitter &e, PartSums sums, Value base) {
  Value ratio = getRatio(e, sums.base, base);
  for (Value &sum : sums.outputs)
    sum = mul(e, sum, ratio);
  sums.total = mul(e, sums.total, ratio);
  sums.base = base;
  return sums;
}

PartSums PartSums::addBatch(Emitter &e, const PieceRows &rows,
                            PartFormat format, int64_t latent, Value first,
                            Value step, Value parts) const {
  Type f32 = e.getF32Type();
  Type loadType = format == PartFormat::F32 ? f32 : e.getI32Type();
  Value offset = toI64(e, timesI(e, rows.column, getElementBytes(format)));
  Value half = dividedByI(e, rows.firstColumn, kHalfColumns);
  SmallVector<Registers> columns;
  Registers logarithms, scales;
  Value part = first;
  for (int64_t i = 0; i < kBatch; ++i, part = plusI(e, part, step)) {
    Value exists = isLessI(e, part, parts);
    Value row = rows.outputs.getAddress(e, part);
    columns.push_back(ptx::loadGlobalIf(e, both(e, exists, rows.isLane),
                                        plusI(e, row, offset), loadType,
                                        kLaneBytes / 4));
    if (format == PartFormat::F32) {
      Value place = rows.sums.getAddress(e, part);
      logarithms.push_back(
          valueIf(e, exists, minusInfinity(e),
                  [&](Emitter &e) { return ptx::loadGlobal(e, place, f32); }));
      continue;
    }
    Registers pair = ptx::loadGlobalIf(
        e, exists, getScaleAddress(e, row, latent, half), f32, 2);
    scales.push_back(pair[0]);
    logarithms.push_back(
        arith::SelectOp::create(e, exists, pair[1], minusInfinity(e)));
  }
  // All loads before all else.
  Value base = this->base;
  for (Value logarithm : logarithms)
    base = largest(e, base, logarithm);
  PartSums sums = rescale(e, *this, base);
  for (int64_t i = 0; i < kBatch; ++i) {
    Value weight = getRatio(e, logarithms[i], base);
    sums.total = add(e, sums.total, weight);
    if (format == PartFormat::ScaledF16)
      weight = mul(e, weight, scales[i]);
    for (auto [sum, value] :
         llvm::zip(sums.outputs, unpackColumns(e, format, columns[i])))
      sum = ptx::fusedMultiplyAdd(e, weight, value, sum);
  }
  return sums;
}
