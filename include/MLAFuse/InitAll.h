//===- InitAll.h - registration of everything -------------------*- C++ -*-===//
#ifndef MLAFUSE_INITALL_H
#define MLAFUSE_INITALL_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace mlafuse {

/// The mlafuse dialect.
void registerAllDialects(mlir::DialectRegistry &registry);

/// Interfaces that passes need of the dialect's ops, bufferization above all.
void registerAllExtensions(mlir::DialectRegistry &registry);

/// Every pass and pipeline, for textual pipelines.
void registerAllPasses();

} // namespace mlafuse

#endif // MLAFUSE_INITALL_H
