//===- Asm.cpp - PTX instructions as inline assembly ----------------------===//

#include "Asm.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;

static std::string getConstraint(Type type) {
  if (type.isF32())
    return "f";
  assert(type.isInteger(32) || type.isInteger(64));
  return type.isInteger(32) ? "r" : "l";
}

ptx::Registers ptx::emitAsm(Emitter &e, const Twine &text, TypeRange results,
                            ArrayRef<std::string> constraints,
                            ValueRange operands, Effect effect) {
  SmallVector<std::string> all;
  for (Type type : results)
    all.push_back("=" + getConstraint(type));
  llvm::append_range(all, constraints);
  if (effect == Effect::Memory)
    all.push_back("~{memory}");
  Type resultType;
  if (results.size() == 1)
    resultType = results.front();
  else if (results.size() > 1)
    resultType = LLVM::LLVMStructType::getLiteral(e.getContext(),
                                                  llvm::to_vector(results));
  auto dialect =
      LLVM::AsmDialectAttr::get(e.getContext(), LLVM::AsmDialect::AD_ATT);
  auto op = LLVM::InlineAsmOp::create(
      e, resultType ? TypeRange(resultType) : TypeRange(), operands, text.str(),
      llvm::join(all, ","), /*has_side_effects=*/effect == Effect::Memory,
      /*is_align_stack=*/false, LLVM::TailCallKind::None, dialect,
      /*operand_attrs=*/ArrayAttr());
  if (results.empty())
    return {};
  if (results.size() == 1)
    return {op.getResult(0)};
  Registers registers;
  for (unsigned i = 0; i < results.size(); ++i)
    registers.push_back(LLVM::ExtractValueOp::create(e, op.getResult(0), i));
  return registers;
}

ptx::Registers ptx::emitAsm(Emitter &e, const Twine &text, TypeRange results,
                            ValueRange operands, Effect effect) {
  SmallVector<std::string> constraints;
  for (Value operand : operands)
    constraints.push_back(getConstraint(operand.getType()));
  return emitAsm(e, text, results, constraints, operands, effect);
}

Value ptx::emitAsm(Emitter &e, const Twine &text, Type result,
                   ValueRange operands, Effect effect) {
  Registers registers = emitAsm(
      e, text, result ? TypeRange(result) : TypeRange(), operands, effect);
  return result ? registers.front() : Value();
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

static Value constantLike(Emitter &e, Value like, int64_t value) {
  return arith::ConstantIntOp::create(e, like.getType(), value);
}

Value ptx::i32(Emitter &e, int64_t value) {
  return arith::ConstantIntOp::create(e, value, 32);
}

Value ptx::i64(Emitter &e, int64_t value) {
  return arith::ConstantIntOp::create(e, value, 64);
}

Value ptx::toI32(Emitter &e, Value value) {
  if (value.getType().isIndex())
    return arith::IndexCastOp::create(e, e.getI32Type(), value);
  if (value.getType().isInteger(64))
    return arith::TruncIOp::create(e, e.getI32Type(), value);
  return value;
}

Value ptx::toI64(Emitter &e, Value value) {
  if (value.getType().isIndex())
    return arith::IndexCastOp::create(e, e.getI64Type(), value);
  if (value.getType().isInteger(32))
    return arith::ExtSIOp::create(e, e.getI64Type(), value);
  return value;
}

Value ptx::toIndex(Emitter &e, Value value) {
  return arith::IndexCastUIOp::create(e, e.getIndexType(), value);
}

Value ptx::opaque(Emitter &e, Value value) {
  if (value.getType().isIndex())
    return toIndex(e, opaque(e, toI32(e, value)));
  StringRef type = value.getType().isInteger(64) ? "b64" : "b32";
  return emitAsm(e, "mov." + type + " $0, $1;", value.getType(), value,
                 Effect::Memory);
}

Value ptx::readThread(Emitter &e) {
  return emitAsm(e, "mov.u32 $0, %tid.x;", e.getI32Type(), {}, Effect::Memory);
}

Value ptx::readBlock(Emitter &e) {
  return emitAsm(e, "mov.u32 $0, %ctaid.x;", e.getI32Type(), {},
                 Effect::Memory);
}

Value ptx::plusI(Emitter &e, Value a, int64_t b) {
  return b == 0
             ? a
             : arith::AddIOp::create(e, a, constantLike(e, a, b)).getResult();
}

Value ptx::timesI(Emitter &e, Value a, int64_t b) {
  return arith::MulIOp::create(e, a, constantLike(e, a, b));
}

Value ptx::dividedByI(Emitter &e, Value a, int64_t b) {
  return arith::DivUIOp::create(e, a, constantLike(e, a, b));
}

Value ptx::moduloI(Emitter &e, Value a, int64_t b) {
  return arith::RemUIOp::create(e, a, constantLike(e, a, b));
}

Value ptx::plusI(Emitter &e, Value a, Value b) {
  return arith::AddIOp::create(e, a, b);
}

Value ptx::timesI(Emitter &e, Value a, Value b) {
  return arith::MulIOp::create(e, a, b);
}

Value ptx::minusI(Emitter &e, Value a, Value b) {
  return arith::SubIOp::create(e, a, b);
}

Value ptx::minI(Emitter &e, Value a, Value b) {
  return arith::MinSIOp::create(e, a, b);
}

Value ptx::maxI(Emitter &e, Value a, Value b) {
  return arith::MaxSIOp::create(e, a, b);
}

std::pair<Value, Value> ptx::splitI64(Emitter &e, Value value) {
  Value high = arith::ShRUIOp::create(e, value, i64(e, 32));
  return {toI32(e, value), toI32(e, high)};
}

Value ptx::joinI64(Emitter &e, Value low, Value high) {
  auto extend = [&](Value half) -> Value {
    return arith::ExtUIOp::create(e, e.getI64Type(), half);
  };
  Value upper = arith::ShLIOp::create(e, extend(high), i64(e, 32));
  return arith::OrIOp::create(e, upper, extend(low));
}

Value ptx::isLessI(Emitter &e, Value a, Value b) {
  return arith::CmpIOp::create(e, arith::CmpIPredicate::slt, a, b);
}

Value ptx::isEqualI(Emitter &e, Value a, int64_t b) {
  return arith::CmpIOp::create(e, arith::CmpIPredicate::eq, a,
                               constantLike(e, a, b));
}

std::string ptx::listOperands(unsigned first, unsigned count) {
  std::string list = "{";
  for (unsigned i = 0; i < count; ++i)
    list += (i ? ", $" : "$") + std::to_string(first + i);
  return list + "}";
}

std::string ptx::atOperand(unsigned operand, int64_t offset) {
  return "[$" + std::to_string(operand) + "+" + std::to_string(offset) + "]";
}

std::string ptx::vectorSuffix(int64_t count) {
  return count == 1 ? "" : ".v" + std::to_string(count);
}

std::string ptx::vectorOperands(unsigned first, int64_t count) {
  return count == 1 ? "$" + std::to_string(first) : listOperands(first, count);
}
