//===- RandomFill.cpp - made-up values of an argument -----------------===//
#include "RandomFill.h"
#include "ElementType.h"
#include "FloatFormat.h"
#include "RandomStream.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <unordered_map>

namespace mlafuse::rt {
namespace {

struct Interval {
  double low, high;
};

class Filler {
public:
  Filler(const Argument &argument, const int64_t *symbols, uint64_t seed,
         int64_t count, uint8_t *data)
      : argument(argument), symbols(symbols), count(count), data(data),
        bytes(typeBytes(argument.type)),
        // Offsets into queries and into keys then cut both alike.
        stream(seed, argument.offsets ? "offsets" : argument.name) {}

  Error fill() {
    if (argument.distinct && (!isInteger(argument.type) || !argument.range))
      return failed("distinct values are made only of integers with a range");
    if (argument.offsets)
      return fillOffsets();
    if (!argument.range) {
      fillFreely();
      return {};
    }
    Interval interval;
    if (Error error = evaluateRange(interval))
      return error;
    // Nothing to put into it, so nothing that the range lacks.
    if (count == 0)
      return {};
    return isInteger(argument.type) ? fillIntegers(interval)
                                    : fillFloats(interval);
  }

private:
  Error failed(std::string text) const {
    return Error(
        MLAFUSE_INVALID_ARGUMENT,
        concat({"--random, argument ", quoted(argument.name), ": ", text}));
  }

  Error evaluateBound(const Bound &bound, double &value) const {
    value = bound.number;
    if (!bound.dim)
      return {};
    std::optional<int64_t> size = evaluate(*bound.dim, symbols);
    if (!size)
      return failed(concat({"the bound ", bound.dim->text,
                            " of its range does not fit 64 bits"}));
    value = static_cast<double>(*size);
    return {};
  }

  Error evaluateRange(Interval &interval) const {
    if (Error error = evaluateBound(argument.range->low, interval.low))
      return error;
    return evaluateBound(argument.range->high, interval.high);
  }

  std::string rangeText(const Interval &interval) const {
    char text[80];
    snprintf(text, sizeof(text), "%.17g to below %.17g", interval.low,
             interval.high);
    return text;
  }

  /// Little-endian, as all machines that the runtime is built for.
  void put(int64_t index, uint64_t bits) {
    std::memcpy(data + index * bytes, &bits, static_cast<size_t>(bytes));
  }

  void putFloat(int64_t index, double rounded) {
    put(index, encode(argument.type, rounded));
  }

  void fillFreely() {
    bool isIndex = isInteger(argument.type) && argument.type != MLAFUSE_I8;
    for (int64_t i = 0; i < count; ++i) {
      if (isIndex)
        put(i, 0);
      else if (argument.type == MLAFUSE_I8)
        put(i, stream.next());
      else if (argument.type == MLAFUSE_F8E8M0FNU)
        putFloat(i, std::ldexp(1.0, static_cast<int>(stream.below(9)) - 4));
      else
        putFloat(i, roundToType(argument.type, stream.normal()));
    }
  }

  /// From 0 to the end, with cuts at random between them.
  Error fillOffsets() {
    std::optional<int64_t> end = evaluate(*argument.offsets, symbols);
    if (!end || !fitsType(static_cast<double>(*end)))
      return failed(concat({"offsets up to ", argument.offsets->text,
                            " do not fit ", typeName(argument.type)}));
    if (count == 1 && *end != 0)
      return failed(
          concat({"one value cannot ascend from 0 to ", std::to_string(*end)}));
    std::vector<double> cuts;
    for (int64_t i = 2; i < count; ++i)
      cuts.push_back(stream.uniform());
    std::sort(cuts.begin(), cuts.end());
    for (int64_t i = 0; i < count; ++i) {
      double part = i == 0           ? 0.0
                    : i == count - 1 ? 1.0
                                     : cuts[static_cast<size_t>(i - 1)];
      put(i, static_cast<uint64_t>(part * static_cast<double>(*end)));
    }
    return {};
  }

  Error fillFloats(const Interval &interval) {
    // Rounding may leave the interval: then another number is drawn.
    constexpr int maxDraws = 1000;
    for (int64_t i = 0; i < count; ++i) {
      int draws = 0;
      double value;
      do {
        if (draws++ == maxDraws)
          return failed(concat({"no value of ", typeName(argument.type),
                                " found in its range ", rangeText(interval)}));
        value = roundToType(argument.type,
                            interval.low + stream.uniform() *
                                               (interval.high - interval.low));
      } while (!(value >= interval.low && value < interval.high));
      putFloat(i, value);
    }
    return {};
  }

  Error fillIntegers(const Interval &interval) {
    double first = std::ceil(interval.low), end = std::ceil(interval.high);
    // Where a double holds every integer.
    if (!(first >= -0x1p53 && end <= 0x1p53 && first < end) ||
        !fitsType(first) || !fitsType(end - 1))
      return failed(concat({"no value of ", typeName(argument.type),
                            " found in its range ", rangeText(interval)}));
    int64_t low = static_cast<int64_t>(first);
    uint64_t span = static_cast<uint64_t>(end - first);
    if (argument.distinct)
      return fillDistinct(interval, low, span);
    for (int64_t i = 0; i < count; ++i)
      put(i, static_cast<uint64_t>(low) + stream.below(span));
    return {};
  }

  bool fitsType(double value) const {
    double limit = std::ldexp(1.0, static_cast<int>(8 * bytes - 1));
    return value >= -limit && value < limit;
  }

  /// The first steps of a shuffle of all values, of which only those that have
  /// moved are kept.
  Error fillDistinct(const Interval &interval, int64_t low, uint64_t span) {
    if (static_cast<uint64_t>(count) > span)
      return failed(
          concat({"wanted ", std::to_string(count),
                  " values that all differ, but its range ",
                  rangeText(interval), " has ", std::to_string(span)}));
    std::unordered_map<uint64_t, uint64_t> moved;
    auto valueAt = [&](uint64_t place) {
      auto it = moved.find(place);
      return it == moved.end() ? place : it->second;
    };
    for (int64_t i = 0; i < count; ++i) {
      uint64_t here = static_cast<uint64_t>(i);
      uint64_t there = here + stream.below(span - here);
      uint64_t value = valueAt(there);
      moved[there] = valueAt(here);
      put(i, static_cast<uint64_t>(low) + value);
    }
    return {};
  }

  const Argument &argument;
  const int64_t *symbols;
  int64_t count;
  uint8_t *data;
  int64_t bytes;
  RandomStream stream;
};

} // namespace

Error fillRandom(const Argument &argument, const int64_t *symbols,
                 uint64_t seed, int64_t count, uint8_t *data) {
  return Filler(argument, symbols, seed, count, data).fill();
}

} // namespace mlafuse::rt
