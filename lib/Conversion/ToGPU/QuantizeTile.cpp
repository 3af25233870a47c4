//===- QuantizeTile.cpp - codes and scales of a tile ----------------------===//
//
// Three ways to the largest magnitude of a group: over the whole team, if the
// group is the row; over a run of neighbouring threads, if a chunk of each
// makes up the group; through shared memory, whatever the group is.
//
//===----------------------------------------------------------------------===//

#include "QuantizeTile.h"
#include "MLAFuse/Conversion/Numerics.h"
#include "Quotient.h"
#include "ScaleStore.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;

/// True if every group has its scale computed here: neither given nor one for
/// the whole tensor.
static bool hasGroups(const QuantSpec &spec) {
  return !spec.key.getIsStatic() && !spec.key.isPerTensor();
}

SmallVector<int64_t, 2> kernel::getSpans(const QuantBuffers &buffers) {
  SmallVector<int64_t, 2> spans{buffers.width};
  if (hasGroups(buffers.spec))
    spans.push_back(buffers.spec.getGroupSize(buffers.width));
  return spans;
}

namespace {
enum class Maxima { None, Team, Runs, Shared };
} // namespace

/// Elements of a chunk that lie in one group.
static int64_t getPieceLanes(const QuantBuffers &buffers,
                             const TileShape &shape) {
  if (!hasGroups(buffers.spec))
    return shape.lanes;
  return chooseLanes({buffers.spec.getGroupSize(buffers.width)}, shape.lanes);
}

/// True if the scales of a word of the packed layout are not one team's: each
/// is then stored as its byte of the word. Only teams that are parts of a
/// subgroup are so narrow.
static bool storesBytes(const QuantBuffers &buffers, const Chip &chip,
                        const TileShape &shape) {
  int64_t group = buffers.spec.getGroupSize(buffers.width);
  return ScaleStore::isPacked(buffers.spec) &&
         shape.threads < chip.subgroupSize &&
         shape.getSegment() % (4 * group) != 0;
}

static Maxima chooseMaxima(const QuantBuffers &buffers, const Chip &chip,
                           const TileShape &shape) {
  if (!hasGroups(buffers.spec))
    return Maxima::None;
  int64_t group = buffers.spec.getGroupSize(buffers.width);
  if (group == buffers.width)
    return Maxima::Team;
  int64_t lanes = getPieceLanes(buffers, shape), run = group / lanes;
  // A thread with several groups is no part of a run.
  if (lanes < shape.lanes)
    return run == 1 && !ScaleStore::isPacked(buffers.spec) ? Maxima::Runs
                                                           : Maxima::Shared;
  // Four neighbouring groups share a word of packed scales.
  bool isWord =
      ScaleStore::isPacked(buffers.spec) && !storesBytes(buffers, chip, shape);
  int64_t most = run * (isWord ? 4 : 1);
  return llvm::isPowerOf2_64(run) && most <= chip.subgroupSize ? Maxima::Runs
                                                               : Maxima::Shared;
}

int64_t kernel::getCodeLanes(const QuantBuffers &buffers,
                             const TileShape &shape) {
  int64_t lanes = getPieceLanes(buffers, shape);
  return buffers.spec.key.isFP4() ? lanes / 2 : lanes;
}

bool kernel::isSegmented(const QuantBuffers &buffers, const Chip &chip,
                         const TileShape &shape) {
  if (!buffers.spec)
    return true;
  Maxima maxima = chooseMaxima(buffers, chip, shape);
  return maxima == Maxima::None || maxima == Maxima::Runs;
}

bool kernel::needsSharedMaxima(const QuantBuffers &buffers, const Chip &chip,
                               const TileShape &shape) {
  return chooseMaxima(buffers, chip, shape) == Maxima::Shared;
}

TileShape kernel::chooseQuantizeTile(const Chip &chip,
                                     const QuantBuffers &buffers,
                                     int64_t span) {
  // A thread with 32 bytes of bf16 has all of a small group, and half the work
  // of finding scales per element.
  constexpr int64_t kMostLanes = 16;
  SmallVector<int64_t, 2> spans{buffers.width};
  if (buffers.spec)
    spans = getSpans(buffers);
  spans.push_back(span);
  int64_t lanes = chooseLanes(spans, kMostLanes);
  TileShape shape = chooseSegmentTile(chip, buffers.width, lanes);
  if (isSegmented(buffers, chip, shape))
    return shape;
  // Shared maxima are the block's: a team of several subgroups has it alone.
  int64_t least =
      needsSharedMaxima(buffers, chip, shape) ? 2 * chip.subgroupSize : 0;
  return chooseRowTile(chip, buffers.width, lanes, least);
}

LogicalResult kernel::verifyQuantizeTile(Operation *op, const Chip &chip,
                                         const QuantBuffers &buffers,
                                         const TileShape &shape) {
  if (failed(verifyTile(op, chip, shape)))
    return failure();
  if (!buffers.spec || !buffers.spec.key.isFP4() ||
      getPieceLanes(buffers, shape) > 1)
    return success();
  return op->emitOpError() << "has no kernel for " << chip.name << " with "
                           << buffers.spec.key
                           << " and heads of an odd width: two codes share a "
                              "byte, and a thread's elements lie in one head";
}

namespace {

class TileQuantizer {
public:
  TileQuantizer(Emitter &e, const QuantBuffers &buffers,
                const QuantConstants &constants, const Alignment &alignment,
                Value row, const Tile &tile, ArrayRef<Value> values)
      : buffers(buffers), constants(constants), tile(tile),
        key(buffers.spec.key), rule(buffers.spec.getEffectiveRule()),
        maxima(chooseMaxima(buffers, tile.getTeam().getKernel().getChip(),
                            tile.getShape())),
        isByByte(storesBytes(buffers, tile.getTeam().getKernel().getChip(),
                             tile.getShape())) {
    group = buffers.spec.getGroupSize(buffers.width);
    outputRow = buffers.rowOffset ? plus(e, row, buffers.rowOffset) : row;
    codes = alignment.getRow(e, buffers.codes, outputRow);
    cutChunks(e, values);
  }

  void run(Emitter &e) {
    switch (maxima) {
    case Maxima::None:
      for (const Piece &piece : pieces)
        storeCodes(e, piece,
                   {constants.scale, constants.inverseScale, Value()});
      return;
    case Maxima::Team:
      return runTeam(e);
    case Maxima::Runs:
      return runRuns(e);
    case Maxima::Shared:
      return runShared(e);
    }
  }

private:
  /// A part of a chunk that lies in one group.
  struct Piece {
    Value value, column;
    Value inside; ///< Whether the row has it; null: always.
  };

  void cutChunks(Emitter &e, ArrayRef<Value> values) {
    lanes = getPieceLanes(buffers, tile.getShape());
    for (auto [chunk, value] : llvm::enumerate(values))
      for (int64_t first = 0; first < tile.getShape().lanes; first += lanes) {
        Value part = value;
        if (lanes < tile.getShape().lanes)
          part = vector::ExtractStridedSliceOp::create(
              e, value, ArrayRef<int64_t>{first}, ArrayRef<int64_t>{lanes},
              ArrayRef<int64_t>{1});
        pieces.push_back({part, plus(e, tile.getColumn(chunk), first),
                          tile.getInside(chunk)});
      }
  }

  //===--------------------------------------------------------------------===//
  // Maxima
  //===--------------------------------------------------------------------===//

  Value getFloor(Emitter &e) const {
    return constant(e, rule.floorOnScale ? 0 : rule.floor);
  }

  /// The largest magnitude of a piece, the floor included.
  Value getMax(Emitter &e, const Piece &piece) const {
    Value magnitude = absF32(e, e.getLoc(), piece.value);
    return largest(e, getFloor(e), reduceLanes(e, magnitude, largest));
  }

  void runTeam(Emitter &e) {
    Value most;
    for (const Piece &piece : pieces) {
      Value magnitude = absF32(e, e.getLoc(), piece.value);
      most = most ? largest(e, most, magnitude) : magnitude;
    }
    most = largest(e, getFloor(e), reduceLanes(e, most, largest));
    GroupScale scale =
        makeScale(e, buffers, constants,
                  tile.getTeam().reduce(e, most, largest), ConversionForm::Op);
    Value isFirst = isEqual(e, tile.getTeam().getMember(), 0);
    runIf(e, both(e, tile.getActive(), isFirst), [&](Emitter &e) {
      getScales().store(e, getScales().pack(e, scale.stored, 0),
                        rows::index(e, 0));
    });
    for (const Piece &piece : pieces)
      storeCodes(e, piece, scale.divisor);
  }

  void runRuns(Emitter &e) {
    int64_t run = group / lanes;
    for (const Piece &piece : pieces) {
      Value most = tile.getTeam().reduceRuns(e, getMax(e, piece), run, largest);
      GroupScale scale =
          makeScale(e, buffers, constants, most, ConversionForm::Op);
      Value number = dividedBy(e, piece.column, group);
      Value stored = scale.stored;
      int64_t writers = run;
      if (ScaleStore::isPacked(buffers.spec) && !isByByte) {
        stored = gatherWord(e, piece, number, stored, run);
        writers *= 4;
      }
      runIf(e, both(e, piece.inside, isFirstOf(e, writers)), [&](Emitter &e) {
        if (isByByte)
          getScales().storeByte(e, stored, number);
        else
          getScales().store(e, stored, number);
      });
      storeCodes(e, piece, scale.divisor);
    }
  }

  /// True in the first thread of each run of `size`; null: in all.
  Value isFirstOf(Emitter &e, int64_t size) const {
    if (size == 1)
      return Value();
    return isEqual(e, modulo(e, tile.getTeam().getMember(), size), 0);
  }

  /// The word that holds the exponents of four neighbouring groups.
  Value gatherWord(Emitter &e, const Piece &piece, Value number, Value scale,
                   int64_t run) const {
    Value zero = createInt(e, e.getLoc(), e.getI32Type(), 0);
    Value word = valueIf(e, piece.inside, zero, [&](Emitter &e) {
      Value shift = times(e, modulo(e, number, 4), 8);
      return arith::ShLIOp::create(
                 e, exponentByte(e, e.getLoc(), scale),
                 arith::IndexCastOp::create(e, e.getI32Type(), shift))
          .getResult();
    });
    for (int64_t offset = run; offset < 4 * run; offset *= 2)
      word = arith::OrIOp::create(
          e, word,
          gpu::ShuffleOp::create(
              e, word, static_cast<int32_t>(offset),
              tile.getTeam().getKernel().getChip().subgroupSize,
              gpu::ShuffleMode::XOR)
              .getShuffleResult());
    return word;
  }

  void runShared(Emitter &e) {
    Kernel &kernel = tile.getTeam().getKernel();
    int64_t groups = buffers.width / group;
    Value shared = kernel.addShared(groups, e.getI32Type());
    Value zero = createInt(e, e.getLoc(), e.getI32Type(), 0);
    auto loop =
        scf::ForOp::create(e, kernel.getThread(), rows::index(e, groups),
                           rows::index(e, kernel.getThreads()));
    {
      OpBuilder::InsertionGuard guard(e);
      e.setInsertionPointToStart(loop.getBody());
      memref::StoreOp::create(e, zero, shared, loop.getInductionVar());
    }
    Kernel::barrier(e);
    // The bits of numbers that are not negative are in the numbers' order.
    for (const Piece &piece : pieces)
      runIf(e, piece.inside, [&](Emitter &e) {
        Value bits =
            arith::BitcastOp::create(e, e.getI32Type(), getMax(e, piece));
        Value number = dividedBy(e, piece.column, group);
        memref::AtomicRMWOp::create(e, arith::AtomicRMWKind::maxu, bits, shared,
                                    ValueRange{number});
      });
    Kernel::barrier(e);
    auto scaleOf = [&](Emitter &e, Value number) {
      Value bits = memref::LoadOp::create(e, shared, ValueRange{number});
      Value most = arith::BitcastOp::create(e, e.getF32Type(), bits);
      return makeScale(e, buffers, constants, most, ConversionForm::Op);
    };
    for (const Piece &piece : pieces)
      runIf(e, piece.inside, [&](Emitter &e) {
        Value number = dividedBy(e, piece.column, group);
        GroupScale scale = scaleOf(e, number);
        int64_t columns =
            ScaleStore::isPacked(buffers.spec) ? 4 * group : group;
        Value isFirst = isEqual(e, modulo(e, piece.column, columns), 0);
        runIf(e, isFirst, [&](Emitter &e) {
          Value stored = getScales().pack(e, scale.stored, 0);
          for (int64_t i = 1; ScaleStore::isPacked(buffers.spec) && i < 4;
               ++i) {
            Value next = plus(e, number, i);
            Value byte = valueIf(e, isLess(e, next, rows::index(e, groups)),
                                 zero, [&](Emitter &e) {
                                   return getScales().pack(
                                       e, scaleOf(e, next).stored, i);
                                 });
            stored = arith::OrIOp::create(e, stored, byte);
          }
          getScales().store(e, stored, number);
        });
        storeCodes(e, piece, scale.divisor);
      });
  }

  //===--------------------------------------------------------------------===//
  // Stores
  //===--------------------------------------------------------------------===//

  void storeCodes(Emitter &e, const Piece &piece,
                  const Divisor &divisor) const {
    Value quotient = emitQuotient(e, buffers, divisor, piece.value);
    // The conversion stops at the largest number of the type itself.
    if (rule.max < key.getDataTypeMax())
      quotient = clampKeepNaN(
          e, e.getLoc(), quotient,
          createFloat(e, e.getLoc(), quotient.getType(), rule.max));
    Value rounded = fromF32(e, quotient, key.getDataType());
    Value column = piece.column;
    if (key.isFP4()) {
      rounded = vector::BitCastOp::create(
          e, VectorType::get({lanes / 2}, e.getI8Type()), rounded);
      column = dividedBy(e, column, 2);
    }
    runIf(e, maxima == Maxima::Shared ? Value() : piece.inside,
          [&](Emitter &e) { codes.store(e, rounded, column); });
  }

  ScaleStore getScales() const { return {buffers, outputRow}; }

  const QuantBuffers &buffers;
  const QuantConstants &constants;
  const Tile &tile;
  SmallVector<Piece, 8> pieces;
  QuantKeyAttr key;
  EffectiveRule rule;
  Maxima maxima;
  bool isByByte;        ///< Of packed scales: a byte at a time.
  int64_t group, lanes; ///< Elements of a group, and of a piece.
  Value outputRow;
  RowView codes;
};

} // namespace

void kernel::quantizeTile(Emitter &e, const QuantBuffers &buffers,
                          const QuantConstants &constants,
                          const Alignment &alignment, Value row,
                          const Tile &tile, ArrayRef<Value> values) {
  TileQuantizer(e, buffers, constants, alignment, row, tile, values).run(e);
}
