//===- Kernel.cpp - one launch and what its threads share -----------------===//

#include "Kernel.h"
#include "MLAFuse/Conversion/Kernels.h"
#include "MLAFuse/Conversion/Numerics.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;

Kernel::Kernel(Emitter &e, const Chip &chip, Value blocks, Value blocksY,
               int64_t threads)
    : chip(chip), threads(threads) {
  Value one = rows::index(e, 1);
  launch = gpu::LaunchOp::create(e, blocks, blocksY, one,
                                 rows::index(e, threads), one, one);
  Block &body = launch.getBody().front();
  OpBuilder::InsertionGuard guard(e);
  e.setInsertionPointToEnd(&body);
  gpu::TerminatorOp::create(e);
  thread = launch.getThreadIds().x;
  block = launch.getBlockIds().x;
  blockY = launch.getBlockIds().y;
}

Emitter Kernel::getBody() {
  Emitter inner(launch.getLoc(), launch.getContext());
  inner.setInsertionPoint(launch.getBody().front().getTerminator());
  return inner;
}

Value Kernel::addShared(int64_t size, Type elementType) {
  auto space = gpu::AddressSpaceAttr::get(launch.getContext(),
                                          gpu::AddressSpace::Workgroup);
  auto type =
      MemRefType::get({size}, elementType, MemRefLayoutAttrInterface(), space);
  return launch.addWorkgroupAttribution(type, launch.getLoc());
}

void Kernel::setDynamicShared(int64_t bytes) {
  OpBuilder builder(launch);
  launch.getDynamicSharedMemorySizeMutable().assign(
      arith::ConstantIntOp::create(builder, launch.getLoc(), bytes, 32));
}

void Kernel::setBlocksPerMultiprocessor(int32_t blocks) {
  launch->setAttr(kBlocksPerMultiprocessorAttr,
                  Builder(launch.getContext()).getI32IntegerAttr(blocks));
}

void Kernel::setOverlapsPrevious() {
  launch->setAttr(kOverlapsPreviousAttr, UnitAttr::get(launch.getContext()));
}

void Kernel::barrier(Emitter &e) { gpu::BarrierOp::create(e); }

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Value kernel::toF32(Emitter &e, Value value) {
  Type type = withElementType(value.getType(), e.getF32Type());
  return type == value.getType()
             ? value
             : arith::ExtFOp::create(e, type, value).getResult();
}

Value kernel::fromF32(Emitter &e, Value value, Type elementType) {
  Type type = withElementType(value.getType(), elementType);
  return type == value.getType()
             ? value
             : arith::TruncFOp::create(e, type, value).getResult();
}

Value kernel::roundTo(Emitter &e, Value value, Type elementType) {
  return toF32(e, fromF32(e, value, elementType));
}

Value kernel::largest(Emitter &e, Value a, Value b) {
  return arith::MaxNumFOp::create(e, a, b);
}

Value kernel::smallest(Emitter &e, Value a, Value b) {
  return arith::MinNumFOp::create(e, a, b);
}

Value kernel::subtract(Emitter &e, Value a, Value b) {
  return arith::SubFOp::create(e, a, b);
}

Value kernel::isGreater(Emitter &e, Value a, Value b) {
  return arith::CmpFOp::create(e, arith::CmpFPredicate::OGT, a, b);
}

Value kernel::select(Emitter &e, Value condition, Value a, Value b) {
  return arith::SelectOp::create(e, condition, a, b);
}

Value kernel::foldPairwise(Emitter &e, ValueRange values, Combine combine) {
  SmallVector<Value> left(values);
  while (left.size() > 1) {
    SmallVector<Value> next;
    for (size_t i = 0; i + 1 < left.size(); i += 2)
      next.push_back(combine(e, left[i], left[i + 1]));
    if (left.size() % 2)
      next.push_back(left.back());
    left = next;
  }
  return left.front();
}

void kernel::runIf(Emitter &e, Value condition,
                   function_ref<void(Emitter &)> body) {
  if (!condition)
    return body(e);
  scf::IfOp::create(e, condition, [&](OpBuilder &builder, Location loc) {
    Emitter inner(loc, builder);
    body(inner);
    scf::YieldOp::create(inner);
  });
}

Value kernel::valueIf(Emitter &e, Value condition, Value otherwise,
                      function_ref<Value(Emitter &)> body) {
  if (!condition)
    return body(e);
  auto branch = scf::IfOp::create(
      e, condition,
      [&](OpBuilder &builder, Location loc) {
        Emitter inner(loc, builder);
        scf::YieldOp::create(inner, body(inner));
      },
      [&](OpBuilder &builder, Location loc) {
        scf::YieldOp::create(builder, loc, otherwise);
      });
  return branch.getResult(0);
}

Value kernel::both(Emitter &e, Value a, Value b) {
  if (!a || !b)
    return a ? a : b;
  return arith::AndIOp::create(e, a, b);
}

Value kernel::isLess(Emitter &e, Value a, Value b) {
  return arith::CmpIOp::create(e, arith::CmpIPredicate::ult, a, b);
}

Value kernel::isEqual(Emitter &e, Value a, int64_t b) {
  return arith::CmpIOp::create(e, arith::CmpIPredicate::eq, a,
                               rows::index(e, b));
}

Value kernel::modulo(Emitter &e, Value a, int64_t b) {
  return arith::RemUIOp::create(e, a, rows::index(e, b));
}

Value kernel::ceilDiv(Emitter &e, Value a, int64_t b) {
  return arith::DivUIOp::create(e, plus(e, a, b - 1), rows::index(e, b));
}
