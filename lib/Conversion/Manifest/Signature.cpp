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

static void readTensor(DictionaryAttr members, TensorSignature &tensor) {
  tensor.name = members.getAs<StringAttr>("name").str();
  llvm::append_range(tensor.shape, members.getAs<ArrayAttr>("shape"));
}

std::optional<FunctionSignature> FunctionSignature::get(func::FuncOp function) {
  auto attr = function->getAttrOfType<DictionaryAttr>(kSignatureAttr);
  if (!attr)
    return std::nullopt;
  FunctionSignature signature;
  signature.name = attr.getAs<StringAttr>("name").str();
  for (auto members :
       attr.getAs<ArrayAttr>("arguments").getAsRange<DictionaryAttr>()) {
    ArgumentSignature &argument = signature.arguments.emplace_back();
    readTensor(members, argument);
    argument.elementType = members.getAs<TypeAttr>("type").getValue();
    argument.strided = members.getAs<StringAttr>("layout") == "strided";
    argument.access = members.getAs<StringAttr>("access").str();
    argument.range = members.getAs<ArrayAttr>("range");
    argument.distinct = members.contains("distinct");
  }
  for (auto members :
       attr.getAs<ArrayAttr>("results").getAsRange<DictionaryAttr>()) {
    ResultSignature &result = signature.results.emplace_back();
    readTensor(members, result);
    if (auto argument = members.getAs<IntegerAttr>("argument"))
      result.argument = argument.getInt();
  }
  return signature;
}

SmallVector<func::FuncOp> mlafuse::getEntries(ModuleOp module) {
  return llvm::to_vector(
      llvm::make_filter_range(module.getOps<func::FuncOp>(), [](auto function) {
        return function->hasAttr(kSignatureAttr);
      }));
}
