//===- Benchmark.cpp - time of a run ----------------------------------===//
#include "Benchmark.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <numeric>

namespace mlafuse::rt {
namespace {

/// Microseconds of `count` runs with one wait at the end.
Error timeRuns(Run &run, int64_t count, double &microseconds) {
  using Clock = std::chrono::steady_clock;
  Clock::time_point start = Clock::now();
  for (int64_t i = 0; i < count; ++i)
    if (Error error = run.enqueue())
      return error;
  if (Error error = run.wait())
    return error;
  microseconds =
      std::chrono::duration<double, std::micro>(Clock::now() - start).count();
  return {};
}

} // namespace

Error benchmark(Run &run, int64_t count, bool isAsynchronous) {
  constexpr int64_t warmUps = 3;
  std::vector<double> times;
  for (int64_t i = -warmUps; i < count; ++i) {
    double time;
    if (Error error = run.poison())
      return error;
    if (Error error = timeRuns(run, 1, time))
      return error;
    if (i >= 0)
      times.push_back(time);
  }
  std::sort(times.begin(), times.end());
  size_t middle = times.size() / 2;
  double median = times.size() % 2 == 1
                      ? times[middle]
                      : (times[middle - 1] + times[middle]) / 2;
  double mean = std::accumulate(times.begin(), times.end(), 0.0) /
                static_cast<double>(times.size());
  printf("time: min %.3f us, median %.3f us, mean %.3f us (%zu runs)\n",
         times.front(), median, mean, times.size());
  if (!isAsynchronous)
    return {};
  double all;
  if (Error error = timeRuns(run, count, all))
    return error;
  printf("one after another: %.3f us a run\n",
         all / static_cast<double>(count));
  return {};
}

} // namespace mlafuse::rt
