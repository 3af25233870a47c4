//===- ContextTest.cpp - opening devices, and their memory ------------===//
#include "Cts.h"

using namespace mlafuse::cts;

extern "C" uint32_t mlafuse_cts_version_in_c(void);

TEST(Version, HeaderLibraryAndProjectAgree) {
  EXPECT_EQ(mlafuse_version(), mlafuse_cts_version_in_c());
  std::string header = std::to_string(MLAFUSE_VERSION_MAJOR) + "." +
                       std::to_string(MLAFUSE_VERSION_MINOR) + "." +
                       std::to_string(MLAFUSE_VERSION_PATCH);
  EXPECT_EQ(header, CTS_PROJECT_VERSION);
  EXPECT_EQ(header, mlafuse_version_text());
}

TEST(Status, EveryOneHasAText) {
  for (int status = MLAFUSE_OK; status <= MLAFUSE_EXECUTION_FAILED; ++status)
    EXPECT_STRNE(mlafuse_status_text(static_cast<mlafuse_status>(status)),
                 "unknown status");
  EXPECT_STREQ(mlafuse_status_text(static_cast<mlafuse_status>(99)),
               "unknown status");
}

TEST(Context, MissingBackendSaysWhereItWasLookedFor) {
  mlafuse_context *context = nullptr;
  expectError(mlafuse_context_create("nowhere", 1, &context),
              MLAFUSE_BACKEND_UNAVAILABLE,
              {"'nowhere'", "/libmlafuse_backend_nowhere.so"});
  EXPECT_EQ(context, nullptr);
}

TEST(Context, BackendNameIsNoPath) {
  mlafuse_context *context = nullptr;
  for (const char *name : {"", "../cpu", "CPU", "cpu.so"})
    expectError(mlafuse_context_create(name, 1, &context),
                MLAFUSE_INVALID_ARGUMENT, {name, "wanted cpu, cuda or hip"});
}

TEST(Context, RefusesBadThreadCountsAndNull) {
  mlafuse_context *context = nullptr;
  for (int32_t threads : {-1, 4097})
    expectError(mlafuse_context_create(backend(), threads, &context),
                MLAFUSE_INVALID_ARGUMENT,
                {std::to_string(threads), "wanted 0 (one per core) to 4096"});
  expectError(mlafuse_context_create(nullptr, 1, &context),
              MLAFUSE_INVALID_ARGUMENT, {"'backend' is NULL"});
  expectError(mlafuse_context_create(backend(), 1, nullptr),
              MLAFUSE_INVALID_ARGUMENT, {"'context' is NULL"});
  mlafuse_context_destroy(nullptr);
}

TEST(Context, TellsItsBackendAndThreads) {
  mlafuse_context *context = nullptr;
  ASSERT_EQ(mlafuse_context_create(backend(), 3, &context), MLAFUSE_OK);
  EXPECT_STREQ(mlafuse_context_backend(context), backend());
  EXPECT_EQ(mlafuse_context_threads(context), isCpu() ? 3 : 1);
  const char *start = isCpu() ? "" : dlpackDevice() == kDLCUDA ? "sm_" : "gfx";
  EXPECT_EQ(std::string(mlafuse_context_chip(context)).rfind(start, 0), 0u)
      << mlafuse_context_chip(context);
  mlafuse_context_destroy(context);
  ASSERT_EQ(mlafuse_context_create(backend(), 0, &context), MLAFUSE_OK);
  EXPECT_GE(mlafuse_context_threads(context), 1);
  mlafuse_context_destroy(context);
}

TEST(Context, LastErrorBelongsToItsThread) {
  mlafuse_context *context = nullptr;
  expectError(mlafuse_context_create("nowhere", 1, &context),
              MLAFUSE_BACKEND_UNAVAILABLE, {"nowhere"});
  std::string elsewhere = "not empty";
  pthread_t thread;
  auto body = [](void *text) -> void * {
    *static_cast<std::string *>(text) = mlafuse_last_error();
    return nullptr;
  };
  ASSERT_EQ(pthread_create(&thread, nullptr, body, &elsewhere), 0);
  pthread_join(thread, nullptr);
  EXPECT_EQ(elsewhere, "");
}

using Memory = CtsTest;

TEST_F(Memory, IsAlignedAndCopies) {
  std::vector<uint8_t> there(1000), back(1000);
  for (size_t i = 0; i < there.size(); ++i)
    there[i] = static_cast<uint8_t>(i * 7);
  void *first = nullptr, *second = nullptr;
  ASSERT_EQ(mlafuse_alloc(context, 1000, &first), MLAFUSE_OK);
  ASSERT_EQ(mlafuse_alloc(context, 1000, &second), MLAFUSE_OK);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(first) % 64, 0u);
  EXPECT_EQ(mlafuse_copy(context, nullptr, first, there.data(), 1000,
                         MLAFUSE_HOST_TO_DEVICE),
            MLAFUSE_OK);
  EXPECT_EQ(mlafuse_copy(context, nullptr, second, first, 1000,
                         MLAFUSE_DEVICE_TO_DEVICE),
            MLAFUSE_OK);
  EXPECT_EQ(mlafuse_copy(context, nullptr, back.data(), second, 1000,
                         MLAFUSE_DEVICE_TO_HOST),
            MLAFUSE_OK);
  EXPECT_EQ(mlafuse_synchronize(context, nullptr), MLAFUSE_OK);
  EXPECT_EQ(there, back);
  mlafuse_free(context, first);
  mlafuse_free(context, second);
}

TEST_F(Memory, NoBytesAreNull) {
  void *memory = this;
  ASSERT_EQ(mlafuse_alloc(context, 0, &memory), MLAFUSE_OK);
  EXPECT_EQ(memory, nullptr);
  EXPECT_EQ(mlafuse_copy(context, nullptr, nullptr, nullptr, 0,
                         MLAFUSE_HOST_TO_DEVICE),
            MLAFUSE_OK);
  mlafuse_free(context, nullptr);
}

TEST_F(Memory, TooMuchIsAnError) {
  void *memory = nullptr;
  for (size_t bytes : {SIZE_MAX, SIZE_MAX / 4})
    expectError(mlafuse_alloc(context, bytes, &memory),
                MLAFUSE_OUT_OF_RESOURCES, {std::to_string(bytes)});
  EXPECT_EQ(memory, nullptr);
}

TEST_F(Memory, NullIsAnError) {
  char byte = 0;
  void *memory;
  expectError(mlafuse_alloc(nullptr, 1, &memory), MLAFUSE_INVALID_ARGUMENT,
              {"'context'"});
  expectError(mlafuse_alloc(context, 1, nullptr), MLAFUSE_INVALID_ARGUMENT,
              {"'memory'"});
  expectError(
      mlafuse_copy(context, nullptr, nullptr, &byte, 1, MLAFUSE_HOST_TO_DEVICE),
      MLAFUSE_INVALID_ARGUMENT, {"'destination'"});
  expectError(
      mlafuse_copy(context, nullptr, &byte, nullptr, 1, MLAFUSE_DEVICE_TO_HOST),
      MLAFUSE_INVALID_ARGUMENT, {"'source'"});
  expectError(
      mlafuse_copy(nullptr, nullptr, &byte, &byte, 1, MLAFUSE_DEVICE_TO_HOST),
      MLAFUSE_INVALID_ARGUMENT, {"'context'"});
  expectError(mlafuse_synchronize(nullptr, nullptr), MLAFUSE_INVALID_ARGUMENT,
              {"'context'"});
}
