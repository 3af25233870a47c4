//===- FunctionCheck.cpp - one function on both devices ---------------===//
#include "FunctionCheck.h"

#include <algorithm>

namespace mlafuse::rt {
namespace {

/// Above this, fewer variants of a run are tried.
constexpr int64_t manyTokens = 1000;

std::string runText(int64_t tokenCount, const Values &values) {
  return concat(
      {"T = ", std::to_string(tokenCount), ", seed ",
       std::to_string(values.seed), values.special ? ", special values" : "",
       values.bits ? ", all bit patterns" : "",
       values.count
           ? concat({", ", countName, " = ", std::to_string(*values.count)})
           : ""});
}

} // namespace

Error FunctionCheck::run() {
  if (Error error = device.find(function.name, deviceHandle))
    return error;
  if (Error error = oracle.find(function.name, oracleHandle))
    return std::move(error).in("the oracle's library");
  bool hasTokens = std::find(function.symbols.begin(), function.symbols.end(),
                             "T") != function.symbols.end();
  for (int64_t count : options.tokens) {
    if (Error error = runTokens(count))
      return error;
    // Another number would be the same run.
    if (!hasTokens)
      break;
  }
  return judgeAll();
}

Error FunctionCheck::runTokens(int64_t tokenCount) {
  tokens.push_back(tokenCount);
  // Large runs have many rows of every kind, and take long.
  int64_t seeds = tokenCount > manyTokens ? 1 : options.seeds;
  for (int64_t i = 0; i < seeds; ++i) {
    Values values;
    values.seed = options.firstSeed + static_cast<uint64_t>(i);
    values.bits = options.bits;
    for (bool special : {false, true}) {
      // Every pattern has the special ones among them.
      if (special && values.bits)
        continue;
      values.special = special;
      values.count.reset();
      std::vector<int64_t> counts = countsToTry(tokenCount);
      if (counts.empty()) {
        if (Error error = runValues(tokenCount, values, i == 0))
          return error;
      }
      for (int64_t count : counts) {
        values.count = count;
        if (Error error = runValues(tokenCount, values, i == 0))
          return error;
      }
    }
    if (streams && i == 0)
      if (Error error = replay(tokenCount, values))
        return std::move(error).in(
            concat({"captured launch, ", runText(tokenCount, values)}));
  }
  return {};
}

std::optional<size_t> FunctionCheck::findCount() const {
  for (size_t i = 0; i < function.arguments.size(); ++i)
    if (function.arguments[i].name == countName)
      return i;
  return std::nullopt;
}

std::vector<int64_t> FunctionCheck::countsToTry(int64_t tokenCount) const {
  if (!findCount())
    return {};
  // Wrong counts mean no rows (negative) and all rows (too large).
  if (tokenCount > manyTokens)
    return {tokenCount - 1, tokenCount};
  std::vector<int64_t> counts = {
      -1, 0, 1, tokenCount - 1, tokenCount, tokenCount + 5};
  std::sort(counts.begin(), counts.end());
  counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
  return counts;
}

Error FunctionCheck::prepare(int64_t tokenCount, const Values &values) {
  symbols = symbolValues(function, tokenCount);
  placements.assign(function.arguments.size(), Placement());
  // Rows of even seeds start at any element; 64 keeps those of odd ones aligned
  // for every type.
  Spacing spacing = {values.seed % 2 ? 64 : 5, options.offset,
                     options.tight ? 0 : guardBytes};
  for (size_t i = 0; i < function.arguments.size(); ++i)
    if (Error error = placeArgument(function.arguments[i], symbols, spacing,
                                    placements[i]))
      return error;
  return {};
}

Error FunctionCheck::makeImages(const Values &values,
                                std::vector<MemoryImage> &images) const {
  images.resize(function.arguments.size());
  for (size_t i = 0; i < images.size(); ++i)
    if (Error error = fillImage(function.arguments[i], placements[i], symbols,
                                values, images[i]))
      return error;
  return {};
}

Error FunctionCheck::launchOracle(const std::vector<MemoryImage> &before,
                                  std::vector<MemoryImage> &after) const {
  after = before;
  Launcher launcher(oracle, function, nullptr);
  if (Error error = launcher.prepare(oracleHandle, placements))
    return error;
  if (Error error = launcher.upload(before))
    return error;
  if (Error error = launcher.launch())
    return error;
  return launcher.download(after);
}

Error FunctionCheck::launchDevice(const std::vector<MemoryImage> &before,
                                  bool again,
                                  std::vector<MemoryImage> &after) const {
  after = before;
  Launcher launcher(device, function, streams ? streams->get() : nullptr);
  if (Error error = launcher.prepare(deviceHandle, placements))
    return error;
  if (Error error = launcher.upload(before))
    return error;
  if (Error error = launcher.launch())
    return error;
  if (Error error = launcher.download(after))
    return error;
  if (!again)
    return {};
  std::vector<MemoryImage> second = before;
  if (Error error = launcher.upload(before))
    return error;
  if (Error error = launcher.launch())
    return error;
  if (Error error = launcher.download(second))
    return error;
  for (size_t i = 0; i < after.size(); ++i)
    if (after[i] != second[i])
      return Error(MLAFUSE_EXECUTION_FAILED,
                   concat({"argument ", quoted(function.arguments[i].name),
                           ": a second launch gave other bits"}));
  return {};
}

Error FunctionCheck::runValues(int64_t tokenCount, const Values &values,
                               bool again) {
  std::string where = runText(tokenCount, values);
  if (options.verbose)
    printf("  %s: %s\n", function.name.c_str(), where.c_str());
  std::vector<MemoryImage> before, actual, expected;
  if (Error error = prepare(tokenCount, values))
    return std::move(error).in(where);
  if (Error error = makeImages(values, before))
    return std::move(error).in(where);
  if (Error error = launchOracle(before, expected))
    return std::move(error).in(concat({"the CPU, ", where}));
  if (Error error = launchDevice(before, again, actual))
    return std::move(error).in(where);
  ++runs;
  return compare(before, actual, expected).in(where);
}

Error FunctionCheck::compare(const std::vector<MemoryImage> &before,
                             const std::vector<MemoryImage> &actual,
                             const std::vector<MemoryImage> &expected) {
  for (size_t i = 0; i < before.size(); ++i)
    if (Error error =
            compareArgument(function.arguments[i], placements[i], strictness,
                            before[i], actual[i], expected[i], tallies[i]))
      return error;
  // Where bits must be equal, the first difference is the one to look at.
  return strictness == Strictness::Bits ? judgeAll() : Error();
}

Error FunctionCheck::replay(int64_t tokenCount, Values values) {
  // One graph, replayed with new arguments in the same memory.
  std::vector<int64_t> counts = countsToTry(tokenCount);
  if (counts.empty())
    counts = {0, 0};
  values.special = false;
  if (Error error = prepare(tokenCount, values))
    return error;
  Launcher launcher(device, function, streams->get());
  if (Error error = launcher.prepare(deviceHandle, placements))
    return error;
  if (Error error = streams->beginCapture())
    return error;
  Error launched = launcher.launch();
  if (Error error = streams->endCapture())
    return launched ? std::move(launched) : std::move(error);
  if (launched)
    return launched;
  for (int64_t count : counts) {
    ++values.seed;
    if (findCount())
      values.count = count;
    // Placements stay: only the values may follow from the new seed.
    std::vector<MemoryImage> before, expected;
    if (Error error = makeImages(values, before))
      return error;
    if (Error error = launchOracle(before, expected))
      return error;
    std::vector<MemoryImage> actual = before;
    if (Error error = launcher.upload(before))
      return error;
    if (Error error = streams->replay())
      return error;
    if (Error error = launcher.download(actual))
      return error;
    ++runs;
    if (Error error = compare(before, actual, expected))
      return error;
  }
  return {};
}

Error FunctionCheck::judgeAll() const {
  int64_t movedScales = 0;
  for (size_t i = 0; i < tallies.size(); ++i)
    if (isScales(function.arguments[i]))
      movedScales += tallies[i].far;
  for (size_t i = 0; i < tallies.size(); ++i)
    if (Error error =
            judge(function.arguments[i], strictness, tallies[i], movedScales))
      return error;
  return {};
}

Tally FunctionCheck::getTotal() const {
  Tally total;
  for (const Tally &tally : tallies) {
    total.compared += tally.compared;
    total.differing += tally.differing;
    total.far += tally.far;
    total.worst = std::max(total.worst, tally.worst);
  }
  return total;
}

} // namespace mlafuse::rt
