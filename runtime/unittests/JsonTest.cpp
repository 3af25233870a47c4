//===- JsonTest.cpp - tests of the JSON parser ------------------------===//
#include "Json.h"
#include "Utf8.h"

#include <gtest/gtest.h>

using namespace mlafuse::rt;

namespace {

std::string errorOf(std::string_view text) {
  Json json;
  return parseJson(text, json).getText();
}

} // namespace

TEST(Json, Values) {
  Json json;
  ASSERT_FALSE(parseJson(
      R"( {"a": [1, -2, 2.5, 9223372036854775807, 9223372036854775808],
           "b\u0041": "x\"\n", "c": {}, "d": true, "e": null} )",
      json));
  ASSERT_EQ(json.kind, Json::Kind::Object);
  ASSERT_EQ(json.keys, (std::vector<std::string>{"a", "bA", "c", "d", "e"}));
  const Json &a = json.elements[0];
  ASSERT_EQ(a.elements.size(), 5u);
  EXPECT_EQ(a.elements[1].kind, Json::Kind::Integer);
  EXPECT_EQ(a.elements[1].integer, -2);
  EXPECT_EQ(a.elements[1].real, -2);
  EXPECT_EQ(a.elements[2].kind, Json::Kind::Real);
  EXPECT_EQ(a.elements[2].real, 2.5);
  EXPECT_EQ(a.elements[3].integer, INT64_MAX);
  EXPECT_EQ(a.elements[4].kind, Json::Kind::Real);
  EXPECT_EQ(json.find("bA")->text, "x\"\n");
  EXPECT_TRUE(json.find("d")->boolean);
  EXPECT_EQ(json.find("e")->kind, Json::Kind::Null);
  EXPECT_EQ(json.find("f"), nullptr);
}

TEST(Json, Escapes) {
  Json json;
  ASSERT_FALSE(
      parseJson(R"(["\"\\\/\b\f\n\r\t", "\u00e4\u20AC\uD83D\uDE00"])", json));
  EXPECT_EQ(json.elements[0].text, "\"\\/\b\f\n\r\t");
  EXPECT_EQ(json.elements[1].text, "\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80");
}

TEST(Json, Errors) {
  struct Case {
    std::string text;
    const char *error;
  };
  const Case cases[] = {
      {"", "byte 0: the text ends where a value should be"},
      {"  ", "byte 2: the text ends"},
      {R"({"a": 1,})", "byte 8: a key in quotes is missing"},
      {R"({a: 1})", "byte 1: a key in quotes is missing"},
      {R"({"a" 1})", "byte 5: ':' is missing"},
      {R"({"a": 1)", "byte 7: ',' or '}' is missing"},
      {R"({"a": 1, "b": 2, "a": 3})", "key 'a' appears twice"},
      {"[1 2]", "byte 3: ',' or ']' is missing"},
      {"[1,]", "byte 3: not a value"},
      {"{} x", "byte 3: text after the value"},
      {"tru", "byte 0: not a value"},
      {"nul", "byte 0: not a value"},
      {"+1", "byte 0: not a value"},
      {"-", "byte 1: not a number"},
      {"1.", "byte 2: not a number"},
      {"1e+", "byte 3: not a number"},
      {"01", "byte 1: text after the value"},
      {"1e999", "a number is too large"},
      {"\"a", "byte 2: a string does not end"},
      {"\"\n\"", "byte 1: control character in a string"},
      {R"("\x")", "byte 2: not an escape"},
      {"\"\\", "byte 2: not an escape"},
      {R"("\u12g4")", "byte 3: \\u is not followed by four"},
      {R"("\u12)", "byte 3: \\u is not followed by four"},
      {R"("\uD83Dx")", "half of a surrogate pair"},
      {R"("\uDE00")", "half of a surrogate pair"},
      {"\"\xFF\"", "a string is not UTF-8"},
      {std::string("\0", 1), "byte 0: not a value"},
  };
  for (const Case &wrong : cases) {
    std::string error = errorOf(wrong.text);
    EXPECT_NE(error.find(wrong.error), std::string::npos)
        << wrong.text << ": " << error;
  }
}

TEST(Json, DepthIsLimited) {
  std::string nested(128, '['), tooDeep(1'000'000, '[');
  EXPECT_EQ(errorOf(nested + std::string(128, ']')), "");
  EXPECT_NE(errorOf(tooDeep).find("values nest too deeply"), std::string::npos);
}

TEST(Utf8, OnlyShortestFormsOfCharacters) {
  for (const char *text : {"", "a", "\xC3\xA4", "\xE2\x82\xAC",
                           "\xF0\x9F\x98\x80", "\xF4\x8F\xBF\xBF"})
    EXPECT_TRUE(isUtf8(text)) << text;
  for (const char *text : {"\x80", "\xC3", "\xC3\x41", "\xC0\x80", "\xC1\xBF",
                           "\xE0\x80\x80", "\xED\xA0\x80", "\xF0\x80\x80\x80",
                           "\xF4\x90\x80\x80", "\xF8\x88", "\xFF", "\xE2\x82"})
    EXPECT_FALSE(isUtf8(text)) << text;
}

TEST(Json, EveryCutTextIsAnError) {
  const std::string text = R"({"a": [1.5e3, {"b": "\u00e4"}], "c": false})";
  ASSERT_EQ(errorOf(text), "");
  for (size_t length = 0; length < text.size(); ++length)
    EXPECT_NE(errorOf(text.substr(0, length)), "") << length;
}

TEST(Json, QuotedTextComesBack) {
  std::string text = "a\"b\\c\n\x1F\xC3\xA4/";
  Json json;
  ASSERT_FALSE(parseJson(jsonQuoted(text), json));
  EXPECT_EQ(json.text, text);
}
