//===- Quantize.cpp - GPU kernels of quantize -----------------------------===//

#include "Lowerings.h"
#include "MLAFuse/Conversion/Numerics.h"
#include "QuantizeTile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;

namespace {
/// The operands of one quantization and how its rows are divided.
struct Problem {
  QuantBuffers buffers;
  Value input;
  TileShape shape;
  RowLaunch launch;
  Alignment alignment;
};
} // namespace

static Tile::Values loadTile(Emitter &e, const Problem &problem,
                             const Tile &tile, Value row) {
  Tile::Values values =
      tile.load(e, problem.alignment.getRow(e, problem.input, row));
  for (Value &value : values)
    value = toF32(e, value);
  return values;
}

//===----------------------------------------------------------------------===//
// One dynamic scale for a tensor
//===----------------------------------------------------------------------===//

/// Runs `body` in one thread.
static void launchOne(Emitter &e, const Chip &chip,
                      function_ref<void(Emitter &)> body) {
  Value one = rows::index(e, 1);
  Kernel kernel(e, chip, one, one, chip.subgroupSize);
  Emitter inner = kernel.getBody();
  runIf(inner, isEqual(inner, kernel.getThread(), 0), body);
}

/// Leaves the scale in the scale buffer, which holds the largest magnitude
/// meanwhile. No block can tell that it is the last: each step is a launch.
static void emitTensorScale(Emitter &e, const Chip &chip, Problem &problem) {
  const QuantBuffers &buffers = problem.buffers;
  EffectiveRule rule = buffers.spec.getEffectiveRule();
  Value scales = buffers.scales;
  launchOne(e, chip, [&](Emitter &e) {
    memref::StoreOp::create(e, constant(e, rule.floorOnScale ? 0 : rule.floor),
                            scales, ValueRange{rows::index(e, 0)});
  });
  problem.alignment.dispatch(e, [&](Emitter &e) {
    launchRows(
        e, chip, problem.launch,
        [&](Emitter &e, Team &team, Value row, Value segment) {
          Tile tile(e, team, problem.shape, segment);
          Value most = constant(e, 0);
          for (Value value : loadTile(e, problem, tile, row))
            most = largest(
                e, most, reduceLanes(e, absF32(e, e.getLoc(), value), largest));
          most = team.reduce(e, most, largest);
          runIf(e, isEqual(e, team.getMember(), 0), [&](Emitter &e) {
            memref::AtomicRMWOp::create(e, arith::AtomicRMWKind::maximumf, most,
                                        scales, ValueRange{rows::index(e, 0)});
          });
        });
  });
  launchOne(e, chip, [&](Emitter &e) {
    Value scale = computeScale(e, rule, loadScalar(e, scales),
                               loadConstants(e, buffers).scaleUb);
    memref::StoreOp::create(e, scale, scales, ValueRange{rows::index(e, 0)});
  });
}

//===----------------------------------------------------------------------===//
// The op
//===----------------------------------------------------------------------===//

LogicalResult kernel::lower(Emitter &e, const Chip &chip, QuantizeOp op) {
  Problem problem;
  problem.input = collapseRows(e, op.getInput());
  problem.buffers = {op.getQuantSpec(),
                     getWidth(op.getInput()),
                     collapseRows(e, op.getCodesInit()),
                     op.getScaleInit(),
                     op.getScale(),
                     op.getScaleUb(),
                     op.getGlobalScale(),
                     op.getRowOffset()};
  const QuantBuffers &buffers = problem.buffers;
  problem.shape = chooseQuantizeTile(chip, buffers, buffers.width);
  if (failed(verifyQuantizeTile(op, chip, buffers, problem.shape)))
    return failure();
  int64_t lanes = problem.shape.lanes;
  problem.alignment.add(problem.input, lanes);
  problem.alignment.add(buffers.codes, getCodeLanes(buffers, lanes));
  Value rows = rows::getRowCount(e, problem.input);
  problem.launch = {clampRows(e, buffers, rows),
                    op.getNumActualTokens(),
                    problem.shape.threads,
                    problem.shape.getSegments(),
                    {}};

  bool isDynamicTensor = op.getKey().isPerTensor() && op.getKey().isDynamic();
  if (isDynamicTensor)
    emitTensorScale(e, chip, problem);
  ScalePadding padding(e, buffers, rows);
  problem.launch.paddings = padding;
  problem.alignment.dispatch(e, [&](Emitter &e) {
    launchRows(e, chip, problem.launch,
               [&](Emitter &e, Team &team, Value row, Value segment) {
                 QuantConstants constants = loadConstants(e, buffers);
                 if (isDynamicTensor) {
                   constants.scale = loadScalar(e, buffers.scales);
                   constants.inverseScale = arith::DivFOp::create(
                       e, constant(e, 1), constants.scale);
                 }
                 Tile tile(e, team, problem.shape, segment);
                 quantizeTile(e, buffers, constants, problem.alignment, row,
                              tile, loadTile(e, problem, tile, row));
               });
  });
  return success();
}
