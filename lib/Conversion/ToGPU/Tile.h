//===- Tile.h - a row in the registers of a team ----------------*- C++ -*-===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_TILE_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_TILE_H

#include "Team.h"
#include <optional>

namespace mlafuse::kernel {

/// How a team divides a row: chunk `c` of member `m` is the `lanes` elements
/// from column (c * threads + m) * lanes of the segment on.
struct TileShape {
  int64_t width; ///< Elements of a row.
  int64_t lanes; ///< Elements of a chunk; a divisor of the width.
  int64_t threads;
  int64_t chunks; ///< Of one thread.

  /// Elements that a team holds, and how many such segments a row has.
  int64_t getSegment() const { return lanes * threads * chunks; }
  int64_t getSegments() const { return llvm::divideCeil(width, getSegment()); }
};

/// Fails, with an error at `op`, if a thread would hold more of a row than a
/// kernel can.
llvm::LogicalResult verifyTile(mlir::Operation *op, const Chip &chip,
                               const TileShape &shape);

/// The largest power of two, `most` at most, that divides all of `spans`.
int64_t chooseLanes(llvm::ArrayRef<int64_t> spans, int64_t most);

/// A tile that holds a whole row: as few threads as registers allow, and no
/// fewer than `leastThreads`.
TileShape chooseRowTile(const Chip &chip, int64_t width, int64_t lanes,
                        int64_t leastThreads = 0);

/// The tile of a whole row whose elements are added up. It follows from the
/// width alone, and with it the order of the sum: the row gives the same bits
/// whatever else a kernel does.
TileShape chooseSumTile(const Chip &chip, int64_t width);

/// True if a thread of `shape` holds few elements, so that many teams are
/// resident and hide each other's latency.
bool isLight(const TileShape &shape);

/// A tile of one chunk per thread, the same for each of a row's segments.
TileShape chooseSegmentTile(const Chip &chip, int64_t width, int64_t lanes);

/// A tile of several chunks per thread, for many rows: longer reads and writes
/// in turn cost memory less. None for rows that are not long.
std::optional<TileShape> chooseLongTile(const Chip &chip, int64_t width,
                                        int64_t lanes);

/// One thread's elements of the segment number `segment` (an index; null if
/// there is one). A team may have more threads than the shape, which then have
/// none. A team without a row takes part with `isActive` false (null: all have
/// one), and has no elements either.
class Tile {
public:
  Tile(Emitter &e, const Team &team, const TileShape &shape,
       mlir::Value segment = {}, mlir::Value isActive = {});

  const TileShape &getShape() const { return shape; }
  const Team &getTeam() const { return team; }

  /// First column of a chunk, and whether the row has it; null: always.
  mlir::Value getColumn(int64_t chunk) const { return columns[chunk]; }
  mlir::Value getInside(int64_t chunk) const { return inside[chunk]; }
  /// Whether the team has a row; null: always.
  mlir::Value getActive() const { return active; }

  using Values = llvm::SmallVector<mlir::Value, 8>;

  /// The chunks of `row` as they are stored; zeros outside.
  Values load(Emitter &e, const RowView &row) const;
  /// Stores a chunk, if the row has it.
  void store(Emitter &e, int64_t chunk, const RowView &row,
             mlir::Value value) const;

private:
  const Team &team;
  TileShape shape;
  Values columns, inside;
  mlir::Value active;
};

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_TILE_H
