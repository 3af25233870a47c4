//===- Parse.h - IR from text, for unit tests -------------------*- C++ -*-===//
#ifndef MLAFUSE_TEST_UNIT_IR_PARSE_H
#define MLAFUSE_TEST_UNIT_IR_PARSE_H

#include "MLAFuse/IR/MLAFuse.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

namespace mlafuse::test {

/// A context with the dialects that the texts use.
struct Context : mlir::MLIRContext {
  Context() : MLIRContext(Threading::DISABLED) {
    loadDialect<MLAFuseDialect, mlir::func::FuncDialect>();
  }
};

/// The text that emitted diagnostics had, one per line.
class Diagnostics {
public:
  explicit Diagnostics(mlir::MLIRContext &context)
      : handler(&context, [this](mlir::Diagnostic &diagnostic) {
          text += diagnostic.str() + "\n";
          return mlir::success();
        }) {}
  const std::string &getText() const { return text; }

private:
  std::string text;
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace mlafuse::test

#endif // MLAFUSE_TEST_UNIT_IR_PARSE_H
