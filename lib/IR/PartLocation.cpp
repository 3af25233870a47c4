//===- PartLocation.cpp - ops that stand for part of another --------------===//

#include "MLAFuse/IR/PartLocation.h"
#include "MLAFuse/IR/MLAFuse.h"

using namespace mlir;
using namespace mlafuse;

Location mlafuse::getPartLocation(Operation *op) {
  // A part of a part is one of what the source has.
  if (!getWholeName(op->getLoc()).empty())
    return op->getLoc();
  return NameLoc::get(op->getName().getIdentifier(), op->getLoc());
}

StringRef mlafuse::getWholeName(Location location) {
  auto named = dyn_cast<NameLoc>(location);
  if (!named)
    return {};
  OperationName name(named.getName(), location.getContext());
  bool isOp =
      name.getDialectNamespace() == MLAFuseDialect::getDialectNamespace();
  return isOp && name.isRegistered() ? named.getName().strref() : StringRef();
}
