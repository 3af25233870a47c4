//===- PTX.h - what instructions a builder makes ----------------*- C++ -*-===//
#ifndef MLAFUSE_TEST_UNIT_CONVERSION_TOGPU_PTX_H
#define MLAFUSE_TEST_UNIT_CONVERSION_TOGPU_PTX_H

#include "NVIDIA/SharedMemory.h"
#include <functional>

namespace mlafuse::test {

/// A kernel of 128 threads that a test fills with instructions.
class Body {
public:
  Body(kernel::Emitter &e, kernel::Kernel &kernel, mlir::Value buffer)
      : e(e), kernel(kernel), buffer(buffer) {}

  kernel::Emitter &e;
  kernel::Kernel &kernel;
  mlir::Value buffer; ///< Global memory, ?xi32.

  /// Values that nothing is known of.
  mlir::Value getI32(int64_t which = 0);
  mlir::Value getF32(int64_t which = 0);
  llvm::SmallVector<mlir::Value> getI32s(int64_t count);
  llvm::SmallVector<mlir::Value> getF32s(int64_t count);
  mlir::Value getGlobal();
  /// A place in shared memory.
  kernel::ptx::Address getShared(int64_t offset = 0);
  /// Stores results, which nothing would compute otherwise.
  void keep(mlir::ValueRange values);
};

/// The PTX of the kernel for `chip`. It is assembled too, where ptxas is found.
std::string getPTX(llvm::StringRef chip,
                   const std::function<void(Body &)> &fill);

/// Expects lines of the PTX, in this order, others between them. `#` stands for
/// any register.
void expectLines(llvm::StringRef ptx, llvm::ArrayRef<std::string> lines);

} // namespace mlafuse::test

#endif // MLAFUSE_TEST_UNIT_CONVERSION_TOGPU_PTX_H
