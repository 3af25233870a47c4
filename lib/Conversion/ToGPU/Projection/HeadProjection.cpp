//===- HeadProjection.cpp - GPU kernels of head_projection ----------------===//

#include "../Lowerings.h"
#include "../NVIDIA/Barriers.h"
#include "../Overlap.h"
#include "OutputTile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;
using namespace mlafuse::kernel::projection;

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

int64_t Projection::getSlices() const {
  return llvm::divideCeil(depth, schedule.tileDepth);
}

int64_t Projection::getSliceDepth(int64_t slice) const {
  return std::min(schedule.tileDepth,
                  getPaddedDepth() - slice * schedule.tileDepth);
}

int64_t Projection::getPaddedDepth() const {
  return usesFragments ? llvm::alignTo(depth, kInterleave) : depth;
}

bool Projection::isPerHead() const {
  return cast<MemRefType>(buffers.codes.getType()).getRank() > 2;
}

static LogicalResult verifyOperands(HeadProjectionOp op, const Chip &chip) {
  for (Value operand : {op.getX(), op.getW()}) {
    Type type = cast<MemRefType>(operand.getType()).getElementType();
    if (type.isBF16() || type.isF16())
      continue;
    return op.emitOpError("has no kernel for ")
           << chip.name << " with " << (operand == op.getX() ? "x" : "w")
           << " of " << type << ", but with bf16 and f16";
  }
  if (getElementTypeOrSelf(op.getX()) != getElementTypeOrSelf(op.getW()))
    return op.emitOpError("has no kernel for ")
           << chip.name << " with x of " << getElementTypeOrSelf(op.getX())
           << " and w of " << getElementTypeOrSelf(op.getW())
           << ": both have one type";
  return success();
}

/// [B, S, H, ..] as [B*S, H, ..] where the layout allows: a row is an index
/// then.
static Value collapseTokens(Emitter &e, Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  if (type.getRank() != 4 || !type.getLayout().isIdentity())
    return buffer;
  SmallVector<ReassociationIndices> groups = {{0, 1}, {2}, {3}};
  return memref::CollapseShapeOp::create(e, buffer, groups);
}

FailureOr<Projection> Projection::make(Emitter &e, HeadProjectionOp op,
                                       const Chip &chip) {
  FailureOr<ProjectionSchedule> schedule = chooseSchedule(op, chip);
  if (failed(schedule) || failed(verifyOperands(op, chip)))
    return failure();
  Projection p;
  p.schedule = *schedule;
  p.x = collapseTokens(e, op.getX());
  p.w = op.getW();
  p.actualRows = op.getNumActualTokens();
  p.readsWeightsEarly = canReadEarly(op, op.getX(), op.getW());
  p.usesFragments = !chip.multipliesWarpgroups();
  p.elements = getElementTypeOrSelf(op.getX());
  p.heads = rows::getSize(op.getW(), 0);
  p.depth = rows::getSize(op.getW(), 1);
  p.width = rows::getSize(op.getW(), 2);
  p.buffers = {op.getOutputQuant(),
               p.heads * p.width,
               collapseTokens(e, op.getOutputInit()),
               op.getScaleInit(),
               op.getScale(),
               op.getScaleUb(),
               op.getGlobalScale(),
               op.getRowOffset()};
  p.columns = p.schedule.tileColumns;
  OutputShape output = chooseOutputShape(p);
  TileShape tile = getTileShape(p, output);
  bool storesFragments = OutputTile::storesFragments(p);
  if (p.buffers.spec && !storesFragments &&
      (output.lanes < 4 || output.getTeam() > kWarpThreads ||
       needsSharedMaxima(p.buffers, chip, tile)))
    return op.emitOpError("has no kernel for ")
           << chip.name << " with " << p.buffers.spec.key
           << ": groups are 16 columns times a power of two";
  p.alignment.add(p.x, kChunk);
  p.alignment.add(p.w, kChunk);
  int64_t stored = output.lanes;
  if (storesFragments)
    stored =
        Chip::kAccessBytes * 8 /
        cast<MemRefType>(p.buffers.codes.getType()).getElementTypeBitWidth();
  else if (p.buffers.spec)
    stored = getCodeLanes(p.buffers, tile);
  p.alignment.add(p.buffers.codes, stored);
  return p;
}

//===----------------------------------------------------------------------===//
// Launch
//===----------------------------------------------------------------------===//

Value projection::getStoredRows(Emitter &e, const Projection &projection,
                                Value rows) {
  return getActualRows(e, rows, projection.actualRows);
}

SmallVector<Value, 3> projection::getPosition(Emitter &e, Value buffer,
                                              Value row) {
  auto type = cast<MemRefType>(buffer.getType());
  if (type.getRank() == 3)
    return {ptx::toIndex(e, row)};
  if (type.getDimSize(1) == 1)
    return {ptx::toIndex(e, row), rows::index(e, 0)};
  // Of 32 bits: a division of 64 takes registers that the kernels lack.
  Value queries =
      ptx::toI32(e, memref::DimOp::create(e, buffer, rows::index(e, 1)));
  Value request = arith::DivUIOp::create(e, row, queries);
  Value query = arith::RemUIOp::create(e, row, queries);
  return {ptx::toIndex(e, request), ptx::toIndex(e, query)};
}

Value projection::getStrideBytes(Emitter &e, Value buffer, int64_t dim) {
  auto type = cast<MemRefType>(buffer.getType());
  int64_t bytes = type.getElementTypeBitWidth() / 8;
  int64_t stride = type.getStridesAndOffset().first[dim];
  if (!ShapedType::isDynamic(stride))
    return ptx::i64(e, stride * bytes);
  auto metadata = memref::ExtractStridedMetadataOp::create(e, buffer);
  return ptx::timesI(e, ptx::toI64(e, metadata.getStrides()[dim]), bytes);
}

void projection::launchBlocks(Emitter &e, const Chip &chip,
                              const BlockGrid &grid,
                              const ScalePadding &padding,
                              function_ref<void(Emitter &, Kernel &)> body) {
  Value blocks = grid.count;
  if (padding)
    blocks = plus(e, blocks, ceilDiv(e, padding.getCount(), grid.threads));
  Kernel kernel(e, chip, blocks, rows::index(e, 1), grid.threads);
  kernel.setDynamicShared(grid.sharedBytes);
  if (grid.overlapsPrevious)
    kernel.setOverlapsPrevious();
  // The assembler has to know what a thread has at the start.
  if (grid.movesRegisters)
    kernel.setBlocksPerMultiprocessor(1);
  Emitter inner = kernel.getBody();
  if (!padding)
    return body(inner, kernel);
  scf::IfOp::create(
      inner, isLess(inner, kernel.getBlock(), grid.count),
      [&](OpBuilder &builder, Location loc) {
        Emitter e(loc, builder);
        body(e, kernel);
        scf::YieldOp::create(e);
      },
      [&](OpBuilder &builder, Location loc) {
        Emitter e(loc, builder);
        if (grid.overlapsPrevious)
          ptx::waitForPreviousLaunch(e);
        Value block = minus(e, kernel.getBlock(), grid.count);
        Value i = plus(e, times(e, block, grid.threads), kernel.getThread());
        runIf(e, isLess(e, i, padding.getCount()),
              [&](Emitter &e) { padding.store(e, i); });
        scf::YieldOp::create(e);
      });
}

LogicalResult kernel::lower(Emitter &e, const Chip &chip, HeadProjectionOp op) {
  FailureOr<Projection> projection = Projection::make(e, op, chip);
  if (failed(projection))
    return failure();
  Value batch = memref::DimOp::create(e, op.getX(), rows::index(e, 0));
  Value queries = memref::DimOp::create(e, op.getX(), rows::index(e, 1));
  Value inputRows = arith::MulIOp::create(e, batch, queries);
  ScalePadding padding(e, projection->buffers, inputRows);
  Value rows = clampRows(e, projection->buffers, inputRows);
  projection->alignment.dispatch(e, [&](Emitter &e) {
    if (chip.multipliesWarpgroups())
      launchWarpgroups(e, chip, *projection, rows, padding);
    else
      launchWarps(e, chip, *projection, rows, padding);
  });
  return success();
}
