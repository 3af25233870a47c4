//===- Values.cpp - made-up arguments of a launch ---------------------===//
#include "Values.h"
#include "ElementType.h"
#include "FloatFormat.h"
#include "RandomFill.h"
#include "RandomStream.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

namespace mlafuse::rt {

const char countName[] = "num_actual_tokens";

void poisonImage(const std::string &name, uint64_t seed, MemoryImage &image) {
  RandomStream stream(seed, concat({name, " values"}));
  // 0xA5 in every other byte, so that a float or a scale of them is a number
  // that no kernel computes.
  uint64_t pattern = stream.next() | 0x00A500A500A500A5;
  for (size_t i = 0; i < image.size(); ++i)
    image[i] = i % 2 ? static_cast<uint8_t>(pattern >> (i % 8 * 8)) : 0xA5;
}

namespace {

/// Codes of the values that rounding, conversion and maxima can get wrong.
std::vector<uint32_t> specialCodes(mlafuse_type type) {
  switch (type) {
  case MLAFUSE_BF16: // NaNs, infinities, -0, largest, subnormals, near largest.
    return {0x7FC0, 0xFF81, 0x7F80, 0xFF80, 0x8000, 0x7F7F,
            0xFF7F, 0x0001, 0x8001, 0x007F, 0x7F00, 0x43E0};
  case MLAFUSE_F16:
    return {0x7E00, 0xFC01, 0x7C00, 0xFC00, 0x8000, 0x7BFF,
            0xFBFF, 0x0001, 0x8001, 0x03FF, 0x7800, 0x5F00};
  case MLAFUSE_F32:
    return {0x7FC00000, 0xFF800001, 0x7F800000, 0xFF800000,
            0x80000000, 0x7F7FFFFF, 0xFF7FFFFF, 0x00000001,
            0x80000001, 0x007FFFFF, 0x7F000000, 0x43E00000};
  case MLAFUSE_F8E4M3FN:
    return {0x7F, 0xFF, 0x80, 0x7E, 0xFE, 0x01, 0x81};
  case MLAFUSE_F8E4M3FNUZ:
    return {0x80, 0x7F, 0xFF, 0x01, 0x81};
  case MLAFUSE_F8E5M2:
    return {0x7E, 0xFF, 0x7C, 0xFC, 0x80, 0x7B, 0xFB, 0x01};
  case MLAFUSE_F8E8M0FNU:
    return {0x00, 0x01, 0xFD, 0xFE};
  default:
    return {};
  }
}

class Filler {
public:
  Filler(const Argument &argument, const Placement &placement,
         const Values &values, MemoryImage &image)
      : argument(argument), placement(placement), values(values), image(image),
        stream(values.seed, concat({argument.name, " values"})) {}

  void poisonAll() {
    image.resize(placement.bytes);
    poisonImage(argument.name, values.seed, image);
  }

  /// Random rows of numbers, each of one of several magnitudes.
  void fillFloats() {
    constexpr size_t poolSize = 1 << 12;
    // f16 and the narrow types do not reach further.
    bool isWide = argument.type == MLAFUSE_BF16 || argument.type == MLAFUSE_F32;
    bool isNarrow = placement.elementBytes == 1;
    const int exponents[] = {0, isNarrow ? 1 : -6,
                             isWide     ? 9
                             : isNarrow ? 2
                                        : 4};
    std::vector<uint32_t> pools[3];
    for (int i = 0; i < 3; ++i)
      for (size_t j = 0; j < poolSize; ++j)
        pools[i].push_back(encode(
            argument.type,
            roundToType(
                argument.type,
                std::ldexp(
                    argument.type == MLAFUSE_F8E8M0FNU
                        ? std::ldexp(1.0, static_cast<int>(stream.below(9)) - 4)
                        : stream.normal(),
                    exponents[i]))));
    for (int64_t row = 0; row < placement.rows; ++row) {
      // Half of the rows have the model's usual magnitude.
      uint64_t pick = stream.below(4);
      fillRow(row, pools[pick < 3 ? pick : 0]);
    }
  }

  /// Patterns in the order of their magnitudes, each with both signs, so that
  /// those of a row are within a few powers of two and none of them is lost
  /// beside the others. Neighbours in a row are far apart in that order: a
  /// group of few columns has small and large ones.
  void fillBits() {
    int64_t bits = std::min<int64_t>(16, 8 * placement.elementBytes);
    uint64_t count = uint64_t(1) << bits;
    uint64_t begin = stream.below(count);
    int64_t step = spreadingStep(placement.width);
    for (int64_t row = 0; row < placement.rows; ++row)
      for (int64_t i = 0; i < placement.width; ++i) {
        int64_t place = row * placement.width + i * step % placement.width;
        uint64_t order = (begin + static_cast<uint64_t>(place)) % count;
        uint64_t code = order / 2 | order % 2 << (bits - 1);
        if (placement.elementBytes == 4)
          code = code << 16 | lowHalf();
        put(row, i, code);
      }
  }

  void addSpecials() {
    std::vector<uint32_t> codes = specialCodes(argument.type);
    if (codes.empty())
      return;
    for (int64_t row = 0; row < placement.rows; ++row) {
      uint64_t kind = stream.below(4);
      if (kind == 0)
        std::memset(image.data() + placement.rowBegin(row), 0,
                    placement.rowBytes());
      // One special value, so that each kind of it is seen alone, or several.
      uint64_t count = kind == 1 ? 1 : kind == 2 ? 4 : 0;
      for (uint64_t i = 0; i < count && placement.width > 0; ++i)
        put(row,
            static_cast<int64_t>(
                stream.below(static_cast<uint64_t>(placement.width))),
            codes[stream.below(codes.size())]);
    }
  }

  /// Four exponents to a word, near that of 1; in a special run any.
  void fillExponents() {
    uint64_t low = values.special ? 0 : 117, span = values.special ? 256 : 20;
    for (int64_t row = 0; row < placement.rows; ++row)
      for (int64_t i = 0; i < placement.width; ++i) {
        uint64_t word = 0;
        for (int byte = 0; byte < 4; ++byte)
          word = word << 8 | (low + stream.below(span));
        put(row, i, word);
      }
  }

  /// Some slots are to be skipped: -1, beyond the cache, and far beyond.
  void skipSlots(int64_t capacity) {
    const int64_t skipped[] = {-1, capacity, INT64_MIN, INT64_MAX};
    for (int64_t i = 0; i < placement.width; ++i)
      if (stream.below(3) == 0)
        put(0, i, static_cast<uint64_t>(skipped[stream.below(4)]));
  }

  Error fillFromManifest(const std::vector<int64_t> &symbols) {
    std::vector<uint8_t> dense(
        static_cast<size_t>(placement.elements() * placement.elementBytes));
    if (Error error = fillRandom(argument, symbols.data(), values.seed,
                                 placement.elements(), dense.data()))
      return error;
    for (int64_t row = 0; row < placement.rows; ++row)
      if (size_t bytes = placement.rowBytes())
        std::memcpy(image.data() + placement.rowBegin(row),
                    dense.data() + static_cast<size_t>(row) * bytes, bytes);
    return {};
  }

  void put(int64_t row, int64_t column, uint64_t code) {
    std::memcpy(image.data() + placement.rowBegin(row) +
                    column * placement.elementBytes,
                &code, static_cast<size_t>(placement.elementBytes));
  }

private:
  /// Near the golden section of `width`, without a common factor: its multiples
  /// are all columns.
  static int64_t spreadingStep(int64_t width) {
    int64_t step = std::max<int64_t>(1, width * 618 / 1000);
    while (std::gcd(step, width) > 1)
      ++step;
    return step;
  }

  /// Of an f32: often what a rounding to 16 bits has as a tie or next to it.
  uint64_t lowHalf() {
    constexpr uint64_t edges[] = {0, 1, 0x7FFF, 0x8000, 0x8001, 0xFFFF};
    uint64_t pick = stream.below(12);
    return pick < 6 ? edges[pick] : stream.below(0x10000);
  }

  template <typename T>
  void fillRowOf(int64_t row, const std::vector<uint32_t> &pool) {
    uint8_t *data = image.data() + placement.rowBegin(row);
    uint64_t bits = 0;
    for (int64_t i = 0; i < placement.width; ++i) {
      // Five draws of 12 bits from each number.
      bits = i % 5 == 0 ? stream.next() : bits >> 12;
      T code = static_cast<T>(pool[bits & 0xFFF]);
      std::memcpy(data + i * static_cast<int64_t>(sizeof(T)), &code, sizeof(T));
    }
  }

  void fillRow(int64_t row, const std::vector<uint32_t> &pool) {
    switch (placement.elementBytes) {
    case 1:
      return fillRowOf<uint8_t>(row, pool);
    case 2:
      return fillRowOf<uint16_t>(row, pool);
    default:
      return fillRowOf<uint32_t>(row, pool);
    }
  }

  const Argument &argument;
  const Placement &placement;
  const Values &values;
  MemoryImage &image;
  RandomStream stream;
};

bool endsWith(std::string_view text, std::string_view end) {
  return text.size() >= end.size() &&
         text.substr(text.size() - end.size()) == end;
}

/// End of an argument's range: the slots of the cache.
int64_t rangeEnd(const Argument &argument,
                 const std::vector<int64_t> &symbols) {
  const Bound &high = argument.range->high;
  if (!high.dim)
    return static_cast<int64_t>(high.number);
  return evaluate(*high.dim, symbols.data()).value_or(0);
}

} // namespace

Error fillImage(const Argument &argument, const Placement &placement,
                const std::vector<int64_t> &symbols, const Values &values,
                MemoryImage &image) {
  Filler filler(argument, placement, values, image);
  filler.poisonAll();
  if (argument.access == MLAFUSE_WRITE)
    return {};
  if (values.count && argument.name == countName) {
    filler.put(0, 0, static_cast<uint64_t>(*values.count));
    return {};
  }
  if (!argument.range && !isInteger(argument.type)) {
    if (values.bits && placement.shape.size() > 1) {
      filler.fillBits();
      return {};
    }
    filler.fillFloats();
    if (values.special)
      filler.addSpecials();
    return {};
  }
  if (endsWith(argument.name, "_e8m0x4")) {
    filler.fillExponents();
    return {};
  }
  if (Error error = filler.fillFromManifest(symbols))
    return error;
  if (values.special && argument.distinct)
    filler.skipSlots(rangeEnd(argument, symbols));
  return {};
}

} // namespace mlafuse::rt
