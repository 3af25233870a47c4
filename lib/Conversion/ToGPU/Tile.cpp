//===- Tile.cpp - a row in the registers of a team ------------------------===//

#include "Tile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;

/// Elements of a row that a thread keeps: with few, many teams are resident; a
/// team of more threads than kLightThreads would lose more by waiting for
/// itself, and its threads keep up to kRowElements.
static constexpr int64_t kLightElements = 32;
static constexpr int64_t kLightThreads = 128;
static constexpr int64_t kRowElements = 64;

bool kernel::isLight(const TileShape &shape) {
  return shape.lanes * shape.chunks <= kLightElements;
}

/// Threads of a block that work on segments.
static constexpr int64_t kSegmentThreads = 128;

/// Elements of a row that a thread can keep: code and local memory grow with
/// them, and no model is near.
static constexpr int64_t kMostElements = 256;

LogicalResult kernel::verifyTile(Operation *op, const Chip &chip,
                                 const TileShape &shape) {
  if (shape.chunks * shape.lanes <= kMostElements)
    return success();
  return op->emitOpError() << "is too wide for the " << chip.name
                           << " kernel: a row has " << shape.width
                           << " elements, and a block holds "
                           << kMostElements * shape.threads << " at most";
}

int64_t kernel::chooseLanes(ArrayRef<int64_t> spans, int64_t most) {
  int64_t lanes = most;
  for (int64_t span : spans)
    while (span % lanes != 0)
      lanes /= 2;
  return lanes;
}

static TileShape makeRowTile(int64_t width, int64_t lanes, int64_t threads) {
  return {width, lanes, threads,
          static_cast<int64_t>(llvm::divideCeil(width, lanes * threads))};
}

TileShape kernel::chooseRowTile(const Chip &chip, int64_t width, int64_t lanes,
                                int64_t leastThreads) {
  int64_t threads = std::max(chip.subgroupSize, leastThreads);
  while (threads < Chip::kMaxBlockThreads && width > threads * kRowElements)
    threads *= 2;
  return makeRowTile(width, lanes, threads);
}

TileShape kernel::chooseSumTile(const Chip &chip, int64_t width) {
  // 16 bytes of bf16. Long rows may have scales of groups, whose cost is by the
  // chunk: half as many of 32 bytes.
  bool isLong = width > kLightThreads * kLightElements;
  int64_t lanes = chooseLanes({width}, isLong ? 16 : 8);
  int64_t threads = chip.subgroupSize;
  // Beside a query's row, which takes as many threads, each has a chunk of a
  // latent row.
  constexpr int64_t kLatent = 512, kLatentThreads = 64;
  if (width >= kLatent)
    threads = std::max(threads, kLatentThreads);
  while (threads < kLightThreads && width > threads * kLightElements)
    threads *= 2;
  while (threads < Chip::kMaxBlockThreads && width > threads * kRowElements)
    threads *= 2;
  return makeRowTile(width, lanes, threads);
}

TileShape kernel::chooseSegmentTile(const Chip &chip, int64_t width,
                                    int64_t lanes) {
  int64_t threads = chip.subgroupSize;
  while (threads < kSegmentThreads && width > lanes * threads)
    threads *= 2;
  return {width, lanes, threads, 1};
}

std::optional<TileShape> kernel::chooseLongTile(const Chip &chip, int64_t width,
                                                int64_t lanes) {
  constexpr int64_t kThreads = 256, kMostChunks = 4;
  int64_t chunks =
      std::min<int64_t>(kMostChunks, llvm::divideCeil(width, lanes * kThreads));
  if (chunks == 1)
    return std::nullopt;
  return TileShape{width, lanes, kThreads, chunks};
}

Tile::Tile(Emitter &e, const Team &team, const TileShape &shape, Value segment,
           Value isActive)
    : team(team), shape(shape), active(isActive) {
  Value begin = times(e, team.getMember(), shape.lanes);
  // A team may have more threads than this tile.
  Value isMember =
      shape.threads < team.getThreads()
          ? isLess(e, team.getMember(), rows::index(e, shape.threads))
          : Value();
  isMember = both(e, isMember, isActive);
  if (segment)
    begin = plus(e, begin, times(e, segment, shape.getSegment()));
  Value width = rows::index(e, shape.width);
  // Chunks that a segment cut short lacks are known only in a lone segment.
  bool isExact = shape.width % shape.getSegment() == 0;
  for (int64_t chunk = 0; chunk < shape.chunks; ++chunk) {
    int64_t first = chunk * shape.threads * shape.lanes;
    columns.push_back(plus(e, begin, first));
    bool always = isExact || (!segment && first + shape.threads * shape.lanes <=
                                              shape.width);
    inside.push_back(
        both(e, always ? Value() : isLess(e, columns.back(), width), isMember));
  }
}

Tile::Values Tile::load(Emitter &e, const RowView &row) const {
  Values values;
  Value zero;
  for (int64_t chunk = 0; chunk < shape.chunks; ++chunk) {
    if (inside[chunk] && !zero)
      zero = arith::ConstantOp::create(
          e, cast<TypedAttr>(e.getZeroAttr(
                 VectorType::get({shape.lanes}, row.getElementType()))));
    values.push_back(valueIf(e, inside[chunk], zero, [&](Emitter &e) {
      return row.load(e, columns[chunk], shape.lanes);
    }));
  }
  return values;
}

void Tile::store(Emitter &e, int64_t chunk, const RowView &row,
                 Value value) const {
  runIf(e, inside[chunk],
        [&](Emitter &e) { row.store(e, value, columns[chunk]); });
}
