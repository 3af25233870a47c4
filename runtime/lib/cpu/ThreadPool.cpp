//===- ThreadPool.cpp - parallel loops on threads that stay -----------===//
#include "ThreadPool.h"
#include "Futex.h"

#include <algorithm>
#include <cfenv>
#include <csignal>

namespace mlafuse::rt {
namespace {

/// Polls before a thread sleeps: some ten microseconds, which spans the gaps
/// between the loops of one launch but takes no core from anyone for long.
constexpr int polls = 1000;

/// More chunks than threads, so that a thread that is slow or late to wake
/// leaves its share to the others.
constexpr int64_t chunksPerThread = 4;

} // namespace

std::unique_ptr<ThreadPool> ThreadPool::create(int32_t threads) {
  std::unique_ptr<ThreadPool> pool(new ThreadPool);
  // Signals are for the threads of the program, not for the workers.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  bool started = true;
  for (int32_t i = 1; i < threads && started; ++i) {
    pthread_t worker;
    started = pthread_create(&worker, nullptr, workerMain, pool.get()) == 0;
    if (started)
      pool->workers.push_back(worker);
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return started ? std::move(pool) : nullptr;
}

ThreadPool::~ThreadPool() {
  stopping.store(true);
  ticket.fetch_add(1);
  futexWake(ticket);
  for (pthread_t worker : workers)
    pthread_join(worker, nullptr);
}

void ThreadPool::parallelFor(mlafuse_loop_body body, void *argument,
                             int64_t count, int64_t grain) {
  if (count <= 0)
    return;
  grain = std::max<int64_t>(grain, 1);
  int64_t chunk = std::max(grain, count / (getThreads() * chunksPerThread));
  int64_t chunks = std::max<int64_t>(count / chunk, 1);
  if (chunks == 1 || workers.empty() ||
      busy.exchange(true, std::memory_order_acquire)) {
    body(argument, 0, count);
    return;
  }
  loop.body = body;
  loop.argument = argument;
  loop.count = count;
  loop.chunk = chunk;
  loop.chunks = chunks;
  loop.next.store(0, std::memory_order_relaxed);
  gate.store(open, std::memory_order_release);
  wakeWorkers(chunks - 1);
  runChunks();
  closeAndWait();
  busy.store(false, std::memory_order_release);
}

void ThreadPool::runChunks() {
  for (;;) {
    int64_t index = loop.next.fetch_add(1, std::memory_order_relaxed);
    if (index >= loop.chunks)
      return;
    int64_t begin = index * loop.chunk;
    int64_t end = index + 1 == loop.chunks ? loop.count : begin + loop.chunk;
    loop.body(loop.argument, begin, end);
  }
}

void *ThreadPool::workerMain(void *pointer) {
  ThreadPool &pool = *static_cast<ThreadPool *>(pointer);
  // A thread starts with the rounding and flushing of the one that made it.
  fesetenv(FE_DFL_ENV);
  uint32_t seen = 0;
  for (;;) {
    seen = pool.awaitTicket(seen);
    if (pool.stopping.load())
      return nullptr;
    if (!pool.enter())
      continue;
    pool.runChunks();
    pool.leave();
  }
}

uint32_t ThreadPool::awaitTicket(uint32_t seen) {
  for (int i = 0; i < polls; ++i) {
    uint32_t now = ticket.load(std::memory_order_acquire);
    if (now != seen)
      return now;
    pauseCore();
  }
  // Either the caller sees this sleeper after it changed the ticket, or the
  // change is seen here: both sides are sequentially consistent.
  sleepers.fetch_add(1);
  while (ticket.load() == seen)
    futexWait(ticket, seen);
  sleepers.fetch_sub(1);
  return ticket.load();
}

void ThreadPool::wakeWorkers(int64_t wanted) {
  ticket.fetch_add(1);
  int64_t asleep = sleepers.load();
  if (asleep > 0)
    futexWake(ticket, static_cast<int>(std::min(asleep, wanted)));
}

/// Enters the loop that is open, if one is. It need not be the one whose ticket
/// the worker saw: what counts is that it cannot end while a worker is inside.
bool ThreadPool::enter() {
  uint32_t now = gate.load(std::memory_order_relaxed);
  while (now & open)
    if (gate.compare_exchange_weak(now, now + 1, std::memory_order_acquire,
                                   std::memory_order_relaxed))
      return true;
  return false;
}

void ThreadPool::leave() {
  uint32_t before = gate.fetch_sub(1, std::memory_order_release);
  if (before == (callerWaits | 1))
    futexWake(gate);
}

/// A worker that has not woken yet is not waited for, only those inside.
void ThreadPool::closeAndWait() {
  uint32_t now = gate.fetch_and(~open, std::memory_order_acquire) & ~open;
  for (int i = 0; i < polls && now != 0; ++i) {
    pauseCore();
    now = gate.load(std::memory_order_acquire);
  }
  if (now == 0)
    return;
  now = gate.fetch_or(callerWaits, std::memory_order_acquire) | callerWaits;
  while (now != callerWaits) {
    futexWait(gate, now);
    now = gate.load(std::memory_order_acquire);
  }
}

} // namespace mlafuse::rt
