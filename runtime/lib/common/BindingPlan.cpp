//===- BindingPlan.cpp - a function's arguments for fast checks -------===//
#include "BindingPlan.h"
#include "ElementType.h"

namespace mlafuse::rt {

BindingPlan::BindingPlan(const Function &function) : function(function) {
  for (size_t i = 0; i < function.arguments.size(); ++i) {
    const Argument &argument = function.arguments[i];
    tensors.push_back(
        {argument.type, static_cast<int32_t>(argument.shape.size()),
         typeBytes(argument.type), argument.layout == MLAFUSE_STRIDED,
         argument.access != MLAFUSE_READ});
    descriptorWords += 3 + 2 * argument.shape.size();
    for (size_t d = 0; d < argument.shape.size(); ++d) {
      const Dim &dim = argument.shape[d];
      sizes.push_back({dim.kind, dim.value});
      if (dim.kind != Dim::Kind::Static && dim.kind != Dim::Kind::Symbol)
        expressions.push_back({i, d, &dim});
    }
  }
}

} // namespace mlafuse::rt
