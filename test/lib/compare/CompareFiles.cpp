//===- CompareFiles.cpp - files of results ----------------------------===//
#include "Compare.h"

#include <cstring>
#include <set>

namespace mlafuse::rt {
namespace {

constexpr std::string_view outputPrefix = "out_";
constexpr std::string_view contractedMark = "_contracted";
constexpr std::string_view scaleSuffix = "_scale";

bool endsWith(std::string_view text, std::string_view end) {
  return text.size() >= end.size() &&
         text.substr(text.size() - end.size()) == end;
}

bool isContracted(std::string_view name) {
  return name.find(contractedMark) != std::string_view::npos;
}

/// The name of a contracted output: the mark stands at the end, or in front of
/// `_scale`.
std::string findContracted(const SafeTensorsFile &golden,
                           const std::string &name) {
  std::string marked = concat({name, contractedMark});
  if (golden.find(marked))
    return marked;
  if (endsWith(name, scaleSuffix)) {
    std::string_view stem(name.data(), name.size() - scaleSuffix.size());
    marked = concat({stem, contractedMark, scaleSuffix});
    if (golden.find(marked))
      return marked;
  }
  return name;
}

/// Compares the results with the golden outputs that they name.
class GoldenComparison {
public:
  GoldenComparison(const SafeTensorsFile &actual, const SafeTensorsFile &golden,
                   const GoldenOptions &options, Report &report)
      : actual(actual), golden(golden), options(options), report(report) {}

  Error run() {
    if (Error error = readMetadata())
      return error;
    for (const auto &[from, to] : options.names)
      if (!actual.find(from))
        report.add(false, concat({from,
                                  ": no result has this name, which is "
                                  "to be compared with ",
                                  to}));
    for (const SafeTensor &result : actual.getTensors())
      if (Error error = compare(result))
        return error;
    if (!options.partial)
      findMissing();
    if (compared.empty())
      report.add(false, "nothing was compared");
    return {};
  }

private:
  Error readMetadata() {
    const auto &metadata = golden.getMetadata();
    auto tolerance = metadata.find("tolerance");
    if (tolerance == metadata.end())
      return Error(MLAFUSE_INVALID_ARGUMENT,
                   "the golden file has no metadata 'tolerance'");
    if (Error error = parseTolerances(tolerance->second, tolerances))
      return error;
    auto text = metadata.find("encodings");
    return text == metadata.end() ? Error()
                                  : parseEncodings(text->second, encodings);
  }

  Error compare(const SafeTensor &result) {
    auto renamed = options.names.find(result.name);
    std::string name =
        renamed == options.names.end() ? result.name : renamed->second;
    if (options.contracted)
      name = findContracted(golden, name);
    const SafeTensor *expected = golden.find(name);
    auto tolerance = tolerances.find(name);
    if (!expected || tolerance == tolerances.end()) {
      report.add(false, concat({result.name, ": the golden file has no output ",
                                quoted(name)}));
      return {};
    }
    compared.insert(name);
    auto encoding = encodings.find(name);
    return compareTensors(result, *expected,
                          encoding == encodings.end() ? std::string()
                                                      : encoding->second,
                          tolerance->second, report);
  }

  void findMissing() {
    for (const SafeTensor &tensor : golden.getTensors()) {
      const std::string &name = tensor.name;
      bool isOutput =
          std::string_view(name).substr(0, outputPrefix.size()) == outputPrefix;
      bool isWanted =
          options.contracted
              ? isContracted(name) || findContracted(golden, name) == name
              : !isContracted(name);
      if (isOutput && isWanted && !compared.count(name))
        report.add(false, concat({name, ": the results lack it"}));
    }
  }

  const SafeTensorsFile &actual;
  const SafeTensorsFile &golden;
  const GoldenOptions &options;
  Report &report;
  std::map<std::string, Tolerance> tolerances;
  std::map<std::string, std::string> encodings;
  std::set<std::string> compared;
};

} // namespace

Error compareGolden(const SafeTensorsFile &actual,
                    const SafeTensorsFile &golden, const GoldenOptions &options,
                    Report &report) {
  return GoldenComparison(actual, golden, options, report).run();
}

void compareBits(const SafeTensorsFile &a, const SafeTensorsFile &b,
                 Report &report) {
  for (const SafeTensor &tensor : a.getTensors()) {
    const SafeTensor *other = b.find(tensor.name);
    if (!other) {
      report.add(false, concat({tensor.name, ": only the first file has it"}));
      continue;
    }
    if (tensor.dtype != other->dtype || tensor.shape != other->shape) {
      report.add(false, concat({tensor.name, ": ", tensor.dtype, " ",
                                shapeText(tensor.shape), " in the first file, ",
                                other->dtype, " ", shapeText(other->shape),
                                " in the second"}));
      continue;
    }
    int64_t differing = 0, first = 0;
    for (size_t i = tensor.bytes; i-- > 0;)
      if (tensor.data[i] != other->data[i]) {
        ++differing;
        first = static_cast<int64_t>(i);
      }
    std::string line =
        concat({tensor.name, ": ", std::to_string(tensor.bytes), " bytes, ",
                std::to_string(differing), " differ"});
    if (differing > 0)
      line += concat({"; first is byte ", std::to_string(first)});
    report.add(differing == 0, line);
  }
  for (const SafeTensor &tensor : b.getTensors())
    if (!a.find(tensor.name))
      report.add(false, concat({tensor.name, ": only the second file has it"}));
  if (a.getTensors().empty() && b.getTensors().empty())
    report.add(false, "nothing was compared");
}

} // namespace mlafuse::rt
