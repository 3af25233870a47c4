//===- NarrowProducts.h - scores of a block of keys -------------*- C++ -*-===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_NARROWPRODUCTS_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_NARROWPRODUCTS_H

#include "NarrowQueries.h"
#include "NarrowSoftmax.h"

namespace mlafuse::kernel {

/// What a warp of scores reads of a stage.
class NarrowKeys {
public:
  NarrowKeys(Emitter &e, const NarrowBlock &block, mlir::Value warp,
             mlir::Value lane);

  /// Of a product.
  static constexpr int64_t kTileKeys = 8;

  /// The keys of stage `stage` (i32).
  ptx::Address getStage(Emitter &e, mlir::Value stage) const {
    return block.getKeys(e, stage);
  }
  /// Of those 16 codes of the lane's key of tile `tile`, in chunk `chunk` of
  /// its row.
  ptx::Registers loadCodes(Emitter &e, ptx::Address stage, int64_t tile,
                           int64_t chunk) const;
  /// Which of the warp's keys exist, as NarrowBlock::getExist has it.
  mlir::Value loadExist(Emitter &e, mlir::Value stage) const;

private:
  const NarrowBlock &block;
  mlir::Value warp;
  mlir::Value place; ///< Of the lane's chunk 0 in a stage, bytes.
};

/// Products of the warp's keys of a block with a part's queries, which may be
/// made some at a time.
class NarrowProducts {
public:
  /// The keys of stage `stage` (i32) are there.
  NarrowProducts(Emitter &e, const NarrowKeys &keys,
                 const NarrowQueries &queries, mlir::Value stage);

  /// A chunk is what a lane reads of a key at once, and the other lanes of its
  /// row.
  int64_t getChunks() const;
  /// Those up to chunk `end` that are not made yet. They are not moved behind
  /// what is emitted next.
  void addChunks(Emitter &e, int64_t end);
  /// When all are.
  NarrowScore getScore(Emitter &e) const;
  mlir::Value getExist() const { return exist; }

private:
  void addChunk(Emitter &e);

  /// Sums of every second product, so that a product does not wait for the
  /// last.
  static constexpr int64_t kChains = 2;

  const NarrowKeys &keys;
  const NarrowQueries &queries;
  ptx::Address codes; ///< Of the block's keys.
  mlir::Value exist;
  ptx::Registers chains[kChains];
  int64_t chunk = 0;
};

} // namespace mlafuse::kernel

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_ATTENTION_NARROWPRODUCTS_H
