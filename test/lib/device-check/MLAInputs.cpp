//===- MLAInputs.cpp - made-up arguments of MLA's functions ----------===//
#include "MLAInputs.h"
#include "ElementType.h"
#include "FloatFormat.h"
#include "RandomStream.h"
#include "Values.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace mlafuse::rt {
namespace {

/// NaN in every float type that a cache, a query or a scale has.
constexpr uint8_t nanByte = 0xFF;

/// Where following a table or a length that nobody may read would lead.
constexpr int32_t strayEntries[] = {-1, INT32_MAX, INT32_MIN, 1 << 24};

/// Codes of normally distributed numbers, drawn ahead.
class Numbers {
public:
  Numbers(mlafuse_type type, double deviation, RandomStream &stream)
      : bytes(static_cast<size_t>(typeBytes(type))) {
    for (uint32_t &code : codes)
      code = encode(type, roundToType(type, deviation * stream.normal()));
  }

  /// Writes `count` of them.
  void draw(uint8_t *data, int64_t count, RandomStream &stream) const {
    uint64_t bits = 0;
    for (int64_t i = 0; i < count; ++i) {
      // Five draws of 12 bits from each number.
      bits = i % 5 == 0 ? stream.next() : bits >> 12;
      std::memcpy(data + static_cast<size_t>(i) * bytes, &codes[bits & 0xFFF],
                  bytes);
    }
  }

private:
  size_t bytes;
  uint32_t codes[1 << 12];
};

/// A number of [low, high), uniform in its logarithm.
double between(double low, double high, RandomStream &stream) {
  return low * std::pow(high / low, stream.uniform());
}

/// Writes a row of the 656-byte kind: codes, an f32 scale for each 128 of
/// them, positions.
class DsMlaRows {
public:
  DsMlaRows(int64_t latent, int64_t rowBytes, RandomStream &stream)
      : latent(latent), tiles(latent / 128),
        rope((rowBytes - latent - 4 * tiles) / 2),
        latents(MLAFUSE_F8E4M3FN, 1, stream),
        positions(MLAFUSE_BF16, 1, stream) {}

  void draw(uint8_t *row, RandomStream &stream) const {
    latents.draw(row, latent, stream);
    for (int64_t tile = 0; tile < tiles; ++tile) {
      // Some are small beside their neighbours', of other keys and tiles.
      bool isSmall = stream.uniform() < 0.25;
      float scale =
          static_cast<float>(between(isSmall ? 1.0 / 1024 : 0.25, 2, stream));
      std::memcpy(row + latent + 4 * tile, &scale, sizeof(scale));
    }
    positions.draw(row + latent + 4 * tiles, rope, stream);
  }

private:
  int64_t latent, tiles, rope;
  Numbers latents, positions;
};

class Filler {
public:
  Filler(const Argument &argument, const Placement &placement,
         const MLAValues &values, MemoryImage &image)
      : argument(argument), placement(placement), values(values), image(image),
        stream(values.seed, concat({argument.name, " values"})) {}

  uint8_t *data() { return image.data() + placement.begin; }

  /// Rows of a query's heads; those of tokens beyond `live` are NaN.
  void fillQueries(int64_t live, int64_t heads, bool hasNaN) {
    Numbers usual(argument.type, 1, stream), large(argument.type, 4, stream);
    for (int64_t row = 0; row < placement.rows; ++row) {
      uint8_t *at = image.data() + placement.rowBegin(row);
      if (row / heads >= live) {
        std::memset(at, nanByte, placement.rowBytes());
        continue;
      }
      uint64_t kind = values.special ? stream.below(4) : 0;
      if (kind == 1)
        std::memset(at, 0, placement.rowBytes());
      else
        (kind == 2 ? large : usual).draw(at, placement.width, stream);
      if (kind == 3 && hasNaN && placement.width > 0) {
        uint64_t column = stream.below(static_cast<uint64_t>(placement.width));
        std::memset(at + column * static_cast<uint64_t>(placement.elementBytes),
                    nanByte, static_cast<size_t>(placement.elementBytes));
      }
    }
  }

  /// Of so many columns that a product keeps the magnitude of what it takes.
  void fillWeights() {
    int64_t depth = placement.shape[1];
    Numbers numbers(argument.type,
                    depth > 0 ? 1 / std::sqrt(static_cast<double>(depth)) : 1,
                    stream);
    numbers.draw(data(), placement.elements(), stream);
  }

  /// Rows of the cache: those that nobody looks at are NaN.
  void fillCache(const std::vector<bool> &named, int64_t latent) {
    if (argument.type == MLAFUSE_I8) {
      DsMlaRows rows(latent, placement.width, stream);
      fillRows(named, [&](uint8_t *row) { rows.draw(row, stream); });
      return;
    }
    Numbers numbers(argument.type, 1, stream);
    fillRows(named,
             [&](uint8_t *row) { numbers.draw(row, placement.width, stream); });
  }

  void putFloat(double value) {
    float number = static_cast<float>(value);
    std::memcpy(data(), &number, sizeof(number));
  }

  void putIntegers(const std::vector<int32_t> &numbers) {
    if (!numbers.empty())
      std::memcpy(data(), numbers.data(), numbers.size() * sizeof(int32_t));
  }

  RandomStream &getStream() { return stream; }

private:
  template <typename Draw>
  void fillRows(const std::vector<bool> &named, Draw draw) {
    for (int64_t slot = 0; slot < placement.rows; ++slot) {
      uint8_t *row = image.data() + placement.rowBegin(slot);
      if (named[static_cast<size_t>(slot)])
        draw(row);
      else
        std::memset(row, nanByte, placement.rowBytes());
    }
  }

  const Argument &argument;
  const Placement &placement;
  const MLAValues &values;
  MemoryImage &image;
  RandomStream stream;
};

} // namespace

MLAInputs::MLAInputs(const MLAFunction &function, const MLASizes &sizes,
                     const MLAValues &values)
    : function(function), sizes(sizes), values(values) {
  live = values.count ? std::clamp<int64_t>(*values.count, 0, sizes.tokens)
                      : sizes.tokens;
  if (!function.hasPaging())
    return;
  named.assign(static_cast<size_t>(sizes.pages * function.page), false);
  if (function.hasIndices) {
    drawIndices();
    return;
  }
  drawLengths();
  drawTables();
}

void MLAInputs::drawLengths() {
  RandomStream stream(values.seed, "lengths");
  uint64_t most = static_cast<uint64_t>(sizes.keys);
  uint64_t page = static_cast<uint64_t>(function.page);
  auto draw = [&]() -> uint64_t {
    switch (stream.below(6)) {
    case 0:
      return stream.below(2);
    case 1:
      return static_cast<uint64_t>(function.queries) - stream.below(2);
    case 2:
      return page * stream.below(most / page + 1);
    case 3:
      return page * stream.below(most / page + 1) + 1;
    default:
      return stream.below(most + 1);
    }
  };
  uint64_t longest =
      sizes.requests ? stream.below(static_cast<uint64_t>(sizes.requests)) : 0;
  for (int64_t i = 0; i < sizes.requests; ++i) {
    uint64_t length = draw();
    if (values.lengths == Lengths::Longest ||
        (values.lengths == Lengths::Mixed &&
         static_cast<uint64_t>(i) == longest))
      length = most;
    else if (values.lengths != Lengths::Mixed)
      length = values.lengths == Lengths::One ? 1 : 0;
    length = std::min(length, most);
    lengths.push_back(isLive(i) ? static_cast<int32_t>(length)
                                : strayEntries[stream.below(4)]);
  }
}

void MLAInputs::drawTables() {
  RandomStream stream(values.seed, "tables");
  for (int64_t request = 0; request < sizes.requests; ++request) {
    int64_t length =
        isLive(request) ? lengths[static_cast<size_t>(request)] : 0;
    for (int64_t i = 0; i < sizes.tableWidth; ++i) {
      int64_t begin = i * function.page;
      if (begin >= length) {
        table.push_back(strayEntries[stream.below(4)]);
        continue;
      }
      int64_t entry = static_cast<int64_t>(
          stream.below(static_cast<uint64_t>(sizes.pages)));
      table.push_back(static_cast<int32_t>(entry));
      int64_t end = std::min(length - begin, function.page);
      for (int64_t row = 0; row < end; ++row)
        named[static_cast<size_t>(entry * function.page + row)] = true;
    }
  }
}

void MLAInputs::drawIndices() {
  RandomStream stream(values.seed, "indices");
  uint64_t slots = named.size();
  for (int64_t token = 0; token < sizes.tokens; ++token) {
    // No key at all, all, a first part, or holes.
    uint64_t kind = values.lengths == Lengths::Zero ? 0 : stream.below(6);
    if (values.lengths == Lengths::Longest)
      kind = 1;
    uint64_t part = stream.below(static_cast<uint64_t>(sizes.keys) + 1);
    if (values.lengths == Lengths::One) {
      kind = 2;
      part = 1;
    }
    for (int64_t i = 0; i < sizes.keys; ++i) {
      if (token >= live) {
        indices.push_back(strayEntries[stream.below(4)]);
        continue;
      }
      uint64_t slot = stream.below(slots);
      bool isKey = kind == 1 ||
                   (kind == 2 && static_cast<uint64_t>(i) < part) ||
                   (kind > 2 && stream.below(kind) != 0);
      indices.push_back(isKey ? static_cast<int32_t>(slot) : -1);
      if (isKey)
        named[slot] = true;
    }
  }
}

Error MLAInputs::fill(const Argument &argument, const Placement &placement,
                      MemoryImage &image) const {
  image.resize(placement.bytes);
  poisonImage(argument.name, values.seed, image);
  Filler filler(argument, placement, values, image);
  const std::string &name = argument.name;
  if (name == "q" || name == "q_nope" || name == "q_pe" || name == "x")
    filler.fillQueries(live, function.heads, name == "x");
  else if (name == "w" || name == "w_uk" || name == "w_uv")
    filler.fillWeights();
  else if (name == "cache")
    filler.fillCache(named, function.latent);
  else if (name == "block_table")
    filler.putIntegers(table);
  else if (name == "seq_lens")
    filler.putIntegers(lengths);
  else if (name == "indices")
    filler.putIntegers(indices);
  else if (name == "k_scale")
    filler.putFloat(between(0.25, 2, filler.getStream()));
  else if (name == "scale")
    filler.putFloat(between(0.002, 0.05, filler.getStream()));
  else if (name == "global_scale")
    filler.putFloat(between(50, 500, filler.getStream()));
  else if (name == "num_actual_tokens")
    filler.putIntegers({static_cast<int32_t>(values.count.value_or(0))});
  else if (argument.access == MLAFUSE_READ)
    return Error(
        MLAFUSE_INVALID_ARGUMENT,
        concat({"argument ", quoted(name),
                ": no values are known for an argument of this name"}));
  return {};
}

} // namespace mlafuse::rt
