//===- MLAInputsTest.cpp - lengths, pages and what nobody may read --------===//
#include "MLAInputs.h"

#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>
#include <set>

using namespace mlafuse::rt;

namespace {

Argument makeArgument(std::string name, mlafuse_type type,
                      std::vector<int64_t> shape) {
  Argument argument;
  argument.name = std::move(name);
  argument.type = type;
  for (int64_t size : shape) {
    Dim dim;
    dim.value = size;
    argument.shape.push_back(dim);
  }
  return argument;
}

/// Five requests of two queries and three heads, pages of 16 rows of 72.
struct Batch {
  Batch() {
    described.op = MLAFunction::Op::Attention;
    described.function = &function;
    described.queries = 2;
    described.heads = 3;
    described.latent = 64;
    described.page = 16;
  }

  MLASizes sizes(uint64_t seed) { return sizesOf(described, {5, 100}, seed); }

  std::vector<int32_t> integers(const MLAInputs &inputs,
                                const std::string &name, int64_t count) {
    MemoryImage image = fill(inputs, makeArgument(name, MLAFUSE_I32, {count}));
    std::vector<int32_t> numbers(static_cast<size_t>(count));
    std::memcpy(numbers.data(), &image[guardBytes], 4 * numbers.size());
    return numbers;
  }

  MemoryImage fill(const MLAInputs &inputs, const Argument &argument) {
    Placement placement;
    MemoryImage image;
    EXPECT_FALSE(placeArgument(argument, {}, Spacing(), placement));
    Error error = inputs.fill(argument, placement, image);
    EXPECT_FALSE(error) << error.getText();
    return image;
  }

  Function function;
  MLAFunction described;
};

TEST(MLAInputs, OneRequestIsAsLongAsTheTableIsWide) {
  Batch test;
  std::set<int32_t> seen;
  for (uint64_t seed = 1; seed < 40; ++seed) {
    MLAValues values;
    values.seed = seed;
    MLASizes sizes = test.sizes(seed);
    EXPECT_EQ(sizes.tableWidth, seed % 2 ? 10 : 7);
    MLAInputs inputs(test.described, sizes, values);
    std::vector<int32_t> lengths = inputs.getLengths();
    ASSERT_EQ(lengths.size(), 5u);
    EXPECT_EQ(*std::max_element(lengths.begin(), lengths.end()), 100);
    EXPECT_GE(*std::min_element(lengths.begin(), lengths.end()), 0);
    seen.insert(lengths.begin(), lengths.end());
  }
  for (int32_t length : {0, 1, 2, 16, 17, 100})
    EXPECT_EQ(seen.count(length), 1u) << length;
}

TEST(MLAInputs, TablesNameRowsAndLeadAstrayBeyondThem) {
  Batch test;
  MLAValues values;
  values.seed = 3;
  MLASizes sizes = test.sizes(3);
  MLAInputs inputs(test.described, sizes, values);
  std::vector<int32_t> table =
      test.integers(inputs, "block_table", 5 * sizes.tableWidth);
  std::vector<bool> named(static_cast<size_t>(sizes.pages * 16));
  std::set<int32_t> pages;
  int64_t entries = 0;
  for (int64_t request = 0; request < 5; ++request)
    for (int64_t i = 0; i < sizes.tableWidth; ++i) {
      int32_t entry =
          table[static_cast<size_t>(request * sizes.tableWidth + i)];
      int64_t rows = std::min<int64_t>(
          16, inputs.getLengths()[static_cast<size_t>(request)] - 16 * i);
      if (rows <= 0) {
        EXPECT_TRUE(entry < 0 || entry >= sizes.pages);
        continue;
      }
      ASSERT_TRUE(entry >= 0 && entry < sizes.pages);
      pages.insert(entry);
      ++entries;
      for (int64_t row = 0; row < rows; ++row)
        named[static_cast<size_t>(entry * 16 + row)] = true;
    }
  EXPECT_EQ(named, inputs.getNamed());
  EXPECT_LT(static_cast<int64_t>(pages.size()), entries) << "none is repeated";
}

TEST(MLAInputs, RowsOfTheCacheThatNobodyNamesAreNaN) {
  Batch test;
  MLAValues values;
  MLASizes sizes = test.sizes(0);
  MLAInputs inputs(test.described, sizes, values);
  for (auto [type, width] : {std::pair<mlafuse_type, int64_t>{MLAFUSE_BF16, 72},
                             {MLAFUSE_F8E4M3FN, 72}}) {
    size_t rowBytes =
        static_cast<size_t>(type == MLAFUSE_BF16 ? 2 * width : width);
    MemoryImage image = test.fill(
        inputs, makeArgument("cache", type, {sizes.pages, 16, width}));
    for (size_t slot = 0; slot < inputs.getNamed().size(); ++slot) {
      const uint8_t *row = &image[guardBytes + slot * rowBytes];
      bool isNaN = std::count(row, row + rowBytes, 0xFF) ==
                   static_cast<int64_t>(rowBytes);
      EXPECT_EQ(isNaN, !inputs.getNamed()[slot]) << "slot " << slot;
    }
  }
}

TEST(MLAInputs, WhatLiesBeyondTheCountLeadsAstray) {
  Batch test;
  MLAValues values;
  // The second query of the second request is padding, its request is not.
  values.count = 3;
  MLASizes sizes = test.sizes(0);
  MLAInputs inputs(test.described, sizes, values);
  EXPECT_EQ(inputs.liveTokens(), 3);
  for (size_t request = 0; request < 5; ++request) {
    int32_t length = inputs.getLengths()[request];
    EXPECT_EQ(request < 2, length >= 0 && length <= 100) << request;
  }
  MemoryImage q =
      test.fill(inputs, makeArgument("q", MLAFUSE_BF16, {5, 2, 3, 8}));
  for (size_t row = 0; row < 30; ++row) {
    bool isNaN = q[guardBytes + 16 * row + 1] == 0xFF;
    EXPECT_EQ(isNaN, row >= 9) << "row " << row;
  }
  values.count = 99;
  EXPECT_EQ(MLAInputs(test.described, sizes, values).liveTokens(), 10);
  values.count = -1;
  EXPECT_EQ(MLAInputs(test.described, sizes, values).liveTokens(), 0);
}

TEST(MLAInputs, IndicesNameSlotsOrNothing) {
  Batch test;
  test.described.hasIndices = true;
  MLAValues values;
  values.count = 8;
  MLASizes sizes = test.sizes(0);
  MLAInputs inputs(test.described, sizes, values);
  std::vector<int32_t> indices = test.integers(inputs, "indices", 10 * 100);
  int64_t slots = sizes.pages * 16, none = 0, keys = 0;
  for (size_t i = 0; i < 800; ++i) {
    ASSERT_TRUE(indices[i] >= -1 && indices[i] < slots);
    indices[i] < 0 ? ++none : ++keys;
    if (indices[i] >= 0)
      EXPECT_TRUE(inputs.getNamed()[static_cast<size_t>(indices[i])]);
  }
  EXPECT_GT(none, 0);
  EXPECT_GT(keys, 0);
  EXPECT_TRUE(std::any_of(indices.begin() + 800, indices.end(),
                          [&](int32_t index) { return index >= slots; }));
}

TEST(MLAInputs, AnUnknownArgumentIsAnError) {
  Batch test;
  MLASizes sizes = test.sizes(0);
  MLAInputs inputs(test.described, sizes, MLAValues());
  Argument argument = makeArgument("mask", MLAFUSE_F32, {1});
  argument.access = MLAFUSE_READ;
  Placement placement;
  MemoryImage image;
  ASSERT_FALSE(placeArgument(argument, {}, Spacing(), placement));
  EXPECT_EQ(
      inputs.fill(argument, placement, image).getText(),
      "argument 'mask': no values are known for an argument of this name");
}

} // namespace
