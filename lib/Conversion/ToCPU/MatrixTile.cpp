//===- MatrixTile.cpp - register-blocked matrix products ------------------===//
//
// A tile of kTileRows rows and four vectors of columns keeps sixteen sums in
// registers: each read of the right operand serves four rows.
//
//===----------------------------------------------------------------------===//

#include "MatrixTile.h"
#include "MLAFuse/Conversion/Numerics.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::cpu;

static constexpr int64_t kTileChunks = 4;

/// The product over columns [column, column + sum of `lanes`).
static void emitColumns(Emitter &e, const ProductTile &tile, Value column,
                        ArrayRef<int64_t> lanes) {
  auto at = [&](Emitter &e, int64_t chunk) -> Value {
    return chunk == 0
               ? column
               : arith::AddIOp::create(e, column, index(e, chunk * kLanes))
                     .getResult();
  };
  SmallVector<Value> sums;
  for (int64_t row = 0; row < tile.rows; ++row)
    for (auto [chunk, size] : llvm::enumerate(lanes))
      sums.push_back(
          tile.start ? tile.start(e, row, at(e, chunk), size)
                     : createFloat(e, e.getLoc(),
                                   VectorType::get({size}, e.getF32Type()), 0));
  auto loop = scf::ForOp::create(
      e, index(e, 0), index(e, tile.depth), index(e, 1), sums,
      [&](OpBuilder &builder, Location loc, Value k, ValueRange carried) {
        Emitter e(loc, builder);
        SmallVector<Value> right, next;
        for (auto [chunk, size] : llvm::enumerate(lanes))
          right.push_back(tile.right(e, k, at(e, chunk), size));
        for (int64_t row = 0; row < tile.rows; ++row) {
          Value left = tile.left(e, row, k);
          for (auto [chunk, size] : llvm::enumerate(lanes))
            next.push_back(
                math::FmaOp::create(e, splat(e, left, size), right[chunk],
                                    carried[row * lanes.size() + chunk]));
        }
        scf::YieldOp::create(e, next);
      });
  for (int64_t row = 0; row < tile.rows; ++row)
    for (size_t chunk = 0; chunk < lanes.size(); ++chunk)
      tile.finish(e, row, loop.getResult(row * lanes.size() + chunk),
                  at(e, chunk));
}

void cpu::emitProduct(Emitter &e, const ProductTile &tile) {
  constexpr int64_t kTileColumns = kTileChunks * kLanes;
  int64_t whole = tile.width / kTileColumns * kTileColumns;
  SmallVector<int64_t> full(kTileChunks, kLanes), rest;
  if (whole)
    serialFor(
        e, tile.begin, arith::AddIOp::create(e, tile.begin, index(e, whole)),
        kTileColumns,
        [&](Emitter &e, Value column) { emitColumns(e, tile, column, full); });
  for (int64_t left = tile.width - whole; left > 0; left -= kLanes)
    rest.push_back(std::min(left, kLanes));
  if (!rest.empty())
    emitColumns(e, tile, arith::AddIOp::create(e, tile.begin, index(e, whole)),
                rest);
}

//===----------------------------------------------------------------------===//
// Blocks of rows
//===----------------------------------------------------------------------===//

// Whole blocks first, then the rows that are left over, one by one.
Value cpu::getRowBlockCount(Emitter &e, Value rows) {
  Value blockRows = index(e, kTileRows);
  return arith::AddIOp::create(e, arith::DivUIOp::create(e, rows, blockRows),
                               arith::RemUIOp::create(e, rows, blockRows));
}

void cpu::emitRowBlock(Emitter &e, Value rows, Value block,
                       function_ref<void(Emitter &, Value, int64_t)> body) {
  Value blockRows = index(e, kTileRows);
  Value whole = arith::DivUIOp::create(e, rows, blockRows);
  Value isWhole =
      arith::CmpIOp::create(e, arith::CmpIPredicate::ult, block, whole);
  scf::IfOp::create(
      e, isWhole,
      [&](OpBuilder &builder, Location loc) {
        Emitter e(loc, builder);
        body(e, arith::MulIOp::create(e, block, blockRows), kTileRows);
        scf::YieldOp::create(e);
      },
      [&](OpBuilder &builder, Location loc) {
        Emitter e(loc, builder);
        Value first =
            arith::AddIOp::create(e, arith::SubIOp::create(e, block, whole),
                                  arith::MulIOp::create(e, whole, blockRows));
        body(e, first, 1);
        scf::YieldOp::create(e);
      });
}
