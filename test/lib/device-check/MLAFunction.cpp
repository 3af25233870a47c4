//===- MLAFunction.cpp - functions with the products of MLA ----------===//
#include "MLAFunction.h"

#include <algorithm>

namespace mlafuse::rt {
namespace {

/// What gpu-cases has as row_offset.
constexpr int64_t casesOffset = 2;

bool startsWith(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

bool hasSymbol(const Function &function, std::string_view symbol) {
  return std::find(function.symbols.begin(), function.symbols.end(), symbol) !=
         function.symbols.end();
}

const Function *findFunction(const Manifest &manifest,
                             const std::string &name) {
  for (const Function &function : manifest.functions)
    if (function.name == name)
      return &function;
  return nullptr;
}

/// A static size of an argument that must be there.
Error sizeOf(const Function &function, std::string_view name, size_t dim,
             int64_t &size) {
  const Argument *argument = findArgument(function, name);
  if (!argument || argument->shape.size() <= dim ||
      argument->shape[dim].kind != Dim::Kind::Static)
    return Error(MLAFUSE_INVALID_ARGUMENT,
                 concat({"function ", quoted(function.name),
                         ": wanted an argument ", quoted(std::string(name)),
                         " with a static size ", std::to_string(dim)}));
  size = argument->shape[dim].value;
  return {};
}

Error findFamily(const Manifest &device, const Manifest &oracle,
                 MLAFunction &result) {
  const std::string &name = result.function->name;
  result.unkeyed = findFunction(device, name + "__unkeyed");
  result.quantize = findFunction(oracle, name + "__quantize");
  result.dequantize = findFunction(oracle, name + "__dequantize");
  result.unrounded = findFunction(oracle, name + "__f32");
  bool isQuantized = findByPrefix(*result.function, "codes") != nullptr;
  bool isWhole = result.unkeyed && result.quantize && result.dequantize;
  bool isAlone = !result.unkeyed && !result.quantize && !result.dequantize;
  if (isQuantized ? isWhole : isAlone)
    return {};
  return Error(
      MLAFUSE_INVALID_ARGUMENT,
      concat({"function ", quoted(name),
              isQuantized ? ": the library lacks its __unkeyed, __quantize "
                            "or __dequantize"
                          : ": the library has parts of a family, but the "
                            "function writes no codes"}));
}

} // namespace

int64_t MLAFunction::rowOffset() const {
  return hasSymbol(*function, "rows") ? casesOffset : 0;
}

bool isMLAName(const std::string &name) {
  return startsWith(name, "attention_") || startsWith(name, "decode_") ||
         startsWith(name, "projection_");
}

bool isPartOfFamily(const std::string &name) {
  return isMLAName(name) && name.find("__") != std::string::npos;
}

const Argument *findArgument(const Function &function, std::string_view name) {
  for (const Argument &argument : function.arguments)
    if (argument.name == name)
      return &argument;
  return nullptr;
}

const Argument *findByPrefix(const Function &function,
                             std::string_view prefix) {
  for (const Argument &argument : function.arguments)
    if (startsWith(argument.name, prefix))
      return &argument;
  return nullptr;
}

Error describe(const Manifest &device, const Manifest &oracle,
               const Function &function, MLAFunction &result) {
  result = MLAFunction();
  result.function = &function;
  using Op = MLAFunction::Op;
  result.op = startsWith(function.name, "attention_") ? Op::Attention
              : startsWith(function.name, "decode_")  ? Op::Decode
                                                      : Op::Projection;
  std::string_view queries = result.op == Op::Attention ? "q"
                             : result.op == Op::Decode  ? "q_nope"
                                                        : "x";
  if (Error error = sizeOf(function, queries, 1, result.queries))
    return error;
  if (Error error = sizeOf(function, queries, 2, result.heads))
    return error;
  std::string_view output = result.op == Op::Attention ? "o"
                            : result.op == Op::Decode  ? "w_uv"
                                                       : "w";
  size_t last = result.op == Op::Attention ? 3 : 2;
  if (Error error = sizeOf(function, output, last, result.columns))
    return error;
  if (result.hasPaging()) {
    if (Error error = sizeOf(function, "cache", 1, result.page))
      return error;
    if (Error error =
            sizeOf(function, output, last == 3 ? 3 : 1, result.latent))
      return error;
    result.hasIndices = findArgument(function, "indices") != nullptr;
  }
  return findFamily(device, oracle, result);
}

MLASizes sizesOf(const MLAFunction &function, RunSize size, uint64_t seed) {
  MLASizes sizes;
  sizes.requests = size.requests;
  sizes.keys = size.keys;
  sizes.tokens = size.requests * function.queries;
  bool isOdd = seed % 2 != 0;
  sizes.isAligned = isOdd;
  if (function.hasPaging()) {
    int64_t needed = (size.keys + function.page - 1) / function.page;
    sizes.tableWidth = needed + (isOdd ? 3 : 0);
    // So few that requests share some, and so many that some are nobody's.
    int64_t named = function.hasIndices ? needed : size.requests * needed;
    sizes.pages = named - named / 4 + 2;
  }
  sizes.rows = sizes.tokens;
  if (int64_t offset = function.rowOffset())
    sizes.rows += offset + (isOdd ? 1 : 0);
  return sizes;
}

std::vector<int64_t> symbolValues(const Function &function,
                                  const MLASizes &sizes) {
  std::vector<int64_t> values;
  for (const std::string &symbol : function.symbols)
    values.push_back(symbol == "B"       ? sizes.requests
                     : symbol == "T"     ? sizes.tokens
                     : symbol == "rows"  ? sizes.rows
                     : symbol == "table" ? sizes.tableWidth
                     : symbol == "topk"  ? sizes.keys
                     : symbol == "pages" ? sizes.pages
                                         : 0);
  return values;
}

} // namespace mlafuse::rt
