//===- SafeTensorsTypes.cpp - element types of safetensors files ------===//
#include "SafeTensors.h"

namespace mlafuse::rt {

const char *safeTensorsType(mlafuse_type type) {
  switch (type) {
  case MLAFUSE_BF16:
    return "BF16";
  case MLAFUSE_F16:
    return "F16";
  case MLAFUSE_F32:
    return "F32";
  case MLAFUSE_F8E4M3FN:
    return "F8_E4M3";
  case MLAFUSE_F8E5M2:
    return "F8_E5M2";
  case MLAFUSE_F8E8M0FNU:
    return "F8_E8M0";
  case MLAFUSE_I32:
    return "I32";
  case MLAFUSE_I64:
    return "I64";
  case MLAFUSE_F8E4M3FNUZ:
  case MLAFUSE_I8:
  case MLAFUSE_U8:
  case MLAFUSE_TYPE_FORCE_32_BITS:
    break;
  }
  return "U8";
}

std::string shapeText(const std::vector<int64_t> &shape) {
  std::string text = "[";
  for (size_t i = 0; i < shape.size(); ++i)
    text += (i == 0 ? "" : ", ") + std::to_string(shape[i]);
  return text + "]";
}

std::optional<int64_t> detail::dtypeBytes(std::string_view dtype) {
  struct TypeBytes {
    std::string_view dtype;
    int64_t bytes;
  };
  // All of the format's types, not only mlafuse's: tensors that no function
  // names are checked too.
  constexpr TypeBytes types[] = {
      {"BOOL", 1},    {"U8", 1},  {"I8", 1},  {"F8_E4M3", 1}, {"F8_E5M2", 1},
      {"F8_E8M0", 1}, {"U16", 2}, {"I16", 2}, {"F16", 2},     {"BF16", 2},
      {"U32", 4},     {"I32", 4}, {"F32", 4}, {"U64", 8},     {"I64", 8},
      {"F64", 8},     {"C64", 8},
  };
  for (const TypeBytes &type : types)
    if (type.dtype == dtype)
      return type.bytes;
  return std::nullopt;
}

} // namespace mlafuse::rt
