//===- BindingTest.cpp - tests of descriptors -------------------------===//
#include "Binding.h"

#include <gtest/gtest.h>

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
  Binding binding(function);
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
  Binding binding(function);
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
  Binding binding(function);
  Error error = binding.bind(&tensor, 1, /*checkData=*/true);
  EXPECT_FALSE(error) << error.getText();
}
