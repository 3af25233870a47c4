//===- DimTest.cpp - tests of sizes that depend on symbols ------------===//
#include "Dim.h"

#include <gtest/gtest.h>

using namespace mlafuse::rt;

namespace {

Dim symbol(int64_t index) { return {Dim::Kind::Symbol, index, {}, "S"}; }

Dim number(int64_t value) { return {Dim::Kind::Static, value, {}, "n"}; }

Dim make(Dim::Kind kind, int64_t value, std::vector<Dim> operands) {
  return {kind, value, std::move(operands), "e"};
}

} // namespace

TEST(Dim, Evaluates) {
  const int64_t symbols[] = {5, 0};
  EXPECT_EQ(evaluate(number(7), symbols), 7);
  EXPECT_EQ(evaluate(symbol(0), symbols), 5);
  EXPECT_EQ(evaluate(make(Dim::Kind::Align, 4, {symbol(0)}), symbols), 8);
  EXPECT_EQ(evaluate(make(Dim::Kind::Align, 5, {symbol(0)}), symbols), 5);
  EXPECT_EQ(evaluate(make(Dim::Kind::Align, 4, {symbol(1)}), symbols), 0);
  EXPECT_EQ(evaluate(make(Dim::Kind::CeilDiv, 4, {symbol(0)}), symbols), 2);
  EXPECT_EQ(evaluate(make(Dim::Kind::CeilDiv, 4, {symbol(1)}), symbols), 0);
  Dim product = make(Dim::Kind::Product, 0, {symbol(0), number(3)});
  EXPECT_EQ(evaluate(product, symbols), 15);
  EXPECT_EQ(evaluate(make(Dim::Kind::CeilDiv, 2, {product}), symbols), 8);
  Dim sum = make(Dim::Kind::Sum, 0, {product, symbol(0), symbol(1)});
  EXPECT_EQ(evaluate(sum, symbols), 20);
}

TEST(Dim, OverflowHasNoValue) {
  const int64_t symbols[] = {INT64_MAX};
  EXPECT_EQ(evaluate(make(Dim::Kind::Align, 4, {symbol(0)}), symbols),
            std::nullopt);
  EXPECT_EQ(evaluate(make(Dim::Kind::CeilDiv, 2, {symbol(0)}), symbols),
            INT64_MAX / 2 + 1);
  EXPECT_EQ(
      evaluate(make(Dim::Kind::Product, 0, {symbol(0), number(2)}), symbols),
      std::nullopt);
  EXPECT_EQ(evaluate(make(Dim::Kind::Sum, 0, {symbol(0), number(1)}), symbols),
            std::nullopt);
}

TEST(Dim, UnknownSymbols) {
  const int64_t symbols[] = {5, unknownSize};
  Dim dim = make(Dim::Kind::Align, 4,
                 {make(Dim::Kind::Product, 0, {symbol(0), symbol(1)})});
  EXPECT_EQ(evaluate(dim, symbols), std::nullopt);
  EXPECT_EQ(firstUnknownSymbol(dim, symbols), 1u);
  EXPECT_EQ(firstUnknownSymbol(symbol(0), symbols), std::nullopt);
}
