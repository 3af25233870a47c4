//===- Reference.cpp - the block in plain C++ -----------------------------===//

#include "Reference.h"
#include "Geometry.h"
#include "Numbers.h"

#include <algorithm>
#include <functional>
#include <limits>

using namespace deepseek_v3;
using mlafuse::rt::SafeTensorsFile;

namespace {

using Row = std::vector<float>;

/// Typed views of the input file.
struct Block {
  const uint16_t *hidden, *qkvA, *qNorm, *kvNorm, *uk, *uv, *cache;
  const uint8_t *qB, *o;
  const float *qBScale, *oScale, *angles;
  const int64_t *positions, *slots;
  const int32_t *table;
  int64_t tableWidth;
};

} // namespace

/// y[j] = sum_i x[i] * w(i, j), row by row of w, in double.
static Row multiply(const Row &x, int64_t columns,
                    const std::function<void(int64_t, float *)> &getRow) {
  std::vector<double> sums(columns);
  Row row(columns), result(columns);
  for (size_t i = 0; i < x.size(); ++i) {
    getRow(static_cast<int64_t>(i), row.data());
    for (int64_t j = 0; j < columns; ++j)
      sums[j] += static_cast<double>(x[i]) * row[j];
  }
  for (int64_t j = 0; j < columns; ++j)
    result[j] = roundToBF16(sums[j]);
  return result;
}

static std::function<void(int64_t, float *)> rowsOf(const uint16_t *weights,
                                                    int64_t columns) {
  return [=](int64_t i, float *row) {
    for (int64_t j = 0; j < columns; ++j)
      row[j] = fromBF16(weights[i * columns + j]);
  };
}

/// Rows of an FP8 weight in blocks, rounded to bf16 as `dequantize` does.
static std::function<void(int64_t, float *)>
rowsOf(const uint8_t *codes, const float *scales, int64_t columns) {
  return [=](int64_t i, float *row) {
    static const std::vector<float> decoded = [] {
      std::vector<float> table(256);
      for (int code = 0; code < 256; ++code)
        table[code] = fromE4M3(static_cast<uint8_t>(code));
      return table;
    }();
    const float *scale = scales + i / kBlock * (columns / kBlock);
    for (int64_t j = 0; j < columns; ++j)
      row[j] = roundToBF16(decoded[codes[i * columns + j]] * scale[j / kBlock]);
  };
}

static Row normalize(const float *x, int64_t width, const uint16_t *weight) {
  double squares = 0;
  for (int64_t i = 0; i < width; ++i)
    squares += static_cast<double>(x[i]) * x[i];
  float variance = static_cast<float>(squares) / static_cast<float>(width);
  float inverse = 1.0f / std::sqrt(variance + kEpsilon);
  Row result(width);
  for (int64_t i = 0; i < width; ++i)
    result[i] =
        roundToBF16(roundToBF16(x[i] * inverse) * fromBF16(weight[i]));
  return result;
}

/// Quantizes `width` elements under one scale, and dequantizes them to f32.
static void roundThroughE4M3(float *x, int64_t width, float absMaxFloor,
                             float scaleFloor) {
  float absMax = absMaxFloor;
  for (int64_t i = 0; i < width; ++i)
    absMax = std::fmax(absMax, std::fabs(x[i]));
  float scale = std::fmax(absMax / 448.0f, scaleFloor);
  for (int64_t i = 0; i < width; ++i)
    x[i] = fromE4M3(toE4M3(x[i] / scale)) * scale;
}

/// Interleaved pairs.
static void rotate(float *x, const float *angles) {
  for (int64_t i = 0; i < kRope / 2; ++i) {
    float a = x[2 * i], b = x[2 * i + 1];
    float c = angles[i], s = angles[kRope / 2 + i];
    float ac = a * c, bs = b * s, bc = b * c, as = a * s;
    x[2 * i] = roundToBF16(ac - bs);
    x[2 * i + 1] = roundToBF16(bc + as);
  }
}

/// One head: softmax over the keys, and the weighted latent rows.
static Row attend(const Row &query, const std::vector<Row> &keys) {
  std::vector<double> weights(keys.size());
  double top = -std::numeric_limits<double>::infinity(), total = 0;
  for (size_t j = 0; j < keys.size(); ++j) {
    double dot = 0;
    for (int64_t d = 0; d < kCacheRow; ++d)
      dot += static_cast<double>(query[d]) * keys[j][d];
    weights[j] = kSoftmaxScale * dot;
    top = std::max(top, weights[j]);
  }
  for (double &weight : weights)
    total += weight = std::exp(weight - top);
  std::vector<double> sums(kKvLora);
  for (size_t j = 0; j < keys.size(); ++j)
    for (int64_t l = 0; l < kKvLora; ++l)
      sums[l] += weights[j] * keys[j][l];
  Row result(kKvLora);
  for (int64_t l = 0; l < kKvLora; ++l)
    result[l] = roundToBF16(sums[l] / total);
  return result;
}

static Row computeToken(const Block &block, int64_t token) {
  Row hidden(kHidden);
  rowsOf(block.hidden, kHidden)(token, hidden.data());
  Row projected =
      multiply(hidden, kProjected, rowsOf(block.qkvA, kProjected));

  Row q = normalize(projected.data(), kQLora, block.qNorm);
  roundThroughE4M3(q.data(), kQLora, 0, 1.0f / (448.0f * 512.0f));
  Row heads = multiply(q, kQueryWidth,
                       rowsOf(block.qB, block.qBScale, kQueryWidth));

  const float *angles = block.angles + block.positions[token] * kRope;
  Row newKey = normalize(projected.data() + kQLora, kKvLora, block.kvNorm);
  newKey.insert(newKey.end(), projected.end() - kRope, projected.end());
  rotate(newKey.data() + kKvLora, angles);

  std::vector<Row> keys(kLengths[token], Row(kCacheRow));
  for (int64_t i = 0; i + 1 < kLengths[token]; ++i) {
    int64_t page = block.table[token * block.tableWidth + i / kPageSize];
    rowsOf(block.cache, kCacheRow)(page * kPageSize + i % kPageSize,
                                   keys[i].data());
  }
  keys.back() = newKey;

  Row output;
  for (int64_t h = 0; h < kHeads; ++h) {
    float *head = heads.data() + h * (kNope + kRope);
    Row query =
        multiply(Row(head, head + kNope), kKvLora,
                 rowsOf(block.uk + h * kNope * kKvLora, kKvLora));
    query.insert(query.end(), head + kNope, head + kNope + kRope);
    rotate(query.data() + kKvLora, angles);
    Row value = multiply(attend(query, keys), kValue,
                         rowsOf(block.uv + h * kKvLora * kValue, kValue));
    roundThroughE4M3(value.data(), kValue, 1e-10f, 0);
    output.insert(output.end(), value.begin(), value.end());
  }
  return multiply(output, kHidden, rowsOf(block.o, block.oScale, kHidden));
}

std::vector<float>
deepseek_v3::computeReference(const SafeTensorsFile &inputs,
                              std::string &missing) {
  auto get = [&](const char *name, auto *&data) {
    const auto *tensor = inputs.find(name);
    if (!tensor && missing.empty())
      missing = name;
    data = tensor ? reinterpret_cast<std::decay_t<decltype(data)>>(tensor->data)
                  : nullptr;
  };
  Block block = {};
  get("hidden", block.hidden);
  get("w_qkv_a", block.qkvA);
  get("w_q_norm", block.qNorm);
  get("w_kv_norm", block.kvNorm);
  get("w_q_b", block.qB);
  get("s_q_b", block.qBScale);
  get("w_uk", block.uk);
  get("w_uv", block.uv);
  get("w_o", block.o);
  get("s_o", block.oScale);
  get("positions", block.positions);
  get("cos_sin", block.angles);
  get("slot_mapping", block.slots);
  get("block_table", block.table);
  get("cache", block.cache);
  if (!missing.empty())
    return {};
  block.tableWidth = inputs.find("block_table")->shape[1];

  std::vector<float> result;
  for (int64_t token = 0; token < kTokens; ++token) {
    Row row = computeToken(block, token);
    result.insert(result.end(), row.begin(), row.end());
  }
  return result;
}
