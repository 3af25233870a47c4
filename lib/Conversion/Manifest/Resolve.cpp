//===- Resolve.cpp - sizes in the manifest's terms ------------------------===//

#include "Resolve.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;
using namespace mlafuse;

using Kind = DimDefinition::Kind;

DimResolver::DimResolver(MLIRContext *context, const DimSets &dims,
                         ArrayRef<Dim> argumentSizes)
    : context(context), dims(dims) {
  for (Dim dim : argumentSizes) {
    ofArguments.insert(dims.find(dim));
    if (StringRef name = dims.getGivenName(dim); !name.empty())
      names.insert(name);
  }
  // Names go by the order of the arguments, not of later questions.
  for (Dim dim : argumentSizes)
    resolve(dim);
}

Attribute DimResolver::resolve(Dim dim) {
  Dim set = dims.find(dim);
  Builder builder(context);
  if (std::optional<int64_t> number = dims.getNumber(set))
    return builder.getI64IntegerAttr(*number);
  // A size that is defined by itself is told by no definition.
  if (inProgress.insert(set).second) {
    llvm::scope_exit done([&] { inProgress.erase(set); });
    for (const DimDefinition &definition : dims.getDefinitions(set))
      if (Attribute expression = resolveDefinition(definition))
        return expression;
  } else {
    return {};
  }
  return ofArguments.contains(set) ? getSymbol(set) : Attribute();
}

static StringRef getKey(Kind kind) {
  switch (kind) {
  case Kind::Product:
    return "product";
  case Kind::Sum:
    return "sum";
  case Kind::Align:
    return "align";
  case Kind::CeilDiv:
    return "ceildiv";
  }
  llvm_unreachable("unknown kind of definition");
}

Attribute DimResolver::resolveDefinition(const DimDefinition &definition) {
  Builder builder(context);
  SmallVector<Attribute> members;
  for (Dim operand : definition.operands) {
    members.push_back(resolve(operand));
    if (!members.back())
      return {};
  }
  if (definition.kind == Kind::Align || definition.kind == Kind::CeilDiv)
    members.push_back(builder.getI64IntegerAttr(definition.number));
  return builder.getDictionaryAttr(builder.getNamedAttr(
      getKey(definition.kind), builder.getArrayAttr(members)));
}

Attribute DimResolver::getSymbol(Dim set) {
  Attribute &symbol = symbols[set];
  if (!symbol) {
    StringRef name = dims.getGivenName(set);
    StringRef base = dims.getSuggestedName(set);
    symbol = StringAttr::get(
        context,
        !name.empty() ? name.str() : getFreshName(base.empty() ? "N" : base));
  }
  return symbol;
}

std::string DimResolver::getFreshName(StringRef base) {
  std::string name = base.str();
  for (unsigned number = 1; !names.insert(name).second; ++number)
    name = (base + Twine(number)).str();
  return name;
}
