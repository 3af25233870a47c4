//===- inputs.cpp - weights, cache and requests for the example -----------===//
//
// Usage: deepseek-v3-inputs OUT.safetensors [--alter-weight]
//
// Random weights of the checkpoint's types and of a trained model's magnitudes,
// the same in every run. --alter-weight turns the sign of one element of w_o:
// what the check must notice.
//
//===----------------------------------------------------------------------===//

#include "Geometry.h"
#include "Numbers.h"
#include "SafeTensors.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <numeric>
#include <random>
#include <string>

using namespace deepseek_v3;
using mlafuse::rt::SafeTensor;

namespace {

/// splitmix64: a few instructions a number, for hundreds of millions of them.
class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}
  uint64_t next() {
    uint64_t z = state += 0x9E3779B97F4A7C15;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
  }
  /// About normal: the sum of four uniform numbers, of variance 1.
  float normal() {
    uint64_t bits = next();
    float sum = 0;
    for (int i = 0; i < 4; ++i)
      sum += static_cast<float>((bits >> (16 * i)) & 0xFFFF);
    return (sum - 4 * 32767.5f) * (1.7320508f / 65536.0f);
  }

private:
  uint64_t state;
};

class Inputs {
public:
  template <typename T>
  T *add(const char *name, const char *dtype, std::vector<int64_t> shape) {
    int64_t count = std::accumulate(shape.begin(), shape.end(), int64_t{1},
                                    std::multiplies<int64_t>());
    storage.push_back(std::make_unique<uint8_t[]>(count * sizeof(T)));
    uint8_t *data = storage.back().get();
    tensors.push_back(
        {name, dtype, shape, data, static_cast<size_t>(count) * sizeof(T)});
    return reinterpret_cast<T *>(data);
  }

  void addNormal(const char *name, std::vector<int64_t> shape, float mean,
                 float deviation) {
    auto *data = add<uint16_t>(name, "BF16", shape);
    Random random(tensors.size());
    for (size_t i = 0; i < tensors.back().bytes / 2; ++i)
      data[i] = toBF16(mean + deviation * random.normal());
  }

  /// FP8 codes of normal numbers of deviation 100, and the block scales that
  /// bring them to `deviation`.
  void addWeight(const char *name, const char *scaleName, int64_t rows,
                 int64_t columns, float deviation) {
    auto *codes = add<uint8_t>(name, "F8_E4M3", {rows, columns});
    Random random(tensors.size());
    uint8_t table[1024];
    for (uint8_t &code : table)
      code = toE4M3(100 * random.normal());
    for (int64_t i = 0; i < rows * columns; i += 4) {
      uint64_t bits = random.next();
      for (int64_t j = 0; j < 4; ++j)
        codes[i + j] = table[(bits >> (16 * j)) & 1023];
    }
    auto *scales = add<float>(scaleName, "F32",
                              {rows / kBlock, columns / kBlock});
    for (int64_t i = 0; i < rows / kBlock * (columns / kBlock); ++i)
      scales[i] = deviation / 100 * (1 + 0.2f * random.normal());
  }

  std::vector<SafeTensor> tensors;

private:
  std::vector<std::unique_ptr<uint8_t[]>> storage;
};

} // namespace

/// Pages of the requests in shuffled order, and where the new tokens go.
static void addRequests(Inputs &inputs) {
  int64_t pages = 1, blocks = 0;
  for (int64_t length : kLengths) {
    int64_t count = (length + kPageSize - 1) / kPageSize;
    pages += count;
    blocks = std::max(blocks, count);
  }
  std::vector<int32_t> shuffled(pages);
  std::iota(shuffled.begin(), shuffled.end(), 0);
  std::mt19937 generator(7);
  std::shuffle(shuffled.begin(), shuffled.end(), generator);

  auto *table = inputs.add<int32_t>("block_table", "I32", {kTokens, blocks});
  auto *lengths = inputs.add<int32_t>("seq_lens", "I32", {kTokens});
  auto *slots = inputs.add<int64_t>("slot_mapping", "I64", {kTokens});
  auto *positions = inputs.add<int64_t>("positions", "I64", {kTokens});
  std::fill_n(table, kTokens * blocks, -1);
  int64_t used = 0;
  for (int64_t t = 0; t < kTokens; ++t) {
    int64_t last = kLengths[t] - 1;
    for (int64_t block = 0; block <= last / kPageSize; ++block)
      table[t * blocks + block] = shuffled[used++];
    lengths[t] = static_cast<int32_t>(kLengths[t]);
    positions[t] = last;
    slots[t] = int64_t{table[t * blocks + last / kPageSize]} * kPageSize +
               last % kPageSize;
  }

  inputs.addNormal("cache", {pages, kPageSize, kCacheRow}, 0, 1);
  // What no request has written must not reach a result.
  auto *cache = reinterpret_cast<uint16_t *>(
      const_cast<uint8_t *>(inputs.tensors.back().data));
  std::vector<bool> written(pages * kPageSize);
  for (int64_t t = 0; t < kTokens; ++t)
    for (int64_t i = 0; i + 1 < kLengths[t]; ++i)
      written[int64_t{table[t * blocks + i / kPageSize]} * kPageSize +
              i % kPageSize] = true;
  for (int64_t slot = 0; slot < pages * kPageSize; ++slot)
    if (!written[slot])
      std::fill_n(cache + slot * kCacheRow, kCacheRow, uint16_t{0x7FC0});
}

/// R/2 cosines, then R/2 sines, of each position (theta 10000).
static void addAngles(Inputs &inputs) {
  auto *angles =
      inputs.add<float>("cos_sin", "F32", {kMaxPosition, kRope});
  for (int64_t position = 0; position < kMaxPosition; ++position)
    for (int64_t i = 0; i < kRope / 2; ++i) {
      double angle = position * std::pow(10000.0, -2.0 * i / kRope);
      angles[position * kRope + i] = static_cast<float>(std::cos(angle));
      angles[position * kRope + kRope / 2 + i] =
          static_cast<float>(std::sin(angle));
    }
}

int main(int argc, char **argv) {
  bool alters = argc == 3 && std::string(argv[2]) == "--alter-weight";
  if (argc < 2 || (argc > 2 && !alters)) {
    std::fprintf(stderr,
                 "usage: %s OUT.safetensors [--alter-weight]\n", argv[0]);
    return 2;
  }
  Inputs inputs;
  auto scale = [](int64_t width) {
    return 1.0f / std::sqrt(static_cast<float>(width));
  };
  inputs.addNormal("hidden", {kTokens, kHidden}, 0, 1);
  inputs.addNormal("w_qkv_a", {kHidden, kProjected}, 0, scale(kHidden));
  inputs.addNormal("w_q_norm", {kQLora}, 1, 0.2f);
  inputs.addNormal("w_kv_norm", {kKvLora}, 1, 0.2f);
  inputs.addWeight("w_q_b", "s_q_b", kQLora, kQueryWidth, scale(kQLora));
  inputs.addNormal("w_uk", {kHeads, kNope, kKvLora}, 0, scale(kKvLora));
  inputs.addNormal("w_uv", {kHeads, kKvLora, kValue}, 0, scale(kKvLora));
  inputs.addWeight("w_o", "s_o", kOutputWidth, kHidden, scale(kOutputWidth));
  if (alters) {
    auto *codes = const_cast<uint8_t *>(
        (inputs.tensors.end() - 2)->data); // w_o, ahead of its scales.
    codes[5 * kHidden + 11] ^= 0x80;
  }
  addAngles(inputs);
  addRequests(inputs);
  if (mlafuse::rt::Error error =
          mlafuse::rt::writeSafeTensors(argv[1], inputs.tensors, {})) {
    std::fprintf(stderr, "%s: error: %s\n", argv[0], error.getText().c_str());
    return 1;
  }
  return 0;
}
