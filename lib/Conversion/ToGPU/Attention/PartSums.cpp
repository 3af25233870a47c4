//===- PartSums.cpp - what the parts of a row come to ---------------------===//

#include "PartSums.h"
#include "../NVIDIA/GlobalMemory.h"
#include "../NVIDIA/Warp.h"
#include "Fragments.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/bit.h"
#include <limits>

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;
using ptx::i32;
using ptx::isLessI;
using ptx::Registers;

/// Parts that most lanes have at most: what comes after them is skipped where
/// no lane has more.
static constexpr int64_t kUsualParts = 4;

LoadedPiece LoadedPiece::load(Emitter &e, int64_t mostParts, PartFormat format,
                              const PartPlaces &outputs, const PartPlaces &sums,
                              Value ownParts) {
  Type f32 = e.getF32Type();
  bool scaled = isScaled(format);
  uint32_t none =
      llvm::bit_cast<uint32_t>(-std::numeric_limits<float>::infinity());
  auto forEachPart = [&](function_ref<void(int64_t, Value)> body) {
    for (int64_t i = 0; i < mostParts; ++i)
      body(i, isLessI(e, i32(e, i), ownParts));
  };
  // All loads before all else.
  LoadedPiece piece;
  forEachPart([&](int64_t i, Value exists) {
    if (!scaled) {
      piece.logarithms.append(ptx::loadGlobalIf(e, exists, sums.getBase(i), f32,
                                                1, sums.getOffset(i), none));
      return;
    }
    Registers pair = ptx::loadGlobalIf(e, exists, sums.getBase(i), f32, 2,
                                       sums.getOffset(i), {0, none});
    piece.scales.push_back(pair[0]);
    piece.logarithms.push_back(pair[1]);
  });
  forEachPart([&](int64_t i, Value exists) {
    piece.outputs.push_back(ptx::loadGlobalIf(
        e, exists, outputs.getBase(i), scaled ? Type(e.getI32Type()) : f32,
        PartSharing::kLaneBytes / 4, outputs.getOffset(i)));
  });
  return piece;
}

Value kernel::findLargestOfWarp(Emitter &e, ArrayRef<Value> values) {
  Value most = constant(e, std::numeric_limits<float>::lowest());
  for (Value value : values)
    most = largest(e, most, value);
  // Integers in the order of the f32: the bits of negative ones are reversed.
  auto reverseNegative = [&](Value bits) -> Value {
    Value isNegative = isLessI(e, bits, i32(e, 0));
    Value mask = i32(e, std::numeric_limits<int32_t>::max());
    return arith::SelectOp::create(
        e, isNegative, arith::XOrIOp::create(e, bits, mask).getResult(), bits);
  };
  Value bits = arith::BitcastOp::create(e, e.getI32Type(), most);
  Value ordered = ptx::largestOverLanes(e, reverseNegative(bits));
  return arith::BitcastOp::create(e, e.getF32Type(), reverseNegative(ordered));
}

Registers kernel::addPartLanes(Emitter &e, const PartSharing &sharing,
                               ValueRange values) {
  auto loop = scf::ForOp::create(
      e, i32(e, 0), sharing.log2PartLanes, i32(e, 1), values,
      [&](OpBuilder &builder, Location loc, Value round, ValueRange state) {
        Emitter e(loc, builder);
        Value mask = arith::ShLIOp::create(e, sharing.columnLanes, round);
        Registers next;
        for (Value value : state)
          next.push_back(add(e, value, ptx::exchange(e, value, mask)));
        scf::YieldOp::create(e, next);
      });
  return Registers(loop.getResults());
}

/// A lane's columns, f32.
static Registers unpackColumns(Emitter &e, PartFormat format,
                               const Registers &loaded) {
  if (format == PartFormat::F32)
    return loaded;
  Registers all;
  for (Value pair : loaded) {
    auto [low, high] = ptx::unpackPair(e, e.getF16Type(), pair);
    all.append({low, high});
  }
  return all;
}

/// What the lane's parts of a piece come to, relative to 2^base: its columns,
/// and the sum.
static Registers addOwnParts(Emitter &e, const PartSharing &sharing,
                             PartFormat format, const LoadedPiece &piece,
                             Value base) {
  auto addSome = [&](Emitter &e, ValueRange state, int64_t first, int64_t end) {
    Registers all(state);
    for (int64_t i = first; i < end; ++i) {
      Value shifted = arith::SubFOp::create(e, piece.logarithms[i], base);
      Value weight = ptx::exp2Fast(e, shifted);
      all.back() = add(e, all.back(), weight);
      if (isScaled(format))
        weight = mul(e, weight, piece.scales[i]);
      Registers columns = unpackColumns(e, format, piece.outputs[i]);
      for (auto [sum, value] : llvm::zip(all, columns))
        sum = ptx::fusedMultiplyAdd(e, weight, value, sum);
    }
    return all;
  };
  Registers none(sharing.laneColumns + 1, constant(e, 0));
  int64_t parts = piece.outputs.size(), usual = std::min(kUsualParts, parts);
  Registers all = addSome(e, none, 0, usual);
  if (usual == parts)
    return all;
  auto branch = scf::IfOp::create(
      e, isLessI(e, i32(e, usual), sharing.mostOwnParts),
      [&](OpBuilder &builder, Location loc) {
        Emitter e(loc, builder);
        scf::YieldOp::create(e, addSome(e, all, usual, parts));
      },
      [&](OpBuilder &builder, Location loc) {
        scf::YieldOp::create(builder, loc, all);
      });
  return Registers(branch.getResults());
}

SmallVector<PartSums> kernel::addParts(Emitter &e, const PartSharing &sharing,
                                       PartFormat format,
                                       ArrayRef<LoadedPiece> pieces) {
  SmallVector<PartSums> all(pieces.size());
  Registers values;
  for (auto [sums, piece] : llvm::zip_equal(all, pieces)) {
    sums.base = findLargestOfWarp(e, piece.logarithms);
    llvm::append_range(values,
                       addOwnParts(e, sharing, format, piece, sums.base));
  }
  values = addPartLanes(e, sharing, values);
  size_t count = sharing.laneColumns + 1;
  for (auto [i, sums] : llvm::enumerate(all)) {
    llvm::append_range(sums.outputs,
                       ValueRange(values).slice(i * count, count));
    sums.total = sums.outputs.pop_back_val();
  }
  return all;
}
