//===- ScaleRule.cpp - #mlafuse.scale_rule --------------------------------===//

#include "MLAFuse/IR/Attrs.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace mlafuse;

namespace {
/// Fields while they are parsed; each may be given once.
struct RuleFields {
  FloatAttr floor, max, maxFnuz;
  bool floorOnScale = false;
  std::optional<bool> ue8m0, reciprocal;
};
} // namespace

/// Where systems that users name differ: vLLM's kernels use 224 as the e4m3fnuz
/// maximum; DeepSeek's act_quant has 1e-4 on absmax; AITER multiplies by the
/// reciprocal. False if `name` is no preset.
static bool getPreset(StringRef name, Builder &builder, RuleFields &fields) {
  if (name == "vllm") {
    fields.maxFnuz = builder.getF64FloatAttr(224);
  } else if (name == "deepseek") {
    fields.floor = builder.getF64FloatAttr(1e-4);
    fields.reciprocal = false;
  } else if (name == "aiter") {
    fields.floor = builder.getF64FloatAttr(1e-10);
    fields.reciprocal = true;
  } else {
    return false;
  }
  return true;
}

/// Sets the fields of `preset`, none of which may be set.
static ParseResult applyPreset(AsmParser &parser, SMLoc loc, StringRef name,
                               const RuleFields &preset, RuleFields &fields) {
  StringRef twice = preset.floor && fields.floor             ? "floor"
                    : preset.reciprocal && fields.reciprocal ? "quotient"
                    : preset.maxFnuz && fields.maxFnuz       ? "max_fnuz"
                                                             : "";
  if (!twice.empty())
    return parser.emitError(loc, "'")
           << twice << "' is given twice: the preset '" << name << "' sets it";
  if (preset.floor)
    fields.floor = preset.floor;
  if (preset.reciprocal)
    fields.reciprocal = preset.reciprocal;
  if (preset.maxFnuz)
    fields.maxFnuz = preset.maxFnuz;
  return success();
}

static ParseResult parsePositive(AsmParser &parser, StringRef field,
                                 FloatAttr &result) {
  SMLoc loc = parser.getCurrentLocation();
  double value;
  if (result)
    return parser.emitError(loc, "'") << field << "' is given twice";
  if (parser.parseFloat(value))
    return failure();
  result = parser.getBuilder().getF64FloatAttr(value);
  return success();
}

static ParseResult parseChoice(AsmParser &parser, StringRef field,
                               StringRef yes, StringRef no,
                               std::optional<bool> &result) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef word;
  if (parser.parseKeyword(&word))
    return failure();
  if (result)
    return parser.emitError(loc, "'") << field << "' is given twice";
  if (word != yes && word != no)
    return parser.emitError(loc, "'") << field << "' is '" << no << "' or '"
                                      << yes << "', got '" << word << "'";
  result = word == yes;
  return success();
}

static ParseResult parseField(AsmParser &parser, RuleFields &fields) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef field;
  if (parser.parseKeyword(&field))
    return failure();
  Builder &builder = parser.getBuilder();
  RuleFields preset;
  if (getPreset(field, builder, preset))
    return applyPreset(parser, loc, field, preset, fields);
  if (field != "floor" && field != "rounding" && field != "quotient" &&
      field != "max" && field != "max_fnuz")
    return parser.emitError(loc, "unknown scale rule field '")
           << field
           << "'; known: floor, rounding, quotient, max, max_fnuz, and the "
              "presets vllm, deepseek, aiter";
  if (parser.parseEqual())
    return failure();
  if (field == "rounding")
    return parseChoice(parser, field, "ue8m0", "none", fields.ue8m0);
  if (field == "quotient")
    return parseChoice(parser, field, "reciprocal", "divide",
                       fields.reciprocal);
  if (field == "max")
    return parsePositive(parser, field, fields.max);
  if (field == "max_fnuz")
    return parsePositive(parser, field, fields.maxFnuz);

  std::optional<bool> onScale;
  if (parsePositive(parser, field, fields.floor) || parser.parseKeyword("on") ||
      parseChoice(parser, "on", "scale", "absmax", onScale))
    return failure();
  fields.floorOnScale = *onScale;
  return success();
}

Attribute ScaleRuleAttr::parse(AsmParser &parser, Type) {
  RuleFields fields;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater, [&] {
        return parseField(parser, fields);
      }))
    return {};
  return parser.getChecked<ScaleRuleAttr>(
      loc, parser.getContext(), fields.floor, fields.floorOnScale,
      fields.ue8m0.value_or(false), fields.reciprocal, fields.max,
      fields.maxFnuz);
}

void ScaleRuleAttr::print(AsmPrinter &printer) const {
  printer << "<";
  StringRef separator = "";
  auto field = [&](StringRef name) -> raw_ostream & {
    printer << separator << name << " = ";
    separator = ", ";
    return printer.getStream();
  };
  auto number = [&](FloatAttr value) { printer.printFloat(value.getValue()); };
  if (getFloor()) {
    field("floor");
    number(getFloor());
    printer << " on " << (getFloorOnScale() ? "scale" : "absmax");
  }
  if (getUe8m0())
    field("rounding") << "ue8m0";
  if (getReciprocal())
    field("quotient") << (*getReciprocal() ? "reciprocal" : "divide");
  if (getMax()) {
    field("max");
    number(getMax());
  }
  if (getMaxFnuz()) {
    field("max_fnuz");
    number(getMaxFnuz());
  }
  printer << ">";
}

LogicalResult
ScaleRuleAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                      FloatAttr floor, bool floorOnScale, bool ue8m0,
                      std::optional<bool> reciprocal, FloatAttr max,
                      FloatAttr maxFnuz) {
  // Numbers are read as doubles and used as f32.
  auto isPositiveF32 = [](FloatAttr attr) {
    float value = static_cast<float>(attr.getValueAsDouble());
    return value > 0 && value <= std::numeric_limits<float>::max();
  };
  const std::pair<StringRef, FloatAttr> numbers[] = {
      {"floor", floor}, {"max", max}, {"max_fnuz", maxFnuz}};
  for (auto [name, attr] : numbers)
    if (attr && !isPositiveF32(attr))
      return emitError() << "'" << name
                         << "' must be a positive number that f32 holds, got "
                         << attr.getValueAsDouble();
  if (!floor && floorOnScale)
    return emitError() << "'on scale' needs a floor";
  return success();
}
