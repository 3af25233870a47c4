//===- DimParser.h - sizes and ranges from JSON ---------------*- C++ -*-===//
#ifndef MLAFUSE_RT_COMMON_DIMPARSER_H
#define MLAFUSE_RT_COMMON_DIMPARSER_H

#include "JsonNode.h"
#include "Manifest.h"

namespace mlafuse::rt {

/// Parses the sizes of one function, whose symbols it collects.
class DimParser {
public:
  explicit DimParser(std::vector<std::string> &symbols) : symbols(symbols) {}

  Error parse(const JsonNode &node, Dim &dim) { return parse(node, dim, 0); }
  Error parseRange(const JsonNode &node, Range &range);

private:
  Error parse(const JsonNode &node, Dim &dim, int depth);
  Error parseExpression(const JsonNode &node, Dim &dim, int depth);
  Error parseOperands(const JsonNode &operands, Dim &dim, int depth);
  Error parseBound(const JsonNode &node, Bound &bound);
  int64_t symbolIndex(const std::string &name);

  std::vector<std::string> &symbols;
};

} // namespace mlafuse::rt

#endif // MLAFUSE_RT_COMMON_DIMPARSER_H
