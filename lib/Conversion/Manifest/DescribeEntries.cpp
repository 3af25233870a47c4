//===- DescribeEntries.cpp - what a call of an entry takes ----------------===//

#include "MLAFuse/Conversion/Manifest.h"
#include "MLAFuse/Conversion/Signature.h"
#include "MLAFuse/Conversion/Workspace.h"
#include "SizeFormula.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace mlafuse;

static std::optional<int64_t> countLaunches(Region &region);

/// The most launches that running `op` makes.
static std::optional<int64_t> countLaunches(Operation *op) {
  if (isa<gpu::LaunchFuncOp>(op))
    return 1;
  // Of the branches one runs.
  bool isChoice = isa<scf::IfOp, scf::IndexSwitchOp>(op);
  int64_t count = 0;
  for (Region &region : op->getRegions()) {
    std::optional<int64_t> inner = countLaunches(region);
    if (!inner)
      return std::nullopt;
    count = isChoice ? std::max(count, *inner) : count + *inner;
  }
  if (count == 0 || isChoice)
    return count;
  auto loop = dyn_cast<LoopLikeOpInterface>(op);
  std::optional<APInt> iterations =
      loop ? loop.getStaticTripCount() : std::nullopt;
  if (!iterations)
    return std::nullopt;
  return count * iterations->getSExtValue();
}

static std::optional<int64_t> countLaunches(Region &region) {
  int64_t count = 0;
  for (Operation &op : region.getOps()) {
    std::optional<int64_t> inner = countLaunches(&op);
    if (!inner)
      return std::nullopt;
    count += *inner;
  }
  return count;
}

/// The workspace's bytes in words.
static std::string printWorkspace(ModuleOp module, func::FuncOp entry,
                                  const FunctionSignature &signature) {
  auto sizeFunction =
      module.lookupSymbol<func::FuncOp>(getWorkspaceSizeName(entry.getName()));
  if (!sizeFunction)
    return "0";
  Operation *result = sizeFunction.getBody().front().getTerminator();
  return printSizeFormula(result->getOperand(0), signature);
}

FailureOr<SmallVector<EntryDescription>>
mlafuse::describeEntries(ModuleOp module) {
  SmallVector<EntryDescription> descriptions;
  for (func::FuncOp entry : getEntries(module)) {
    FailureOr<FunctionSignature> signature = FunctionSignature::get(entry);
    if (failed(signature))
      return failure();
    EntryDescription &description = descriptions.emplace_back();
    description.name = signature->name;
    description.launches = countLaunches(entry.getBody());
    entry.walk([&](gpu::LaunchFuncOp launch) {
      std::string kernel = launch.getKernelName().str();
      if (!llvm::is_contained(description.kernels, kernel))
        description.kernels.push_back(kernel);
    });
    description.workspace = printWorkspace(module, entry, *signature);
  }
  return descriptions;
}
