//===- Attrs.h - attributes of the mlafuse dialect --------------*- C++ -*-===//
#ifndef MLAFUSE_IR_ATTRS_H
#define MLAFUSE_IR_ATTRS_H

#include "mlir/IR/Attributes.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

#include <array>
#include <optional>
#include <utility>

#include "MLAFuse/IR/MLAFuseEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "MLAFuse/IR/MLAFuseAttrs.h.inc"

#endif // MLAFUSE_IR_ATTRS_H
