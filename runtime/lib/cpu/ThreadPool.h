//===- ThreadPool.h - parallel loops on threads that stay -----*- C++ -*-===//
#ifndef MLAFUSE_RT_CPU_THREADPOOL_H
#define MLAFUSE_RT_CPU_THREADPOOL_H

#include "mlafuse/runtime/abi.h"

#include <atomic>
#include <memory>
#include <pthread.h>
#include <vector>

namespace mlafuse::rt {

/// Runs loops on the calling thread and on workers that sleep in between. One
/// loop is spread over the workers at a time; a second one, from another thread
/// or from within a loop, runs on its calling thread alone.
class ThreadPool {
public:
  /// A pool of `threads` threads, the caller's included; NULL if the system
  /// refuses to start one.
  static std::unique_ptr<ThreadPool> create(int32_t threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool &) = delete;
  ThreadPool &operator=(const ThreadPool &) = delete;

  int32_t getThreads() const {
    return static_cast<int32_t>(workers.size()) + 1;
  }

  /// Runs `body` over [0, count) in ranges of at least `grain` iterations (one
  /// range if there are fewer) and returns when all have run. What the caller
  /// wrote before is seen by the body, what the body wrote by the caller after.
  void parallelFor(mlafuse_loop_body body, void *argument, int64_t count,
                   int64_t grain);

private:
  /// The loop that is being run. Written while `gate` is closed and no worker
  /// is inside.
  struct Loop {
    mlafuse_loop_body body = nullptr;
    void *argument = nullptr;
    int64_t count = 0;
    int64_t chunk = 0; ///< Iterations of each chunk but the last, longer one.
    int64_t chunks = 0;
    std::atomic<int64_t> next{0};
  };

  ThreadPool() = default;
  static void *workerMain(void *pool);
  void runChunks();
  bool enter();
  void leave();
  uint32_t awaitTicket(uint32_t seen);
  void wakeWorkers(int64_t wanted);
  void closeAndWait();

  // `gate`: whether workers may enter the loop, whether its caller sleeps until
  // they have left, and how many are inside.
  static constexpr uint32_t open = 1u << 31;
  static constexpr uint32_t callerWaits = 1u << 30;

  Loop loop;
  /// Whether a loop is spread over the workers.
  std::atomic<bool> busy{false};
  alignas(64) std::atomic<uint32_t> gate{0};
  /// Counts the loops; sleeping workers wait for it to change.
  alignas(64) std::atomic<uint32_t> ticket{0};
  std::atomic<int32_t> sleepers{0};
  std::atomic<bool> stopping{false};
  std::vector<pthread_t> workers;
};

} // namespace mlafuse::rt

#endif // MLAFUSE_RT_CPU_THREADPOOL_H
