//===- CudaBackendTest.cpp - tests of calls of the driver -------------===//
#include "Backend.h"
#include "StubCuda.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

using namespace mlafuse::rt;

namespace {

class CudaBackend : public ::testing::Test {
protected:
  // The program is linked with the stub, whose soname is the driver's: it is
  // found as what is loaded already.
  void SetUp() override {
    *stubCuda() = {};
    void *library = dlopen(CUDA_BACKEND, RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(library, nullptr) << dlerror();
    auto get =
        reinterpret_cast<const Backend *(*)()>(dlsym(library, backendSymbol));
    ASSERT_NE(get, nullptr);
    backend = get();
    ASSERT_EQ(backend->create(0, &state, error()), MLAFUSE_OK) << text;
  }
  void TearDown() override {
    backend->destroy(state);
    EXPECT_EQ(stubCuda()->primaryContexts, 0);
    EXPECT_EQ(stubCuda()->modules, 0);
    EXPECT_EQ(stubCuda()->contexts.size(), callersContexts);
  }

  ErrorText error() {
    text[0] = '\0';
    return {text, sizeof(text)};
  }

  mlafuse_status load(const std::string &image,
                      const std::vector<std::string> &names, void *&kernels,
                      bool isText = true) {
    return backend->load(state, {image.data(), image.size(), isText, names},
                         &kernels, error());
  }

  mlafuse_status launch(EntryFunction entry, void *kernels,
                        void *stream = nullptr) {
    return backend->launch(
        state, {entry, kernels, nullptr, stream, &workspace, 64}, error());
  }

  const Backend *backend = nullptr;
  void *state = nullptr;
  char text[512] = "";
  char workspace = 0;
  /// How many contexts of its own the test has made current.
  size_t callersContexts = 0;
};

int32_t launchTwo(const mlafuse_launch_context *context, void *const *) {
  if (context->abi_version != MLAFUSE_ABI_VERSION || context->parallel_for ||
      context->workspace_size != 64)
    return MLAFUSE_ENTRY_BAD_CONTEXT;
  for (uint32_t kernel : {1u, 0u}) {
    int64_t value = 40 + kernel;
    void *workspace = context->workspace;
    void *parameters[] = {&value, &workspace};
    mlafuse_kernel_launch launch = {kernel, {2, 3, 4}, {32, 2, 1}, 1000,
                                    2,      0,         parameters};
    if (context->launch_kernel(context->runtime, &launch) != 0)
      return MLAFUSE_ENTRY_LAUNCH_FAILED;
  }
  return MLAFUSE_ENTRY_OK;
}

int32_t launchWrong(const mlafuse_launch_context *context, void *const *) {
  int64_t value = 0;
  void *parameters[] = {&value};
  mlafuse_kernel_launch launch = {0, {0, 1, 1}, {64, 1, 1}, 8,
                                  1, 0,         parameters};
  return context->launch_kernel(context->runtime, &launch) == 0
             ? MLAFUSE_ENTRY_OK
             : MLAFUSE_ENTRY_LAUNCH_FAILED;
}

int32_t launchMissing(const mlafuse_launch_context *context, void *const *) {
  mlafuse_kernel_launch launch = {};
  launch.kernel = 2;
  return context->launch_kernel(context->runtime, &launch) == 0
             ? MLAFUSE_ENTRY_OK
             : MLAFUSE_ENTRY_LAUNCH_FAILED;
}

/// The second of two kernels waits for the first by itself.
int32_t launchOverlapping(const mlafuse_launch_context *context,
                          void *const *) {
  int64_t value = 7;
  void *parameters[] = {&value};
  mlafuse_kernel_launch launch = {0, {2, 3, 4}, {32, 2, 1}, 1000,
                                  1, 0,         parameters};
  if (context->launch_kernel(context->runtime, &launch) != 0)
    return MLAFUSE_ENTRY_LAUNCH_FAILED;
  launch.flags = MLAFUSE_LAUNCH_OVERLAPS_PREVIOUS;
  return context->launch_kernel(context->runtime, &launch) == 0
             ? MLAFUSE_ENTRY_OK
             : MLAFUSE_ENTRY_LAUNCH_FAILED;
}

int32_t launchOverlappingWrong(const mlafuse_launch_context *context,
                               void *const *) {
  int64_t value = 0;
  void *parameters[] = {&value};
  mlafuse_kernel_launch launch = {
      0,         {0, 1, 1}, {64, 1, 1}, 8, 1, MLAFUSE_LAUNCH_OVERLAPS_PREVIOUS,
      parameters};
  return context->launch_kernel(context->runtime, &launch) == 0
             ? MLAFUSE_ENTRY_OK
             : MLAFUSE_ENTRY_LAUNCH_FAILED;
}

int32_t refuse(const mlafuse_launch_context *, void *const *) {
  return MLAFUSE_ENTRY_BAD_CONTEXT;
}

} // namespace

TEST_F(CudaBackend, TellsItsDevice) {
  EXPECT_STREQ(backend->chip(state), "sm_90");
  EXPECT_EQ(backend->index(state), 0);
  EXPECT_EQ(backend->threads(state), 1);
}

TEST_F(CudaBackend, LaunchesOnTheCallersStream) {
  void *kernels = nullptr;
  ASSERT_EQ(load("a b", {"a", "b"}, kernels), MLAFUSE_OK) << text;
  // All that a block can have, less what the kernel has already.
  EXPECT_EQ(stubCuda()->sharedBytesAllowed, 232448 - 448);
  int stream;
  ASSERT_EQ(launch(launchTwo, kernels, &stream), MLAFUSE_OK) << text;
  ASSERT_EQ(stubCuda()->launches.size(), 2u);
  const StubLaunch &first = stubCuda()->launches[0];
  EXPECT_EQ(first.kernel, "b");
  EXPECT_EQ(first.sizes, (std::vector<uint32_t>{2, 3, 4, 32, 2, 1, 1000}));
  EXPECT_EQ(first.stream, &stream);
  EXPECT_EQ(first.context, stubPrimaryContext(0));
  EXPECT_EQ(first.firstParameter, 41);
  EXPECT_EQ(stubCuda()->launches[1].kernel, "a");
  backend->unload(state, kernels);
}

TEST_F(CudaBackend, OverlapsLaunchesThatWait) {
  void *kernels = nullptr;
  ASSERT_EQ(load("a", {"a"}, kernels), MLAFUSE_OK) << text;
  int stream;
  ASSERT_EQ(launch(launchOverlapping, kernels, &stream), MLAFUSE_OK) << text;
  ASSERT_EQ(stubCuda()->launches.size(), 2u);
  EXPECT_FALSE(stubCuda()->launches[0].overlapsPrevious);
  const StubLaunch &second = stubCuda()->launches[1];
  EXPECT_TRUE(second.overlapsPrevious);
  EXPECT_EQ(second.kernel, "a");
  EXPECT_EQ(second.sizes, (std::vector<uint32_t>{2, 3, 4, 32, 2, 1, 1000}));
  EXPECT_EQ(second.stream, &stream);
  EXPECT_EQ(second.firstParameter, 7);
  EXPECT_EQ(launch(launchOverlappingWrong, kernels), MLAFUSE_EXECUTION_FAILED);
  EXPECT_STREQ(text, "kernel 'a', grid [0, 1, 1], block [64, 1, 1], 8 bytes of "
                     "dynamic shared memory: cuLaunchKernelEx: "
                     "CUDA_ERROR_INVALID_VALUE (words of the driver)");
  backend->unload(state, kernels);
}

TEST_F(CudaBackend, OlderDevicesLaunchOneKernelAfterAnother) {
  stubCuda()->computeCapabilityMajor = 8;
  void *older = nullptr, *kernels = nullptr;
  ASSERT_EQ(backend->create(0, &older, error()), MLAFUSE_OK) << text;
  std::swap(state, older);
  ASSERT_EQ(load("a", {"a"}, kernels), MLAFUSE_OK) << text;
  ASSERT_EQ(launch(launchOverlapping, kernels), MLAFUSE_OK) << text;
  ASSERT_EQ(stubCuda()->launches.size(), 2u);
  EXPECT_FALSE(stubCuda()->launches[1].overlapsPrevious);
  backend->unload(state, kernels);
  std::swap(state, older);
  backend->destroy(older);
}

TEST_F(CudaBackend, LeavesTheCallersContext) {
  void *kernels = nullptr;
  int other;
  stubCuda()->contexts = {&other};
  callersContexts = 1;
  ASSERT_EQ(load("a b", {"a", "b"}, kernels), MLAFUSE_OK) << text;
  ASSERT_EQ(launch(launchTwo, kernels), MLAFUSE_OK) << text;
  EXPECT_EQ(stubCuda()->launches[0].context, stubPrimaryContext(0));
  EXPECT_EQ(stubCuda()->contexts, std::vector<void *>{&other});
  // Ours is used as it is if the caller has made it current.
  stubCuda()->contexts = {stubPrimaryContext(0)};
  stubCuda()->failing = "cuCtxPushCurrent_v2";
  EXPECT_EQ(launch(launchTwo, kernels), MLAFUSE_OK) << text;
  backend->unload(state, kernels);
}

TEST_F(CudaBackend, OpensTheCurrentDevice) {
  stubCuda()->contexts = {stubPrimaryContext(1)};
  stubCuda()->currentDevice = 1;
  void *second = nullptr, *memory = nullptr;
  ASSERT_EQ(backend->create(0, &second, error()), MLAFUSE_OK) << text;
  EXPECT_EQ(backend->index(second), 1);
  stubCuda()->failing = "cuCtxPushCurrent_v2";
  EXPECT_EQ(backend->allocate(second, 8, &memory, error()), MLAFUSE_OK);
  backend->release(second, memory);
  backend->destroy(second);
  stubCuda()->contexts.clear();
}

TEST_F(CudaBackend, NoDevice) {
  stubCuda()->failing = "cuInit";
  void *other = nullptr;
  EXPECT_EQ(backend->create(0, &other, error()), MLAFUSE_BACKEND_UNAVAILABLE);
  EXPECT_STREQ(text, "cuInit: CUDA_ERROR_NO_DEVICE (words of the driver)");
  EXPECT_EQ(other, nullptr);
}

TEST_F(CudaBackend, CompilerErrors) {
  void *kernels = nullptr;
  EXPECT_EQ(load("bad", {}, kernels), MLAFUSE_BAD_LIBRARY);
  EXPECT_STREQ(text, "ptxas: line 7: no such thing\ncuModuleLoadDataEx: "
                     "CUDA_ERROR_INVALID_PTX (words of the driver)");
  EXPECT_EQ(kernels, nullptr);
}

TEST_F(CudaBackend, TextNeedsNoNulAtItsEnd) {
  void *kernels = nullptr;
  const std::string image = "one two";
  const std::vector<std::string> names = {"two"};
  EXPECT_EQ(
      backend->load(state, {image.data(), 3, true, names}, &kernels, error()),
      MLAFUSE_BAD_LIBRARY);
  EXPECT_STREQ(text, "kernel 'two': cuModuleGetFunction: CUDA_ERROR_NOT_FOUND "
                     "(words of the driver)");
  EXPECT_EQ(load(image, names, kernels, /*isText=*/false), MLAFUSE_OK);
  backend->unload(state, kernels);
}

TEST_F(CudaBackend, LaunchErrors) {
  void *kernels = nullptr;
  ASSERT_EQ(load("a b", {"a", "b"}, kernels), MLAFUSE_OK) << text;
  EXPECT_EQ(launch(launchWrong, kernels), MLAFUSE_EXECUTION_FAILED);
  EXPECT_STREQ(text, "kernel 'a', grid [0, 1, 1], block [64, 1, 1], 8 bytes of "
                     "dynamic shared memory: cuLaunchKernel: "
                     "CUDA_ERROR_INVALID_VALUE (words of the driver)");
  EXPECT_EQ(launch(launchMissing, kernels), MLAFUSE_EXECUTION_FAILED);
  EXPECT_STREQ(text, "the compiled entry launched kernel 2; the library has 2");
  EXPECT_EQ(launch(refuse, kernels), MLAFUSE_EXECUTION_FAILED);
  EXPECT_STREQ(text, "the compiled entry refused to run with code 1 (another "
                     "ABI version, or too small a workspace)");
  stubCuda()->failing = "cuCtxPushCurrent_v2";
  EXPECT_EQ(launch(launchTwo, kernels), MLAFUSE_EXECUTION_FAILED);
  EXPECT_STREQ(text, "cuCtxPushCurrent_v2: CUDA_ERROR_ILLEGAL_ADDRESS (words "
                     "of the driver)");
  EXPECT_TRUE(stubCuda()->launches.empty());
  stubCuda()->failing = "";
  backend->unload(state, kernels);
}

TEST_F(CudaBackend, MemoryErrors) {
  void *memory = nullptr;
  EXPECT_EQ(backend->allocate(state, 2'000'000, &memory, error()),
            MLAFUSE_OUT_OF_RESOURCES);
  EXPECT_STREQ(text, "no memory for 2000000 bytes: cuMemAlloc_v2: "
                     "CUDA_ERROR_OUT_OF_MEMORY (words of the driver)");
  EXPECT_EQ(memory, nullptr);
  char byte = 0;
  EXPECT_EQ(backend->copy(state, nullptr, &byte, &byte, 1,
                          static_cast<mlafuse_copy_kind>(3), error()),
            MLAFUSE_INVALID_ARGUMENT);
  EXPECT_STREQ(text, "3 is no kind of copy");
  stubCuda()->failing = "cuStreamSynchronize";
  EXPECT_EQ(backend->synchronize(state, nullptr, error()),
            MLAFUSE_EXECUTION_FAILED);
  EXPECT_STREQ(text, "cuStreamSynchronize: CUDA_ERROR_ILLEGAL_ADDRESS (words "
                     "of the driver)");
}
