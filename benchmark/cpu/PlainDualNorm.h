//===- PlainDualNorm.h - the dual norm as a C++ loop ------------*- C++ -*-===//
#ifndef MLAFUSE_BENCHMARK_CPU_PLAINDUALNORM_H
#define MLAFUSE_BENCHMARK_CPU_PLAINDUALNORM_H

#include <cstdint>

/// Rows [begin, end) of a projection [T, 2112] of bf16: the first 1536 columns
/// normalized and quantized per token to f8E4M3FN, the next 512 normalized. One
/// pass over memory, the arithmetic of the op in exact numerics.
void plainDualNorm(const uint16_t *projection, const uint16_t *qWeight,
                   const uint16_t *kvWeight, uint8_t *codes, float *scales,
                   uint16_t *kv, int64_t begin, int64_t end);

#endif // MLAFUSE_BENCHMARK_CPU_PLAINDUALNORM_H
