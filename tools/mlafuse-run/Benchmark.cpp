//===- Benchmark.cpp - time of a run ----------------------------------===//
#include "Benchmark.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <numeric>

namespace mlafuse::rt {

Error benchmark(Run &run, int64_t count) {
  using Clock = std::chrono::steady_clock;
  constexpr int warmUps = 3;
  for (int i = 0; i < warmUps; ++i)
    if (Error error = run.launch())
      return error;
  std::vector<double> times;
  for (int64_t i = 0; i < count; ++i) {
    Clock::time_point start = Clock::now();
    if (Error error = run.launch())
      return error;
    std::chrono::duration<double, std::micro> time = Clock::now() - start;
    times.push_back(time.count());
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
  return {};
}

} // namespace mlafuse::rt
