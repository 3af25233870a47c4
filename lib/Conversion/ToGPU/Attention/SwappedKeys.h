//===- SwappedKeys.h - keys as left operands --------------------*- C++ -*-===//
//
// A warp has 16 keys of a block, the rows of its part of wgmma's left operand;
// their codes and scales lie in a slice of shared memory of its own. A thread
// has of two keys what lies together: of the 64 columns of box c, columns
// 64 c + 16 t on, t = lane mod 4. Columns are summed over in any order: of
// these, 4 w and 4 w + 1 are columns 2 t and 2 t + 1 of product w of the box,
// 4 w + 2 and 4 w + 3 its 2 t + 8 and 2 t + 9. Values are written in that
// order: column p of a box in shared memory is column getColumn(p) of the box
// in the cache.
//
//===----------------------------------------------------------------------===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_SWAPPEDKEYS_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_SWAPPEDKEYS_H

#include "CodeConverter.h"
#include "SwappedRows.h"

namespace mlafuse::kernel {

class SwappedKeys {
public:
  /// Keys of a thread, boxes of codes, products of a box, and registers of the
  /// left operand of one.
  static constexpr int64_t kKeys = 2;
  static constexpr int64_t kBoxes =
      SwappedBlock::kLatent / ptx::SwizzledTile::kBoxColumns;
  static constexpr int64_t kProducts = 4, kOperand = 4;

  /// Of warp `warp` (i32) of score group `group` (i32).
  SwappedKeys(Emitter &e, const SwappedBlock &block,
              const AttentionInputs &inputs, mlir::Value group,
              mlir::Value warp, mlir::Value lane);

  /// Half a key's boxes.
  static constexpr int64_t kHalfBoxes = kBoxes / SwappedBlock::kHalves;

  /// Waits for half `half` of the codes of the group's block number `turn`
  /// (i32); lets that of its next one come.
  void wait(Emitter &e, mlir::Value turn, int64_t half) const;
  void release(Emitter &e, int64_t half) const;
  /// What the thread has of its keys' scales (f32), which come with the first
  /// half, of a box of codes, and of rope columns, which come with the second:
  /// left operands, none if there are no such columns. Those of the next block,
  /// of whatever group, may come then.
  ptx::Registers loadScales(Emitter &e) const;
  ptx::Registers loadCodes(Emitter &e, int64_t box) const;
  ptx::Registers loadRope(Emitter &e) const;
  /// Which keys exist, as SwappedRows::exist; comes with the second half.
  mlir::Value loadExist(Emitter &e) const;

  /// The left operands of a box's products, one after the other.
  ptx::Registers convert(Emitter &e, mlir::ValueRange codes,
                         mlir::ValueRange scales, int64_t box) const;
  /// Writes them as a box of the values, in the order of products.
  void store(Emitter &e, const ptx::SwizzledTile &tile, int64_t box,
             mlir::ValueRange operands) const;

  /// Whether key `key`, 0 or 1, of the thread exists (i1); its number in the
  /// block.
  mlir::Value exists(Emitter &e, mlir::Value exist, int64_t key) const;
  mlir::Value getNumber(Emitter &e, int64_t key) const;

  /// Column 16 w + 8 h + 2 t + j of a box, as the cache has it.
  static constexpr int64_t getColumn(int64_t w, int64_t h, int64_t t,
                                     int64_t j) {
    return 16 * t + 4 * w + 2 * h + j;
  }

private:
  /// Of the warp's keys (i32).
  mlir::Value getKey(Emitter &e, int64_t key) const;
  /// From pairs of columns of each key.
  static ptx::Registers arrange(mlir::ValueRange first,
                                mlir::ValueRange second);

  CodeConverter converter;
  bool hasRope;
  const SwappedBlock &block;
  mlir::Value warp, lane, quad;
  mlir::Value sliceNumber;
  mlir::Value firstKey;  ///< Of the warp, in a block.
  mlir::Value threadKey; ///< Of the warp: the thread's first.
  ptx::Address slice;
  /// What this lane names to stores of four matrices: 8 keys (+ 8) of 8 columns
  /// (+ 8).
  mlir::Value matrixRow, matrixChunk;
};

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_SWAPPEDKEYS_H
