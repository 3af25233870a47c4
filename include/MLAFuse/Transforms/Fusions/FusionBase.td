//===- FusionBase.td - what the fusion patterns share ------*- tablegen -*-===//
//
// A fusion is `A(x) ==> B(x)` over value semantics: the fused op computes what
// the chain computed, into the destinations that the chain wrote. Legality is
// asked of the predicates that also word the missed remarks (lib/Transforms/
// Legality.h), so that a pattern and its remark cannot disagree.
//
// Three rules of declarative rewriting shape every record here:
// - the fused op is never the last result pattern, which would build it without
//   operand segments; a native call hands over its results;
// - a nested match does not say through which result it came, so every record
//   has a constraint that does;
// - a fused op is created at the root, so whatever it needs is brought there
//   first, and only if the constraint found that possible.
//
//===----------------------------------------------------------------------===//
#ifndef MLAFUSE_TRANSFORMS_FUSIONS_FUSIONBASE_TD
#define MLAFUSE_TRANSFORMS_FUSIONS_FUSIONBASE_TD

include "mlir/IR/PatternBase.td"
include "MLAFuse/IR/MLAFuse.td"

def NoValue : NativeCodeCall<"::mlir::Value()">;
def NoKey : NativeCodeCall<"::mlafuse::QuantKeyAttr()">;
def NoLayout : NativeCodeCall<"::mlafuse::ScaleLayoutAttr()">;
def NoRule : NativeCodeCall<"::mlafuse::ScaleRuleAttr()">;

/// One operand list of two.
def Concat : NativeCodeCall<"concatenate($0, $1)">;

#endif // MLAFUSE_TRANSFORMS_FUSIONS_FUSIONBASE_TD
