//===- Benchmark.h - time of a run ----------------------------*- C++ -*-===//
#ifndef MLAFUSE_TOOLS_MLAFUSE_RUN_BENCHMARK_H
#define MLAFUSE_TOOLS_MLAFUSE_RUN_BENCHMARK_H

#include "Run.h"

namespace mlafuse::rt {

/// Launches `count` times after a few launches that are not timed, waiting for
/// each, and prints minimum, median and mean in microseconds.
Error benchmark(Run &run, int64_t count);

} // namespace mlafuse::rt

#endif // MLAFUSE_TOOLS_MLAFUSE_RUN_BENCHMARK_H
