//===- Warp.cpp - matrices and lanes of one warp --------------------------===//

#include "Warp.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;

static std::string getName(Type elements) {
  assert(elements.isBF16() || elements.isF16());
  return elements.isBF16() ? "bf16" : "f16";
}

ptx::Registers ptx::loadMatrices(Emitter &e, Address row, bool transposed) {
  SmallVector<Type> types(4, e.getI32Type());
  return emitAsm(
      e,
      Twine("ldmatrix.sync.aligned.m8n8.x4") + (transposed ? ".trans" : "") +
          ".shared.b16 {$0, $1, $2, $3}, [$4+" + Twine(row.offset) + "];",
      TypeRange(types), row.base, Effect::Memory);
}

void ptx::storeMatrices(Emitter &e, Address row, ValueRange matrices,
                        bool transposed) {
  assert(matrices.size() == 4);
  Registers operands = {row.base};
  llvm::append_range(operands, matrices);
  emitAsm(e,
          Twine("stmatrix.sync.aligned.m8n8.x4") +
              (transposed ? ".trans" : "") + ".shared.b16 [$0+" +
              Twine(row.offset) + "], {$1, $2, $3, $4};",
          TypeRange(), operands, Effect::Memory);
}

ptx::Registers ptx::multiplyWarp(Emitter &e, Type elements, ValueRange d,
                                 ValueRange a, ValueRange b) {
  std::string type = getName(elements);
  Registers operands(a);
  llvm::append_range(operands, b);
  llvm::append_range(operands, d);
  SmallVector<std::string> constraints(6, "r");
  for (int i = 0; i < 4; ++i)
    constraints.push_back(std::to_string(i));
  SmallVector<Type> types(4, e.getF32Type());
  return emitAsm(e,
                 "mma.sync.aligned.m16n8k16.row.col.f32." + type + "." + type +
                     ".f32 {$0, $1, $2, $3}, {$4, $5, $6, $7}, {$8, $9}, "
                     "{$0, $1, $2, $3};",
                 TypeRange(types), constraints, operands, Effect::None);
}

Value ptx::getLane(Emitter &e) {
  return toI32(e, gpu::LaneIdOp::create(e, /*upper_bound=*/IntegerAttr()));
}

Value ptx::ballot(Emitter &e, Value value) {
  return emitAsm(e,
                 "{\n.reg .pred set;\nsetp.ne.b32 set, $1, 0;\n"
                 "vote.sync.ballot.b32 $0, set, 0xffffffff;\n}",
                 e.getI32Type(), value, Effect::Memory);
}

static Value reduceOverLanes(Emitter &e, StringRef operation, Value value) {
  return ptx::emitAsm(e, "redux.sync." + operation + ".s32 $0, $1, 0xffffffff;",
                      e.getI32Type(), value, ptx::Effect::Memory);
}

Value ptx::sumOverLanes(Emitter &e, Value value) {
  return reduceOverLanes(e, "add", value);
}

Value ptx::largestOverLanes(Emitter &e, Value value) {
  return reduceOverLanes(e, "max", value);
}

static constexpr int64_t kLanes = 32;

Value ptx::ofLane(Emitter &e, Value value, Value lane) {
  return gpu::ShuffleOp::create(e, value, lane, i32(e, kLanes),
                                gpu::ShuffleMode::IDX)
      .getShuffleResult();
}

Value ptx::ofLaneI64(Emitter &e, Value value, Value lane) {
  auto [low, high] = splitI64(e, value);
  Value ofLow = ofLane(e, low, lane);
  return joinI64(e, ofLow, ofLane(e, high, lane));
}

Value ptx::sameInAllLanes(Emitter &e, Value value) {
  return ofLane(e, value, i32(e, 0));
}

Value ptx::exchange(Emitter &e, Value value, int64_t mask) {
  return emitAsm(
      e, "shfl.sync.bfly.b32 $0, $1, " + Twine(mask) + ", 31, 0xffffffff;",
      value.getType(), value, Effect::Memory);
}

Value ptx::exchange(Emitter &e, Value value, Value mask) {
  return gpu::ShuffleOp::create(e, value, mask, i32(e, kLanes),
                                gpu::ShuffleMode::XOR)
      .getShuffleResult();
}

Value ptx::holdsInAnyLane(Emitter &e, Value condition) {
  Value flag = arith::ExtUIOp::create(e, e.getI32Type(), condition);
  Value any = emitAsm(e,
                      "{\n.reg .pred p;\nsetp.ne.b32 p, $1, 0;\nvote.sync.any."
                      "pred p, p, 0xffffffff;\nselp.b32 $0, 1, 0, p;\n}",
                      e.getI32Type(), flag, Effect::Memory);
  return arith::CmpIOp::create(e, arith::CmpIPredicate::ne, any, i32(e, 0));
}

Value ptx::holdsInAllLanes(Emitter &e, Value condition) {
  Value flag = arith::ExtUIOp::create(e, e.getI32Type(), condition);
  return isEqualI(e, ballot(e, flag), -1);
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

Value ptx::exp2Fast(Emitter &e, Value x) {
  return emitAsm(e, "ex2.approx.ftz.f32 $0, $1;", x.getType(), x, Effect::None);
}

Value ptx::log2Fast(Emitter &e, Value x) {
  return emitAsm(e, "lg2.approx.ftz.f32 $0, $1;", x.getType(), x, Effect::None);
}

Value ptx::reciprocalFast(Emitter &e, Value x) {
  return emitAsm(e, "rcp.approx.ftz.f32 $0, $1;", x.getType(), x, Effect::None);
}

Value ptx::fusedMultiplyAdd(Emitter &e, Value a, Value b, Value c) {
  return math::FmaOp::create(e, a, b, c);
}

Value ptx::packPair(Emitter &e, Type elements, Value low, Value high) {
  return emitAsm(e, "cvt.rn." + getName(elements) + "x2.f32 $0, $1, $2;",
                 e.getI32Type(), {high, low}, Effect::None);
}

Value ptx::multiplyPairs(Emitter &e, Type elements, Value a, Value b) {
  return emitAsm(e, "mul.rn." + getName(elements) + "x2 $0, $1, $2;",
                 e.getI32Type(), {a, b}, Effect::None);
}

Value ptx::largerMagnitudes(Emitter &e, Type elements, Value a, Value b) {
  return emitAsm(e, "max.xorsign.abs." + getName(elements) + "x2 $0, $1, $2;",
                 e.getI32Type(), {a, b}, Effect::None);
}

ptx::Registers ptx::widenNumbers(Emitter &e, Type elements, Value codes) {
  // A code's exponent and mantissa are put in the place of an element's, whose
  // exponent has another bias: a product, exact for subnormals too, adds the
  // difference.
  bool isBF16 = elements.isBF16();
  std::string shift = isBF16 ? "4" : "1";
  std::string factor = isBF16 ? "0x7B807B80" : "0x5C005C00"; // 2^120, 2^8.
  Registers pairs;
  // Codes to the upper bytes of halves.
  for (StringRef bytes : {"0x1404", "0x3424"})
    pairs.push_back(emitAsm(
        e,
        "{\n.reg .b32 code, sign, factor;\nprmt.b32 code, $1, 0, " + bytes +
            ";\nand.b32 sign, code, 0x80008000;\n"
            "and.b32 code, code, 0x7F007F00;\nshr.u32 code, code, " +
            shift + ";\nor.b32 code, code, sign;\nmov.b32 factor, " + factor +
            ";\nmul.rn." + getName(elements) + "x2 $0, code, factor;\n}",
        e.getI32Type(), codes, Effect::None));
  return pairs;
}

Value ptx::findNaNCodes(Emitter &e, ValueRange codes) {
  // 0x7F and a sign: the only seven bits to which one more is the eighth.
  Value all = i32(e, 0);
  for (Value word : codes) {
    Value magnitudes = arith::AndIOp::create(e, word, i32(e, 0x7F7F7F7F));
    all = arith::OrIOp::create(e, all, plusI(e, magnitudes, 0x01010101));
  }
  return arith::AndIOp::create(e, all,
                               i32(e, static_cast<int32_t>(0x80808080)));
}

ptx::Registers ptx::widenCodes(Emitter &e, Value codes) {
  SmallVector<Type> types(2, e.getI32Type());
  return emitAsm(e,
                 "{\n.reg .b16 low, high;\nmov.b32 {low, high}, "
                 "$2;\ncvt.rn.f16x2.e4m3x2 $0, low;\ncvt.rn.f16x2.e4m3x2 $1, "
                 "high;\n}",
                 TypeRange(types), codes, Effect::None);
}

std::pair<Value, Value> ptx::unpackPair(Emitter &e, Type elements, Value pair) {
  if (elements.isBF16()) {
    auto toF32 = [&](Value bits) -> Value {
      return arith::BitcastOp::create(e, e.getF32Type(), bits);
    };
    Value low = arith::ShLIOp::create(e, pair, i32(e, 16));
    Value high = arith::AndIOp::create(e, pair, i32(e, 0xffff0000));
    return {toF32(low), toF32(high)};
  }
  SmallVector<Type> types(2, e.getF32Type());
  Registers both = emitAsm(e,
                           "{\n.reg .f16 low, high;\nmov.b32 {low, high}, "
                           "$2;\ncvt.f32.f16 $0, low;\ncvt.f32.f16 $1, "
                           "high;\n}",
                           TypeRange(types), pair, Effect::None);
  return {both[0], both[1]};
}
