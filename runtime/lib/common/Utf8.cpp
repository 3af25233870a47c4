//===- Utf8.cpp - Unicode as bytes ------------------------------------===//
#include "Utf8.h"

namespace mlafuse::rt {

bool isUtf8(std::string_view text) {
  // The smallest character of each number of continuation bytes.
  constexpr uint32_t smallest[] = {0, 0x80, 0x800, 0x10000};
  for (size_t at = 0; at < text.size();) {
    uint8_t lead = static_cast<uint8_t>(text[at++]);
    int more = lead < 0x80              ? 0
               : (lead >> 5) == 0b110   ? 1
               : (lead >> 4) == 0b1110  ? 2
               : (lead >> 3) == 0b11110 ? 3
                                        : -1;
    if (more < 0 || text.size() - at < static_cast<size_t>(more))
      return false;
    uint32_t character = more == 0 ? lead : lead & (0x3F >> more);
    for (int i = 0; i < more; ++i) {
      uint8_t next = static_cast<uint8_t>(text[at++]);
      if ((next >> 6) != 0b10)
        return false;
      character = character << 6 | (next & 0x3F);
    }
    bool isSurrogate = character >= 0xD800 && character < 0xE000;
    if (character < smallest[more] || character > 0x10FFFF || isSurrogate)
      return false;
  }
  return true;
}

void appendUtf8(std::string &text, uint32_t character) {
  auto append = [&](uint32_t byte) { text += static_cast<char>(byte); };
  auto continuation = [&](int shift) {
    append(0x80 | ((character >> shift) & 0x3F));
  };
  if (character < 0x80) {
    append(character);
  } else if (character < 0x800) {
    append(0xC0 | character >> 6);
    continuation(0);
  } else if (character < 0x10000) {
    append(0xE0 | character >> 12);
    continuation(6);
    continuation(0);
  } else {
    append(0xF0 | character >> 18);
    continuation(12);
    continuation(6);
    continuation(0);
  }
}

} // namespace mlafuse::rt
