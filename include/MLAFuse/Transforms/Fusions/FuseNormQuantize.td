//===- FuseNormQuantize.td - a norm takes over a quantize --*- tablegen -*-===//
#ifndef MLAFUSE_TRANSFORMS_FUSIONS_FUSENORMQUANTIZE_TD
#define MLAFUSE_TRANSFORMS_FUSIONS_FUSENORMQUANTIZE_TD

include "MLAFuse/Transforms/Fusions/FusionBase.td"

def CanTakeQuantize : Constraint<CPred<"canTakeQuantize($0, $1)">,
    "the norm can take over the quantization of its result">;

/// Makes the norm and the quantization neighbours.
def BringTogether : NativeCodeCallVoid<"bringTogether($_builder, $0, $1)">;

/// Codes, [scale], [residual], and the norm's own destination if its value has
/// other users.
def FusedInits : NativeCodeCall<"getFusedInits($0, $1)">;

/// `exact`, or `contracted` for an f32 value between.
def ChainNumerics : NativeCodeCall<"getChainNumerics($0)">;

/// The results of the quantization; those of the norm go to its other users.
def TakeOver : NativeCodeCall<"takeOverNormQuantize($_builder, $0, $1, $2)">;

// quantize(rms_norm(x)) ==> rms_norm_quantize(x)
//
// Legal because the fused op is defined as this chain, with the same roundings:
// its numerics are read off the type of the value between.
def FuseRMSNormQuantize : Pattern<
  (MLAFuse_QuantizeOp:$quant
    (MLAFuse_RMSNormOp:$norm $x, $w, $_, $_, $eps, $rounding, $offset),
    $scale, $ub, $global, $count, $row, $_, $key, $layout, $rule),
  [(BringTogether $norm, $quant),
   (MLAFuse_RMSNormQuantizeOp:$fused $x, $w, (NoValue), $scale, $ub, $global,
     $count, $row, (FusedInits $norm, $quant), $eps, $rounding, $offset, $key,
     $layout, $rule, (ChainNumerics $norm)),
   (TakeOver $fused, $norm, $quant)],
  [(CanTakeQuantize $norm, $quant)]>;

// quantize(add_rms_norm(x, r)#0) ==> rms_norm_quantize(x, residual r)
//
// Legal as above; the residual's sum keeps its destination and its role.
def FuseAddRMSNormQuantize : Pattern<
  (MLAFuse_QuantizeOp:$quant
    (MLAFuse_AddRMSNormOp:$norm $x, $w, $residual, $_, $_, $eps, $rounding,
      $offset),
    $scale, $ub, $global, $count, $row, $_, $key, $layout, $rule),
  [(BringTogether $norm, $quant),
   (MLAFuse_RMSNormQuantizeOp:$fused $x, $w, $residual, $scale, $ub, $global,
     $count, $row, (FusedInits $norm, $quant), $eps, $rounding, $offset, $key,
     $layout, $rule, (ChainNumerics $norm)),
   (TakeOver $fused, $norm, $quant)],
  [(CanTakeQuantize $norm, $quant)]>;

#endif // MLAFUSE_TRANSFORMS_FUSIONS_FUSENORMQUANTIZE_TD
