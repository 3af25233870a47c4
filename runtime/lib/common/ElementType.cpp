//===- ElementType.cpp - what is known of each element type -----------===//
#include "ElementType.h"

namespace mlafuse::rt {
namespace {

struct TypeInfo {
  mlafuse_type type;
  const char *name;
  int64_t bytes;
  bool inManifest;
};

constexpr TypeInfo infos[] = {
    {MLAFUSE_BF16, "bf16", 2, true},
    {MLAFUSE_F16, "f16", 2, true},
    {MLAFUSE_F32, "f32", 4, true},
    {MLAFUSE_F8E4M3FN, "f8E4M3FN", 1, true},
    {MLAFUSE_F8E4M3FNUZ, "f8E4M3FNUZ", 1, true},
    {MLAFUSE_F8E5M2, "f8E5M2", 1, true},
    {MLAFUSE_F8E8M0FNU, "f8E8M0FNU", 1, true},
    {MLAFUSE_I8, "i8", 1, true},
    {MLAFUSE_I32, "i32", 4, true},
    {MLAFUSE_I64, "i64", 8, true},
    {MLAFUSE_U8, "u8", 1, false},
};

const TypeInfo *lookUp(mlafuse_type type) {
  for (const TypeInfo &info : infos)
    if (info.type == type)
      return &info;
  return nullptr;
}

} // namespace

std::string typeName(mlafuse_type type) {
  if (const TypeInfo *info = lookUp(type))
    return info->name;
  return "<type " + std::to_string(static_cast<int>(type)) + ">";
}

int64_t typeBytes(mlafuse_type type) {
  const TypeInfo *info = lookUp(type);
  return info ? info->bytes : 0;
}

bool isInteger(mlafuse_type type) {
  return type == MLAFUSE_I8 || type == MLAFUSE_I32 || type == MLAFUSE_I64;
}

std::optional<mlafuse_type> typeOfName(std::string_view name) {
  for (const TypeInfo &info : infos)
    if (info.inManifest && name == info.name)
      return info.type;
  return std::nullopt;
}

std::string allTypeNames() {
  std::string names;
  for (const TypeInfo &info : infos) {
    if (!info.inManifest)
      continue;
    if (!names.empty())
      names += ", ";
    names += info.name;
  }
  return names;
}

} // namespace mlafuse::rt
