//===- Json.h - a JSON text as data ---------------------------*- C++ -*-===//
#ifndef MLAFUSE_RT_COMMON_JSON_H
#define MLAFUSE_RT_COMMON_JSON_H

#include "Error.h"

#include <cstdint>
#include <vector>

namespace mlafuse::rt {

/// A JSON value. Which fields mean something follows from the kind.
struct Json {
  enum class Kind { Null, Bool, Integer, Real, Text, Array, Object };

  Kind kind = Kind::Null;
  bool boolean = false;
  int64_t integer = 0;
  double real = 0; ///< The value of an Integer too.
  std::string text;
  std::vector<Json> elements;    ///< Of an array, or the members' values.
  std::vector<std::string> keys; ///< Of an object, one per element.

  /// The member `key` of an object; NULL if it has none.
  const Json *find(std::string_view key) const;
};

/// Parses a whole text. An error (MLAFUSE_BAD_LIBRARY) says at which byte and
/// why; a key that an object has twice is one, and so is deep nesting.
Error parseJson(std::string_view text, Json &json);

/// `text` as a JSON string with its quotes.
std::string jsonQuoted(std::string_view text);

} // namespace mlafuse::rt

#endif // MLAFUSE_RT_COMMON_JSON_H
