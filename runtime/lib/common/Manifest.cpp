//===- Manifest.cpp - what a compiled library says of itself ----------===//
#include "Manifest.h"
#include "DimParser.h"
#include "ElementType.h"
#include "mlafuse/runtime/abi.h"

#include <algorithm>
#include <set>

namespace mlafuse::rt {
namespace {

/// Reads the text at `key` and finds it among `choices`; `choice` is its index.
Error parseChoice(const JsonNode &node, const char *key,
                  std::initializer_list<std::string_view> choices,
                  int &choice) {
  JsonNode text = node;
  std::string name;
  if (Error error = node.member(key, text))
    return error;
  if (Error error = text.readName(name))
    return error;
  choice = 0;
  std::string wanted;
  for (std::string_view candidate : choices) {
    if (name == candidate)
      return {};
    wanted += concat({wanted.empty() ? "" : ", ", candidate});
    ++choice;
  }
  return text.error(concat({quoted(name), " is none of: ", wanted}));
}

Error parseName(const JsonNode &node, const char *key, std::string &name) {
  JsonNode text = node;
  if (Error error = node.member(key, text))
    return error;
  return text.readName(name);
}

/// Parses every element of the array at `key` with `parseElement(node, T &)`.
template <typename T, typename ParseElement>
Error parseArray(const JsonNode &node, const char *key, std::vector<T> &values,
                 ParseElement parseElement) {
  JsonNode array = node;
  if (Error error = node.member(key, array))
    return error;
  if (Error error = array.expectArray())
    return error;
  values.resize(array.size());
  for (size_t i = 0; i < values.size(); ++i)
    if (Error error = parseElement(array.element(i), values[i]))
      return error;
  return {};
}

template <typename T>
Error checkNamesDiffer(const JsonNode &node, const char *what,
                       const std::vector<T> &values) {
  std::set<std::string_view> seen;
  for (const T &value : values)
    if (!seen.insert(value.name).second)
      return node.error(
          concat({"two ", what, " have the name ", quoted(value.name)}));
  return {};
}

Error parseOffsets(const JsonNode &node, DimParser &dims, Argument &argument) {
  if (!node.has("offsets"))
    return {};
  JsonNode end = node;
  if (Error error = node.member("offsets", end))
    return error;
  bool isIndex = argument.type == MLAFUSE_I32 || argument.type == MLAFUSE_I64;
  if (!isIndex || argument.shape.size() != 1)
    return end.error("only a vector of i32 or i64 holds offsets");
  return dims.parse(end, argument.offsets.emplace());
}

Error parseArgument(const JsonNode &node, DimParser &dims, Argument &argument) {
  if (Error error = parseName(node, "name", argument.name))
    return error;
  std::string type;
  if (Error error = parseName(node, "type", type))
    return error;
  std::optional<mlafuse_type> knownType = typeOfName(type);
  if (!knownType)
    return node.error(
        concat({"type ", quoted(type), " of argument ", quoted(argument.name),
                " is none of: ", allTypeNames()}));
  argument.type = *knownType;
  if (Error error = parseArray(node, "shape", argument.shape,
                               [&](const JsonNode &size, Dim &dim) {
                                 return dims.parse(size, dim);
                               }))
    return error;
  int choice;
  if (Error error =
          parseChoice(node, "layout", {"contiguous", "strided"}, choice))
    return error;
  argument.layout = static_cast<mlafuse_layout>(choice);
  if (Error error =
          parseChoice(node, "access", {"read", "write", "readwrite"}, choice))
    return error;
  argument.access = static_cast<mlafuse_access>(choice);
  if (node.has("range")) {
    JsonNode range = node;
    if (Error error = node.member("range", range))
      return error;
    if (Error error = dims.parseRange(range, argument.range.emplace()))
      return error;
  }
  if (node.has("distinct")) {
    JsonNode distinct = node;
    if (Error error = node.member("distinct", distinct))
      return error;
    if (distinct.get().kind != Json::Kind::Bool)
      return distinct.error("wanted true or false");
    argument.distinct = distinct.get().boolean;
  }
  return parseOffsets(node, dims, argument);
}

Error parseResult(const JsonNode &node, size_t argumentCount, Result &result) {
  if (Error error = parseName(node, "name", result.name))
    return error;
  JsonNode argument = node;
  if (Error error = node.member("argument", argument))
    return error;
  int64_t index;
  if (Error error = argument.readInteger(index))
    return error;
  if (index < 0 || static_cast<size_t>(index) >= argumentCount)
    return argument.error(
        concat({"there is no argument ", std::to_string(index),
                " (the function has ", std::to_string(argumentCount), ")"}));
  result.argument = static_cast<size_t>(index);
  return {};
}

/// A launch takes the value of a symbol from the shape that has it as a size;
/// one that only expressions or ranges use would stay unknown.
Error checkSymbolsAreGiven(const JsonNode &node, const Function &function) {
  std::vector<bool> given(function.symbols.size());
  for (const Argument &argument : function.arguments)
    for (const Dim &dim : argument.shape)
      if (dim.kind == Dim::Kind::Symbol)
        given[static_cast<size_t>(dim.value)] = true;
  for (size_t i = 0; i < given.size(); ++i)
    if (!given[i])
      return node.error(
          concat({"no argument of function ", quoted(function.name),
                  " has the symbol ", quoted(function.symbols[i]),
                  " as a size by itself"}));
  return {};
}

Error parseFunction(const JsonNode &node, Function &function) {
  if (Error error = parseName(node, "name", function.name))
    return error;
  DimParser dims(function.symbols);
  if (Error error = parseArray(node, "arguments", function.arguments,
                               [&](const JsonNode &item, Argument &argument) {
                                 return parseArgument(item, dims, argument);
                               }))
    return error;
  size_t argumentCount = function.arguments.size();
  if (Error error = parseArray(node, "results", function.results,
                               [&](const JsonNode &item, Result &result) {
                                 return parseResult(item, argumentCount,
                                                    result);
                               }))
    return error;
  if (Error error = checkNamesDiffer(node, "arguments", function.arguments))
    return error;
  if (Error error = checkNamesDiffer(node, "results", function.results))
    return error;
  return checkSymbolsAreGiven(node, function);
}

/// Reads the name at `key`, which the library's symbol table must have.
Error parseSymbol(const JsonNode &node, const char *key, std::string &symbol) {
  if (Error error = parseName(node, key, symbol))
    return error;
  for (char c : symbol)
    if (!(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') &&
        !(c >= '0' && c <= '9') && c != '_')
      return node.error(concat({key, " ", quoted(symbol),
                                " has more than letters, digits and "
                                "underscores"}));
  return {};
}

Error parseImage(const JsonNode &node, Image &image) {
  int choice;
  if (Error error =
          parseChoice(node, "format", {"cubin", "ptx", "hsaco"}, choice))
    return error;
  image.format = static_cast<ImageFormat>(choice);
  if (Error error = parseSymbol(node, "symbol", image.symbol))
    return error;
  JsonNode bytes = node;
  if (Error error = node.member("bytes", bytes))
    return error;
  if (Error error = bytes.readInteger(image.bytes))
    return error;
  return image.bytes > 0 ? Error() : bytes.error("wanted at least 1");
}

/// Reads a count that need not be given.
Error parseCount(const JsonNode &node, const char *key,
                 std::optional<int64_t> &count) {
  if (!node.has(key))
    return {};
  JsonNode number = node;
  if (Error error = node.member(key, number))
    return error;
  if (Error error = number.readInteger(count.emplace()))
    return error;
  return *count >= 0 ? Error() : number.error("wanted at least 0");
}

Error parseEntry(const JsonNode &node, const Target &target, Entry &entry) {
  if (Error error = parseName(node, "name", entry.name))
    return error;
  if (Error error = parseName(node, "workspace", entry.workspace))
    return error;
  if (target.images.empty())
    return {};
  if (Error error = parseCount(node, "launches", entry.launches))
    return error;
  return parseArray(
      node, "kernels", entry.kernels,
      [&](const JsonNode &kernel, std::string &name) {
        if (Error error = kernel.readName(name))
          return error;
        bool isKnown = std::find(target.kernels.begin(), target.kernels.end(),
                                 name) != target.kernels.end();
        return isKnown ? Error()
                       : kernel.error(concat(
                             {"the target has no kernel ", quoted(name)}));
      });
}

Error parseEntries(const JsonNode &node, Target &target) {
  if (!node.has("entries"))
    return {};
  if (Error error = parseArray(node, "entries", target.entries,
                               [&](const JsonNode &item, Entry &entry) {
                                 return parseEntry(item, target, entry);
                               }))
    return error;
  return checkNamesDiffer(node, "entries", target.entries);
}

Error parseTarget(const JsonNode &node, Target &target) {
  if (Error error = parseName(node, "backend", target.backend))
    return error;
  if (Error error = parseName(node, "chip", target.chip))
    return error;
  if (Error error = parseSymbol(node, "prefix", target.prefix))
    return error;
  bool isGpu = target.backend == "cuda" || target.backend == "hip";
  if (!isGpu)
    return parseEntries(node, target);
  if (Error error = parseArray(node, "images", target.images, parseImage))
    return error;
  if (target.images.empty())
    return node.error("images: wanted at least one");
  if (Error error = parseArray(node, "kernels", target.kernels,
                               [](const JsonNode &kernel, std::string &name) {
                                 return parseName(kernel, "name", name);
                               }))
    return error;
  return parseEntries(node, target);
}

Error checkVersion(const JsonNode &root) {
  JsonNode version = root;
  if (Error error = root.member("mlafuse_abi", version))
    return error;
  int64_t number;
  if (Error error = version.readInteger(number))
    return error;
  if (number != MLAFUSE_ABI_VERSION)
    return version.error(concat(
        {"the library has ABI version ", std::to_string(number),
         ", this runtime runs version ", std::to_string(MLAFUSE_ABI_VERSION),
         ": compile it with the mlafuse-compile of "
         "this release"}));
  return {};
}

Error parseRoot(const JsonNode &root, Manifest &manifest) {
  if (Error error = checkVersion(root))
    return error;
  if (Error error = parseName(root, "compiler", manifest.compiler))
    return error;
  if (Error error = parseArray(root, "targets", manifest.targets, parseTarget))
    return error;
  if (Error error =
          parseArray(root, "functions", manifest.functions, parseFunction))
    return error;
  return checkNamesDiffer(root, "functions", manifest.functions);
}

} // namespace

Error parseManifest(std::string_view text, Manifest &manifest) {
  Json json;
  if (Error error = parseJson(text, json))
    return std::move(error).in("manifest");
  return parseRoot(JsonNode(json, ""), manifest).in("manifest");
}

} // namespace mlafuse::rt
