//===- FuseOutputQuantize.td - quantization in an epilogue -*- tablegen -*-===//
//
// One pattern for every op with `QuantizableOutput`: the interface knows how an
// op takes a quantization over, so a new op, or a new operand, needs no record.
//
//===----------------------------------------------------------------------===//
#ifndef MLAFUSE_TRANSFORMS_FUSIONS_FUSEOUTPUTQUANTIZE_TD
#define MLAFUSE_TRANSFORMS_FUSIONS_FUSEOUTPUTQUANTIZE_TD

include "MLAFuse/Transforms/Fusions/FusionBase.td"

def CanQuantizeOutput : Constraint<CPred<"canQuantizeOutput($0, $1)">,
    "the producer can quantize its output itself">;
def QuantizeOutput
    : NativeCodeCall<"quantizeOutput($_builder, $0, $1)">;

// quantize(f(x)) ==> f(x) with a key, f any op with QuantizableOutput
//
// Legal because an op with a key is defined as the op without it, quantized.
def FuseOutputQuantize : Pattern<
  (MLAFuse_QuantizeOp:$quant $output, $_, $_, $_, $_, $_, $_, $_, $_, $_),
  [(QuantizeOutput $output, $quant)],
  [(CanQuantizeOutput $output, $quant)]>;

#endif // MLAFUSE_TRANSFORMS_FUSIONS_FUSEOUTPUTQUANTIZE_TD
