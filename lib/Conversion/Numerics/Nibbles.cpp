//===- Nibbles.cpp - Two four-bit codes to a byte -------------------------===//
//
// Both work on pairs of bytes as i16: the even-numbered code is the low byte on
// a little-endian target, and one shift by four moves the other next to it.
//
//===----------------------------------------------------------------------===//

#include "Emit.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlafuse;

Value mlafuse::packNibbles(OpBuilder &b, Location loc, Value codes) {
  auto type = cast<VectorType>(codes.getType());
  assert(type.getRank() == 1 && type.getDimSize(0) % 2 == 0 &&
         "packNibbles takes vector<2n x i8>");
  auto pairType = VectorType::get(type.getDimSize(0) / 2, b.getI16Type());
  Value pairs = vector::BitCastOp::create(b, loc, pairType, codes);
  Emit e(b, loc, pairs);
  return e.trunc(e.bitOr(pairs, e.shrUnsigned(pairs, 4)), 8);
}

Value mlafuse::unpackNibbles(OpBuilder &b, Location loc, Value bytes) {
  auto type = cast<VectorType>(bytes.getType());
  assert(type.getRank() == 1 && "unpackNibbles takes vector<n x i8>");
  Emit e(b, loc, bytes);
  Value pairs = e.zext(bytes, 16);
  pairs = e.bitAnd(e.bitOr(pairs, e.shl(pairs, 4)), 0x0F0F);
  auto codeType = VectorType::get(type.getDimSize(0) * 2, b.getI8Type());
  return vector::BitCastOp::create(b, loc, codeType, pairs);
}
