//===- LaunchTest.cpp - launches that work, and workspace -------------===//
#include "Cts.h"

using namespace mlafuse::cts;

using LaunchTest = CtsTest;

TEST_F(LaunchTest, DynamicSizes) {
  for (int64_t rows : {1, 2, 3, 7, 64, 1000}) {
    SCOPED_TRACE(rows);
    ScaleRows data(context, rows);
    ASSERT_EQ(data.launch(find("scale_rows")), MLAFUSE_OK)
        << mlafuse_last_error();
    EXPECT_EQ(data.y.read<float>(), ScaleRows::wanted(rows));
  }
}

TEST_F(LaunchTest, NoRowsAndNoData) {
  ScaleRows data(context, 0);
  EXPECT_EQ(data.tensors[0].data, nullptr);
  EXPECT_EQ(data.launch(find("scale_rows")), MLAFUSE_OK)
      << mlafuse_last_error();
}

TEST_F(LaunchTest, StridedRows) {
  // Rows of 4 in a buffer of 6 columns; what lies between stays as it was.
  ScaleRows data(context, 5);
  Tensor wide(context, MLAFUSE_F32, {5, 6}, ScaleRows::ramp(30, 0));
  Tensor out(context, MLAFUSE_F32, {5, 6}, std::vector<float>(30, -1));
  const int64_t strides[] = {6, 1};
  data.tensors[0].data = static_cast<float *>(wide.view.data) + 1;
  data.tensors[0].strides = strides;
  data.tensors[2].data = out.view.data;
  data.tensors[2].strides = strides;
  ASSERT_EQ(data.launch(find("scale_rows")), MLAFUSE_OK)
      << mlafuse_last_error();
  std::vector<float> got = out.read<float>();
  for (size_t row = 0; row < 5; ++row)
    for (size_t i = 0; i < 6; ++i)
      EXPECT_EQ(got[row * 6 + i],
                i < 4 ? static_cast<float>((row * 6 + i + 1) * (row + 1)) : -1)
          << row << ", " << i;
}

TEST_F(LaunchTest, OneRowMayHaveAnyStride) {
  ScaleRows data(context, 1);
  const int64_t strides[] = {-77, 1};
  data.tensors[0].strides = data.tensors[2].strides = strides;
  const int64_t anyStride[] = {0};
  data.tensors[1].strides = anyStride;
  EXPECT_EQ(data.launch(find("scale_rows")), MLAFUSE_OK)
      << mlafuse_last_error();
  EXPECT_EQ(data.y.read<float>(), ScaleRows::wanted(1));
}

TEST_F(LaunchTest, ReadMayRepeatARow) {
  ScaleRows data(context, 3);
  const int64_t strides[] = {0, 1};
  data.tensors[0].strides = strides;
  ASSERT_EQ(data.launch(find("scale_rows")), MLAFUSE_OK)
      << mlafuse_last_error();
  EXPECT_EQ(data.y.read<float>(),
            (std::vector<float>{0, 1, 2, 3, 0, 2, 4, 6, 0, 3, 6, 9}));
}

TEST_F(LaunchTest, SizesThatFollowFromOthers) {
  Tensor a(context, MLAFUSE_BF16, {2, 5, 2}, std::vector<uint16_t>(20));
  Tensor aligned(context, MLAFUSE_F8E4M3FN, {8}, std::vector<uint8_t>(8));
  Tensor divided(context, MLAFUSE_I32, {3}, std::vector<int32_t>(3));
  // Bytes stand for every type of one byte.
  Tensor flat(context, MLAFUSE_U8, {10}, std::vector<uint8_t>(10));
  const mlafuse_tensor tensors[] = {a.view, aligned.view, divided.view,
                                    flat.view};
  ASSERT_EQ(mlafuse_launch(find("sizes"), nullptr, tensors, 4, nullptr, 0),
            MLAFUSE_OK)
      << mlafuse_last_error();
  EXPECT_EQ(aligned.read<uint8_t>(),
            (std::vector<uint8_t>{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(flat.read<uint8_t>(), std::vector<uint8_t>(10, 3));
}

TEST_F(LaunchTest, ReadWrite) {
  Tensor slots(context, MLAFUSE_I64, {2}, std::vector<int64_t>{3, 1});
  Tensor cache(context, MLAFUSE_F16, {4},
               std::vector<uint16_t>{0x3C00, 0x3C00, 0x3C00, 0x3C00});
  const mlafuse_tensor tensors[] = {slots.view, cache.view};
  ASSERT_EQ(mlafuse_launch(find("scatter"), nullptr, tensors, 2, nullptr, 0),
            MLAFUSE_OK)
      << mlafuse_last_error();
  EXPECT_EQ(cache.read<uint16_t>(),
            (std::vector<uint16_t>{0x3C00, 0xBC00, 0x3C00, 0xBC00}));
}

TEST_F(LaunchTest, EntryThatRefuses) {
  expectError(mlafuse_launch(find("refuse"), nullptr, nullptr, 0, nullptr, 0),
              MLAFUSE_EXECUTION_FAILED, {"'refuse'", "code 1"});
}

TEST_F(LaunchTest, NullFunction) {
  int64_t bytes;
  expectError(mlafuse_launch(nullptr, nullptr, nullptr, 0, nullptr, 0),
              MLAFUSE_INVALID_ARGUMENT, {"'function'"});
  expectError(mlafuse_workspace_size(nullptr, nullptr, 0, &bytes),
              MLAFUSE_INVALID_ARGUMENT, {"'function'"});
  expectError(mlafuse_workspace_size(find("refuse"), nullptr, 0, nullptr),
              MLAFUSE_INVALID_ARGUMENT, {"'bytes'"});
}

using Workspace = CtsTest;

TEST_F(Workspace, SizeNeedsNoData) {
  ScaleRows data(context, 5);
  for (mlafuse_tensor &tensor : data.tensors)
    tensor.data = nullptr;
  int64_t bytes = -1;
  ASSERT_EQ(mlafuse_workspace_size(find("scale_rows"), data.tensors.data(), 3,
                                   &bytes),
            MLAFUSE_OK)
      << mlafuse_last_error();
  EXPECT_EQ(bytes, 5 * 64);
  data.tensors[1].rank = 0;
  bytes = -1;
  expectError(mlafuse_workspace_size(find("scale_rows"), data.tensors.data(), 3,
                                     &bytes),
              MLAFUSE_INVALID_ARGUMENT, {"'s' (1)", "rank is 0"});
  EXPECT_EQ(bytes, -1);
}

TEST_F(Workspace, TooSmallMissingOrMisaligned) {
  ScaleRows data(context, 5);
  const mlafuse_function *function = find("scale_rows");
  char *workspace = static_cast<char *>(data.workspace.view.data);
  auto launch = [&](void *memory, int64_t bytes) {
    return mlafuse_launch(function, nullptr, data.tensors.data(), 3, memory,
                          bytes);
  };
  expectError(launch(workspace, 319), MLAFUSE_INVALID_ARGUMENT,
              {"'scale_rows'", "has 319 bytes", "wanted 320"});
  expectError(launch(nullptr, 320), MLAFUSE_INVALID_ARGUMENT,
              {"workspace is NULL", "wanted 320"});
  expectError(launch(workspace + 16, 320), MLAFUSE_INVALID_ARGUMENT,
              {"not aligned to 64 bytes"});
  EXPECT_EQ(data.y.read<float>(), std::vector<float>(20, -1));
}
