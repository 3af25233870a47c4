//===- CpuBackendTest.cpp - tests of what only the CPU does -----------===//
#include "Backend.h"

#include <atomic>
#include <cfenv>
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <sched.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

using namespace mlafuse::rt;

namespace {

class CpuBackend : public ::testing::Test {
protected:
  void SetUp() override {
    void *library = dlopen(CPU_BACKEND, RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(library, nullptr) << dlerror();
    auto get =
        reinterpret_cast<const Backend *(*)()>(dlsym(library, backendSymbol));
    ASSERT_NE(get, nullptr);
    backend = get();
    ASSERT_EQ(backend->version, backendVersion);
  }

  mlafuse_status launch(void *state, EntryFunction entry, void *stream) {
    Launch launch = {entry, nullptr, nullptr, stream, nullptr, 0};
    return backend->launch(state, launch, {text, sizeof(text)});
  }

  const Backend *backend = nullptr;
  char text[256] = "";
};

int32_t doNothing(const mlafuse_launch_context *, void *const *) { return 0; }

/// How many threads came to a loop, and how many of them did not compute with
/// the default arithmetic.
struct Arithmetic {
  std::atomic<int> threads{0};
  std::atomic<int> wrong{0};
} arithmetic;

constexpr int threadCount = 3;

/// One iteration for each thread: none ends before all have begun.
void checkArithmetic(void *, int64_t, int64_t) {
  volatile float tiny = 0x1p-149f, one = 1;
  bool flushes = tiny * one == 0;
  if (flushes || fegetround() != FE_TONEAREST)
    ++arithmetic.wrong;
  ++arithmetic.threads;
  while (arithmetic.threads < threadCount)
    sched_yield();
}

int32_t checkAllThreads(const mlafuse_launch_context *context, void *const *) {
  context->parallel_for(context->runtime, checkArithmetic, nullptr, threadCount,
                        1);
  return 0;
}

} // namespace

TEST_F(CpuBackend, HasNoStreams) {
  void *state = nullptr;
  ASSERT_EQ(backend->create(1, &state, {text, sizeof(text)}), MLAFUSE_OK);
  EXPECT_EQ(launch(state, doNothing, nullptr), MLAFUSE_OK);
  int stream;
  EXPECT_EQ(launch(state, doNothing, &stream), MLAFUSE_INVALID_ARGUMENT);
  EXPECT_STREQ(text, "the stream is not NULL; the CPU has no streams");
  EXPECT_EQ(backend->synchronize(state, &stream, {text, sizeof(text)}),
            MLAFUSE_INVALID_ARGUMENT);
  char byte = 0;
  EXPECT_EQ(backend->copy(state, &stream, &byte, &byte + 1, 1,
                          MLAFUSE_HOST_TO_DEVICE, {text, sizeof(text)}),
            MLAFUSE_INVALID_ARGUMENT);
  backend->destroy(state);
}

TEST_F(CpuBackend, CutsLongErrorTexts) {
  void *state = nullptr;
  char small[8];
  ASSERT_EQ(backend->create(1, &state, {text, sizeof(text)}), MLAFUSE_OK);
  EXPECT_EQ(backend->synchronize(state, &state, {small, sizeof(small)}),
            MLAFUSE_INVALID_ARGUMENT);
  EXPECT_STREQ(small, "the str");
  backend->destroy(state);
}

TEST_F(CpuBackend, ComputesAsCompiledWhateverTheProgramSet) {
  fenv_t before;
  fegetenv(&before);
  fesetround(FE_UPWARD);
#if defined(__x86_64__)
  constexpr unsigned flushToZero = 0x8040; // Results and operands.
  _mm_setcsr(_mm_getcsr() | flushToZero);
#endif
  // The pool's threads start under the program's settings too.
  void *state = nullptr;
  ASSERT_EQ(backend->create(threadCount, &state, {text, sizeof(text)}),
            MLAFUSE_OK);
  arithmetic.threads = 0;
  arithmetic.wrong = 0;
  EXPECT_EQ(launch(state, checkAllThreads, nullptr), MLAFUSE_OK);
  EXPECT_EQ(arithmetic.threads, threadCount);
  EXPECT_EQ(arithmetic.wrong, 0);
  EXPECT_EQ(fegetround(), FE_UPWARD);
#if defined(__x86_64__)
  EXPECT_EQ(_mm_getcsr() & flushToZero, flushToZero);
#endif
  backend->destroy(state);
  fesetenv(&before);
}
