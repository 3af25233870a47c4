//===- CacheRow.h - rows of the paged latent cache --------------*- C++ -*-===//
#ifndef MLAFUSE_LIB_CONVERSION_TOCPU_CACHEROW_H
#define MLAFUSE_LIB_CONVERSION_TOCPU_CACHEROW_H

#include "MLAFuse/IR/Attrs.h"
#include "RowEmitter.h"

namespace mlafuse::cpu {

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

  /// Slots of the cache, an index.
  mlir::Value getCapacity(Emitter &e) const;
  /// The row of slot page * page_size + offset.
  RowView getSlot(Emitter &e, mlir::Value slot) const;
};

/// Widens one row to f32 into `target` (latent, then rope columns), as the
/// golden contract's kv_dequant says.
void readCacheRow(Emitter &e, const CacheSpec &cache, const RowView &row,
                  const RowView &target);

/// Writes one token's latent and rope columns into a row.
void writeCacheRow(Emitter &e, const CacheSpec &cache, ScaleRuleAttr rule,
                   const RowView &latent, const RowView &rope,
                   const RowView &row);

} // namespace mlafuse::cpu

#endif // MLAFUSE_LIB_CONVERSION_TOCPU_CACHEROW_H
