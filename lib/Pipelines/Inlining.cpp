//===- Inlining.cpp - the dialect's ops in inlined functions --------------===//

#include "MLAFuse/Pipelines/Inlining.h"
#include "MLAFuse/IR/MLAFuse.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Transforms/InliningUtils.h"

using namespace mlir;
using namespace mlafuse;

namespace {

/// Ops without regions that act on their operands alone mean the same anywhere.
struct MLAFuseInlinerInterface : public DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Operation *, Region *, bool,
                       IRMapping &) const override {
    return true;
  }
};

} // namespace

void mlafuse::registerInlinerExtension(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *, MLAFuseDialect *dialect) {
    dialect->addInterfaces<MLAFuseInlinerInterface>();
  });
}
