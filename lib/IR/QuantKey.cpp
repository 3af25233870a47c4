//===- QuantKey.cpp - #mlafuse.quant_key ----------------------------------===//

#include "MLAFuse/IR/Attrs.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace mlafuse;

//===----------------------------------------------------------------------===//
// Well-known keys
//===----------------------------------------------------------------------===//

namespace {
enum class NarrowType { F8E4M3FN, F4E2M1FN, F32, F8E8M0FNU, None };

struct KnownKey {
  StringLiteral name;
  NarrowType data, scale;
  bool isStatic;
  int64_t rows, columns;
  NarrowType secondScale;
};

// The names are vLLM's QuantKey constants in snake case.
constexpr KnownKey knownKeys[] = {
    {"fp8_static_tensor_sym", NarrowType::F8E4M3FN, NarrowType::F32, true, -1,
     -1, NarrowType::None},
    {"fp8_dynamic_tensor_sym", NarrowType::F8E4M3FN, NarrowType::F32, false, -1,
     -1, NarrowType::None},
    {"fp8_dynamic_token_sym", NarrowType::F8E4M3FN, NarrowType::F32, false, 1,
     -1, NarrowType::None},
    {"fp8_dynamic_128_sym", NarrowType::F8E4M3FN, NarrowType::F32, false, 1,
     128, NarrowType::None},
    {"fp8_dynamic_64_sym", NarrowType::F8E4M3FN, NarrowType::F32, false, 1, 64,
     NarrowType::None},
    {"nvfp4_dynamic", NarrowType::F4E2M1FN, NarrowType::F8E4M3FN, false, 1, 16,
     NarrowType::F32},
    {"mxfp8_dynamic", NarrowType::F8E4M3FN, NarrowType::F8E8M0FNU, false, 1, 32,
     NarrowType::None},
    {"mxfp4_dynamic", NarrowType::F4E2M1FN, NarrowType::F8E8M0FNU, false, 1, 32,
     NarrowType::None},
    {"fp8_static_channel_sym", NarrowType::F8E4M3FN, NarrowType::F32, true, -1,
     1, NarrowType::None},
    {"fp8_static_128_block_sym", NarrowType::F8E4M3FN, NarrowType::F32, true,
     128, 128, NarrowType::None},
};
} // namespace

static Type getNarrowType(MLIRContext *context, NarrowType type) {
  switch (type) {
  case NarrowType::F8E4M3FN:
    return Float8E4M3FNType::get(context);
  case NarrowType::F4E2M1FN:
    return Float4E2M1FNType::get(context);
  case NarrowType::F32:
    return Float32Type::get(context);
  case NarrowType::F8E8M0FNU:
    return Float8E8M0FNUType::get(context);
  case NarrowType::None:
    return Type();
  }
  llvm_unreachable("unknown narrow type");
}

static QuantKeyAttr getKnown(MLIRContext *context, const KnownKey &key) {
  return QuantKeyAttr::get(context, getNarrowType(context, key.data),
                           getNarrowType(context, key.scale), key.isStatic,
                           key.rows, key.columns,
                           getNarrowType(context, key.secondScale),
                           /*symmetric=*/true);
}

QuantKeyAttr QuantKeyAttr::getByName(MLIRContext *context, StringRef name) {
  for (const KnownKey &key : knownKeys)
    if (key.name == name)
      return getKnown(context, key);
  return {};
}

StringRef QuantKeyAttr::getKnownName() const {
  for (const KnownKey &key : knownKeys)
    if (getKnown(getContext(), key) == *this)
      return key.name;
  return {};
}

bool QuantKeyAttr::isFP4() const {
  return isa<Float4E2M1FNType>(getDataType());
}

bool QuantKeyAttr::isNVFP4() const {
  return isFP4() && isa<Float8E4M3FNType>(getScaleType());
}

bool QuantKeyAttr::isMX() const {
  return isa<Float8E8M0FNUType>(getScaleType());
}

double QuantKeyAttr::getDataTypeMax() const {
  return APFloat::getLargest(cast<FloatType>(getDataType()).getFloatSemantics())
      .convertToDouble();
}

//===----------------------------------------------------------------------===//
// Text form
//===----------------------------------------------------------------------===//

Attribute QuantKeyAttr::parse(AsmParser &parser, Type) {
  MLIRContext *context = parser.getContext();
  if (parser.parseLess())
    return {};

  SMLoc nameLoc = parser.getCurrentLocation();
  Type dataType;
  OptionalParseResult typeResult = parser.parseOptionalType(dataType);
  if (!typeResult.has_value()) {
    StringRef name;
    if (parser.parseOptionalKeyword(&name)) {
      parser.emitError(nameLoc, "expected the name of a quantization key, or "
                                "its data type");
      return {};
    }
    if (QuantKeyAttr key = getByName(context, name))
      return failed(parser.parseGreater()) ? Attribute() : key;
    std::string known;
    for (const KnownKey &key : knownKeys)
      known += (known.empty() ? "" : ", ") + key.name.str();
    parser.emitError(nameLoc, "unknown quantization key '")
        << name << "'; known: " << known
        << "; or in full: f8E4M3FN, scale = f32, dynamic, group = [1, 128], "
           "sym";
    return {};
  }
  if (failed(*typeResult))
    return {};

  Type scaleType, secondScaleType;
  SmallVector<int64_t, 2> group;
  StringRef kind, symmetry;
  if (parser.parseComma() || parser.parseKeyword("scale") ||
      parser.parseEqual() || parser.parseType(scaleType) || parser.parseComma())
    return {};
  SMLoc kindLoc = parser.getCurrentLocation();
  if (parser.parseKeyword(&kind))
    return {};
  if (kind != "static" && kind != "dynamic") {
    parser.emitError(kindLoc, "expected 'static' or 'dynamic', got '")
        << kind << "'";
    return {};
  }
  if (parser.parseComma() || parser.parseKeyword("group") ||
      parser.parseEqual())
    return {};
  SMLoc groupLoc = parser.getCurrentLocation();
  auto parseSize = [&] {
    group.emplace_back();
    return parser.parseInteger(group.back());
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseSize))
    return {};
  if (group.size() != 2) {
    parser.emitError(groupLoc, "expected a group of [rows, columns]");
    return {};
  }
  if (parser.parseComma())
    return {};
  if (succeeded(parser.parseOptionalKeyword("scale2")) &&
      (parser.parseEqual() || parser.parseType(secondScaleType) ||
       parser.parseComma()))
    return {};
  SMLoc symmetryLoc = parser.getCurrentLocation();
  if (parser.parseKeyword(&symmetry))
    return {};
  if (symmetry != "sym" && symmetry != "asym") {
    parser.emitError(symmetryLoc, "expected 'sym' or 'asym', got '")
        << symmetry << "'";
    return {};
  }
  if (parser.parseGreater())
    return {};
  return parser.getChecked<QuantKeyAttr>(nameLoc, context, dataType, scaleType,
                                         kind == "static", group[0], group[1],
                                         secondScaleType, symmetry == "sym");
}

void QuantKeyAttr::print(AsmPrinter &printer) const {
  StringRef name = getKnownName();
  if (!name.empty()) {
    printer << "<" << name << ">";
    return;
  }
  printer << "<" << getDataType() << ", scale = " << getScaleType() << ", "
          << (getIsStatic() ? "static" : "dynamic") << ", group = ["
          << getGroupRows() << ", " << getGroupColumns() << "], ";
  if (getSecondScaleType())
    printer << "scale2 = " << getSecondScaleType() << ", ";
  printer << (getSymmetric() ? "sym" : "asym") << ">";
}

LogicalResult QuantKeyAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                   Type dataType, Type scaleType, bool isStatic,
                                   int64_t groupRows, int64_t groupColumns,
                                   Type secondScaleType, bool symmetric) {
  if (!isa<Float8E4M3FNType, Float8E4M3FNUZType, Float8E5M2Type,
           Float4E2M1FNType>(dataType))
    return emitError() << "data type must be f8E4M3FN, f8E4M3FNUZ, f8E5M2 or "
                          "f4E2M1FN, got "
                       << dataType;
  if (!isa<Float32Type, Float8E8M0FNUType, Float8E4M3FNType>(scaleType))
    return emitError() << "scale type must be f32, f8E8M0FNU or f8E4M3FN, got "
                       << scaleType;
  if (!symmetric)
    return emitError() << "only symmetric quantization is known ('sym')";
  for (int64_t size : {groupRows, groupColumns})
    if (size != -1 && size < 1)
      return emitError() << "group sizes are at least 1, or -1 for all, got "
                         << size;

  bool isGroup = groupRows == 1 && groupColumns >= 1;
  bool isFP4 = isa<Float4E2M1FNType>(dataType);
  if (isa<Float8E8M0FNUType>(scaleType)) {
    if (isStatic || !isGroup || groupColumns != 32 || secondScaleType)
      return emitError() << "f8E8M0FNU scales are dynamic, over groups of [1, "
                            "32], without a second scale";
    return success();
  }
  if (isa<Float8E4M3FNType>(scaleType)) {
    if (!isFP4 || isStatic || !isGroup || groupColumns != 16 ||
        !secondScaleType || !secondScaleType.isF32())
      return emitError() << "f8E4M3FN scales are dynamic, for f4E2M1FN in "
                            "groups of [1, 16], with scale2 = f32";
    return success();
  }
  if (isFP4)
    return emitError() << "f4E2M1FN data takes scales of f8E4M3FN or "
                          "f8E8M0FNU, got f32";
  if (secondScaleType)
    return emitError() << "a second scale goes with f8E4M3FN scales only";
  if (!isStatic && groupRows != 1 && !(groupRows == -1 && groupColumns == -1))
    return emitError() << "a dynamic scale is shared by a whole tensor "
                          "([-1, -1]) or within one row ([1, n]), got group = ["
                       << groupRows << ", " << groupColumns << "]";
  return success();
}
