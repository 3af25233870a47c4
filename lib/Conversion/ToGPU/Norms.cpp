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

/// The same buffers as rank 2 where their layout allows.
static NormSide collapse(Emitter &e, NormSide side) {
  for (Value *buffer :
       {&side.norm.input, &side.norm.residual, &side.norm.residualOut,
        &side.unquantized, &side.quant.codes})
    *buffer = collapseRows(e, *buffer);
  return side;
}

namespace {

/// One side of the rows of a team.
class NormRows {
public:
  /// `storedRows` is how many rows the codes have room for; null: for all.
  NormRows(Emitter &e, const NormSide &side, Value storedRows,
           const Alignment &alignment, const Team &team, const TileShape &shape)
      : side(side), norm(side.norm), storedRows(storedRows),
        alignment(alignment), tile(e, team, shape) {}

  /// What all rows share.
  void prepare(Emitter &e) {
    if (norm.weight)
      weights = tile.load(e, alignment.getVector(norm.weight));
    if (side.quant.spec)
      constants = loadConstants(e, side.quant);
  }

  /// The inputs of a row, and its residuals behind them.
  void load(Emitter &e, Value row, RowWorker::Values &loaded) const {
    llvm::append_range(loaded,
                       tile.load(e, alignment.getRow(e, norm.input, row)));
    if (norm.residual)
      llvm::append_range(loaded,
                         tile.load(e, alignment.getRow(e, norm.residual, row)));
  }

  /// Takes what `load` gave from the front of `loaded` and widens it (with a
  /// residual: the sum). Returns the thread's sum of squares.
  Value takeRow(Emitter &e, ValueRange &loaded) {
    size_t chunks = tile.getShape().chunks;
    values.clear();
    Value squares;
    for (size_t chunk = 0; chunk < chunks; ++chunk) {
      Value value = toF32(e, loaded[chunk]);
      if (norm.residual)
        value = add(e, value, toF32(e, loaded[chunks + chunk]));
      values.push_back(value);
      squares = squares
                    ? math::FmaOp::create(e, value, value, squares).getResult()
                    : mul(e, value, value);
    }
    loaded = loaded.drop_front(norm.residual ? 2 * chunks : chunks);
    return reduceLanes(e, squares, add);
  }

  /// Computes 1 / rms from the row's sum of squares.
  void setSum(Emitter &e, Value sum) {
    Value variance =
        arith::DivFOp::create(e, sum, constant(e, norm.getWidth()));
    Value epsilon = constant(e, norm.epsilon.convertToDouble());
    inverse = emitInvSqrt(e, e.getLoc(), add(e, variance, epsilon));
  }

  /// Normalizes and stores what the side gives.
  void finish(Emitter &e, Value row) {
    RowView residualOut = alignment.getRow(e, norm.residualOut, row);
    RowView unquantized = alignment.getRow(e, side.unquantized, row);
    for (auto [chunk, value] : llvm::enumerate(values)) {
      if (norm.residual)
        tile.store(e, chunk, residualOut,
                   fromF32(e, value, residualOut.getElementType()));
      value = normalize(e, chunk, value);
      if (side.unquantized)
        tile.store(e, chunk, unquantized,
                   fromF32(e, value, unquantized.getElementType()));
    }
    if (!side.quant.spec)
      return;
    // The same for all threads that meet at a barrier.
    Value isStored = storedRows ? isLess(e, row, storedRows) : Value();
    runIf(e, isStored, [&](Emitter &e) {
      quantizeTile(e, side.quant, constants, alignment, row, tile, values);
    });
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
  Value storedRows;
  const Alignment &alignment;
  Tile tile;
  Tile::Values weights, values;
  QuantConstants constants;
  Value inverse;
};

/// All sides of the rows of a team.
class NormWorker : public RowWorker {
public:
  NormWorker(Emitter &e, ArrayRef<NormSide> sides, ArrayRef<Value> storedRows,
             ArrayRef<TileShape> shapes, const Alignment &alignment,
             const Team &team)
      : team(team) {
    for (auto [side, stored, shape] : llvm::zip(sides, storedRows, shapes))
      parts.emplace_back(e, side, stored, alignment, team, shape);
  }

  void prepare(Emitter &e) override {
    for (NormRows &part : parts)
      part.prepare(e);
  }

  Values load(Emitter &e, Value row) override {
    Values loaded;
    for (const NormRows &part : parts)
      part.load(e, row, loaded);
    return loaded;
  }

  void work(Emitter &e, Value row, ValueRange loaded) override {
    SmallVector<Value, 2> sums;
    for (NormRows &part : parts)
      sums.push_back(part.takeRow(e, loaded));
    // From here on the row's memory may be overwritten: a destination may be
    // that of either side's input.
    for (auto [part, sum] : llvm::zip(parts, team.reduce(e, sums, add)))
      part.setSum(e, sum);
    for (NormRows &part : parts)
      part.finish(e, row);
  }

private:
  const Team &team;
  SmallVector<NormRows, 2> parts;
};

/// One launch for all sides of an op.
class NormLaunch {
public:
  NormLaunch(Emitter &e, const Chip &chip, const NormProblem &problem)
      : chip(chip), count(problem.count) {
    for (const NormSide &side : problem.sides)
      sides.push_back(collapse(e, side));
  }

  LogicalResult emit(Emitter &e, Operation *op) {
    if (failed(chooseShapes(op)))
      return failure();
    SmallVector<ScalePadding, 2> paddings;
    Value rows;
    for (auto [side, shape] : llvm::zip(sides, shapes)) {
      addBuffers(side, shape);
      Value sideRows = rows::getRowCount(e, side.norm.input);
      paddings.emplace_back(e, side.quant, sideRows);
      storedRows.push_back(
          side.quant.rowOffset ? clampRows(e, side.quant, sideRows) : Value());
      rows = rows ? arith::MinUIOp::create(e, rows, sideRows).getResult()
                  : sideRows;
    }
    RowLaunch launch{rows, count, threads, 1, paddings};
    alignment.dispatch(e, [&](Emitter &e) { emitForm(e, launch); });
    return success();
  }

private:
  /// A tile for each side, and a team that has the threads of all.
  LogicalResult chooseShapes(Operation *op) {
    threads = chip.subgroupSize;
    for (const NormSide &side : sides) {
      shapes.push_back(chooseSumTile(chip, side.norm.getWidth()));
      const TileShape &shape = shapes.back();
      if (failed(side.quant.spec
                     ? verifyQuantizeTile(op, chip, side.quant, shape)
                     : verifyTile(op, chip, shape)))
        return failure();
      threads = std::max(threads, shape.threads);
      // Shared maxima are the block's: a team of several subgroups has it
      // alone.
      if (side.quant.spec && needsSharedMaxima(side.quant, chip, shape))
        threads = std::max(threads, 2 * chip.subgroupSize);
    }
    return success();
  }

  void addBuffers(const NormSide &side, const TileShape &shape) {
    for (Value buffer :
         {side.norm.input, side.norm.residual, side.norm.residualOut,
          side.norm.weight, side.unquantized})
      alignment.add(buffer, shape.lanes);
    if (side.quant.spec)
      alignment.add(side.quant.codes, getCodeLanes(side.quant, shape));
  }

  void emitForm(Emitter &e, const RowLaunch &launch) {
    auto makeWorker = [&](Emitter &e, Team &team) {
      return std::make_unique<NormWorker>(e, sides, storedRows, shapes,
                                          alignment, team);
    };
    // Rows that leave registers for few teams: the loads of one must not wait
    // for the work on another. Where a residual is read and written too, there
    // is less work for each byte, and no room for a second row.
    bool isHeavy = llvm::any_of(llvm::zip(sides, shapes), [](auto part) {
      auto &[side, shape] = part;
      return !side.norm.residual && !isLight(shape);
    });
    if (isHeavy)
      return launchRowLoop(e, chip, launch, makeWorker);
    launchRows(e, chip, launch, [&](Emitter &e, Team &team, Value row, Value) {
      auto worker = makeWorker(e, team);
      RowWorker::Values loaded = worker->load(e, row);
      worker->prepare(e);
      worker->work(e, row, loaded);
    });
  }

  const Chip &chip;
  Value count;
  int64_t threads;
  SmallVector<NormSide, 2> sides;
  SmallVector<Value, 2> storedRows;
  SmallVector<TileShape, 2> shapes;
  Alignment alignment;
};

} // namespace

LogicalResult kernel::lower(Emitter &e, const Chip &chip, RMSNormOp op) {
  return NormLaunch(e, chip, getNorms(op)).emit(e, op);
}

LogicalResult kernel::lower(Emitter &e, const Chip &chip, AddRMSNormOp op) {
  return NormLaunch(e, chip, getNorms(op)).emit(e, op);
}

LogicalResult kernel::lower(Emitter &e, const Chip &chip,
                            RMSNormQuantizeOp op) {
  return NormLaunch(e, chip, getNorms(op)).emit(e, op);
}

LogicalResult kernel::lower(Emitter &e, const Chip &chip, DualRMSNormOp op) {
  return NormLaunch(e, chip, getNorms(op)).emit(e, op);
}

LogicalResult kernel::lower(Emitter &e, const Chip &chip,
                            DualRMSNormQuantizeOp op) {
  return NormLaunch(e, chip, getNorms(op)).emit(e, op);
}
