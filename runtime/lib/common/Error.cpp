//===- Error.cpp - failure with a status and a text -------------------===//
#include "Error.h"

namespace mlafuse::rt {

Error Error::in(std::string_view where) && {
  if (status != MLAFUSE_OK)
    text.insert(0, concat({where, ": "}));
  return std::move(*this);
}

std::string concat(std::initializer_list<std::string_view> parts) {
  std::string text;
  for (std::string_view part : parts)
    text += part;
  return text;
}

std::string quoted(std::string_view text) { return concat({"'", text, "'"}); }

} // namespace mlafuse::rt
