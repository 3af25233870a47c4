//===- ElementType.h - what is known of each element type -----*- C++ -*-===//
#ifndef MLAFUSE_RT_COMMON_ELEMENTTYPE_H
#define MLAFUSE_RT_COMMON_ELEMENTTYPE_H

#include "mlafuse/runtime/mlafuse.h"

#include <optional>
#include <string>
#include <string_view>

namespace mlafuse::rt {

/// The type's name in a manifest ("bf16"); "<type N>" for a value that is none.
std::string typeName(mlafuse_type type);

/// Bytes of one element; 0 for a value that is no type.
int64_t typeBytes(mlafuse_type type);

/// True for i8, i32 and i64.
bool isInteger(mlafuse_type type);

/// The type that a manifest calls `name`.
std::optional<mlafuse_type> typeOfName(std::string_view name);

/// All names that typeOfName knows, for errors.
std::string allTypeNames();

} // namespace mlafuse::rt

#endif // MLAFUSE_RT_COMMON_ELEMENTTYPE_H
