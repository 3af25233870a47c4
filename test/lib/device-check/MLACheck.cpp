//===- MLACheck.cpp - one function of MLA on both devices -------------===//
#include "MLACheck.h"
#include "Outputs.h"
#include "Values.h"

#include <cstring>
#include <set>

namespace mlafuse::rt {
namespace {

/// Bytes of workspaces: NaN in every float type, and a plausible number.
constexpr uint8_t nanPoison = 0xFF, otherPoison = 0x3C;

/// Above this, fewer variants of a run are tried.
constexpr int64_t manyTokens = 100;

const char *lengthsText(Lengths lengths) {
  switch (lengths) {
  case Lengths::Mixed:
    return "mixed lengths";
  case Lengths::Longest:
    return "longest lengths";
  case Lengths::Zero:
    return "lengths 0";
  case Lengths::One:
    return "lengths 1";
  }
  return "";
}

std::string runText(const MLAFunction &function, const MLASizes &sizes,
                    const MLAValues &values) {
  return concat(
      {"B = ", std::to_string(sizes.requests), ", seed ",
       std::to_string(values.seed),
       function.hasPaging() ? concat({", keys ", std::to_string(sizes.keys),
                                      ", ", lengthsText(values.lengths)})
                            : "",
       values.special ? ", special values" : "",
       values.count
           ? concat({", ", countName, " = ", std::to_string(*values.count)})
           : ""});
}

Compared compared(const Argument &argument, const Memories &before,
                  const Memories &actual, const Memories &expected) {
  const Memory &memory = memoryOf(before, argument);
  return {argument, memory.placement, memory.image,
          memoryOf(actual, argument).image, memoryOf(expected, argument).image};
}

} // namespace

Error MLACheck::run() {
  for (RunSize size : runSizes())
    if (Error error = runSize(size))
      return error;
  return {};
}

std::vector<RunSize> MLACheck::runSizes() const {
  if (function.hasPaging())
    return options.requests;
  std::vector<RunSize> sizes;
  for (int64_t tokens : options.projectionTokens)
    sizes.push_back({(tokens + function.queries - 1) / function.queries, 0});
  return sizes;
}

std::vector<std::optional<int64_t>>
MLACheck::counts(const MLASizes &sizes) const {
  if (!findArgument(*function.function, countName))
    return {std::nullopt};
  if (sizes.tokens > manyTokens)
    return {sizes.tokens / 2 + 1};
  // Wrong counts mean no rows (negative) and all rows (too large).
  std::set<int64_t> counts = {-1, 0, sizes.tokens / 2 + 1, sizes.tokens - 1,
                              sizes.tokens + 5};
  return {counts.begin(), counts.end()};
}

Error MLACheck::runSize(RunSize size) {
  // Large runs have many rows of every kind, and take long.
  int64_t seeds =
      size.requests * function.queries > manyTokens ? 1 : options.seeds;
  for (int64_t i = 0; i < seeds; ++i) {
    MLAValues values;
    values.seed = options.firstSeed + static_cast<uint64_t>(i);
    MLASizes sizes = sizesOf(function, size, values.seed);
    std::vector<std::optional<int64_t>> tried = counts(sizes);
    for (size_t j = 0; j < tried.size(); ++j) {
      values.count = tried[j];
      for (bool special : {false, true}) {
        // Of several counts, each has one kind of values with this seed.
        if (tried.size() > 1 && special != ((j + values.seed) % 2 == 0))
          continue;
        values.special = special;
        values.lengths = !special || values.seed % 3 == 0 ? Lengths::Mixed
                         : values.seed % 3 == 1           ? Lengths::Longest
                                                          : Lengths::One;
        if (Error error = runValues(sizes, values))
          return error;
      }
    }
  }
  if (streams)
    return replay(size);
  return {};
}

Error MLACheck::makeMemories(const Function &of, const MLASizes &sizes,
                             const MLAInputs &inputs,
                             Memories &memories) const {
  std::vector<int64_t> symbols = symbolValues(of, sizes);
  // Rows of even seeds start at any element, those of odd ones aligned.
  Spacing spacing = {sizes.isAligned ? 64 : 5, options.offset,
                     options.tight ? 0 : guardBytes};
  for (const Argument &argument : of.arguments) {
    auto [it, isNew] = memories.try_emplace(argument.name);
    if (!isNew)
      continue;
    Memory &memory = it->second;
    if (Error error =
            placeArgument(argument, symbols, spacing, memory.placement))
      return error;
    if (Error error = inputs.fill(argument, memory.placement, memory.image))
      return error;
  }
  return {};
}

Error MLACheck::launch(const Side &side, const Function &launched,
                       uint8_t poison, Memories &memories) const {
  const mlafuse_function *handle = nullptr;
  if (Error error = side.find(launched.name, handle))
    return error;
  ArgumentList list(launched, memories);
  bool isDevice = &side == &device;
  Launcher launcher(side, launched,
                    isDevice && streams ? streams->get() : nullptr);
  if (Error error = launcher.prepare(handle, list.placements))
    return error;
  if (Error error = launcher.poisonWorkspace(poison))
    return error;
  if (Error error = launcher.upload(list.images))
    return error;
  if (Error error = launcher.launch())
    return error;
  if (Error error = launcher.download(list.images))
    return error;
  list.store(memories);
  return {};
}

Error MLACheck::launchOracle(const Function &launched, const MLASizes &sizes,
                             const MLAInputs &inputs,
                             Memories &memories) const {
  if (Error error = makeMemories(launched, sizes, inputs, memories))
    return error;
  return launch(oracle, launched, nanPoison, memories).in("the CPU");
}

Error MLACheck::launchTwice(const Function &launched,
                            Memories &memories) const {
  Memories second = memories, before = memories;
  if (Error error = launch(device, launched, nanPoison, memories))
    return std::move(error).in(launched.name);
  if (Error error = launch(device, launched, otherPoison, second))
    return std::move(error).in(launched.name);
  if (Error error = checkUntouched(launched, before, memories))
    return std::move(error).in(launched.name);
  return checkSame(launched, memories, second,
                   "a second launch, with other bytes in the workspace, gave "
                   "other bits")
      .in(launched.name);
}

Error MLACheck::runValues(const MLASizes &sizes, const MLAValues &values,
                          Memories *results) {
  std::string where = runText(function, sizes, values);
  if (options.verbose)
    printf("  %s: %s\n", function.function->name.c_str(), where.c_str());
  MLAInputs inputs(function, sizes, values);
  Memories before;
  if (Error error = makeMemories(*function.function, sizes, inputs, before))
    return std::move(error).in(where);
  Memories actual = before;
  ++runs;
  if (Error error = launchTwice(*function.function, actual))
    return std::move(error).in(where);
  if (results)
    *results = actual;
  if (function.hasKey())
    return checkKeyed(sizes, inputs, before, actual).in(where);
  const Function &wanted =
      function.unrounded ? *function.unrounded : *function.function;
  Memories expected;
  if (Error error = launchOracle(wanted, sizes, inputs, expected))
    return std::move(error).in(where);
  return checkUnkeyed(inputs, before, actual, expected).in(where);
}

Error MLACheck::checkUnkeyed(const MLAInputs &inputs, const Memories &before,
                             const Memories &actual, const Memories &expected) {
  const Function &written =
      function.hasKey() ? *function.unkeyed : *function.function;
  TokenRows rows = {function.hasKey() ? 0 : function.rowOffset(),
                    inputs.liveTokens(), function.heads};
  const Argument &output = *findArgument(written, "o");
  Compared outputs = compared(output, before, actual, expected);
  if (function.unrounded) {
    outputs.expectedArgument = findArgument(*function.unrounded, "o");
    outputs.expectedPlacement = &memoryOf(expected, output).placement;
  }
  if (Error error =
          compareRows(outputs, rows, rowBound(function.op, output.type), tally))
    return error;
  if (const Argument *lse = findArgument(written, "lse"))
    return compareLse(compared(*lse, before, actual, expected), rows,
                      lseBound(function.op), tally);
  return {};
}

Error MLACheck::checkKeyed(const MLASizes &sizes, const MLAInputs &inputs,
                           const Memories &before, Memories &actual) {
  // The same op without a key, on both devices.
  Memories unkeyedBefore = before;
  if (Error error =
          makeMemories(*function.unkeyed, sizes, inputs, unkeyedBefore))
    return error;
  Memories unkeyed = unkeyedBefore, expected = unkeyedBefore;
  if (Error error = launchTwice(*function.unkeyed, unkeyed))
    return error;
  if (Error error = launch(oracle, *function.unkeyed, nanPoison, expected))
    return std::move(error).in("the CPU");
  Memories unrounded;
  if (function.unrounded)
    if (Error error =
            launchOracle(*function.unrounded, sizes, inputs, unrounded))
      return error;
  if (Error error = checkUnkeyed(inputs, unkeyedBefore, unkeyed,
                                 function.unrounded ? unrounded : expected))
    return std::move(error).in(function.unkeyed->name);

  // What the CPU makes of each.
  Memories wanted = unkeyed;
  for (Memories *memories : {&wanted, &expected})
    if (Error error = launch(oracle, *function.quantize, nanPoison, *memories))
      return std::move(error).in("the CPU");
  if (Error error = checkEpilogue(before, actual, wanted))
    return error;
  TokenRows rows = {function.rowOffset(), inputs.liveTokens(), function.heads};
  if (const Argument *lse = findArgument(*function.function, "lse"))
    if (Error error = compareLse(compared(*lse, before, actual, expected), rows,
                                 lseBound(function.op), tally))
      return error;
  return checkNumbers(sizes, rows, actual, expected,
                      expected.find("o")->second);
}

Error MLACheck::checkEpilogue(const Memories &before, const Memories &actual,
                              const Memories &wanted) const {
  for (const Argument &argument : function.quantize->arguments) {
    if (argument.access == MLAFUSE_READ)
      continue;
    Tally bits;
    Error error = compareArgument(
        argument, memoryOf(before, argument).placement, Strictness::Bits,
        memoryOf(before, argument).image, memoryOf(actual, argument).image,
        memoryOf(wanted, argument).image, bits);
    if (!error)
      error = judge(argument, Strictness::Bits, bits, 0);
    if (error)
      return std::move(error).in(
          "the epilogue's, against quantize of the device's output without a "
          "key");
  }
  return {};
}

Error MLACheck::scalesByElement(const MLASizes &sizes, const Memories &memories,
                                std::vector<float> &scales) const {
  const Function &dequantize = *function.dequantize;
  MLAInputs none(function, MLASizes(), MLAValues());
  Memories ones = memories;
  if (Error error = makeMemories(dequantize, sizes, none, ones))
    return error;
  const Argument &codes = *findByPrefix(dequantize, "codes");
  Memory &memory = ones.find(codes.name)->second;
  // 1, as two f4E2M1FN or as f8E4M3FN.
  std::memset(memory.image.data() + memory.placement.begin,
              codes.type == MLAFUSE_I8 ? 0x22 : 0x38,
              static_cast<size_t>(memory.placement.elements()));
  if (Error error = launch(oracle, dequantize, nanPoison, ones))
    return std::move(error).in("the CPU");
  const Memory &result = ones.find("y")->second;
  scales.resize(static_cast<size_t>(result.placement.elements()));
  if (!scales.empty())
    std::memcpy(scales.data(), result.image.data() + result.placement.begin,
                scales.size() * sizeof(float));
  return {};
}

Error MLACheck::checkNumbers(const MLASizes &sizes, const TokenRows &rows,
                             const Memories &actual, const Memories &expected,
                             const Memory &source) {
  std::vector<float> actualScales, expectedScales;
  if (Error error = scalesByElement(sizes, actual, actualScales))
    return error;
  if (Error error = scalesByElement(sizes, expected, expectedScales))
    return error;
  const Argument &codes = *findByPrefix(*function.function, "codes");
  const Argument *scales = findByPrefix(*function.function, "scales");
  const Argument &output = *findArgument(*function.unkeyed, "o");
  Dequantized values = {codes,
                        memoryOf(actual, codes).placement,
                        memoryOf(actual, codes).image,
                        memoryOf(expected, codes).image,
                        actualScales.data(),
                        expectedScales.data(),
                        source.image,
                        output,
                        source.placement,
                        std::nullopt,
                        1};
  if (scales)
    values.scaleType = scales->type;
  if (auto it = expected.find("global_scale"); it != expected.end()) {
    float number;
    std::memcpy(&number, it->second.image.data() + it->second.placement.begin,
                sizeof(number));
    values.globalScale = number;
  }
  return compareDequantized(values, rows, tally);
}

Error MLACheck::capture(const MLASizes &sizes, const MLAValues &values,
                        Launcher &launcher) const {
  MLAInputs inputs(function, sizes, values);
  Memories memories;
  if (Error error = makeMemories(*function.function, sizes, inputs, memories))
    return error;
  ArgumentList list(*function.function, memories);
  const mlafuse_function *handle = nullptr;
  if (Error error = device.find(function.function->name, handle))
    return error;
  if (Error error = launcher.prepare(handle, list.placements))
    return error;
  if (Error error = launcher.poisonWorkspace(nanPoison))
    return error;
  if (Error error = launcher.upload(list.images))
    return error;
  if (Error error = streams->beginCapture())
    return error;
  Error launched = launcher.launch();
  if (Error error = streams->endCapture())
    return launched ? std::move(launched) : std::move(error);
  return launched;
}

Error MLACheck::replay(RunSize size) {
  // Captured with no keys, and replayed with others; the memory and its
  // addresses stay.
  MLAValues values;
  values.seed = options.firstSeed;
  MLASizes sizes = sizesOf(function, size, values.seed);
  bool hasCount = findArgument(*function.function, countName) != nullptr;
  if (hasCount)
    values.count = 1;
  values.lengths = Lengths::Zero;
  Launcher launcher(device, *function.function, streams->get());
  if (Error error = capture(sizes, values, launcher))
    return std::move(error).in("capture of a launch");
  for (Lengths lengths : {Lengths::Longest, Lengths::Zero, Lengths::Mixed}) {
    ++values.seed;
    values.lengths = lengths;
    if (hasCount)
      values.count = sizes.tokens - (lengths == Lengths::Mixed ? 1 : 0);
    Memories direct;
    if (Error error = runValues(sizes, values, &direct))
      return error;
    if (Error error = replayOnce(sizes, values, launcher, direct))
      return std::move(error).in(
          concat({"captured launch, ", runText(function, sizes, values)}));
  }
  return {};
}

Error MLACheck::replayOnce(const MLASizes &sizes, const MLAValues &values,
                           Launcher &launcher, const Memories &direct) const {
  const Function &captured = *function.function;
  MLAInputs inputs(function, sizes, values);
  Memories memories;
  if (Error error = makeMemories(captured, sizes, inputs, memories))
    return error;
  ArgumentList list(captured, memories);
  if (Error error = launcher.upload(list.images))
    return error;
  if (Error error = streams->replay())
    return error;
  if (Error error = launcher.download(list.images))
    return error;
  list.store(memories);
  return checkSame(captured, memories, direct,
                   "a captured launch gave other bits than a direct one");
}

} // namespace mlafuse::rt
