//===- cpu.cpp - CPU kernels beside what the machine can do ---------------===//
//
// Usage: mlafuse-bench-cpu LIBRARY.so [Google Benchmark's options]
//
// Every baseline runs in the same process on the same threads (all cores):
// memcpy of the bytes that the kernel reads and writes, the same loop in plain
// C++, and OpenBLAS's sgemm at the attention's own two products.
//
//===----------------------------------------------------------------------===//

#include "Function.h"
#include "PlainDualNorm.h"
#include "Workers.h"

#include <benchmark/benchmark.h>
#include <cblas.h>
#include <cstring>
#include <random>

extern "C" void openblas_set_num_threads(int threads);

namespace {

const char *library;
mlafuse_context *context;
int threads;

uint16_t toBF16(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return static_cast<uint16_t>((bits + 0x8000) >> 16);
}

void fillNormal(uint16_t *data, int64_t count, float deviation = 1) {
  // A table keeps the start short; the kernels do not look at the order.
  std::mt19937 generator(1);
  std::normal_distribution<float> normal(0, deviation);
  std::vector<uint16_t> table(4099);
  for (uint16_t &value : table)
    value = toBF16(normal(generator));
  for (int64_t i = 0; i < count; ++i)
    data[i] = table[i % table.size()];
}

//===------------------------------------------------------------------===//
// Dual norm: bytes per second
//===------------------------------------------------------------------===//

/// Read: 2048 of bf16; written: 1536 codes, a scale, 512 of bf16.
constexpr int64_t kReadBytes = 2 * (1536 + 512);
constexpr int64_t kWrittenBytes = 1536 + 4 + 2 * 512;

void countBytes(benchmark::State &state, int64_t tokens) {
  state.SetBytesProcessed(state.iterations() * tokens *
                          (kReadBytes + kWrittenBytes));
}

void dualNorm(benchmark::State &state) {
  int64_t tokens = state.range(0);
  Function function(context, library, "dual_norm");
  fillNormal(function.add<uint16_t>(MLAFUSE_BF16, {tokens, 2112}),
             tokens * 2112);
  fillNormal(function.add<uint16_t>(MLAFUSE_BF16, {1536}), 1536);
  fillNormal(function.add<uint16_t>(MLAFUSE_BF16, {512}), 512);
  function.add<uint8_t>(MLAFUSE_F8E4M3FN, {tokens, 1536});
  function.add<float>(MLAFUSE_F32, {tokens, 1});
  function.add<uint16_t>(MLAFUSE_BF16, {tokens, 512});
  function.prepare();
  for (auto _ : state)
    function.run();
  countBytes(state, tokens);
}

void dualNormPlain(benchmark::State &state) {
  int64_t tokens = state.range(0);
  std::vector<uint16_t> projection(tokens * 2112), qWeight(1536),
      kvWeight(512), kv(tokens * 512);
  std::vector<uint8_t> codes(tokens * 1536);
  std::vector<float> scales(tokens);
  fillNormal(projection.data(), tokens * 2112);
  fillNormal(qWeight.data(), 1536);
  fillNormal(kvWeight.data(), 512);
  Workers workers(threads);
  for (auto _ : state)
    workers.run(tokens, [&](int64_t begin, int64_t end) {
      plainDualNorm(projection.data(), qWeight.data(), kvWeight.data(),
                    codes.data(), scales.data(), kv.data(), begin, end);
    });
  countBytes(state, tokens);
}

void dualNormMemcpy(benchmark::State &state) {
  // As many bytes read and written, together, as the kernel's.
  int64_t bytes = state.range(0) * (kReadBytes + kWrittenBytes) / 2;
  std::vector<char> from(bytes, 1), to(bytes, 2);
  Workers workers(threads);
  for (auto _ : state)
    workers.run(bytes, [&](int64_t begin, int64_t end) {
      std::memcpy(to.data() + begin, from.data() + begin, end - begin);
    });
  countBytes(state, state.range(0));
}

//===------------------------------------------------------------------===//
// Attention: GFLOP/s of its two products
//===------------------------------------------------------------------===//

constexpr int64_t kRequests = 4, kHeads = 128, kKeys = 4096;
constexpr int64_t kPrefillTokens = 512, kPrefillHeads = 16;

void countFlops(benchmark::State &state, double flops) {
  state.counters["GFLOP/s"] = benchmark::Counter(
      flops * 1e-9, benchmark::Counter::kIsIterationInvariantRate);
}

void decode(benchmark::State &state) {
  Function function(context, library, "decode");
  int64_t blocks = kKeys / 64, pages = kRequests * blocks;
  auto addNormal = [&](std::vector<int64_t> shape, float deviation) {
    int64_t count = 1;
    for (int64_t size : shape)
      count *= size;
    fillNormal(function.add<uint16_t>(MLAFUSE_BF16, shape), count, deviation);
  };
  addNormal({kRequests, 1, kHeads, 128}, 1);
  addNormal({kRequests, 1, kHeads, 64}, 1);
  addNormal({kHeads, 128, 512}, 0.04f);
  addNormal({kHeads, 512, 128}, 0.04f);
  addNormal({pages, 64, 576}, 1);
  auto *table = function.add<int32_t>(MLAFUSE_I32, {kRequests, blocks});
  for (int64_t i = 0; i < pages; ++i)
    table[i] = static_cast<int32_t>((i * 37) % pages);
  auto *lengths = function.add<int32_t>(MLAFUSE_I32, {kRequests});
  std::fill_n(lengths, kRequests, kKeys);
  function.add<uint16_t>(MLAFUSE_BF16, {kRequests, kHeads * 128});
  function.prepare();
  for (auto _ : state)
    function.run();
  // The attention alone; q absorb and v_up come on top, uncounted.
  countFlops(state, 2.0 * kRequests * kHeads * kKeys * (576 + 512));
}

void prefill(benchmark::State &state) {
  Function function(context, library, "prefill");
  constexpr int64_t T = kPrefillTokens, H = kPrefillHeads;
  fillNormal(function.add<uint16_t>(MLAFUSE_BF16, {T, H, 192}), T * H * 192);
  fillNormal(function.add<uint16_t>(MLAFUSE_BF16, {T, H, 192}), T * H * 192);
  fillNormal(function.add<uint16_t>(MLAFUSE_BF16, {T, H, 128}), T * H * 128);
  for (int i = 0; i < 2; ++i) {
    auto *bounds = function.add<int32_t>(MLAFUSE_I32, {2});
    bounds[0] = 0;
    bounds[1] = T;
  }
  function.add<uint16_t>(MLAFUSE_BF16, {T, H * 128});
  function.prepare();
  for (auto _ : state)
    function.run();
  // Causal: half of the square, diagonal included.
  countFlops(state, 2.0 * H * (T * (T + 1) / 2) * (192 + 128));
}

/// C[m, n] = A[m, k] B[n, k]^T and D[m, v] = C[m, n] E[n, v], `times` over.
void productPair(benchmark::State &state, int64_t m, int64_t n, int64_t k,
                 int64_t v, int64_t times) {
  std::vector<float> a(m * k, 0.5f), b(n * k, 0.25f), c(m * n), d(m * v),
      values(n * v, 0.125f);
  openblas_set_num_threads(threads);
  for (auto _ : state)
    for (int64_t i = 0; i < times; ++i) {
      cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, m, n, k, 1,
                  a.data(), k, b.data(), k, 0, c.data(), n);
      cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, v, n, 1,
                  c.data(), n, values.data(), v, 0, d.data(), v);
    }
  countFlops(state, 2.0 * times * m * n * (k + v));
}

void decodeSgemm(benchmark::State &state) {
  productPair(state, kHeads, kKeys, 576, 512, kRequests);
}
void prefillSgemm(benchmark::State &state) {
  productPair(state, kPrefillTokens, kPrefillTokens, 192, 128, kPrefillHeads);
}

} // namespace

BENCHMARK(dualNorm)->Arg(256)->Arg(4096)->UseRealTime();
BENCHMARK(dualNormPlain)->Arg(256)->Arg(4096)->UseRealTime();
BENCHMARK(dualNormMemcpy)->Arg(4096)->UseRealTime();
BENCHMARK(decode)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(decodeSgemm)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(prefill)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(prefillSgemm)->UseRealTime()->Unit(benchmark::kMillisecond);

int main(int argc, char **argv) {
  benchmark::Initialize(&argc, argv);
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s LIBRARY.so [--benchmark_...]\n", argv[0]);
    return 2;
  }
  library = argv[1];
  if (mlafuse_context_create("cpu", 0, &context) != MLAFUSE_OK) {
    std::fprintf(stderr, "mlafuse-bench-cpu: error: %s\n",
                 mlafuse_last_error());
    return 1;
  }
  threads = mlafuse_context_threads(context);
  benchmark::RunSpecifiedBenchmarks();
  mlafuse_context_destroy(context);
  return 0;
}
