//===- SwappedKeys.cpp - keys as left operands ----------------------------===//

#include "SwappedKeys.h"
#include "../NVIDIA/Warp.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;
using ptx::i32;
using ptx::plusI;
using ptx::Registers;
using ptx::SwizzledTile;
using ptx::timesI;

/// Codes are 2^-120 of what they stand for where they are multiplied; scales of
/// which so much is still a number. Of f32: bits of the mantissa, the bias.
static constexpr int64_t kLift = 120, kMostLifted = 7;
static constexpr int64_t kMantissa = 23, kBias = 127;
static constexpr int64_t kQuad = 4, kLoadBytes = 16, kLoad = 4;
static constexpr int64_t kWarpKeys = SwappedBlock::kWarpKeys;
/// Between the keys of a thread.
static constexpr int64_t kKeyStep = 8;

// Rows of products that follow each other are keys 4 apart: with rows of memory
// 16 bytes beyond a multiple of 128 apart, the lanes of two keys that read 64
// bytes each meet no bank twice.
Value SwappedKeys::getKeyOfRow(Emitter &e, Value row) {
  Value ofEight = ptx::moduloI(e, row, kKeyStep);
  Value key = plusI(e, ptx::dividedByI(e, ofEight, 2),
                    timesI(e, ptx::moduloI(e, ofEight, 2), kKeyStep / 2));
  return plusI(e, key, ptx::minusI(e, row, ofEight));
}

SwappedKeys::SwappedKeys(Emitter &e, const SwappedBlock &block,
                         const AttentionInputs &inputs, Value warp, Value lane)
    : hasRope(inputs.getProblem().rope), block(block), warp(warp),
      quad(ptx::moduloI(e, lane, kQuad)), firstKey(timesI(e, warp, kWarpKeys)),
      threadKey(getKeyOfRow(e, ptx::dividedByI(e, lane, kQuad))) {}

Value SwappedKeys::getKey(Emitter &e, int64_t key) const {
  return plusI(e, threadKey, key * kKeyStep);
}

Value SwappedKeys::exists(Emitter &e, Value exist, int64_t key) const {
  return SwappedRows{Value(), exist}.exists(e, getKey(e, key));
}

Value SwappedKeys::getNumber(Emitter &e, int64_t key) const {
  return plusI(e, firstKey, getKey(e, key));
}

//===----------------------------------------------------------------------===//
// From memory
//===----------------------------------------------------------------------===//

ptx::Address SwappedKeys::getPlace(Emitter &e, Value stage) const {
  return block.getKeys(e, stage).advance(
      e, timesI(e, plusI(e, firstKey, threadKey), block.getRowBytes()));
}

Value SwappedKeys::loadExist(Emitter &e, Value stage) const {
  return ptx::loadShared(e, block.getExist(e, stage, warp), e.getI32Type())[0];
}

Registers SwappedKeys::load(Emitter &e, ptx::Address from, Type type) const {
  Registers words;
  for (int64_t i = 0; i < kKeys; ++i)
    llvm::append_range(
        words, ptx::loadShared(e, from + i * kKeyStep * block.getRowBytes(),
                               type, kLoad));
  return words;
}

Registers SwappedKeys::loadScales(Emitter &e, ptx::Address place) const {
  static_assert(SwappedBlock::kScales == kLoad);
  return load(e, place + SwappedBlock::kScaleOffset, e.getF32Type());
}

Registers SwappedKeys::loadCodes(Emitter &e, ptx::Address place,
                                 int64_t box) const {
  return load(e,
              place.advance(e, timesI(e, quad, kLoadBytes)) +
                  box * SwizzledTile::kBoxColumns,
              e.getI32Type());
}

Registers SwappedKeys::loadRope(Emitter &e, ptx::Address place) const {
  if (!hasRope)
    return {};
  // Two times 8 columns of a thread.
  ptx::Address from =
      place.advance(e, timesI(e, quad, kLoadBytes)) + SwappedBlock::kRopeOffset;
  Registers low = load(e, from, e.getI32Type());
  Registers high = load(e, from + kQuad * kLoadBytes, e.getI32Type());
  Registers words[kKeys];
  for (int64_t i = 0; i < kKeys; ++i) {
    llvm::append_range(words[i], ValueRange(low).slice(i * kLoad, kLoad));
    llvm::append_range(words[i], ValueRange(high).slice(i * kLoad, kLoad));
  }
  return arrange(words[0], words[1]);
}

//===----------------------------------------------------------------------===//
// To operands
//===----------------------------------------------------------------------===//

Registers SwappedKeys::arrange(ValueRange first, ValueRange second) {
  Registers operands;
  for (size_t i = 0; i < first.size(); ++i)
    operands.append({first[i], second[i]});
  return operands;
}

SwappedKeys::Lift SwappedKeys::lift(Emitter &e, ValueRange scales,
                                    ValueRange rope) const {
  Lift usual = {Registers(kKeys, constant(e, std::exp2(kLift))),
                Registers(kKeys, constant(e, 1)), Registers(rope)};
  Registers most;
  for (int64_t i = 0; i < kKeys; ++i) {
    Registers magnitudes;
    for (Value scale : scales.slice(i * kLoad, kLoad))
      magnitudes.push_back(math::AbsFOp::create(e, scale));
    most.push_back(foldPairwise(e, magnitudes, largest));
  }
  auto pack = [](const Lift &lift) {
    Registers all(lift.powers);
    llvm::append_range(all, lift.undone);
    llvm::append_range(all, lift.rope);
    return all;
  };
  Value isLarge = ptx::holdsInAnyLane(
      e, arith::CmpFOp::create(e, arith::CmpFPredicate::OGE,
                               foldPairwise(e, most, largest),
                               constant(e, std::exp2(kMostLifted))));
  auto branch = scf::IfOp::create(
      e, isLarge,
      [&](OpBuilder &builder, Location loc) {
        Emitter e(loc, builder);
        Lift lift;
        Registers smaller;
        for (Value magnitude : most) {
          Value exponent = arith::ShRUIOp::create(
              e, arith::BitcastOp::create(e, e.getI32Type(), magnitude),
              i32(e, kMantissa));
          Value excess = ptx::maxI(
              e, plusI(e, exponent, 1 - kMostLifted - kBias), i32(e, 0));
          auto getPower = [&](Value exponent) -> Value {
            Value bits = arith::ShLIOp::create(e, plusI(e, exponent, kBias),
                                               i32(e, kMantissa));
            return arith::BitcastOp::create(e, e.getF32Type(), bits);
          };
          lift.powers.push_back(
              getPower(ptx::minusI(e, i32(e, kLift), excess)));
          lift.undone.push_back(getPower(excess));
          Value power = getPower(ptx::minusI(e, i32(e, 0), excess));
          smaller.push_back(ptx::packPair(e, e.getBF16Type(), power, power));
        }
        for (auto [i, pair] : llvm::enumerate(rope))
          lift.rope.push_back(
              ptx::multiplyPairs(e, e.getBF16Type(), pair, smaller[i % kKeys]));
        scf::YieldOp::create(e, pack(lift));
      },
      [&](OpBuilder &builder, Location loc) {
        Emitter e(loc, builder);
        scf::YieldOp::create(e, pack(usual));
      });
  ValueRange results = branch.getResults();
  return {Registers(results.take_front(kKeys)),
          Registers(results.slice(kKeys, kKeys)),
          Registers(results.drop_front(2 * kKeys))};
}

Registers SwappedKeys::getFactors(Emitter &e, ValueRange scales,
                                  const Lift &lift, int64_t box) const {
  Type bf16 = e.getBF16Type();
  Registers factors;
  for (int64_t i = 0; i < kKeys; ++i) {
    Value scale = scales[i * kLoad + box / kScaleBoxes];
    Value lifted = mul(e, scale, lift.powers[i]);
    Value high = ptx::packPair(e, bf16, lifted, lifted);
    Value rest = subtract(e, lifted, ptx::unpackPair(e, bf16, high).second);
    factors.append({high, ptx::packPair(e, bf16, rest, rest)});
  }
  return factors;
}

Registers SwappedKeys::convert(Emitter &e, ValueRange codes,
                               ValueRange factors) const {
  Registers pairs[kKeys];
  for (int64_t i = 0; i < kKeys; ++i) {
    ValueRange words = codes.slice(i * kLoad, kLoad);
    for (Value word : words)
      llvm::append_range(pairs[i], ptx::multiplyCodes(e, word, factors[2 * i],
                                                      factors[2 * i + 1]));
  }
  return arrange(pairs[0], pairs[1]);
}
