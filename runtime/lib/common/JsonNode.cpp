//===- JsonNode.cpp - typed access to JSON with errors ----------------===//
#include "JsonNode.h"

namespace mlafuse::rt {

bool JsonNode::has(const char *key) const {
  return value->find(key) != nullptr;
}

Error JsonNode::member(const char *key, JsonNode &result) const {
  if (value->kind != Json::Kind::Object)
    return error("wanted an object");
  const Json *found = value->find(key);
  if (!found)
    return error(concat({"key \"", key, "\" is missing"}));
  result = JsonNode(*found, path.empty() ? key : concat({path, ".", key}));
  return {};
}

JsonNode JsonNode::element(size_t index) const {
  return JsonNode(value->elements[index],
                  concat({path, "[", std::to_string(index), "]"}));
}

Error JsonNode::expectArray() const {
  return value->kind == Json::Kind::Array ? Error() : error("wanted an array");
}

Error JsonNode::readName(std::string &result) const {
  if (value->kind != Json::Kind::Text)
    return error("wanted a text");
  const std::string &text = value->text;
  if (text.empty())
    return error("wanted a text that is not empty");
  for (unsigned char c : text)
    if (c < 0x20 || c == 0x7F)
      return error("control character in a name");
  result = text;
  return {};
}

Error JsonNode::readInteger(int64_t &result) const {
  if (value->kind != Json::Kind::Integer)
    return error("wanted an integer of 64 bits");
  result = value->integer;
  return {};
}

Error JsonNode::error(std::string text) const {
  if (path.empty())
    return Error(MLAFUSE_BAD_LIBRARY, std::move(text));
  return Error(MLAFUSE_BAD_LIBRARY, concat({path, ": ", text}));
}

} // namespace mlafuse::rt
