//===- Benchmark.h - time of a run ----------------------------*- C++ -*-===//
#ifndef MLAFUSE_TOOLS_MLAFUSE_RUN_BENCHMARK_H
#define MLAFUSE_TOOLS_MLAFUSE_RUN_BENCHMARK_H

#include "Run.h"

namespace mlafuse::rt {

/// Runs `count` times after a few runs that are not timed, waiting for each,
/// and prints minimum, median and mean in microseconds. With `isAsynchronous`,
/// on a device that takes the next run while one is still going, it then runs
/// `count` times without a wait in between and prints the time of one of these.
Error benchmark(Run &run, int64_t count, bool isAsynchronous);

} // namespace mlafuse::rt

#endif // MLAFUSE_TOOLS_MLAFUSE_RUN_BENCHMARK_H
