//===- FuseDualNorm.td - two norms of one projection -------*- tablegen -*-===//
//
// The pass puts an internal `pair` over two siblings, which gives them one
// root. The q side is the one with the lower columns.
//
//===----------------------------------------------------------------------===//
#ifndef MLAFUSE_TRANSFORMS_FUSIONS_FUSEDUALNORM_TD
#define MLAFUSE_TRANSFORMS_FUSIONS_FUSEDUALNORM_TD

include "MLAFuse/Transforms/Fusions/FusionBase.td"

def AreSiblings : Constraint<CPred<"areSiblings($0, $1)">,
    "both norms can be one op">;

/// The results under the pair; the others go to their users.
def TakeOverPair
    : NativeCodeCall<"takeOverPair($_builder, $0, $1, $2)", /*returns=*/2>;

// pair(rms_norm(q), rms_norm(kv)) ==> dual_rms_norm(q, kv)
//
// Legal because the sides do not see each other, and each keeps its
// destination.
def FuseDualRMSNorm : Pattern<
  (MLAFuse_PairOp
    (MLAFuse_RMSNormOp:$q $qC, $qW, $count, $qInits, $qEps, $rounding, $offset),
    (MLAFuse_RMSNormOp:$kv $kvC, $kvW, $_, $kvInits, $kvEps, $_, $_)),
  [(MLAFuse_DualRMSNormOp:$dual $qC, $qW, $kvC, $kvW, $count,
     (Concat $qInits, $kvInits), $qEps, $kvEps, $rounding, $offset),
   (TakeOverPair $dual, $q, $kv)],
  [(AreSiblings $q, $kv)]>;

// pair(rms_norm_quantize(q), rms_norm(kv)) ==> dual_rms_norm_quantize(q, kv)
//
// Legal as above. The side without a key rounds where it did: at its end.
def FuseDualQuantizedQ : Pattern<
  (MLAFuse_PairOp
    (MLAFuse_RMSNormQuantizeOp:$q $qC, $qW, $_, $qScale, $qUb, $qGlobal, $count,
      $_, $qInits, $qEps, $rounding, $offset, $qKey, $qLayout, $qRule,
      $numerics),
    (MLAFuse_RMSNormOp:$kv $kvC, $kvW, $_, $kvInits, $kvEps, $_, $_)),
  [(MLAFuse_DualRMSNormQuantizeOp:$dual $qC, $qW, $kvC, $kvW, $qScale,
     (NoValue), $qUb, (NoValue), $qGlobal, (NoValue), $count,
     (Concat $qInits, $kvInits), $qEps, $kvEps, $rounding, $offset, $qKey,
     (NoKey), $qLayout, (NoLayout), $qRule, (NoRule), $numerics),
   (TakeOverPair $dual, $q, $kv)],
  [(AreSiblings $q, $kv)]>;

// pair(rms_norm(q), rms_norm_quantize(kv)) ==> dual_rms_norm_quantize(q, kv)
//
// Legal as above.
def FuseDualQuantizedKV : Pattern<
  (MLAFuse_PairOp
    (MLAFuse_RMSNormOp:$q $qC, $qW, $count, $qInits, $qEps, $rounding, $offset),
    (MLAFuse_RMSNormQuantizeOp:$kv $kvC, $kvW, $_, $kvScale, $kvUb, $kvGlobal,
      $_, $_, $kvInits, $kvEps, $_, $_, $kvKey, $kvLayout, $kvRule, $numerics)),
  [(MLAFuse_DualRMSNormQuantizeOp:$dual $qC, $qW, $kvC, $kvW, (NoValue),
     $kvScale, (NoValue), $kvUb, (NoValue), $kvGlobal, $count,
     (Concat $qInits, $kvInits), $qEps, $kvEps, $rounding, $offset, (NoKey),
     $kvKey, (NoLayout), $kvLayout, (NoRule), $kvRule, $numerics),
   (TakeOverPair $dual, $q, $kv)],
  [(AreSiblings $q, $kv)]>;

// pair(rms_norm_quantize(q), rms_norm_quantize(kv))
//   ==> dual_rms_norm_quantize(q, kv)
//
// Legal as above, if both have the same numerics.
def FuseDualQuantizedBoth : Pattern<
  (MLAFuse_PairOp
    (MLAFuse_RMSNormQuantizeOp:$q $qC, $qW, $_, $qScale, $qUb, $qGlobal, $count,
      $_, $qInits, $qEps, $rounding, $offset, $qKey, $qLayout, $qRule,
      $numerics),
    (MLAFuse_RMSNormQuantizeOp:$kv $kvC, $kvW, $_, $kvScale, $kvUb, $kvGlobal,
      $_, $_, $kvInits, $kvEps, $_, $_, $kvKey, $kvLayout, $kvRule, $_)),
  [(MLAFuse_DualRMSNormQuantizeOp:$dual $qC, $qW, $kvC, $kvW, $qScale, $kvScale,
     $qUb, $kvUb, $qGlobal, $kvGlobal, $count, (Concat $qInits, $kvInits),
     $qEps, $kvEps, $rounding, $offset, $qKey, $kvKey, $qLayout, $kvLayout,
     $qRule, $kvRule, $numerics),
   (TakeOverPair $dual, $q, $kv)],
  [(AreSiblings $q, $kv)]>;

#endif // MLAFUSE_TRANSFORMS_FUSIONS_FUSEDUALNORM_TD
