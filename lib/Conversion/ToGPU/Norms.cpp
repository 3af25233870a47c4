//===- Norms.cpp - GPU kernels of the norms, bare and quantized -----------===//
//
// A team keeps a row in registers: one read, however much is made of it. Both
// sides of a dual norm are one team's work, so that a projection's row is read
// by neighbouring threads at one time.
//
//===----------------------------------------------------------------------===//

#include "Lowerings.h"
#include "MLAFuse/Conversion/Numerics.h"
#include "QuantizeTile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;

/// Elements of a chunk at most: 16 bytes of bf16.
static constexpr int64_t kMostLanes = 8;

static int64_t getLanes(const NormSide &side) {
  SmallVector<int64_t> spans{side.norm.getWidth()};
  if (side.quant.spec)
    llvm::append_range(spans, getSpans(side.quant));
  return chooseLanes(spans, kMostLanes);
}

/// The same buffers as rank 2 where their layout allows.
static NormSide collapse(Emitter &e, NormSide side) {
  for (Value *buffer :
       {&side.norm.input, &side.norm.residual, &side.norm.residualOut,
        &side.unquantized, &side.quant.codes})
    *buffer = collapseRows(e, *buffer);
  return side;
}

namespace {

/// One side of a row, on its way from memory to memory.
class SideRow {
public:
  SideRow(Emitter &e, const NormSide &side, const Alignment &alignment,
          const Team &team, const TileShape &shape, Value row)
      : side(side), norm(side.norm), alignment(alignment), row(row),
        tile(e, team, shape) {}

  /// All that the row reads, so that loads are on their way together.
  void load(Emitter &e) {
    inputs = tile.load(e, alignment.getRow(e, norm.input, row));
    if (norm.residual)
      residuals = tile.load(e, alignment.getRow(e, norm.residual, row));
    if (norm.weight)
      weights = tile.load(e, alignment.getVector(norm.weight));
  }

  /// Widens the row (with a residual: the sum, which is stored) and computes 1
  /// / rms of it. The row's memory may be overwritten from here on.
  void reduce(Emitter &e) {
    RowView residualOut = alignment.getRow(e, norm.residualOut, row);
    Value squares;
    for (auto [chunk, input] : llvm::enumerate(inputs)) {
      Value value = toF32(e, input);
      if (norm.residual) {
        value = add(e, value, toF32(e, residuals[chunk]));
        tile.store(e, chunk, residualOut,
                   fromF32(e, value, residualOut.getElementType()));
      }
      values.push_back(value);
      squares = squares
                    ? math::FmaOp::create(e, value, value, squares).getResult()
                    : mul(e, value, value);
    }
    Value sum = tile.getTeam().reduce(e, reduceLanes(e, squares, add), add);
    Value variance =
        arith::DivFOp::create(e, sum, constant(e, norm.getWidth()));
    Value epsilon = constant(e, norm.epsilon.convertToDouble());
    inverse = emitInvSqrt(e, e.getLoc(), add(e, variance, epsilon));
  }

  /// Normalizes and stores what the side gives.
  void finish(Emitter &e, const QuantConstants &constants) {
    RowView unquantized = alignment.getRow(e, side.unquantized, row);
    for (auto [chunk, value] : llvm::enumerate(values)) {
      value = normalize(e, chunk, value);
      if (side.unquantized)
        tile.store(e, chunk, unquantized,
                   fromF32(e, value, unquantized.getElementType()));
    }
    if (side.quant.spec)
      quantizeTile(e, side.quant, constants, alignment, row, tile, values);
  }

private:
  Value normalize(Emitter &e, int64_t chunk, Value value) const {
    value = mul(e, value, splat(e, inverse, tile.getShape().lanes));
    if (norm.weight) {
      Type inputType = cast<MemRefType>(norm.input.getType()).getElementType();
      if (norm.rounding == Rounding::Normalized)
        value = roundTo(e, value, inputType);
      Value weight = toF32(e, weights[chunk]);
      if (norm.weightOffset)
        weight =
            add(e, createFloat(e, e.getLoc(), weight.getType(), 1), weight);
      value = mul(e, value, weight);
    }
    return roundTo(e, value, norm.resultType);
  }

  const NormSide &side;
  const NormSpec &norm;
  const Alignment &alignment;
  Value row;
  Tile tile;
  Tile::Values inputs, residuals, weights, values;
  Value inverse;
};

} // namespace

static LogicalResult emitNorms(Emitter &e, const Chip &chip, Operation *op,
                               const NormProblem &problem) {
  SmallVector<NormSide, 2> sides;
  SmallVector<TileShape, 2> shapes;
  Value rows;
  int64_t threads = chip.subgroupSize;
  for (const NormSide &side : problem.sides) {
    sides.push_back(collapse(e, side));
    threads = std::max(
        threads,
        chooseRowTile(chip, side.norm.getWidth(), getLanes(side)).threads);
  }
  // Shared maxima are the block's: a team of several subgroups has it alone.
  for (const NormSide &side : sides)
    if (side.quant.spec && threads == chip.subgroupSize &&
        needsSharedMaxima(
            side.quant, chip,
            chooseRowTile(chip, side.norm.getWidth(), getLanes(side), threads)))
      threads *= 2;
  Alignment alignment;
  for (const NormSide &side : sides) {
    int64_t lanes = getLanes(side);
    shapes.push_back(chooseRowTile(chip, side.norm.getWidth(), lanes, threads));
    if (failed(side.quant.spec
                   ? verifyQuantizeTile(op, chip, side.quant, shapes.back())
                   : verifyTile(op, chip, shapes.back())))
      return failure();
    for (Value buffer :
         {side.norm.input, side.norm.residual, side.norm.residualOut,
          side.norm.weight, side.unquantized})
      alignment.add(buffer, lanes);
    if (side.quant.spec)
      alignment.add(side.quant.codes, getCodeLanes(side.quant, lanes));
    Value sideRows = rows::getRowCount(e, side.norm.input);
    if (side.quant.spec)
      sideRows = clampRows(e, side.quant, sideRows);
    rows =
        rows ? arith::MinUIOp::create(e, rows, sideRows).getResult() : sideRows;
  }

  SmallVector<ScalePadding, 2> paddings;
  for (const NormSide &side : sides)
    paddings.emplace_back(e, side.quant, rows::getRowCount(e, side.norm.input));
  RowLaunch launch{rows, problem.count, threads, 1, paddings};
  alignment.dispatch(e, [&](Emitter &e) {
    launchRows(e, chip, launch, [&](Emitter &e, Team &team, Value row, Value) {
      SmallVector<SideRow, 2> parts;
      SmallVector<QuantConstants, 2> constants;
      for (auto [side, shape] : llvm::zip(sides, shapes)) {
        parts.emplace_back(e, side, alignment, team, shape, row);
        parts.back().load(e);
        constants.push_back(side.quant.spec ? loadConstants(e, side.quant)
                                            : QuantConstants());
      }
      // A destination may be the memory of either side's input.
      for (SideRow &part : parts)
        part.reduce(e);
      for (auto [part, constant] : llvm::zip(parts, constants))
        part.finish(e, constant);
    });
  });
  return success();
}

LogicalResult kernel::lower(Emitter &e, const Chip &chip, RMSNormOp op) {
  return emitNorms(e, chip, op, getNorms(op));
}

LogicalResult kernel::lower(Emitter &e, const Chip &chip, AddRMSNormOp op) {
  return emitNorms(e, chip, op, getNorms(op));
}

LogicalResult kernel::lower(Emitter &e, const Chip &chip,
                            RMSNormQuantizeOp op) {
  return emitNorms(e, chip, op, getNorms(op));
}

LogicalResult kernel::lower(Emitter &e, const Chip &chip, DualRMSNormOp op) {
  return emitNorms(e, chip, op, getNorms(op));
}

LogicalResult kernel::lower(Emitter &e, const Chip &chip,
                            DualRMSNormQuantizeOp op) {
  return emitNorms(e, chip, op, getNorms(op));
}
