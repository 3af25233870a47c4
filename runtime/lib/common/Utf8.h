//===- Utf8.h - Unicode as bytes ------------------------------*- C++ -*-===//
#ifndef MLAFUSE_RT_COMMON_UTF8_H
#define MLAFUSE_RT_COMMON_UTF8_H

#include <cstdint>
#include <string>
#include <string_view>

namespace mlafuse::rt {

/// Whether the bytes are UTF-8: shortest forms, no surrogates, nothing above
/// U+10FFFF.
bool isUtf8(std::string_view text);

/// Appends a character, which is at most 0x10FFFF and no surrogate.
void appendUtf8(std::string &text, uint32_t character);

} // namespace mlafuse::rt

#endif // MLAFUSE_RT_COMMON_UTF8_H
