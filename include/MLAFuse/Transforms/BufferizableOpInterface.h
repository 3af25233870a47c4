//===- BufferizableOpInterface.h - ops from tensors to memrefs --*- C++ -*-===//
#ifndef MLAFUSE_TRANSFORMS_BUFFERIZABLEOPINTERFACE_H
#define MLAFUSE_TRANSFORMS_BUFFERIZABLEOPINTERFACE_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace mlafuse {

/// Attaches bufferization to every op of the dialect.
void registerBufferizableOpInterfaceExternalModels(
    mlir::DialectRegistry &registry);

} // namespace mlafuse

#endif // MLAFUSE_TRANSFORMS_BUFFERIZABLEOPINTERFACE_H
