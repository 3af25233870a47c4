//===- ArgumentTest.cpp - tensors that must be refused ----------------===//
#include "Cts.h"

using namespace mlafuse::cts;

namespace {

/// Launches scale_rows for 5 rows; nothing may run.
class ArgumentTest : public CtsTest {
protected:
  void SetUp() override {
    CtsTest::SetUp();
    data = std::make_unique<ScaleRows>(context, 5);
  }
  void TearDown() override {
    EXPECT_EQ(data->y.read<float>(), std::vector<float>(20, -1));
    data.reset();
    CtsTest::TearDown();
  }

  void expectRefused(std::vector<std::string> parts) {
    parts.push_back("function 'scale_rows'");
    expectError(data->launch(find("scale_rows")), MLAFUSE_INVALID_ARGUMENT,
                parts);
  }

  std::unique_ptr<ScaleRows> data;
};

} // namespace

TEST_F(ArgumentTest, Count) {
  data->tensors.pop_back();
  expectRefused({"2 tensors given", "wanted 3"});
  expectError(
      mlafuse_launch(find("scale_rows"), nullptr, nullptr, 3, nullptr, 0),
      MLAFUSE_INVALID_ARGUMENT, {"array of tensors is NULL"});
}

TEST_F(ArgumentTest, Type) {
  data->tensors[1].type = MLAFUSE_I32;
  expectRefused({"'s' (1)", "type is i32", "wanted f32"});
  data->tensors[1].type = MLAFUSE_U8;
  expectRefused({"'s' (1)", "type is u8", "wanted f32"});
  data->tensors[1].type = static_cast<mlafuse_type>(77);
  expectRefused({"'s' (1)", "<type 77>"});
}

TEST_F(ArgumentTest, Rank) {
  data->tensors[0].rank = 1;
  expectRefused({"'x' (0)", "rank is 1", "wanted 2"});
  data->tensors[0].rank = -1;
  expectRefused({"'x' (0)", "rank is -1", "wanted 2"});
}

TEST_F(ArgumentTest, NullShape) {
  data->tensors[0].shape = nullptr;
  expectRefused({"'x' (0)", "shape is NULL"});
}

TEST_F(ArgumentTest, StaticSize) {
  const int64_t shape[] = {5, 3};
  data->tensors[0].shape = shape;
  expectRefused({"'x' (0)", "dimension 1 is 3", "wanted 4"});
}

TEST_F(ArgumentTest, NegativeSize) {
  const int64_t shape[] = {-5, 4};
  data->tensors[0].shape = shape;
  expectRefused({"'x' (0)", "dimension 0 is -5", "wanted T"});
}

TEST_F(ArgumentTest, SymbolsMustAgree) {
  const int64_t shape[] = {6};
  data->tensors[1].shape = shape;
  expectRefused({"'s' (1)", "dimension 0 is 6", "wanted T = 5",
                 "dimension 0 of argument 'x'"});
}

TEST_F(ArgumentTest, InnerStride) {
  const int64_t strides[] = {8, 2};
  data->tensors[0].strides = strides;
  expectRefused({"'x' (0)", "innermost stride is 2", "wanted 1"});
}

TEST_F(ArgumentTest, ContiguousStride) {
  const int64_t strides[] = {2};
  data->tensors[1].strides = strides;
  expectRefused(
      {"'s' (1)", "stride of dimension 0 is 2", "wanted 1", "contiguous"});
}

TEST_F(ArgumentTest, WrittenElementsMustNotOverlap) {
  const int64_t strides[] = {3, 1};
  data->tensors[2].strides = strides;
  expectRefused(
      {"'y' (2)", "overlap", "dimension 0 is 3", "wanted at least 4"});
}

TEST_F(ArgumentTest, NullData) {
  data->tensors[1].data = nullptr;
  expectRefused({"'s' (1)", "data pointer is NULL"});
}

TEST_F(ArgumentTest, Alignment) {
  data->tensors[0].data = static_cast<char *>(data->tensors[0].data) + 2;
  expectRefused({"'x' (0)", "2 bytes past a multiple of 4"});
}

TEST_F(ArgumentTest, TooLargeToAddress) {
  const int64_t huge = INT64_MAX / 8;
  const int64_t shapes[][2] = {{huge, 4}, {huge, 4}, {huge, 4}};
  for (size_t i = 0; i < 3; ++i)
    data->tensors[i].shape = shapes[i];
  expectRefused({"'x' (0)", "64 bits"});
}

TEST_F(ArgumentTest, StridesTooLargeToAddress) {
  const int64_t strides[] = {INT64_MIN, 1};
  data->tensors[0].strides = strides;
  expectRefused({"'x' (0)", "64 bits"});
  const int64_t large[] = {INT64_MAX / 8, 1};
  data->tensors[0].strides = large;
  expectRefused({"'x' (0)", "64 bits"});
}

using ExpressionTest = CtsTest;

TEST_F(ExpressionTest, EachIsChecked) {
  Tensor a(context, MLAFUSE_BF16, {2, 5, 2}, std::vector<uint16_t>(20));
  Tensor bytes(context, MLAFUSE_U8, {16}, std::vector<uint8_t>(16));
  int64_t sizes[] = {8, 3, 10};
  mlafuse_tensor tensors[] = {
      a.view,
      {bytes.view.data, MLAFUSE_F8E4M3FN, 1, &sizes[0], nullptr},
      {bytes.view.data, MLAFUSE_I32, 1, &sizes[1], nullptr},
      {bytes.view.data, MLAFUSE_I8, 1, &sizes[2], nullptr}};
  auto launch = [&] {
    return mlafuse_launch(find("sizes"), nullptr, tensors, 4, nullptr, 0);
  };
  sizes[0] = 5;
  expectError(launch(), MLAFUSE_INVALID_ARGUMENT,
              {"'aligned' (1)", "is 5", "wanted align(S, 4) = 8"});
  sizes[0] = 8;
  sizes[1] = 2;
  expectError(launch(), MLAFUSE_INVALID_ARGUMENT,
              {"'divided' (2)", "is 2", "wanted ceildiv(B * S, 4) = 3"});
  sizes[1] = 3;
  sizes[2] = 9;
  expectError(launch(), MLAFUSE_INVALID_ARGUMENT,
              {"'flat' (3)", "is 9", "wanted B * S = 10"});
  sizes[2] = 10;
  EXPECT_EQ(launch(), MLAFUSE_OK) << mlafuse_last_error();
}
