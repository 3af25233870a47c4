//===- Geometry.h - sizes of DeepSeek-V3's attention block ------*- C++ -*-===//
//
// As published with the model (config_671B.json); the cache and the requests are
// this example's own.
//
//===----------------------------------------------------------------------===//
#ifndef MLAFUSE_EXAMPLES_DEEPSEEK_V3_GEOMETRY_H
#define MLAFUSE_EXAMPLES_DEEPSEEK_V3_GEOMETRY_H

#include <cstdint>

namespace deepseek_v3 {

constexpr int64_t kHidden = 7168, kQLora = 1536, kKvLora = 512, kHeads = 128;
constexpr int64_t kNope = 128, kRope = 64, kValue = 128;
constexpr int64_t kProjected = kQLora + kKvLora + kRope;
constexpr int64_t kQueryWidth = kHeads * (kNope + kRope);
constexpr int64_t kOutputWidth = kHeads * kValue;
constexpr int64_t kCacheRow = kKvLora + kRope;
constexpr float kEpsilon = 1e-6f, kSoftmaxScale = 0.1352338f;
/// Weight scales cover blocks of kBlock x kBlock.
constexpr int64_t kBlock = 128;

constexpr int64_t kPageSize = 64, kMaxPosition = 4096;
/// Tokens of each request, the new one included: four requests of unequal length,
/// one of them on its first token, one that just began a page.
constexpr int64_t kLengths[] = {1, 65, 200, 333};
constexpr int64_t kTokens = sizeof(kLengths) / sizeof(kLengths[0]);

} // namespace deepseek_v3

#endif // MLAFUSE_EXAMPLES_DEEPSEEK_V3_GEOMETRY_H
