//===- Futex.h - sleep until a word changes -------------------*- C++ -*-===//
#ifndef MLAFUSE_RT_CPU_FUTEX_H
#define MLAFUSE_RT_CPU_FUTEX_H

#include <atomic>
#include <climits>
#include <cstdint>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace mlafuse::rt {

/// Sleeps while `word` is `value`; may return early.
inline void futexWait(std::atomic<uint32_t> &word, uint32_t value) {
  syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, value, nullptr, nullptr, 0);
}

/// Wakes up to `count` threads that sleep on `word`.
inline void futexWake(std::atomic<uint32_t> &word, int count = INT_MAX) {
  syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, count, nullptr, nullptr, 0);
}

/// Tells the core that this is a loop that waits for another core.
inline void pauseCore() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

} // namespace mlafuse::rt

#endif // MLAFUSE_RT_CPU_FUTEX_H
