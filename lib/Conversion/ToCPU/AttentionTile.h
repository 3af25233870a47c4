//===- AttentionTile.h - softmax(q K^T) V for a few query rows --*- C++ -*-===//
//
// The core that all attention kernels share: query rows that look at one list
// of keys. It walks the keys in blocks, widens each block's rows once for all
// query rows, and for a few query rows at a time does
//   s = scale * q K^T     m' = max(m, max s)     p = exp(s - m')
//   l = l * exp(m - m') + sum p                  o = o * exp(m - m') + p V
// all in f32. The order depends on the shapes and lengths alone: the same input
// gives the same bits.
//
//===----------------------------------------------------------------------===//
#ifndef MLAFUSE_LIB_CONVERSION_TOCPU_ATTENTIONTILE_H
#define MLAFUSE_LIB_CONVERSION_TOCPU_ATTENTIONTILE_H

#include "RowEmitter.h"

namespace mlafuse::cpu {

/// Where a key is: `exists` is an i1, `source` an index that `readKey` takes.
struct KeyLocation {
  mlir::Value exists, source;
};

/// What a row of queries came to, in f32: o before the division by `total`.
struct AttentionRow {
  RowView sums;
  mlir::Value total; ///< l, or 1 where there was no key.
  mlir::Value lse;   ///< m + ln l, or -inf.

  /// A chunk of o.
  mlir::Value load(Emitter &e, mlir::Value column, int64_t lanes) const;
};

/// One tile. The functions are called once or more at emission; `row` counts
/// within the tile.
struct AttentionTile {
  int64_t rows;
  int64_t width;      ///< Columns of a query and of a key.
  int64_t valueWidth; ///< Columns of a value.
  /// Values are the first columns of the keys (MLA), not rows of their own.
  bool valuesAreKeys;
  double softmaxScale;
  /// Keys that the rows look at, an index; `findKey` is called below it only.
  mlir::Value keyCount;

  /// Writes query `row` as f32.
  llvm::function_ref<void(Emitter &, mlir::Value row, const RowView &target)>
      readQuery;
  /// How many of the keys `row` sees, an index. Null: all.
  llvm::function_ref<mlir::Value(Emitter &, mlir::Value row)> getRowLimit;
  llvm::function_ref<KeyLocation(Emitter &, mlir::Value key)> findKey;
  /// Writes a key, and its value if that is a row of its own, as f32.
  llvm::function_ref<void(Emitter &, mlir::Value source, const RowView &key,
                          const RowView &value)>
      readKey;
  llvm::function_ref<void(Emitter &, mlir::Value row, const AttentionRow &)>
      finish;
};

/// Emits the tile. What a key's slot held that no row may see cannot reach a
/// result, NaN included.
void emitAttention(Emitter &e, const AttentionTile &tile);

} // namespace mlafuse::cpu

#endif // MLAFUSE_LIB_CONVERSION_TOCPU_ATTENTIONTILE_H
