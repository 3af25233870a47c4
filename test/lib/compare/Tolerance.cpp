//===- Tolerance.cpp - how near a result must come --------------------===//
#include "Tolerance.h"
#include "JsonNode.h"

#include <cstdio>

namespace mlafuse::rt {
namespace {

/// A number that is not negative; `needed` if there must be one.
Error readNumber(const JsonNode &node, const char *key, bool needed,
                 double &number) {
  if (!needed && !node.has(key))
    return {};
  JsonNode value = node;
  if (Error error = node.member(key, value))
    return error;
  bool isNumber = value.get().kind == Json::Kind::Real ||
                  value.get().kind == Json::Kind::Integer;
  number = value.get().real;
  return isNumber && number >= 0 ? Error()
                                 : value.error("wanted a number, at least 0");
}

Error parseTolerance(const JsonNode &node, Tolerance &tolerance) {
  JsonNode kind = node;
  std::string name;
  if (Error error = node.member("kind", kind))
    return error;
  if (Error error = kind.readName(name))
    return error;
  double maxUlp = 0;
  if (name == "bits")
    return {};
  if (name == "close") {
    tolerance.kind = Tolerance::Kind::Close;
    if (Error error = readNumber(node, "rtol", true, tolerance.rtol))
      return error;
    if (Error error = readNumber(node, "atol", true, tolerance.atol))
      return error;
  } else if (name == "codes") {
    tolerance.kind = Tolerance::Kind::Codes;
    if (Error error = readNumber(node, "max_ulp", true, maxUlp))
      return error;
    tolerance.maxUlp = static_cast<int64_t>(maxUlp);
  } else {
    return kind.error(
        concat({"unknown kind ", quoted(name), "; known: bits, close, codes"}));
  }
  return readNumber(node, "min_exact", false, tolerance.minExact);
}

/// Calls `parse` with each member of the object that `text` is.
template <typename Parse>
Error parseObject(const char *what, const std::string &text, Parse parse) {
  Json json;
  if (Error error = parseJson(text, json))
    return std::move(error).in(what);
  JsonNode object(json, what);
  if (json.kind != Json::Kind::Object)
    return object.error("wanted an object");
  for (size_t i = 0; i < json.keys.size(); ++i)
    if (Error error =
            parse(json.keys[i], JsonNode(json.elements[i],
                                         concat({what, ", ", json.keys[i]}))))
      return error;
  return {};
}

} // namespace

Error parseTolerances(const std::string &text,
                      std::map<std::string, Tolerance> &tolerances) {
  return parseObject("tolerance", text,
                     [&](const std::string &name, const JsonNode &node) {
                       return parseTolerance(node, tolerances[name]);
                     });
}

Error parseEncodings(const std::string &text,
                     std::map<std::string, std::string> &encodings) {
  return parseObject("encodings", text,
                     [&](const std::string &name, const JsonNode &node) {
                       return node.readName(encodings[name]);
                     });
}

std::string toleranceText(const Tolerance &tolerance) {
  char text[96];
  switch (tolerance.kind) {
  case Tolerance::Kind::Bits:
    return "bits";
  case Tolerance::Kind::Close:
    snprintf(text, sizeof(text), "rtol %g, atol %g, min_exact %g",
             tolerance.rtol, tolerance.atol, tolerance.minExact);
    break;
  case Tolerance::Kind::Codes:
    snprintf(text, sizeof(text), "max_ulp %lld, min_exact %g",
             static_cast<long long>(tolerance.maxUlp), tolerance.minExact);
    break;
  }
  return text;
}

} // namespace mlafuse::rt
