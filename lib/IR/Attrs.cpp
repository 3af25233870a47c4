//===- Attrs.cpp - registration of attributes and enums -------------------===//

#include "MLAFuse/IR/Attrs.h"
#include "MLAFuse/IR/MLAFuse.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlafuse;

#include "MLAFuse/IR/MLAFuseEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "MLAFuse/IR/MLAFuseAttrs.cpp.inc"

void MLAFuseDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "MLAFuse/IR/MLAFuseAttrs.cpp.inc"
      >();
}
