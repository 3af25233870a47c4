//===- Dialect.cpp - registration of the mlafuse dialect ------------------===//

#include "MLAFuse/IR/MLAFuse.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlafuse;

#include "MLAFuse/IR/MLAFuseDialect.cpp.inc"

void MLAFuseDialect::initialize() {
  registerAttributes();
  addOperations<
#define GET_OP_LIST
#include "MLAFuse/IR/MLAFuseOps.cpp.inc"
      >();
}

#include "MLAFuse/IR/MLAFuseInterfaces.cpp.inc"

#define GET_OP_CLASSES
#include "MLAFuse/IR/MLAFuseOps.cpp.inc"
