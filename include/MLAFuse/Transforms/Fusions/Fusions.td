//===- Fusions.td - every fusion pattern -------------------*- tablegen -*-===//
#ifndef MLAFUSE_TRANSFORMS_FUSIONS_FUSIONS_TD
#define MLAFUSE_TRANSFORMS_FUSIONS_FUSIONS_TD

include "MLAFuse/Transforms/Fusions/FuseNormQuantize.td"
include "MLAFuse/Transforms/Fusions/FuseDualNorm.td"
include "MLAFuse/Transforms/Fusions/FuseOutputQuantize.td"

#endif // MLAFUSE_TRANSFORMS_FUSIONS_FUSIONS_TD
