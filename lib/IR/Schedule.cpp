//===- Schedule.cpp - #mlafuse.schedule -----------------------------------===//

#include "MLAFuse/IR/Attrs.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlafuse;

using Parameters = decltype(std::declval<ScheduleAttr>().getNamedParameters());

/// The names in text, with the values in the order of the attribute's fields.
template <typename... Values>
static Parameters nameParameters(Values... values) {
  static constexpr StringLiteral names[] = {
      "tile_rows", "stages", "block_keys",     "warpgroups",   "warps",
      "groups",    "splits", "split_overhead", "tile_columns", "tile_depth"};
  static_assert(std::size(names) == sizeof...(Values));
  Parameters parameters;
  std::optional<int64_t> list[] = {values...};
  for (auto [parameter, name, value] : llvm::zip(parameters, names, list))
    parameter = {name, value};
  return parameters;
}

Parameters ScheduleAttr::getNamedParameters() const {
  return nameParameters(getTileRows(), getStages(), getBlockKeys(),
                        getWarpgroups(), getWarps(), getGroups(), getSplits(),
                        getSplitOverhead(), getTileColumns(), getTileDepth());
}

/// The attribute of these values.
template <typename Get>
static ScheduleAttr build(const Parameters &parameters, Get get) {
  return std::apply(
      [&](const auto &...parameter) { return get(parameter.second...); },
      parameters);
}

ScheduleAttr ScheduleAttr::overriddenBy(ScheduleAttr other) const {
  Parameters parameters = getNamedParameters();
  for (auto [own, theirs] : llvm::zip(parameters, other.getNamedParameters()))
    if (theirs.second)
      own.second = theirs.second;
  return build(parameters, [&](auto... values) {
    return ScheduleAttr::get(getContext(), values...);
  });
}

static ParseResult parseParameter(AsmParser &parser, Parameters &parameters) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef name;
  if (parser.parseKeyword(&name))
    return failure();
  auto *parameter =
      llvm::find_if(parameters, [&](const ScheduleAttr::Parameter &known) {
        return known.first == name;
      });
  if (parameter == parameters.end())
    return parser.emitError(loc, "unknown schedule parameter '")
           << name << "'; known: "
           << llvm::join(llvm::make_first_range(parameters), ", ");
  if (parameter->second)
    return parser.emitError(loc, "'") << name << "' is given twice";
  return failure(parser.parseEqual() ||
                 parser.parseInteger(parameter->second.emplace()));
}

Attribute ScheduleAttr::parse(AsmParser &parser, Type) {
  constexpr size_t count = std::tuple_size_v<Parameters>;
  SMLoc loc = parser.getCurrentLocation();
  Parameters parameters =
      std::apply([](auto... values) { return nameParameters(values...); },
                 std::array<std::optional<int64_t>, count>());
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater, [&] {
        return parseParameter(parser, parameters);
      }))
    return {};
  return build(parameters, [&](auto... values) {
    return parser.getChecked<ScheduleAttr>(loc, parser.getContext(), values...);
  });
}

void ScheduleAttr::print(AsmPrinter &printer) const {
  Parameters parameters = getNamedParameters();
  auto given =
      llvm::make_filter_range(parameters, [](const Parameter &parameter) {
        return parameter.second.has_value();
      });
  printer << "<";
  llvm::interleaveComma(given, printer, [&](const Parameter &parameter) {
    printer << parameter.first << " = " << *parameter.second;
  });
  printer << ">";
}

LogicalResult ScheduleAttr::verify(
    function_ref<InFlightDiagnostic()> emitError,
    std::optional<int64_t> tileRows, std::optional<int64_t> stages,
    std::optional<int64_t> blockKeys, std::optional<int64_t> warpgroups,
    std::optional<int64_t> warps, std::optional<int64_t> groups,
    std::optional<int64_t> splits, std::optional<int64_t> splitOverhead,
    std::optional<int64_t> tileColumns, std::optional<int64_t> tileDepth) {
  for (auto [name, value] :
       nameParameters(tileRows, stages, blockKeys, warpgroups, warps, groups,
                      splits, splitOverhead, tileColumns, tileDepth))
    if (value && *value <= 0)
      return emitError() << "'" << name << "' must be positive, got " << *value;
  return success();
}
