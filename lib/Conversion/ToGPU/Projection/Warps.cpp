//===- Warps.cpp - head_projection by products of a warp ------------------===//
//
// A block has a tile of rows, 16 to a warp, and of one head's columns. Slices
// of the weights come through a ring in shared memory, those of x straight to
// registers, one ahead.
//
//===----------------------------------------------------------------------===//

#include "../NVIDIA/Warp.h"
#include "OutputTile.h"
#include "RowFragments.h"
#include "WeightTile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;
using namespace mlafuse::kernel::projection;

static int64_t getWarps(const Projection &projection) {
  return projection.schedule.tileRows / kWarpRows;
}

static int64_t getSlotBytes(const Projection &projection) {
  return WeightLoader::getBytes(projection, projection.schedule.tileDepth);
}

/// The sums are staged where the weights were.
static int64_t getSharedBytes(const Projection &projection) {
  ptx::SharedLayout memory;
  memory.add(std::max(projection.schedule.stages * getSlotBytes(projection),
                      getWarps(projection) * OutputTile::getBytes(projection)));
  return memory.getBytes();
}

namespace {

class WarpKernel {
public:
  WarpKernel(Emitter &e, const Projection &projection, Kernel &kernel)
      : p(projection), kernel(kernel), start(ptx::getSharedStart(e)),
        warp(dividedBy(e, kernel.getThread(), kWarpThreads)),
        lane(modulo(e, kernel.getThread(), kWarpThreads)) {}

  /// Tile number `tile` of `head`, rows from `firstRow` on of `rows`.
  void emit(Emitter &e, Value head, Value tile, Value firstRow, Value rows);

private:
  ptx::SwizzledTile getSlot(int64_t slice) const {
    return {start + slice % p.schedule.stages * getSlotBytes(p),
            p.schedule.tileDepth};
  }
  void multiplySlice(Emitter &e, int64_t slice, ValueRange fragments,
                     ptx::Registers &sums) const;

  const Projection &p;
  Kernel &kernel;
  ptx::Address start;
  Value warp, lane; ///< Indices.
};

} // namespace

void WarpKernel::multiplySlice(Emitter &e, int64_t slice, ValueRange fragments,
                               ptx::Registers &sums) const {
  // Lane l names row l mod 8 of matrix l/8: values 0 to 7 and 8 to 15 of K of
  // eight columns, then of the next eight.
  Value lane32 = ptx::toI32(e, lane);
  Value row = ptx::moduloI(e, lane32, 16);
  Value nextAtom = ptx::dividedByI(e, lane32, 16);
  int64_t atoms = p.columns / kChunk;
  constexpr int64_t kBoxAtoms = ptx::SwizzledTile::kBoxColumns / kChunk;
  for (int64_t i = 0; i < p.getSliceDepth(slice) / kProductDepth; ++i) {
    ValueRange a = RowFragments::getOperand(fragments, i);
    for (int64_t atom = 0; atom < atoms; atom += 2) {
      bool isPair = atom + 1 < atoms;
      // An atom without a neighbour is read twice.
      Value chunk = isPair ? ptx::plusI(e, nextAtom, atom % kBoxAtoms)
                           : ptx::i32(e, atom % kBoxAtoms);
      ptx::Registers b = ptx::loadMatrices(
          e,
          getSlot(slice).getChunk(e, ptx::plusI(e, row, i * kProductDepth),
                                  chunk, atom / kBoxAtoms),
          /*transposed=*/true);
      for (int64_t j = 0; j < (isPair ? 2 : 1); ++j) {
        auto place = MutableArrayRef(sums).slice(4 * (atom + j), 4);
        llvm::copy(ptx::multiplyWarp(e, p.elements, ValueRange(place), a,
                                     ValueRange(b).slice(2 * j, 2)),
                   place.begin());
      }
    }
  }
}

void WarpKernel::emit(Emitter &e, Value head, Value tile, Value firstRow,
                      Value rows) {
  Value warpRow = ptx::toI32(e, plus(e, firstRow, times(e, warp, kWarpRows)));
  Value rowCount = ptx::toI32(e, rows);
  RowFragments x(e, p, ptx::toI32(e, lane), head, warpRow, rowCount);
  WeightLoader weights(e, p, kernel.getThread(), kernel.getThreads(), head);
  Value column = times(e, tile, p.columns);
  int64_t slices = p.getSlices(), ahead = p.schedule.stages - 1;
  // A group of copies for each slice, an empty one for those that K lacks.
  auto loadWeights = [&](int64_t slice) {
    if (slice < slices)
      weights.load(e, slice * p.schedule.tileDepth, p.getSliceDepth(slice),
                   column, getSlot(slice), /*firstRow=*/0);
    ptx::commitCopies(e);
  };
  for (int64_t slice = 0; slice < ahead; ++slice)
    loadWeights(slice);
  ptx::Registers sums(2 * p.getSums() / 2, constant(e, 0));
  ptx::Registers fragments = x.load(e, 0);
  for (int64_t slice = 0; slice < slices; ++slice) {
    ptx::waitCopies(e, ahead - 1);
    // Also, all are done with the slot that is filled next.
    Kernel::barrier(e);
    loadWeights(slice + ahead);
    ptx::Registers next;
    if (slice + 1 < slices)
      next = x.load(e, slice + 1);
    multiplySlice(e, slice, fragments, sums);
    fragments = next;
  }
  Kernel::barrier(e);
  OutputTile output(e, kernel, p, /*staging=*/start);
  runIf(e, ptx::isLessI(e, warpRow, rowCount), [&](Emitter &e) {
    output.store(e, sums, warpRow, /*rowStep=*/1, rowCount, head, tile);
  });
}

void projection::launchWarps(Emitter &e, const Chip &chip,
                             const Projection &projection, Value rows,
                             const ScalePadding &padding) {
  int64_t tiles = projection.getTilesPerHead();
  int64_t units = projection.heads * tiles;
  int64_t tileRows = projection.schedule.tileRows;
  Value blocks = times(e, ceilDiv(e, rows, tileRows), units);
  BlockGrid grid{blocks, getWarps(projection) * kWarpThreads,
                 getSharedBytes(projection), /*overlapsPrevious=*/false,
                 /*movesRegisters=*/false};
  launchBlocks(e, chip, grid, padding, [&](Emitter &e, Kernel &kernel) {
    Value block = kernel.getBlock();
    Value stored = getStoredRows(e, projection, rows);
    Value firstRow = times(e, dividedBy(e, block, units), tileRows);
    Value unit = modulo(e, block, units);
    runIf(e, isLess(e, firstRow, stored), [&](Emitter &e) {
      WarpKernel(e, projection, kernel)
          .emit(e, dividedBy(e, unit, tiles), modulo(e, unit, tiles), firstRow,
                stored);
    });
  });
}
