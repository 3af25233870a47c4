//===- Signature.cpp - what the manifest says of a function ---------------===//

#include "MLAFuse/Conversion/Signature.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace mlafuse;

static constexpr StringLiteral kSignatureAttr = "mlafuse.signature";

static void addTensor(Builder &builder, const TensorSignature &tensor,
                      NamedAttrList &members) {
  members.append("name", builder.getStringAttr(tensor.name));
  members.append("shape", builder.getArrayAttr(tensor.shape));
}

void FunctionSignature::attachTo(func::FuncOp function) const {
  Builder builder(function.getContext());
  SmallVector<Attribute> argumentAttrs, resultAttrs;
  for (const ArgumentSignature &argument : arguments) {
    NamedAttrList members;
    addTensor(builder, argument, members);
    members.append("type", TypeAttr::get(argument.elementType));
    members.append("layout", builder.getStringAttr(
                                 argument.strided ? "strided" : "contiguous"));
    members.append("access", builder.getStringAttr(argument.access));
    if (argument.range)
      members.append("range", argument.range);
    if (argument.distinct)
      members.append("distinct", builder.getUnitAttr());
    if (argument.offsets)
      members.append("offsets", argument.offsets);
    argumentAttrs.push_back(members.getDictionary(builder.getContext()));
  }
  for (const ResultSignature &result : results) {
    NamedAttrList members;
    addTensor(builder, result, members);
    if (result.argument)
      members.append("argument", builder.getI64IntegerAttr(*result.argument));
    resultAttrs.push_back(members.getDictionary(builder.getContext()));
  }
  function->setAttr(
      kSignatureAttr,
      builder.getDictionaryAttr(
          {builder.getNamedAttr("name", builder.getStringAttr(name)),
           builder.getNamedAttr("arguments",
                                builder.getArrayAttr(argumentAttrs)),
           builder.getNamedAttr("results",
                                builder.getArrayAttr(resultAttrs))}));
}

namespace {

/// Reads the attribute. Tools may run a pass on any text, so nothing is taken
/// for granted of its form.
class SignatureReader {
public:
  LogicalResult read(DictionaryAttr attr, FunctionSignature &signature) {
    auto arguments = attr.getAs<ArrayAttr>("arguments");
    auto results = attr.getAs<ArrayAttr>("results");
    if (!arguments || !results ||
        failed(readText(attr, "name", signature.name)))
      return failure();
    for (Attribute member : arguments)
      if (failed(readArgument(member, signature.arguments.emplace_back())))
        return failure();
    for (Attribute member : results)
      if (failed(readResult(member, signature.results.emplace_back())))
        return failure();
    return success();
  }

private:
  static LogicalResult readText(DictionaryAttr members, StringRef key,
                                std::string &text) {
    auto attr = members.getAs<StringAttr>(key);
    if (attr)
      text = attr.str();
    return success(attr != nullptr);
  }

  static bool isSize(Attribute attr) {
    if (auto number = dyn_cast_or_null<IntegerAttr>(attr))
      return number.getType().isSignlessInteger(64);
    if (auto expression = dyn_cast_or_null<DictionaryAttr>(attr)) {
      auto operands = expression.size() == 1
                          ? dyn_cast<ArrayAttr>(expression.begin()->getValue())
                          : ArrayAttr();
      return operands && llvm::all_of(operands, isSize);
    }
    return isa_and_nonnull<StringAttr>(attr);
  }

  static bool isBound(Attribute attr) {
    return isa<FloatAttr>(attr) || isSize(attr);
  }

  static LogicalResult readTensor(DictionaryAttr members,
                                  TensorSignature &tensor) {
    auto shape = members.getAs<ArrayAttr>("shape");
    if (!shape || !llvm::all_of(shape, isSize))
      return failure();
    llvm::append_range(tensor.shape, shape);
    return readText(members, "name", tensor.name);
  }

  static LogicalResult readArgument(Attribute attr,
                                    ArgumentSignature &argument) {
    auto members = dyn_cast<DictionaryAttr>(attr);
    std::string layout;
    if (!members || failed(readTensor(members, argument)) ||
        failed(readText(members, "layout", layout)) ||
        failed(readText(members, "access", argument.access)))
      return failure();
    auto type = members.getAs<TypeAttr>("type");
    if (!type)
      return failure();
    argument.elementType = type.getValue();
    argument.strided = layout == "strided";
    argument.range = members.getAs<ArrayAttr>("range");
    if (argument.range && !llvm::all_of(argument.range, isBound))
      return failure();
    argument.distinct = members.contains("distinct");
    argument.offsets = members.get("offsets");
    return success(!argument.offsets || isSize(argument.offsets));
  }

  static LogicalResult readResult(Attribute attr, ResultSignature &result) {
    auto members = dyn_cast<DictionaryAttr>(attr);
    if (!members || failed(readTensor(members, result)))
      return failure();
    if (auto argument = members.getAs<IntegerAttr>("argument"))
      result.argument = argument.getValue().getSExtValue();
    return success();
  }
};

} // namespace

FailureOr<FunctionSignature> FunctionSignature::get(func::FuncOp function) {
  auto attr = function->getAttrOfType<DictionaryAttr>(kSignatureAttr);
  FunctionSignature signature;
  if (attr && succeeded(SignatureReader().read(attr, signature)))
    return signature;
  function.emitError("'")
      << kSignatureAttr
      << "' does not have the form that 'mlafuse-describe' gives it";
  return failure();
}

SmallVector<func::FuncOp> mlafuse::getEntries(ModuleOp module) {
  return llvm::to_vector(
      llvm::make_filter_range(module.getOps<func::FuncOp>(), [](auto function) {
        return !function.isExternal() && function->hasAttr(kSignatureAttr);
      }));
}
