//===- Json.cpp - a JSON text as data ---------------------------------===//
//
// A parser of RFC 8259 by recursive descent. Every parse function either takes
// what it is named after and returns true, or sets `problem` and returns false.
//
//===------------------------------------------------------------------===//
#include "Json.h"
#include "Utf8.h"

#include <algorithm>
#include <charconv>

namespace mlafuse::rt {
namespace {

/// Values are parsed, read and freed recursively.
constexpr int maxDepth = 128;

class Parser {
public:
  explicit Parser(std::string_view text) : text(text) {}

  bool parseText(Json &json) {
    if (!parseValue(json, 0))
      return false;
    skipSpace();
    return at == text.size() || fail("text after the value");
  }

  size_t position() const { return at; }
  const std::string &getProblem() const { return problem; }

private:
  bool fail(std::string why) {
    problem = std::move(why);
    return false;
  }

  void skipSpace() {
    while (at < text.size() && (text[at] == ' ' || text[at] == '\t' ||
                                text[at] == '\n' || text[at] == '\r'))
      ++at;
  }

  bool take(char c) {
    if (at == text.size() || text[at] != c)
      return false;
    ++at;
    return true;
  }

  bool parseValue(Json &json, int depth) {
    if (depth > maxDepth)
      return fail("values nest too deeply");
    skipSpace();
    if (at == text.size())
      return fail("the text ends where a value should be");
    switch (text[at]) {
    case '{':
      return parseObject(json, depth);
    case '[':
      return parseArray(json, depth);
    case '"':
      json.kind = Json::Kind::Text;
      return parseString(json.text);
    case 't':
    case 'f':
      json.kind = Json::Kind::Bool;
      json.boolean = text[at] == 't';
      return parseWord(json.boolean ? "true" : "false");
    case 'n':
      return parseWord("null");
    default:
      return parseNumber(json);
    }
  }

  bool parseWord(std::string_view word) {
    if (text.substr(at, word.size()) != word)
      return fail("not a value");
    at += word.size();
    return true;
  }

  bool parseArray(Json &json, int depth) {
    json.kind = Json::Kind::Array;
    ++at;
    skipSpace();
    if (take(']'))
      return true;
    do {
      if (!parseValue(json.elements.emplace_back(), depth + 1))
        return false;
      skipSpace();
    } while (take(','));
    return take(']') || fail("',' or ']' is missing");
  }

  bool parseObject(Json &json, int depth) {
    json.kind = Json::Kind::Object;
    ++at;
    skipSpace();
    if (take('}'))
      return true;
    do {
      skipSpace();
      if (at == text.size() || text[at] != '"')
        return fail("a key in quotes is missing");
      if (!parseString(json.keys.emplace_back()))
        return false;
      skipSpace();
      if (!take(':'))
        return fail("':' is missing");
      if (!parseValue(json.elements.emplace_back(), depth + 1))
        return false;
      skipSpace();
    } while (take(','));
    if (!take('}'))
      return fail("',' or '}' is missing");
    return checkKeys(json.keys);
  }

  bool checkKeys(const std::vector<std::string> &keys) {
    std::vector<std::string_view> sorted(keys.begin(), keys.end());
    std::sort(sorted.begin(), sorted.end());
    auto twice = std::adjacent_find(sorted.begin(), sorted.end());
    return twice == sorted.end() ||
           fail(concat({"key ", quoted(*twice), " appears twice"}));
  }

  bool parseString(std::string &value) {
    size_t start = ++at;
    while (at < text.size() && text[at] != '"') {
      if (static_cast<unsigned char>(text[at]) < 0x20)
        return fail("control character in a string");
      if (text[at] != '\\') {
        value += text[at++];
        continue;
      }
      ++at;
      if (!parseEscape(value))
        return false;
    }
    if (!take('"'))
      return fail("a string does not end");
    return isUtf8(text.substr(start, at - 1 - start)) ||
           fail("a string is not UTF-8");
  }

  bool parseEscape(std::string &value) {
    constexpr std::string_view names = "\"\\/bfnrt";
    constexpr std::string_view values = "\"\\/\b\f\n\r\t";
    if (take('u'))
      return parseUnicode(value);
    size_t index =
        at < text.size() ? names.find(text[at]) : std::string_view::npos;
    if (index == std::string_view::npos)
      return fail("not an escape");
    value += values[index];
    ++at;
    return true;
  }

  bool parseUnicode(std::string &value) {
    uint32_t unit, low;
    if (!parseHex(unit))
      return false;
    // Characters beyond 16 bits are written as two surrogates.
    if (unit >= 0xD800 && unit < 0xDC00) {
      if (!take('\\') || !take('u') || !parseHex(low) || low < 0xDC00 ||
          low > 0xDFFF)
        return fail("half of a surrogate pair");
      unit = 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
    } else if (unit >= 0xDC00 && unit < 0xE000) {
      return fail("half of a surrogate pair");
    }
    appendUtf8(value, unit);
    return true;
  }

  bool parseHex(uint32_t &unit) {
    const char *begin = text.data() + at;
    size_t digits = std::min<size_t>(4, text.size() - at);
    auto [end, code] = std::from_chars(begin, begin + digits, unit, 16);
    if (code != std::errc() || end != begin + 4)
      return fail("\\u is not followed by four hexadecimal digits");
    at += 4;
    return true;
  }

  bool takeDigits() {
    size_t start = at;
    while (at < text.size() && text[at] >= '0' && text[at] <= '9')
      ++at;
    return at > start;
  }

  bool parseNumber(Json &json) {
    size_t start = at;
    bool isInteger = true;
    take('-');
    bool valid = take('0') || takeDigits();
    if (valid && take('.')) {
      isInteger = false;
      valid = takeDigits();
    }
    if (valid && (take('e') || take('E'))) {
      isInteger = false;
      if (!take('+'))
        take('-');
      valid = takeDigits();
    }
    if (!valid)
      return fail(at == start ? "not a value" : "not a number");
    const char *begin = text.data() + start, *end = text.data() + at;
    if (std::from_chars(begin, end, json.real).ec != std::errc())
      return fail("a number is too large or too small");
    // Integers of more than 64 bits are kept as reals.
    if (isInteger &&
        std::from_chars(begin, end, json.integer).ec == std::errc())
      json.kind = Json::Kind::Integer;
    else
      json.kind = Json::Kind::Real;
    return true;
  }

  std::string_view text;
  size_t at = 0;
  std::string problem;
};

} // namespace

const Json *Json::find(std::string_view key) const {
  auto it = std::find(keys.begin(), keys.end(), key);
  return it == keys.end() ? nullptr : &elements[it - keys.begin()];
}

Error parseJson(std::string_view text, Json &json) {
  Parser parser(text);
  if (parser.parseText(json))
    return {};
  return Error(MLAFUSE_BAD_LIBRARY, concat({"not valid JSON at byte ",
                                            std::to_string(parser.position()),
                                            ": ", parser.getProblem()}));
}

std::string jsonQuoted(std::string_view text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      constexpr char digits[] = "0123456789abcdef";
      result += "\\u00";
      result += digits[c >> 4];
      result += digits[c & 15];
    } else {
      result += c;
    }
  }
  return result + "\"";
}

} // namespace mlafuse::rt
