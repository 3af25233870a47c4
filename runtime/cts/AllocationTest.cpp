//===- AllocationTest.cpp - launching allocates nothing ---------------===//
#include "Cts.h"

#include <cstdlib>
#include <new>

using namespace mlafuse::cts;

namespace {
thread_local int64_t allocations = 0;
} // namespace

// The program's operators serve the runtime's library too.
void *operator new(size_t bytes) {
  ++allocations;
  void *memory = malloc(bytes ? bytes : 1);
  if (!memory)
    abort();
  return memory;
}
void *operator new[](size_t bytes) { return operator new(bytes); }
void operator delete(void *memory) noexcept { free(memory); }
void operator delete[](void *memory) noexcept { free(memory); }
void operator delete(void *memory, size_t) noexcept { free(memory); }
void operator delete[](void *memory, size_t) noexcept { free(memory); }

using AllocationTest = CtsTest;

TEST_F(AllocationTest, TheRuntimeIsCounted) {
  int64_t before = allocations;
  mlafuse_context *other = nullptr;
  ASSERT_EQ(mlafuse_context_create(backend(), 1, &other), MLAFUSE_OK);
  EXPECT_GT(allocations, before);
  mlafuse_context_destroy(other);
}

TEST_F(AllocationTest, LaunchAllocatesNothing) {
  if (dlpackDevice() == kDLROCM)
    GTEST_SKIP() << "the driver's own allocations are counted too";
  const mlafuse_function *function = find("scale_rows");
  ScaleRows data(context, 100);
  DLTensor tensors[3] = {};
  const DLTensor *pointers[3];
  for (size_t i = 0; i < 3; ++i) {
    tensors[i].data = data.tensors[i].data;
    tensors[i].device = {dlpackDevice(), 0};
    tensors[i].ndim = data.tensors[i].rank;
    tensors[i].dtype = {kDLFloat, 32, 1};
    tensors[i].shape = const_cast<int64_t *>(data.tensors[i].shape);
    pointers[i] = &tensors[i];
  }
  int64_t before = allocations;
  for (int run = 0; run < 10; ++run) {
    ASSERT_EQ(data.launch(function), MLAFUSE_OK);
    ASSERT_EQ(mlafuse_launch_dlpack(function, nullptr, pointers, 3,
                                    data.workspace.view.data,
                                    data.workspace.shape[0]),
              MLAFUSE_OK);
  }
  EXPECT_EQ(allocations, before);
}
