//===- CacheSpec.h - the paged latent cache ---------------------*- C++ -*-===//
#ifndef MLAFUSE_LIB_CONVERSION_ROWS_CACHESPEC_H
#define MLAFUSE_LIB_CONVERSION_ROWS_CACHESPEC_H

#include "MLAFuse/IR/Attrs.h"
#include "RowView.h"

namespace mlafuse::rows {

/// A cache [pages, page_size, row] and how its rows are stored; see the
/// `cache_format` attribute.
struct CacheSpec {
  mlir::Value buffer;
  CacheFormat format;
  int64_t latent, rope;
  mlir::Value kScale; ///< A scalar f32; null but for fp8.

  /// Where the parts of a 656-byte row (512 + 64 columns) start, in bytes.
  int64_t getScaleOffset() const { return latent; }
  int64_t getRopeOffset() const { return latent + 4 * (latent / kTile); }
  /// Columns that share a scale in fp8_ds_mla.
  static constexpr int64_t kTile = 128;

  /// The largest code, of e4m3fn.
  static constexpr double kCodeMax = 448;

  /// Slots of the cache, an index.
  mlir::Value getCapacity(Emitter &e) const;
  /// The row of slot page * page_size + offset.
  RowView getSlot(Emitter &e, mlir::Value slot) const;
};

/// The scale of a tile of an fp8_ds_mla row with this absolute maximum; `rule`
/// may be null.
mlir::Value computeTileScale(Emitter &e, ScaleRuleAttr rule,
                             mlir::Value absMax);

} // namespace mlafuse::rows

#endif // MLAFUSE_LIB_CONVERSION_ROWS_CACHESPEC_H
