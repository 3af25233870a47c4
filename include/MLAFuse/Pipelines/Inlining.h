//===- Inlining.h - the dialect's ops in inlined functions ------*- C++ -*-===//
#ifndef MLAFUSE_PIPELINES_INLINING_H
#define MLAFUSE_PIPELINES_INLINING_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace mlafuse {

/// Lets the inliner move every op of the dialect.
void registerInlinerExtension(mlir::DialectRegistry &registry);

} // namespace mlafuse

#endif // MLAFUSE_PIPELINES_INLINING_H
