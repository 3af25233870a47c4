//===- MLAFuse.td - the mlafuse dialect ---------------------*- tablegen -*-===//
//
// Umbrella over the dialect's records.
//
//===----------------------------------------------------------------------===//
#ifndef MLAFUSE_IR_MLAFUSE_TD
#define MLAFUSE_IR_MLAFUSE_TD

include "MLAFuse/IR/Dialect.td"
include "MLAFuse/IR/Attrs.td"
include "MLAFuse/IR/Interfaces.td"
include "MLAFuse/IR/NormOps.td"
include "MLAFuse/IR/QuantOps.td"
include "MLAFuse/IR/CacheOps.td"
include "MLAFuse/IR/AttentionOps.td"

#endif // MLAFUSE_IR_MLAFUSE_TD
