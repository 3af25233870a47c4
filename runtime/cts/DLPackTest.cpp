//===- DLPackTest.cpp - launches with DLPack tensors ------------------===//
#include "Cts.h"

#include <cstring>

using namespace mlafuse::cts;

namespace {

/// scale_rows for 5 rows as DLPack tensors, which tests then spoil.
class DLPackTest : public CtsTest {
protected:
  void SetUp() override {
    CtsTest::SetUp();
    data = std::make_unique<ScaleRows>(context, 5);
    for (size_t i = 0; i < 3; ++i) {
      tensors[i] = convert(data->tensors[i], {kDLFloat, 32, 1});
      pointers[i] = &tensors[i];
    }
  }
  void TearDown() override {
    data.reset();
    CtsTest::TearDown();
  }

  static DLTensor convert(const mlafuse_tensor &tensor, DLDataType type) {
    DLTensor converted = {};
    converted.data = tensor.data;
    converted.device = {dlpackDevice(), 0};
    converted.ndim = tensor.rank;
    converted.dtype = type;
    converted.shape = const_cast<int64_t *>(tensor.shape);
    return converted;
  }

  mlafuse_status launch() {
    return mlafuse_launch_dlpack(find("scale_rows"), nullptr, pointers, 3,
                                 data->workspace.view.data,
                                 data->workspace.shape[0]);
  }

  std::unique_ptr<ScaleRows> data;
  DLTensor tensors[3];
  const DLTensor *pointers[3];
};

} // namespace

TEST_F(DLPackTest, Launches) {
  int64_t bytes = 0;
  ASSERT_EQ(
      mlafuse_workspace_size_dlpack(find("scale_rows"), pointers, 3, &bytes),
      MLAFUSE_OK)
      << mlafuse_last_error();
  EXPECT_EQ(bytes, 320);
  ASSERT_EQ(launch(), MLAFUSE_OK) << mlafuse_last_error();
  EXPECT_EQ(data->y.read<float>(), ScaleRows::wanted(5));
}

TEST_F(DLPackTest, ByteOffset) {
  Tensor shifted(context, MLAFUSE_F32, {24}, ScaleRows::ramp(24, -4));
  tensors[0].data = shifted.view.data;
  tensors[0].byte_offset = 4 * sizeof(float);
  ASSERT_EQ(launch(), MLAFUSE_OK) << mlafuse_last_error();
  EXPECT_EQ(data->y.read<float>(), ScaleRows::wanted(5));
}

TEST_F(DLPackTest, NullTensorAndData) {
  tensors[2].data = nullptr;
  tensors[2].byte_offset = 64;
  expectError(launch(), MLAFUSE_INVALID_ARGUMENT,
              {"'y' (2)", "data pointer is NULL"});
  pointers[1] = nullptr;
  expectError(launch(), MLAFUSE_INVALID_ARGUMENT,
              {"'scale_rows'", "'s' (1)", "tensor is NULL"});
  expectError(mlafuse_launch_dlpack(find("scale_rows"), nullptr, nullptr, 3,
                                    nullptr, 0),
              MLAFUSE_INVALID_ARGUMENT, {"array of tensors is NULL"});
  expectError(mlafuse_launch_dlpack(nullptr, nullptr, pointers, 3, nullptr, 0),
              MLAFUSE_INVALID_ARGUMENT, {"'function'"});
}

TEST_F(DLPackTest, Device) {
  // One that DLPack 0.6 does not know.
  const int32_t maia = 17;
  memcpy(&tensors[1].device.device_type, &maia, sizeof(maia));
  expectError(
      launch(), MLAFUSE_INVALID_ARGUMENT,
      {"'s' (1)", "device of DLPack type 17",
       "wanted " + std::to_string(dlpackDevice()) + " (" + backend() + ")"});
  tensors[1].device = {dlpackDevice(), 999};
  expectError(launch(), MLAFUSE_INVALID_ARGUMENT,
              {"'s' (1)", "on device 999", "the context's device"});
}

TEST_F(DLPackTest, Count) {
  expectError(mlafuse_launch_dlpack(find("scale_rows"), nullptr, pointers, 2,
                                    nullptr, 0),
              MLAFUSE_INVALID_ARGUMENT, {"2 tensors given", "wanted 3"});
}

TEST_F(DLPackTest, Type) {
  tensors[1].dtype = {kDLFloat, 64, 1};
  expectError(launch(), MLAFUSE_INVALID_ARGUMENT,
              {"'s' (1)", "code 2, 64 bits and 1 lanes"});
  tensors[1].dtype = {kDLFloat, 32, 4};
  expectError(launch(), MLAFUSE_INVALID_ARGUMENT, {"'s' (1)", "4 lanes"});
  tensors[1].dtype = {kDLBfloat, 16, 1};
  expectError(launch(), MLAFUSE_INVALID_ARGUMENT,
              {"'s' (1)", "type is bf16", "wanted f32"});
}

TEST_F(DLPackTest, TypesOfOneByte) {
  Tensor a(context, MLAFUSE_BF16, {2, 2, 2}, std::vector<uint16_t>(8));
  Tensor aligned(context, MLAFUSE_F8E4M3FN, {4}, std::vector<uint8_t>(4));
  Tensor divided(context, MLAFUSE_I32, {1}, std::vector<int32_t>(1));
  Tensor flat(context, MLAFUSE_I8, {4}, std::vector<uint8_t>(4));
  struct Case {
    DLDataType aligned, flat;
    bool fits;
  };
  const DLDataType e4m3 = {MLAFUSE_DL_FLOAT8_E4M3FN, 8, 1};
  const DLDataType e5m2 = {MLAFUSE_DL_FLOAT8_E5M2, 8, 1};
  const DLDataType e2m1 = {MLAFUSE_DL_FLOAT4_E2M1FN, 4, 2};
  const DLDataType u8 = {kDLUInt, 8, 1}, i8 = {kDLInt, 8, 1};
  const Case cases[] = {{e4m3, i8, true},   {u8, u8, true},
                        {e4m3, e2m1, true}, {e5m2, i8, false},
                        {i8, i8, false},    {e4m3, e4m3, false}};
  for (const Case &types : cases) {
    DLTensor converted[] = {convert(a.view, {kDLBfloat, 16, 1}),
                            convert(aligned.view, types.aligned),
                            convert(divided.view, {kDLInt, 32, 1}),
                            convert(flat.view, types.flat)};
    const DLTensor *all[] = {&converted[0], &converted[1], &converted[2],
                             &converted[3]};
    EXPECT_EQ(mlafuse_launch_dlpack(find("sizes"), nullptr, all, 4, nullptr, 0),
              types.fits ? MLAFUSE_OK : MLAFUSE_INVALID_ARGUMENT)
        << mlafuse_last_error();
  }
}
