//===- CacheRow.h - rows of the paged latent cache --------------*- C++ -*-===//
#ifndef MLAFUSE_LIB_CONVERSION_TOCPU_CACHEROW_H
#define MLAFUSE_LIB_CONVERSION_TOCPU_CACHEROW_H

#include "../Rows/CacheSpec.h"
#include "RowEmitter.h"

namespace mlafuse::cpu {

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
