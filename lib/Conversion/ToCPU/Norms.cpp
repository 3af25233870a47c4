//===- Norms.cpp - CPU kernels of the norms, bare and quantized -----------===//
//
// Every norm is the same three steps: read the row and its sum of squares,
// scale it chunk by chunk, and either store the chunks or quantize them. The
// fused ops therefore give the bits of the unfused ones.
//
//===----------------------------------------------------------------------===//

#include "Lowerings.h"
#include "MLAFuse/Conversion/Numerics.h"
#include "NormRow.h"
#include "QuantizeRow.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::cpu;

/// Stores one row's result, from what `loadRow` left.
/// `storedRows` is how many rows the codes have room for; null: for all.
static void finishRow(Emitter &e, const NormSide &side,
                      const QuantConstants &constants, const LoadedRow &loaded,
                      Value row, Value storedRows) {
  RowView unquantized;
  if (side.unquantized)
    unquantized = getRow(e, side.unquantized, row);
  auto produce = [&](Emitter &e, Value column, int64_t lanes) {
    Value chunk = normalizeChunk(e, side.norm, loaded, column, lanes);
    if (side.unquantized) {
      if (unquantized.getElementType() == side.norm.resultType)
        unquantized.storeExact(e, chunk, column);
      else
        unquantized.storeRounded(e, chunk, column);
    }
    return chunk;
  };
  auto quantize = [&](Emitter &e) {
    quantizeRow(e, side.quant, constants, row, getWholeRow(e, side.quant),
                produce, loaded.values);
  };
  auto store = [&](Emitter &e) {
    forEachChunk(e, index(e, 0), side.norm.getWidth(),
                 [&](Emitter &e, Value column, int64_t lanes) {
                   produce(e, column, lanes);
                 });
  };
  if (!side.quant.spec)
    return store(e);
  if (!storedRows)
    return quantize(e);
  Value isStored =
      arith::CmpIOp::create(e, arith::CmpIPredicate::ult, row, storedRows);
  auto emit = [](function_ref<void(Emitter &)> body) {
    return [body](OpBuilder &builder, Location loc) {
      Emitter e(loc, builder);
      body(e);
      scf::YieldOp::create(e);
    };
  };
  if (side.unquantized)
    scf::IfOp::create(e, isStored, emit(quantize), emit(store));
  else
    scf::IfOp::create(e, isStored, emit(quantize));
}

/// The kernel of one or two sides over the same rows.
static void emitNorm(Emitter &e, const NormProblem &problem) {
  ArrayRef<NormSide> sides = problem.sides;
  Value input = sides.front().norm.input;
  Value rows = getActualRows(e, getRowCount(e, input), problem.count);
  SmallVector<QuantConstants> constants;
  SmallVector<Value> storedRows;
  int64_t work = 0;
  for (const NormSide &side : sides) {
    constants.push_back(side.quant.spec ? loadConstants(e, side.quant)
                                        : QuantConstants());
    storedRows.push_back(side.quant.rowOffset ? clampRows(e, side.quant, rows)
                                              : Value());
    work += side.norm.getWidth();
  }
  parallelFor(e, rows, work, [&](Emitter &e, Value row) {
    // All sides are read before one is written: a destination may be the memory
    // of either side's input.
    SmallVector<LoadedRow> loaded;
    for (const NormSide &side : sides)
      loaded.push_back(loadRow(e, side.norm, row));
    for (auto [side, constant, values, stored] :
         llvm::zip(sides, constants, loaded, storedRows))
      finishRow(e, side, constant, values, row, stored);
  });
  for (const NormSide &side : sides)
    if (side.quant.spec)
      zeroScalePadding(e, side.quant, getRowCount(e, input));
}

void cpu::lower(Emitter &e, RMSNormOp op) { emitNorm(e, getNorms(op)); }

void cpu::lower(Emitter &e, AddRMSNormOp op) { emitNorm(e, getNorms(op)); }

void cpu::lower(Emitter &e, RMSNormQuantizeOp op) { emitNorm(e, getNorms(op)); }

void cpu::lower(Emitter &e, DualRMSNormOp op) { emitNorm(e, getNorms(op)); }

void cpu::lower(Emitter &e, DualRMSNormQuantizeOp op) {
  emitNorm(e, getNorms(op));
}
