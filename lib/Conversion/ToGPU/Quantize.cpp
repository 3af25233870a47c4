//===- Quantize.cpp - GPU kernels of quantize -----------------------------===//

#include "Lowerings.h"
#include "MLAFuse/Conversion/Numerics.h"
#include "QuantizeTile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;

namespace {

/// One quantization and how its rows are divided.
class Quantization {
public:
  Quantization(Emitter &e, const Chip &chip, QuantizeOp op)
      : chip(chip), count(op.getNumActualTokens()),
        input(collapseRows(e, op.getInput())),
        buffers{op.getQuantSpec(),
                getWidth(op.getInput()),
                collapseRows(e, op.getCodesInit()),
                op.getScaleInit(),
                op.getScale(),
                op.getScaleUb(),
                op.getGlobalScale(),
                op.getRowOffset()},
        shape(chooseQuantizeTile(chip, buffers, buffers.width)),
        inputRows(rows::getRowCount(e, input)),
        rows(clampRows(e, buffers, inputRows)) {
    alignment.add(input, shape.lanes);
    alignment.add(buffers.codes, getCodeLanes(buffers, shape));
    if (isSegmented(buffers, chip, shape))
      longShape = chooseLongTile(chip, buffers.width, shape.lanes);
  }

  LogicalResult emit(Emitter &e, Operation *op) {
    if (failed(verifyQuantizeTile(op, chip, buffers, shape)))
      return failure();
    if (hasTensorScale())
      emitTensorScale(e);
    ScalePadding padding(e, buffers, inputRows);
    forEachTile(e, padding, [&](Emitter &e, const Tile &tile, Value row) {
      QuantConstants constants = loadConstants(e, buffers);
      if (hasTensorScale()) {
        constants.scale = loadScalar(e, buffers.scales);
        constants.inverseScale =
            arith::DivFOp::create(e, constant(e, 1), constants.scale);
      }
      quantizeTile(e, buffers, constants, alignment, row, tile,
                   load(e, tile, row));
    });
    return success();
  }

private:
  /// One dynamic scale for all rows.
  bool hasTensorScale() const {
    return buffers.spec.key.isPerTensor() && buffers.spec.key.isDynamic();
  }

  Tile::Values load(Emitter &e, const Tile &tile, Value row) const {
    Tile::Values values = tile.load(e, alignment.getRow(e, input, row));
    for (Value &value : values)
      value = toF32(e, value);
    return values;
  }

  using TileBody = function_ref<void(Emitter &, const Tile &, Value row)>;

  void launchTiles(Emitter &e, const TileShape &shape,
                   ArrayRef<ScalePadding> paddings, TileBody body) const {
    RowLaunch launch{rows, count, shape.threads, shape.getSegments(), paddings};
    launchRows(e, chip, launch,
               [&](Emitter &e, Team &team, Value row, Value segment) {
                 body(e, Tile(e, team, shape, segment), row);
               });
  }

  /// Runs `body` for every tile: long ones where rows are many.
  void forEachTile(Emitter &e, ArrayRef<ScalePadding> paddings, TileBody body) {
    alignment.dispatch(e, [&](Emitter &e) {
      if (!longShape || !alignment.isWideForm())
        return launchTiles(e, shape, paddings, body);
      // So many that all multiprocessors have a few of them.
      constexpr int64_t kBlocksEach = 8;
      int64_t fewest = llvm::divideCeil(kBlocksEach * chip.multiprocessors,
                                        longShape->getSegments());
      Value areMany = arith::CmpIOp::create(e, arith::CmpIPredicate::uge, rows,
                                            rows::index(e, fewest));
      auto emitShape = [&](const TileShape &shape) {
        return [&](OpBuilder &builder, Location loc) {
          Emitter inner(loc, builder);
          launchTiles(inner, shape, paddings, body);
          scf::YieldOp::create(inner);
        };
      };
      scf::IfOp::create(e, areMany, emitShape(*longShape), emitShape(shape));
    });
  }

  /// Runs `body` in one thread.
  void launchOne(Emitter &e, function_ref<void(Emitter &)> body) const {
    Value one = rows::index(e, 1);
    Kernel kernel(e, chip, one, one, chip.subgroupSize);
    Emitter inner = kernel.getBody();
    runIf(inner, isEqual(inner, kernel.getThread(), 0), body);
  }

  /// Leaves the scale in the scale buffer, which holds the largest magnitude
  /// meanwhile. No block can tell that it is the last: each step is a launch.
  void emitTensorScale(Emitter &e) {
    EffectiveRule rule = buffers.spec.getEffectiveRule();
    Value scales = buffers.scales;
    launchOne(e, [&](Emitter &e) {
      memref::StoreOp::create(e,
                              constant(e, rule.floorOnScale ? 0 : rule.floor),
                              scales, ValueRange{rows::index(e, 0)});
    });
    forEachTile(e, {}, [&](Emitter &e, const Tile &tile, Value row) {
      Value most = constant(e, 0);
      for (Value value : load(e, tile, row))
        most = largest(e, most,
                       reduceLanes(e, absF32(e, e.getLoc(), value), largest));
      most = tile.getTeam().reduce(e, most, largest);
      Value isFirst = isEqual(e, tile.getTeam().getMember(), 0);
      runIf(e, isFirst, [&](Emitter &e) {
        memref::AtomicRMWOp::create(e, arith::AtomicRMWKind::maximumf, most,
                                    scales, ValueRange{rows::index(e, 0)});
      });
    });
    launchOne(e, [&](Emitter &e) {
      Value scale = computeScale(e, rule, loadScalar(e, scales),
                                 loadConstants(e, buffers).scaleUb);
      memref::StoreOp::create(e, scale, scales, ValueRange{rows::index(e, 0)});
    });
  }

  const Chip &chip;
  Value count, input;
  QuantBuffers buffers;
  TileShape shape;
  std::optional<TileShape> longShape;
  Value inputRows, rows;
  Alignment alignment;
};

} // namespace

LogicalResult kernel::lower(Emitter &e, const Chip &chip, QuantizeOp op) {
  return Quantization(e, chip, op).emit(e, op);
}
