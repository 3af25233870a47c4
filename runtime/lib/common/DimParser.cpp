//===- DimParser.cpp - sizes and ranges from JSON ---------------------===//
#include "DimParser.h"

#include <algorithm>

namespace mlafuse::rt {
namespace {

// Sizes are parsed and evaluated recursively; no real one nests this deeply.
constexpr int maxDepth = 32;

/// A product or a sum within `whole`, with parentheses where it needs them.
std::string operandText(const Dim &whole, const Dim &dim) {
  bool isPlain = dim.kind != Dim::Kind::Product && dim.kind != Dim::Kind::Sum;
  if (isPlain || (whole.kind == Dim::Kind::Sum && dim.kind != whole.kind))
    return dim.text;
  return concat({"(", dim.text, ")"});
}

} // namespace

int64_t DimParser::symbolIndex(const std::string &name) {
  auto it = std::find(symbols.begin(), symbols.end(), name);
  if (it != symbols.end())
    return it - symbols.begin();
  symbols.push_back(name);
  return static_cast<int64_t>(symbols.size()) - 1;
}

Error DimParser::parse(const JsonNode &node, Dim &dim, int depth) {
  if (depth > maxDepth)
    return node.error("sizes nest too deeply");
  if (node.get().kind == Json::Kind::Object)
    return parseExpression(node, dim, depth);
  if (node.get().kind == Json::Kind::Text) {
    dim.kind = Dim::Kind::Symbol;
    if (Error error = node.readName(dim.text))
      return error;
    dim.value = symbolIndex(dim.text);
    return {};
  }
  dim.kind = Dim::Kind::Static;
  if (node.get().kind != Json::Kind::Integer || node.get().integer < 0)
    return node.error("wanted a size: an integer of at least 0, a symbol, or "
                      "an object with \"align\", \"ceildiv\", \"product\" or "
                      "\"sum\"");
  dim.value = node.get().integer;
  dim.text = std::to_string(dim.value);
  return {};
}

Error DimParser::parseExpression(const JsonNode &node, Dim &dim, int depth) {
  JsonNode operands = node;
  for (const char *key : {"product", "sum"})
    if (node.has(key)) {
      dim.kind = *key == 'p' ? Dim::Kind::Product : Dim::Kind::Sum;
      if (Error error = node.member(key, operands))
        return error;
      return parseOperands(operands, dim, depth);
    }
  const char *key = node.has("align") ? "align" : "ceildiv";
  if (!node.has(key))
    return node.error("wanted an object with \"align\", \"ceildiv\", "
                      "\"product\" or \"sum\"");
  if (Error error = node.member(key, operands))
    return error;
  if (Error error = operands.expectArray())
    return error;
  if (operands.size() != 2)
    return operands.error("wanted [size, integer]");
  dim.kind = node.has("align") ? Dim::Kind::Align : Dim::Kind::CeilDiv;
  dim.operands.resize(1);
  if (Error error = parse(operands.element(0), dim.operands[0], depth + 1))
    return error;
  if (Error error = operands.element(1).readInteger(dim.value))
    return error;
  if (dim.value < 1)
    return operands.element(1).error("wanted an integer of at least 1");
  dim.text = concat(
      {key, "(", dim.operands[0].text, ", ", std::to_string(dim.value), ")"});
  return {};
}

Error DimParser::parseOperands(const JsonNode &operands, Dim &dim, int depth) {
  bool isProduct = dim.kind == Dim::Kind::Product;
  if (Error error = operands.expectArray())
    return error;
  if (operands.size() == 0)
    return operands.error(isProduct ? "wanted at least one factor"
                                    : "wanted at least one term");
  dim.operands.resize(operands.size());
  for (size_t i = 0; i < operands.size(); ++i) {
    if (Error error = parse(operands.element(i), dim.operands[i], depth + 1))
      return error;
    if (i != 0)
      dim.text += isProduct ? " * " : " + ";
    dim.text += operandText(dim, dim.operands[i]);
  }
  return {};
}

Error DimParser::parseBound(const JsonNode &node, Bound &bound) {
  if (node.get().kind == Json::Kind::Integer ||
      node.get().kind == Json::Kind::Real) {
    bound.number = node.get().real;
    return {};
  }
  return parse(node, bound.dim.emplace());
}

Error DimParser::parseRange(const JsonNode &node, Range &range) {
  if (Error error = node.expectArray())
    return error;
  if (node.size() != 2)
    return node.error("wanted [low, high]");
  if (Error error = parseBound(node.element(0), range.low))
    return error;
  return parseBound(node.element(1), range.high);
}

} // namespace mlafuse::rt
