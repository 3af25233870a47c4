//===- Patterns.h - the rewrite patterns of the passes ----------*- C++ -*-===//
#ifndef MLAFUSE_TRANSFORMS_PATTERNS_H
#define MLAFUSE_TRANSFORMS_PATTERNS_H

#include "mlir/IR/PatternMatch.h"

namespace mlafuse {

/// quantize(norm(x)) ==> norm_quantize(x).
void populateFuseNormQuantizePatterns(mlir::RewritePatternSet &patterns);

/// pair(norm(q), norm(kv)) ==> dual_norm(q, kv).
void populateFuseDualNormPatterns(mlir::RewritePatternSet &patterns);

/// quantize(f(x)) ==> f(x) with a key, f with QuantizableOutput.
void populateFuseOutputQuantizePatterns(mlir::RewritePatternSet &patterns);

/// reshape(norm(x)) ==> norm(reshape(x)), where a quantization follows and the
/// reshape stays free.
void populateMoveReshapePatterns(mlir::RewritePatternSet &patterns);

/// The fusions backwards: every fused norm to its chain, every key of an op
/// with QuantizableOutput to a quantize. `inPart`: a norm stays as it is if its
/// chain could not be fused again.
void populateOpenFusedPatterns(mlir::RewritePatternSet &patterns,
                               bool inPart = false);

/// Ops of this dialect that are made of others (AggregatedOpInterface) to
/// these. A quantized output stays with the op that writes it.
void populateAggregatePatterns(mlir::RewritePatternSet &patterns);

} // namespace mlafuse

#endif // MLAFUSE_TRANSFORMS_PATTERNS_H
