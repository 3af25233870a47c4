//===- Workers.h - the same threads for every baseline ----------*- C++ -*-===//
#ifndef MLAFUSE_BENCHMARK_CPU_WORKERS_H
#define MLAFUSE_BENCHMARK_CPU_WORKERS_H

#include <atomic>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

/// Threads that wait by spinning, so that starting work costs a baseline nothing.
class Workers {
public:
  explicit Workers(int count) : count(count) {
    for (int i = 1; i < count; ++i)
      threads.emplace_back([this, i] { loop(i); });
  }
  ~Workers() {
    work = nullptr;
    generation.fetch_add(1);
    for (std::thread &thread : threads)
      thread.join();
  }

  /// Cuts [0, items) into one range for each thread; the caller is one of them.
  void run(int64_t items,
           const std::function<void(int64_t begin, int64_t end)> &body) {
    work = &body;
    total = items;
    left.store(count - 1);
    generation.fetch_add(1);
    body(0, items / count);
    while (left.load())
      ;
  }

private:
  void loop(int index) {
    int64_t seen = 0;
    while (true) {
      while (generation.load() == seen)
        ;
      ++seen;
      if (!work)
        return;
      (*work)(total * index / count, total * (index + 1) / count);
      left.fetch_sub(1);
    }
  }

  int count;
  std::vector<std::thread> threads;
  const std::function<void(int64_t, int64_t)> *work = nullptr;
  int64_t total = 0;
  std::atomic<int64_t> generation{0};
  std::atomic<int> left{0};
};

#endif // MLAFUSE_BENCHMARK_CPU_WORKERS_H
