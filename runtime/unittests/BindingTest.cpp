//===- BindingTest.cpp - tests of descriptors -------------------------===//
#include "Binding.h"
#include "TensorChecks.h"

#include <gtest/gtest.h>
#include <random>

using namespace mlafuse::rt;

namespace {

Dim symbol(int64_t index) { return {Dim::Kind::Symbol, index, {}, "S"}; }

std::vector<int64_t> wordsOf(const void *descriptor, size_t rank) {
  const int64_t *words = static_cast<const int64_t *>(descriptor);
  return std::vector<int64_t>(words, words + 3 + 2 * rank);
}

int64_t address(void *data) {
  return static_cast<int64_t>(reinterpret_cast<intptr_t>(data));
}

} // namespace

TEST(Binding, DescriptorsOfBothLayouts) {
  Function function;
  function.name = "f";
  function.symbols = {"A", "B"};
  Argument dense;
  dense.name = "dense";
  dense.shape = {symbol(0), symbol(1), {Dim::Kind::Static, 4, {}, "4"}};
  Argument strided = dense;
  strided.layout = MLAFUSE_STRIDED;
  Argument scalar;
  scalar.name = "scalar";
  function.arguments = {dense, strided, scalar};
  float data[1];
  const int64_t shape[] = {2, 1, 4}, strides[] = {9, 77, 1};
  // The stride of a size 1 means nothing in a contiguous argument.
  const int64_t denseStrides[] = {4, -3, 1};
  mlafuse_tensor tensors[] = {{data, MLAFUSE_F32, 3, shape, denseStrides},
                              {data, MLAFUSE_F32, 3, shape, strides},
                              {data, MLAFUSE_F32, 0, nullptr, nullptr}};
  BindingPlan plan(function);
  Binding binding(plan);
  Error error = binding.bind(tensors, 3, /*checkData=*/true);
  ASSERT_FALSE(error) << error.getText();
  int64_t at = address(data);
  EXPECT_EQ(wordsOf(binding.descriptors()[0], 3),
            (std::vector<int64_t>{at, at, 0, 2, 1, 4, 4, 4, 1}));
  EXPECT_EQ(wordsOf(binding.descriptors()[1], 3),
            (std::vector<int64_t>{at, at, 0, 2, 1, 4, 9, 77, 1}));
  EXPECT_EQ(wordsOf(binding.descriptors()[2], 0),
            (std::vector<int64_t>{at, at, 0}));
}

TEST(Binding, MoreArgumentsThanFitTheStack) {
  constexpr size_t count = 200;
  Function function;
  function.name = "f";
  std::vector<int64_t> sizes;
  std::vector<mlafuse_tensor> tensors;
  std::vector<float> data(count);
  for (size_t i = 0; i < count; ++i) {
    function.symbols.push_back("S" + std::to_string(i));
    Argument argument;
    argument.name = "a" + std::to_string(i);
    argument.shape = {symbol(static_cast<int64_t>(i))};
    function.arguments.push_back(argument);
    sizes.push_back(static_cast<int64_t>(i));
  }
  for (size_t i = 0; i < count; ++i)
    tensors.push_back({&data[i], MLAFUSE_F32, 1, &sizes[i], nullptr});
  BindingPlan plan(function);
  Binding binding(plan);
  Error error = binding.bind(tensors.data(), count, /*checkData=*/true);
  ASSERT_FALSE(error) << error.getText();
  for (size_t i = 0; i < count; ++i) {
    int64_t at = address(&data[i]);
    EXPECT_EQ(wordsOf(binding.descriptors()[i], 1),
              (std::vector<int64_t>{at, at, 0, sizes[i], 1}));
  }
}

TEST(Binding, HugeSizesBesideANullSize) {
  Function function;
  function.name = "f";
  function.symbols = {"A", "B", "C"};
  Argument argument;
  argument.name = "a";
  argument.shape = {symbol(0), symbol(1), symbol(2)};
  function.arguments = {argument};
  const int64_t shape[] = {0, INT64_MAX, INT64_MAX};
  mlafuse_tensor tensor = {nullptr, MLAFUSE_F32, 3, shape, nullptr};
  BindingPlan plan(function);
  Binding binding(plan);
  Error error = binding.bind(&tensor, 1, /*checkData=*/true);
  EXPECT_FALSE(error) << error.getText();
}

TEST(Binding, AcceptsWhatTheChecksOfEachTensorAccept) {
  std::mt19937_64 random(1);
  auto draw = [&](std::vector<int64_t> values) {
    return values[random() % values.size()];
  };
  Function function;
  function.name = "f";
  function.symbols = {"A", "B", "C"};
  function.arguments.resize(1);
  Argument &argument = function.arguments[0];
  argument.name = "a";
  argument.shape = {symbol(0), symbol(1), symbol(2)};
  alignas(8) char data[16];
  int accepted = 0, runs = 200'000;
  for (int run = 0; run < runs; ++run) {
    argument.layout = random() % 2 ? MLAFUSE_STRIDED : MLAFUSE_CONTIGUOUS;
    argument.access = random() % 2 ? MLAFUSE_READ : MLAFUSE_WRITE;
    argument.type = random() % 2 ? MLAFUSE_BF16 : MLAFUSE_I64;
    int64_t huge = INT64_MAX / 4;
    int64_t shape[3], strides[3];
    for (int64_t &size : shape)
      size = draw({1, 1, 2, 2, 3, 3, 0, huge});
    strides[2] = draw({1, 1, 1, 1, 2, 0, -1});
    for (size_t d : {0, 1})
      strides[d] = draw({0, 1, 2, 3, 4, 6, 9, 12, -4, huge, INT64_MIN});
    mlafuse_tensor tensor = {data + draw({0, 0, 0, 0, 2, 3}), argument.type, 3,
                             shape, random() % 4 ? strides : nullptr};
    std::string problem = checkExtent(tensor);
    if (problem.empty())
      problem = checkStrides(argument, tensor);
    if (problem.empty())
      problem = checkData(tensor);
    BindingPlan plan(function);
    Binding binding(plan);
    Error error = binding.bind(&tensor, 1, /*checkData=*/true);
    ASSERT_EQ(!error, problem.empty()) << error.getText() << problem;
    accepted += problem.empty();
  }
  // Both outcomes are tested.
  EXPECT_GT(accepted, runs / 20);
  EXPECT_LT(accepted, runs - runs / 20);
}
