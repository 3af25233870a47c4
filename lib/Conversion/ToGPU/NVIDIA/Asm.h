//===- Asm.h - PTX instructions as inline assembly --------------*- C++ -*-===//
//
// The instructions that MLIR's ops do not spell as the kernels need them. All
// builders of this directory take and give registers: i32, i64 and f32 values;
// addresses of shared memory are i32, addresses of global memory i64.
//
//===----------------------------------------------------------------------===//
#ifndef MLAFUSE_LIB_CONVERSION_TOGPU_NVIDIA_ASM_H
#define MLAFUSE_LIB_CONVERSION_TOGPU_NVIDIA_ASM_H

#include "../Kernel.h"

namespace mlafuse::kernel::ptx {

using Registers = llvm::SmallVector<mlir::Value>;

/// Whether an instruction reads or writes memory that others see, or waits.
enum class Effect { None, Memory };

/// `text` with operands $0, $1, ...: the results, then `operands`.
/// `constraints` are those of the operands ("r", "l", "f", or a result's
/// number: the operand is in its register); results follow from their types.
Registers emitAsm(Emitter &e, const llvm::Twine &text, mlir::TypeRange results,
                  llvm::ArrayRef<std::string> constraints,
                  mlir::ValueRange operands, Effect effect);

/// The same with operands in registers of their types.
Registers emitAsm(Emitter &e, const llvm::Twine &text, mlir::TypeRange results,
                  mlir::ValueRange operands, Effect effect);
/// One result, or none (null).
mlir::Value emitAsm(Emitter &e, const llvm::Twine &text, mlir::Type result,
                    mlir::ValueRange operands, Effect effect);

/// Constants.
mlir::Value i32(Emitter &e, int64_t value);
mlir::Value i64(Emitter &e, int64_t value);
/// An index as i32 or i64, an i32 as i64; an i32 that is not negative as an
/// index.
mlir::Value toI32(Emitter &e, mlir::Value value);
mlir::Value toI64(Emitter &e, mlir::Value value);
mlir::Value toIndex(Emitter &e, mlir::Value value);
/// A copy that no optimization looks through: what is computed from it stays
/// behind it, in a loop for example.
mlir::Value opaque(Emitter &e, mlir::Value value);
/// The thread's number in its block, and the block's (i32), read where this is
/// emitted: no register holds them from the kernel's beginning on.
mlir::Value readThread(Emitter &e);
mlir::Value readBlock(Emitter &e);
/// Integer arithmetic with a constant.
mlir::Value plusI(Emitter &e, mlir::Value a, int64_t b);
mlir::Value timesI(Emitter &e, mlir::Value a, int64_t b);
mlir::Value dividedByI(Emitter &e, mlir::Value a, int64_t b);
mlir::Value moduloI(Emitter &e, mlir::Value a, int64_t b);
mlir::Value plusI(Emitter &e, mlir::Value a, mlir::Value b);
mlir::Value timesI(Emitter &e, mlir::Value a, mlir::Value b);
mlir::Value minusI(Emitter &e, mlir::Value a, mlir::Value b);
/// The smaller and the larger of two, signed.
mlir::Value minI(Emitter &e, mlir::Value a, mlir::Value b);
mlir::Value maxI(Emitter &e, mlir::Value a, mlir::Value b);
/// An i64 as its low and high i32, and back.
std::pair<mlir::Value, mlir::Value> splitI64(Emitter &e, mlir::Value value);
mlir::Value joinI64(Emitter &e, mlir::Value low, mlir::Value high);
/// Comparisons of i32 or i64, signed.
mlir::Value isLessI(Emitter &e, mlir::Value a, mlir::Value b);
mlir::Value isEqualI(Emitter &e, mlir::Value a, int64_t b);

/// "{$first, ...}" of `count` operands.
std::string listOperands(unsigned first, unsigned count);

/// "[$operand+offset]": an address and bytes to add to it.
std::string atOperand(unsigned operand, int64_t offset);
/// Of an access to `count` registers at once: "" or ".v4", and the registers.
std::string vectorSuffix(int64_t count);
std::string vectorOperands(unsigned first, int64_t count);

} // namespace mlafuse::kernel::ptx

#endif // MLAFUSE_LIB_CONVERSION_TOGPU_NVIDIA_ASM_H
