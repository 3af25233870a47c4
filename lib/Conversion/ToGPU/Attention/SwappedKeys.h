//===- SwappedKeys.h - keys as left operands --------------------*- C++ -*-===//
//
// A warp of scores has 16 keys of a block, the rows of its part of wgmma's left
// operand. A thread has of two keys what lies together: of the 64 columns of
// box c, columns 64 c + 16 t on, t = lane mod 4. Columns are summed over in any
// order: of these, 4 w and 4 w + 1 are columns 2 t and 2 t + 1 of product w of
// the box, 4 w + 2 and 4 w + 3 its 2 t + 8 and 2 t + 9; queries are in that
// order, too.
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

  /// Of warp `warp` (i32) of a group.
  SwappedKeys(Emitter &e, const SwappedBlock &block,
              const AttentionInputs &inputs, mlir::Value warp,
              mlir::Value lane);

  /// The warp's keys in `stage`.
  ptx::Address getPlace(Emitter &e, mlir::Value stage) const;
  /// What the thread has, at such a place, of its keys' scales (f32), of a box
  /// of codes, and of rope columns: left operands, none if there are no such
  /// columns.
  ptx::Registers loadScales(Emitter &e, ptx::Address place) const;
  ptx::Registers loadCodes(Emitter &e, ptx::Address place, int64_t box) const;
  ptx::Registers loadRope(Emitter &e, ptx::Address place) const;
  /// Which keys exist, as SwappedRows::exist.
  mlir::Value loadExist(Emitter &e, mlir::Value stage) const;

  /// The left operands of a box's products, one after the other.
  ptx::Registers convert(Emitter &e, mlir::ValueRange codes,
                         mlir::ValueRange scales, int64_t box) const;

  /// Whether key `key`, 0 or 1, of the thread exists (i1); its number in the
  /// block.
  mlir::Value exists(Emitter &e, mlir::Value exist, int64_t key) const;
  mlir::Value getNumber(Emitter &e, int64_t key) const;

  /// The key, of a warp's, that is row `row` (i32) of its products.
  static mlir::Value getKeyOfRow(Emitter &e, mlir::Value row);

private:
  /// Of the warp's keys (i32).
  mlir::Value getKey(Emitter &e, int64_t key) const;
  /// Two registers of each chunk of 16 bytes from the thread's keys.
  ptx::Registers load(Emitter &e, ptx::Address from, mlir::Type type) const;
  /// From pairs of columns of each key.
  static ptx::Registers arrange(mlir::ValueRange first,
                                mlir::ValueRange second);

  CodeConverter converter;
  bool hasRope;
  const SwappedBlock &block;
  mlir::Value warp, quad;
  mlir::Value firstKey;  ///< Of the warp, in a block.
  mlir::Value threadKey; ///< Of the warp: the thread's first.
};

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_SWAPPEDKEYS_H
