//===- NarrowProducts.cpp - scores of a block of keys ---------------------===//
//
// A warp has 16 keys of a block, as the columns of two products of 8. A lane
// reads 16 codes of a key at once: they are the right operands of four
// products, whose left operands NarrowQueries has in the same order.
//
//===----------------------------------------------------------------------===//

#include "NarrowProducts.h"
#include "../NVIDIA/Warp.h"
#include "Fragments.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;
using ptx::i32;
using ptx::plusI;
using ptx::Registers;
using ptx::timesI;

static constexpr int64_t kQuad = 4;
static constexpr int64_t kLoadBytes = 16;
/// Products side by side, and registers of their D and A.
static constexpr int64_t kTiles = 2;
static constexpr int64_t kProductSums = 4;
static constexpr int64_t kOperand = NarrowQueries::kOperand;
static constexpr int64_t kScores = NarrowScore::kScores;
static_assert(kScores == kTiles * kProductSums);
/// Products of a chunk of codes.
static constexpr int64_t kChunkProducts = 4;

NarrowKeys::NarrowKeys(Emitter &e, const NarrowBlock &block, Value warp,
                       Value lane)
    : block(block), warp(warp) {
  Value key = plusI(e, timesI(e, warp, NarrowBlock::kWarpKeys),
                    NarrowBlock::getKey(e, ptx::dividedByI(e, lane, kQuad)));
  place = plusI(e, timesI(e, key, block.getPitch()),
                timesI(e, ptx::moduloI(e, lane, kQuad), kLoadBytes));
}

Registers NarrowKeys::loadCodes(Emitter &e, ptx::Address stage, int64_t tile,
                                int64_t chunk) const {
  int64_t bytes =
      tile * kTileKeys * block.getPitch() + chunk * NarrowBlock::kChunk;
  return ptx::loadShared(e, stage.advance(e, place) + bytes, e.getI32Type(), 4);
}

Value NarrowKeys::loadExist(Emitter &e, Value stage) const {
  return ptx::loadShared(
      e, block.getExist(e, stage).advance(e, timesI(e, warp, 4)),
      e.getI32Type())[0];
}

NarrowProducts::NarrowProducts(Emitter &e, const NarrowKeys &keys,
                               const NarrowQueries &queries, Value stage)
    : keys(keys), queries(queries), codes(keys.getStage(e, stage)),
      exist(keys.loadExist(e, stage)) {
  for (Registers &chain : chains)
    chain = Registers(kScores, constant(e, 0));
}

int64_t NarrowProducts::getChunks() const {
  return queries.operands.size() / (kChunkProducts * kOperand);
}

void NarrowProducts::addChunks(Emitter &e, int64_t end) {
  for (; chunk < end; ++chunk)
    addChunk(e);
  for (Registers &chain : chains)
    for (Value &sum : chain) {
      Value bits = arith::BitcastOp::create(e, e.getI32Type(), sum);
      sum = arith::BitcastOp::create(e, e.getF32Type(), ptx::opaque(e, bits));
    }
}

/// Its products are in turn those of each chain.
void NarrowProducts::addChunk(Emitter &e) {
  Registers ofTiles[kTiles];
  for (int64_t tile = 0; tile < kTiles; ++tile)
    ofTiles[tile] = keys.loadCodes(e, codes, tile, chunk);
  for (int64_t i = 0; i < kChunkProducts; ++i) {
    int64_t number = chunk * kChunkProducts + i;
    ValueRange a =
        ValueRange(queries.operands).slice(number * kOperand, kOperand);
    Registers &sums = chains[number % kChains];
    for (int64_t tile = 0; tile < kTiles; ++tile) {
      int64_t first = tile * kProductSums;
      Registers d = ptx::multiplyWarp(
          e, e.getF16Type(), ValueRange(sums).slice(first, kProductSums), a,
          ptx::widenCodes(e, ofTiles[tile][i]));
      llvm::copy(d, sums.begin() + first);
    }
  }
}

NarrowScore NarrowProducts::getScore(Emitter &e) const {
  static_assert(kChains == 2);
  NarrowScore score;
  for (int64_t i = 0; i < kScores; ++i)
    score.scores.push_back(mul(e, add(e, chains[0][i], chains[1][i]),
                               queries.scales[getThreadRow(i)]));
  return score;
}
