//===- Outputs.cpp - what two launches wrote, compared ----------------===//
#include "Outputs.h"
#include "ElementType.h"
#include "Elements.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace mlafuse::rt {
namespace {

bool startsWith(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

/// Rows of an image as a tensor without gaps.
SafeTensor denseTensor(const Argument &argument, const Placement &placement,
                       const MemoryImage &image, MemoryImage &dense) {
  size_t rowBytes = placement.rowBytes();
  dense.resize(rowBytes * static_cast<size_t>(placement.rows));
  for (int64_t row = 0; rowBytes > 0 && row < placement.rows; ++row)
    std::memcpy(dense.data() + static_cast<size_t>(row) * rowBytes,
                image.data() + placement.rowBegin(row), rowBytes);
  return {argument.name, safeTensorsType(argument.type), placement.shape,
          dense.data(), dense.size()};
}

bool isSumOf(Strictness strictness) {
  return strictness == Strictness::Sum ||
         strictness == Strictness::SumRoundedTwice;
}

/// A norm's sum of input and residual, `h`, is there before any other sum.
Strictness ofArgument(const Argument &argument, Strictness strictness) {
  return isSumOf(strictness) && argument.name == "h" ? Strictness::Bits
                                                     : strictness;
}

/// How far off an element may be before it counts as far.
struct Near {
  bool isRelative = false;
  double limit = 0;
};

Near nearOf(const Argument &argument, const std::string &encoding,
            Strictness strictness) {
  mlafuse_type type = argument.type;
  bool isSum = isSumOf(strictness);
  if (strictness == Strictness::Bits)
    return {};
  if (type == MLAFUSE_F32)
    return isSum ? Near{true, isScales(argument) ? 1e-6 : 1e-5}
                 : Near{false, 2};
  if (type == MLAFUSE_BF16 || type == MLAFUSE_F16)
    return {false, strictness == Strictness::Sum ? 1.0 : 2.0};
  // A power of two that moves, moves all codes of its group.
  if (type == MLAFUSE_F8E8M0FNU || encoding == "e8m0x4")
    return {};
  bool isBytes = isInteger(type) && encoding.empty();
  return {false, isBytes ? 0.0 : 1.0};
}

class Comparison {
public:
  Comparison(const Elements &actual, const Elements &expected, Near near,
             Tally &tally)
      : actual(actual), expected(expected), near(near), tally(tally) {}

  void compare(int64_t index) {
    if (actual.code(index) == expected.code(index) ||
        (actual.isNaN(index) && expected.isNaN(index)))
      return;
    ++tally.differing;
    double distance = INFINITY;
    if (!actual.isNaN(index) && !expected.isNaN(index))
      distance = near.isRelative ? relative(index) : codes(index);
    tally.worst = std::max(tally.worst, distance);
    bool isFar = distance > near.limit;
    if (isFar ? tally.far++ == 0 : tally.differing == 1)
      tally.first =
          concat({actual.indexText(index), ": ", actual.valueText(index),
                  ", wanted ", expected.valueText(index)});
  }

private:
  double relative(int64_t index) const {
    double a = actual.value(index), e = expected.value(index);
    return a == e ? 0 : std::fabs(a - e) / std::max(std::fabs(a), std::fabs(e));
  }
  double codes(int64_t index) const {
    return std::fabs(
        static_cast<double>(actual.ordinal(index) - expected.ordinal(index)));
  }

  const Elements &actual, &expected;
  Near near;
  Tally &tally;
};

/// Byte of the first change outside of all elements.
std::optional<size_t> findStrayWrite(const Placement &placement,
                                     const MemoryImage &before,
                                     const MemoryImage &after) {
  size_t at = 0;
  auto differs = [&](size_t end) {
    if (end <= at || std::memcmp(&before[at], &after[at], end - at) == 0)
      return false;
    while (before[at] == after[at])
      ++at;
    return true;
  };
  if (placement.elements() > 0)
    for (int64_t row = 0; row < placement.rows; ++row) {
      if (differs(placement.rowBegin(row)))
        return at;
      at = placement.rowBegin(row) + placement.rowBytes();
    }
  return differs(before.size()) ? std::optional<size_t>(at) : std::nullopt;
}

} // namespace

std::string encodingOf(const Argument &argument) {
  if (argument.type == MLAFUSE_F8E4M3FNUZ)
    return "e4m3fnuz";
  for (const char *encoding : {"e2m1x2", "e8m0x4"}) {
    std::string_view name = argument.name;
    size_t length = std::strlen(encoding);
    if (name.size() > length && name.substr(name.size() - length) == encoding)
      return encoding;
  }
  return "";
}

Error checkUntouched(const Argument &argument, const Placement &placement,
                     const MemoryImage &before, const MemoryImage &actual) {
  if (argument.access == MLAFUSE_READ) {
    if (before == actual)
      return {};
    return Error(MLAFUSE_EXECUTION_FAILED,
                 concat({"argument ", quoted(argument.name),
                         ", which is only read, or a guard byte around it was "
                         "changed"}));
  }
  std::optional<size_t> at = findStrayWrite(placement, before, actual);
  if (!at)
    return {};
  int64_t distance =
      static_cast<int64_t>(*at) - static_cast<int64_t>(placement.begin);
  return Error(MLAFUSE_EXECUTION_FAILED,
               concat({"argument ", quoted(argument.name), ", byte ",
                       std::to_string(distance),
                       " from its start: memory between or around its rows "
                       "was changed"}));
}

Strictness strictnessOf(const std::string &function) {
  if (startsWith(function, "merge_"))
    return Strictness::Exponential;
  if (!startsWith(function, "norm_"))
    return Strictness::Bits;
  for (const char *part : {"_result", "_contracted", "_no_weight"})
    if (function.find(part) != std::string::npos)
      return Strictness::Sum;
  return Strictness::SumRoundedTwice;
}

Error compareArgument(const Argument &argument, const Placement &placement,
                      Strictness strictness, const MemoryImage &before,
                      const MemoryImage &actual, const MemoryImage &expected,
                      Tally &tally) {
  if (Error error = checkUntouched(argument, placement, before, actual))
    return error;
  if (argument.access == MLAFUSE_READ)
    return {};
  std::string encoding = encodingOf(argument);
  MemoryImage denseActual, denseExpected;
  SafeTensor a = denseTensor(argument, placement, actual, denseActual);
  SafeTensor e = denseTensor(argument, placement, expected, denseExpected);
  Elements actualElements, expectedElements;
  if (Error error = Elements::make(a, encoding, actualElements))
    return error;
  if (Error error = Elements::make(e, encoding, expectedElements))
    return error;
  Comparison comparison(
      actualElements, expectedElements,
      nearOf(argument, encoding, ofArgument(argument, strictness)), tally);
  int64_t count = actualElements.size();
  tally.compared += count;
  // Nearly all blocks are equal; only the others are worth a look.
  constexpr int64_t block = 1024;
  for (int64_t begin = 0; begin < count; begin += block) {
    int64_t end = std::min(begin + block, count);
    size_t first = static_cast<size_t>(begin) * a.bytes / count;
    size_t last = static_cast<size_t>(end) * a.bytes / count;
    if (std::memcmp(a.data + first, e.data + first, last - first) == 0)
      continue;
    for (int64_t i = begin; i < end; ++i)
      comparison.compare(i);
  }
  return {};
}

bool isScales(const Argument &argument) {
  return argument.name.find("scales") != std::string::npos;
}

Error judge(const Argument &argument, Strictness strictness, const Tally &tally,
            int64_t movedScales) {
  strictness = ofArgument(argument, strictness);
  // Shares of all elements, and a few that one unlucky row of a small run has.
  double count = static_cast<double>(tally.compared), differing = 0, far = 0;
  if (strictness != Strictness::Bits) {
    bool isModelFloat =
        argument.type == MLAFUSE_BF16 || argument.type == MLAFUSE_F16;
    if (isScales(argument)) {
      far = 2 + 3e-4 * count;
      // The order of a sum shows in every f32 that follows from it.
      differing = argument.type == MLAFUSE_F32 ? count : far;
    } else if (argument.type == MLAFUSE_F32) {
      differing = count;
      // A norm's factor that was rounded to bf16 ahead of the weight moves by a
      // unit of it.
      if (strictness == Strictness::SumRoundedTwice && tally.worst <= 0x1p-7)
        far = 4 + 1e-3 * count;
    } else if (isModelFloat) {
      differing = isSumOf(strictness) ? 4 + 1e-3 * count : count;
    } else {
      // With its scale, all codes of a group may move, by more than one.
      int64_t width = argument.shape.empty() ? 1 : argument.shape.back().value;
      far = 2.0 * static_cast<double>(movedScales * width);
      differing = 4 + 1e-4 * count + far;
    }
  }
  if (static_cast<double>(tally.differing) <= differing &&
      static_cast<double>(tally.far) <= far)
    return {};
  return Error(MLAFUSE_EXECUTION_FAILED,
               concat({"argument ", quoted(argument.name), ": ",
                       std::to_string(tally.differing), " of ",
                       std::to_string(tally.compared), " differ, ",
                       std::to_string(tally.far), " of them by too much",
                       tally.first.empty() ? "" : "; first at ", tally.first}));
}

} // namespace mlafuse::rt
