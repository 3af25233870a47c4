//===- ThreadPoolTest.cpp - tests of the thread pool ------------------===//
#include "ThreadPool.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <mutex>
#include <set>
#include <thread>

using namespace mlafuse::rt;

namespace {

/// What a loop did: how often each iteration ran, and the ranges.
struct Record {
  explicit Record(int64_t count) : runs(static_cast<size_t>(count)) {}

  static void body(void *argument, int64_t begin, int64_t end) {
    Record &record = *static_cast<Record *>(argument);
    for (int64_t i = begin; i < end; ++i)
      ++record.runs[static_cast<size_t>(i)];
    std::lock_guard<std::mutex> lock(record.mutex);
    record.ranges.push_back(end - begin);
    record.threads.insert(pthread_self());
  }

  bool eachRanOnce() const {
    return std::all_of(runs.begin(), runs.end(),
                       [](const std::atomic<int> &n) { return n == 1; });
  }

  std::vector<std::atomic<int>> runs;
  std::mutex mutex;
  std::vector<int64_t> ranges;
  std::set<pthread_t> threads;
};

} // namespace

TEST(ThreadPool, EveryIterationRunsOnceInRangesOfTheGrain) {
  for (int32_t threads : {1, 2, 3, 8}) {
    std::unique_ptr<ThreadPool> pool = ThreadPool::create(threads);
    ASSERT_NE(pool, nullptr);
    EXPECT_EQ(pool->getThreads(), threads);
    for (int64_t count : {1, 2, 3, 10, 31, 32, 33, 1000})
      for (int64_t grain : {-1, 0, 1, 2, 7, 32, 5000}) {
        Record record(count);
        pool->parallelFor(Record::body, &record, count, grain);
        EXPECT_TRUE(record.eachRanOnce()) << count << " " << grain;
        for (int64_t range : record.ranges)
          EXPECT_GE(range, std::min(grain, count)) << count << " " << grain;
      }
  }
}

TEST(ThreadPool, NoIterationsNoCall) {
  std::unique_ptr<ThreadPool> pool = ThreadPool::create(2);
  auto never = [](void *, int64_t, int64_t) { FAIL() << "called"; };
  pool->parallelFor(never, nullptr, 0, 1);
  pool->parallelFor(never, nullptr, -3, 1);
}

TEST(ThreadPool, SeveralThreadsWork) {
  std::unique_ptr<ThreadPool> pool = ThreadPool::create(2);
  // Both ranges wait for each other, so one thread alone would not get through.
  std::atomic<int> arrived{0};
  auto meet = [](void *argument, int64_t begin, int64_t end) {
    std::atomic<int> &arrived = *static_cast<std::atomic<int> *>(argument);
    arrived += static_cast<int>(end - begin);
    while (arrived < 2)
      std::this_thread::yield();
  };
  for (int run = 0; run < 100; ++run) {
    arrived = 0;
    pool->parallelFor(meet, &arrived, 2, 1);
    EXPECT_EQ(arrived, 2);
  }
}

TEST(ThreadPool, NestedLoopsRunOnTheirThread) {
  std::unique_ptr<ThreadPool> pool = ThreadPool::create(3);
  struct Nest {
    ThreadPool *pool;
    std::atomic<int> inner{0};
  } nest{pool.get()};
  auto outer = [](void *argument, int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      Record record(50);
      Nest &nest = *static_cast<Nest *>(argument);
      nest.pool->parallelFor(Record::body, &record, 50, 1);
      EXPECT_TRUE(record.eachRanOnce());
      EXPECT_EQ(record.threads, std::set<pthread_t>{pthread_self()});
      ++nest.inner;
    }
  };
  pool->parallelFor(outer, &nest, 40, 1);
  EXPECT_EQ(nest.inner, 40);
}

TEST(ThreadPool, SeveralCallersAtOnce) {
  std::unique_ptr<ThreadPool> pool = ThreadPool::create(3);
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 4; ++caller)
    callers.emplace_back([&] {
      for (int run = 0; run < 500; ++run) {
        Record record(37);
        pool->parallelFor(Record::body, &record, 37, 1);
        ASSERT_TRUE(record.eachRanOnce());
      }
    });
  for (std::thread &caller : callers)
    caller.join();
}

TEST(ThreadPool, WritesAreSeenWithoutAtomics) {
  std::unique_ptr<ThreadPool> pool = ThreadPool::create(4);
  std::vector<int64_t> values(1000);
  auto increment = [](void *argument, int64_t begin, int64_t end) {
    std::vector<int64_t> &values =
        *static_cast<std::vector<int64_t> *>(argument);
    for (int64_t i = begin; i < end; ++i)
      values[static_cast<size_t>(i)] += i;
  };
  for (int run = 0; run < 300; ++run)
    pool->parallelFor(increment, &values, 1000, 1);
  for (int64_t i = 0; i < 1000; ++i)
    EXPECT_EQ(values[static_cast<size_t>(i)], 300 * i);
}

TEST(ThreadPool, WakesAfterSleeping) {
  std::unique_ptr<ThreadPool> pool = ThreadPool::create(3);
  for (int run = 0; run < 5; ++run) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    Record record(1000);
    pool->parallelFor(Record::body, &record, 1000, 1);
    EXPECT_TRUE(record.eachRanOnce());
  }
}

TEST(ThreadPool, ManyPoolsComeAndGo) {
  for (int run = 0; run < 200; ++run) {
    std::unique_ptr<ThreadPool> pool = ThreadPool::create(1 + run % 4);
    if (run % 2 == 0)
      continue;
    Record record(10);
    pool->parallelFor(Record::body, &record, 10, 1);
    EXPECT_TRUE(record.eachRanOnce());
  }
}
