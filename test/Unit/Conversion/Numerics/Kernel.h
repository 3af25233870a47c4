//===- Kernel.h - Runs emitted arithmetic on this machine -------*- C++ -*-===//
//
// A kernel wraps the arithmetic of one call of the library between loads and a
// store, compiles it for the host at -O3 and runs it over arrays.
//
//===----------------------------------------------------------------------===//

#ifndef MLAFUSE_TEST_UNIT_CONVERSION_NUMERICS_KERNEL_H
#define MLAFUSE_TEST_UNIT_CONVERSION_NUMERICS_KERNEL_H

#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Compiler.h"

#include <memory>
#include <string>
#include <vector>

namespace mlafuse::test {

/// The context of all kernels of the process.
mlir::MLIRContext &getContext();

/// Emits the result from the values of the operands.
using Body = llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::Location,
                                            mlir::ValueRange)>;

/// A module in the LLVM dialect whose function `kernel(a, b, result)` loads one
/// value of each type of `operands` (at most two) through its pointers and
/// stores what `body` makes of them. f8 values lie in memory as bytes.
mlir::OwningOpRef<mlir::ModuleOp>
buildKernelModule(llvm::ArrayRef<mlir::Type> operands, Body body);

/// The assembly of the kernel for an x86 processor named as in -mcpu.
std::string emitAssembly(llvm::ArrayRef<mlir::Type> operands, Body body,
                         llvm::StringRef cpu);

class Kernel {
public:
  Kernel(llvm::ArrayRef<mlir::Type> operands, Body body);

  /// UBSan looks for the type of a function ahead of its code, which a JIT does
  /// not put there.
#ifdef __clang__ // gcc has no such check and warns of the attribute
  LLVM_NO_SANITIZE("function")
#endif
  void operator()(const void *a, const void *b, void *result) const {
    function(a, b, result);
  }

private:
  std::unique_ptr<mlir::ExecutionEngine> engine;
  void (*function)(const void *, const void *, void *);
};

/// Runs the body elementwise over `a` (and `b`, for a body of two operands),
/// with `lanes` elements at a time: 0 is a scalar kernel, else a vector of that
/// size.
template <typename Result, typename Operand>
std::vector<Result> runElementwise(mlir::Type operand, unsigned lanes,
                                   Body body, const std::vector<Operand> &a,
                                   const std::vector<Operand> *b = nullptr) {
  mlir::Type type = operand;
  if (lanes)
    type = mlir::VectorType::get(lanes, operand);
  llvm::SmallVector<mlir::Type> types(b ? 2 : 1, type);
  Kernel kernel(types, body);
  unsigned step = lanes ? lanes : 1;
  // The last vector may reach beyond the data.
  size_t padded = (a.size() + step - 1) / step * step;
  std::vector<Operand> first(a), second(b ? *b : std::vector<Operand>());
  first.resize(padded);
  second.resize(b ? padded : 0);
  std::vector<Result> result(padded);
  for (size_t i = 0; i < padded; i += step)
    kernel(&first[i], b ? &second[i] : nullptr, &result[i]);
  result.resize(a.size());
  return result;
}

} // namespace mlafuse::test

#endif // MLAFUSE_TEST_UNIT_CONVERSION_NUMERICS_KERNEL_H
