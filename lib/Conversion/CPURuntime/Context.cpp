//===- Context.cpp - the launch context in LLVM's types -------------------===//

#include "Context.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace mlafuse;

static LLVM::LLVMStructType getContextType(MLIRContext *context) {
  Type i32 = IntegerType::get(context, 32), i64 = IntegerType::get(context, 64);
  Type ptr = LLVM::LLVMPointerType::get(context);
  return LLVM::LLVMStructType::getLiteral(
      context, {i32, i32, ptr, ptr, i64, ptr, ptr, ptr});
}

Value mlafuse::loadContextField(OpBuilder &builder, Location loc, Value context,
                                ContextField field) {
  LLVM::LLVMStructType type = getContextType(builder.getContext());
  auto index = static_cast<int32_t>(field);
  Value address = LLVM::GEPOp::create(
      builder, loc, LLVM::LLVMPointerType::get(builder.getContext()), type,
      context, ArrayRef<LLVM::GEPArg>{0, index});
  return LLVM::LoadOp::create(builder, loc, type.getBody()[index], address);
}

LLVM::LLVMFunctionType mlafuse::getParallelForType(MLIRContext *context) {
  Type i64 = IntegerType::get(context, 64);
  Type ptr = LLVM::LLVMPointerType::get(context);
  return LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(context),
                                     {ptr, ptr, ptr, i64, i64});
}

LLVM::LLVMFunctionType mlafuse::getLaunchKernelType(MLIRContext *context) {
  Type ptr = LLVM::LLVMPointerType::get(context);
  return LLVM::LLVMFunctionType::get(IntegerType::get(context, 32), {ptr, ptr});
}

LLVM::LLVMStructType mlafuse::getLaunchType(MLIRContext *context) {
  Type i32 = IntegerType::get(context, 32);
  Type i32x3 = LLVM::LLVMArrayType::get(i32, 3);
  Type ptr = LLVM::LLVMPointerType::get(context);
  return LLVM::LLVMStructType::getLiteral(
      context, {i32, i32x3, i32x3, i32, i32, i32, ptr});
}

Value mlafuse::castThroughLowering(OpBuilder &builder, Location loc, Type type,
                                   Value value) {
  if (value.getType() == type)
    return value;
  return UnrealizedConversionCastOp::create(builder, loc, type, value)
      .getResult(0);
}
