//===- AddManifest.cpp - constants that the runtime reads -----------------===//

#include "MLAFuse/Conversion/Manifest.h"
#include "MLAFuse/Conversion/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace mlafuse {
#define GEN_PASS_DEF_MLAFUSEADDMANIFEST
#include "MLAFuse/Conversion/Passes.h.inc"
} // namespace mlafuse

using namespace mlir;
using namespace mlafuse;

void mlafuse::addConstant(ModuleOp module, StringRef name, StringRef bytes,
                          unsigned alignment) {
  std::string contents = bytes.str();
  contents.push_back('\0');
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), contents.size());
  LLVM::GlobalOp::create(builder, module.getLoc(), type, /*isConstant=*/true,
                         LLVM::Linkage::External, name,
                         builder.getStringAttr(contents), alignment);
}

void mlafuse::addManifest(ModuleOp module, StringRef manifest) {
  addConstant(module, "mlafuse_manifest", manifest, /*alignment=*/1);
}

namespace {

struct AddManifest : public mlafuse::impl::MLAFuseAddManifestBase<AddManifest> {
  using MLAFuseAddManifestBase::MLAFuseAddManifestBase;

  void runOnOperation() override {
    TargetDescription target;
    target.backend = "cpu";
    target.chip = chip;
    target.prefix = kCPUPrefix;
    FailureOr<SmallVector<EntryDescription>> entries =
        describeEntries(getOperation());
    if (failed(entries))
      return signalPassFailure();
    target.entries = std::move(*entries);
    addManifest(getOperation(), printManifest(getOperation(), target));
  }
};

} // namespace
