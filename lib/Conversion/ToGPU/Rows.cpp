//===- Rows.cpp - a launch over rows --------------------------------------===//

#include "Rows.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;

/// Threads of a block whose teams are smaller.
static constexpr int64_t kBlockThreads = 128;

/// Threads of a multiprocessor that loop over rows: with a row and the next one
/// in registers, no more fit.
static constexpr int64_t kResidentThreads = 384;

//===----------------------------------------------------------------------===//
// Padding
//===----------------------------------------------------------------------===//

/// Rows that the layout rounds up to; 1: no padding.
static int64_t getRowTile(ScaleLayout layout) {
  switch (layout) {
  case ScaleLayout::TMAAligned:
  case ScaleLayout::PackedUE8M0:
    return 4;
  case ScaleLayout::Swizzled128x4:
    return 128;
  default:
    return 1;
  }
}

/// Groups of a storage row, the layout's own rounding included; four of the
/// swizzled layout, which lie together, count as one.
static int64_t getColumns(const QuantBuffers &buffers) {
  int64_t groups = buffers.width / buffers.spec.getGroupSize(buffers.width);
  bool isByGroup = buffers.spec.getLayout() == ScaleLayout::TMAAligned;
  return isByGroup ? groups : llvm::divideCeil(groups, 4);
}

ScalePadding::ScalePadding(Emitter &e, const QuantBuffers &buffers, Value rows)
    : buffers(buffers) {
  const QuantSpec &spec = buffers.spec;
  if (!spec || !spec.hasScaleResult() || spec.key.isPerTensor() ||
      getRowTile(spec.getLayout()) == 1)
    return;
  int64_t tile = getRowTile(spec.getLayout());
  total = rows::getRowCount(e, buffers.codes);
  Value end = buffers.rowOffset ? plus(e, rows, buffers.rowOffset) : rows;
  Value padding = minus(e, times(e, ceilDiv(e, total, tile), tile), total);
  Value reachesEnd =
      arith::CmpIOp::create(e, arith::CmpIPredicate::uge, end, total);
  paddedRows =
      arith::SelectOp::create(e, reachesEnd, padding, rows::index(e, 0));
  count = times(e, paddedRows, getColumns(buffers));
}

void ScalePadding::store(Emitter &e, Value i) const {
  bool isSwizzled = buffers.spec.getLayout() == ScaleLayout::Swizzled128x4;
  // Neighbouring threads write neighbouring elements.
  Value row = plus(e, total, arith::RemUIOp::create(e, i, paddedRows));
  Value column = arith::DivUIOp::create(e, i, paddedRows);
  Type elementType =
      cast<MemRefType>(buffers.scales.getType()).getElementType();
  int64_t lanes = isSwizzled ? 4 : 1;
  Value zero = arith::ConstantOp::create(
      e, cast<TypedAttr>(e.getZeroAttr(VectorType::get({lanes}, elementType))));
  if (!isSwizzled)
    return RowView{buffers.scales, {column}}.store(e, zero, row);
  SmallVector<Value, 2> indices = getScaleIndices(
      e, ScaleLayout::Swizzled128x4, buffers.scales, row, times(e, column, 4));
  RowView{buffers.scales, {indices[0]}}.store(e, zero, indices[1]);
}

//===----------------------------------------------------------------------===//
// Launch
//===----------------------------------------------------------------------===//

static void emitPadding(Emitter &e, const Kernel &kernel,
                        ArrayRef<ScalePadding> paddings, Value firstBlock) {
  Value block = minus(e, kernel.getBlock(), firstBlock);
  Value i = plus(e, times(e, block, kernel.getThreads()), kernel.getThread());
  for (const ScalePadding &padding : paddings)
    if (padding)
      runIf(e, isLess(e, i, padding.getCount()),
            [&](Emitter &e) { padding.store(e, i); });
}

/// The largest count of zeros; null if there are none.
static Value getMostPadding(Emitter &e, ArrayRef<ScalePadding> paddings) {
  Value most;
  for (const ScalePadding &padding : paddings)
    if (padding)
      most =
          most ? arith::MaxUIOp::create(e, most, padding.getCount()).getResult()
               : padding.getCount();
  return most;
}

/// Launches `rowBlocks` blocks that run `body`, and those that write padding.
static void launchBlocks(Emitter &e, const Chip &chip, const RowLaunch &launch,
                         Value rowBlocks, int64_t threads,
                         function_ref<void(Emitter &, Kernel &)> body) {
  Value padding = getMostPadding(e, launch.paddings);
  Value blocks =
      padding ? plus(e, rowBlocks, ceilDiv(e, padding, threads)) : rowBlocks;
  Kernel kernel(e, chip, blocks, rows::index(e, launch.segments), threads);
  Emitter inner = kernel.getBody();
  if (!padding)
    return body(inner, kernel);
  scf::IfOp::create(
      inner, isLess(inner, kernel.getBlock(), rowBlocks),
      [&](OpBuilder &builder, Location loc) {
        Emitter e(loc, builder);
        body(e, kernel);
        scf::YieldOp::create(e);
      },
      [&](OpBuilder &builder, Location loc) {
        Emitter e(loc, builder);
        // The blocks of all segments get here; one writes.
        Value isFirst =
            launch.segments > 1 ? isEqual(e, kernel.getBlockY(), 0) : Value();
        runIf(e, isFirst, [&](Emitter &e) {
          emitPadding(e, kernel, launch.paddings, rowBlocks);
        });
        scf::YieldOp::create(e);
      });
}

/// Threads of a block of such teams.
static int64_t getBlockThreads(const Chip &chip, const RowLaunch &launch) {
  return launch.threads == chip.subgroupSize
             ? std::max(kBlockThreads, launch.threads)
             : launch.threads;
}

/// The first row of the team.
static Value getFirstRow(Emitter &e, const Kernel &kernel, const Team &team) {
  int64_t teams = kernel.getThreads() / team.getThreads();
  return teams == 1
             ? kernel.getBlock()
             : plus(e, times(e, kernel.getBlock(), teams), team.getNumber());
}

void kernel::launchRows(
    Emitter &e, const Chip &chip, const RowLaunch &launch,
    function_ref<void(Emitter &, Team &, Value, Value)> body) {
  int64_t threads = getBlockThreads(chip, launch);
  int64_t teams = threads / launch.threads;
  launchBlocks(e, chip, launch, ceilDiv(e, launch.rows, teams), threads,
               [&](Emitter &e, Kernel &kernel) {
                 Team team(kernel, e, launch.threads);
                 Value row = getFirstRow(e, kernel, team);
                 Value rows = getActualRows(e, launch.rows, launch.count);
                 Value isRow =
                     teams > 1 || launch.count ? isLess(e, row, rows) : Value();
                 runIf(e, isRow, [&](Emitter &e) {
                   body(e, team, row,
                        launch.segments > 1 ? kernel.getBlockY() : Value());
                 });
               });
}

void kernel::launchRowLoop(
    Emitter &e, const Chip &chip, const RowLaunch &launch,
    function_ref<std::unique_ptr<RowWorker>(Emitter &, Team &)> makeWorker) {
  int64_t threads = getBlockThreads(chip, launch);
  int64_t teams = threads / launch.threads;
  int64_t resident =
      chip.multiprocessors * std::max<int64_t>(1, kResidentThreads / threads);
  Value rowBlocks = arith::MinUIOp::create(e, ceilDiv(e, launch.rows, teams),
                                           rows::index(e, resident));
  launchBlocks(
      e, chip, launch, rowBlocks, threads, [&](Emitter &e, Kernel &kernel) {
        Team team(kernel, e, launch.threads);
        Value first = getFirstRow(e, kernel, team);
        Value rows = getActualRows(e, launch.rows, launch.count);
        Value stride = times(e, rowBlocks, teams);
        runIf(e, isLess(e, first, rows), [&](Emitter &e) {
          std::unique_ptr<RowWorker> worker = makeWorker(e, team);
          RowWorker::Values state = worker->load(e, first);
          worker->prepare(e);
          state.push_back(rows::index(e, 0));
          auto loop = scf::ForOp::create(e, first, rows, stride, state);
          OpBuilder::InsertionGuard guard(e);
          e.setInsertionPointToStart(loop.getBody());
          Value row = loop.getInductionVar();
          ValueRange current = loop.getRegionIterArgs().drop_back();
          Value phase = loop.getRegionIterArgs().back();
          Value next = plus(e, row, stride);
          auto loadNext = scf::IfOp::create(
              e, isLess(e, next, rows),
              [&](OpBuilder &builder, Location loc) {
                Emitter inner(loc, builder);
                scf::YieldOp::create(inner, worker->load(inner, next));
              },
              [&](OpBuilder &builder, Location loc) {
                scf::YieldOp::create(builder, loc, current);
              });
          team.setPhase(phase);
          worker->work(e, row, current);
          RowWorker::Values yielded(loadNext.getResults());
          yielded.push_back(minus(e, rows::index(e, 1), phase));
          scf::YieldOp::create(e, yielded);
        });
      });
}
