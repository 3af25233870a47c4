//===- JsonNode.h - typed access to JSON with errors ----------*- C++ -*-===//
#ifndef MLAFUSE_RT_COMMON_JSONNODE_H
#define MLAFUSE_RT_COMMON_JSONNODE_H

#include "Json.h"

namespace mlafuse::rt {

/// A JSON value and where it stands in its document. Valid as long as
/// that. All errors have status MLAFUSE_BAD_LIBRARY.
class JsonNode {
public:
  JsonNode(const Json &value, std::string path)
      : value(&value), path(std::move(path)) {}

  const Json &get() const { return *value; }
  const std::string &getPath() const { return path; }

  bool has(const char *key) const;
  /// The member `key` of an object; an error if this is no object or lacks it.
  Error member(const char *key, JsonNode &result) const;
  /// The element `index` of an array that has it.
  JsonNode element(size_t index) const;

  /// Fails unless this is an array.
  Error expectArray() const;
  size_t size() const { return value->elements.size(); }

  /// This value as text that is not empty and has no control characters.
  Error readName(std::string &result) const;
  Error readInteger(int64_t &result) const;

  /// An error about this value: "<path>: <text>".
  Error error(std::string text) const;

private:
  const Json *value;
  std::string path;
};

} // namespace mlafuse::rt

#endif // MLAFUSE_RT_COMMON_JSONNODE_H
