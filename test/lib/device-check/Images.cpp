//===- Images.cpp - what the memory of an argument holds --------------===//
#include "Images.h"
#include "ElementType.h"

namespace mlafuse::rt {

std::vector<int64_t> symbolValues(const Function &function, int64_t tokens) {
  constexpr int64_t anyOther = 3;
  std::vector<int64_t> values;
  for (const std::string &symbol : function.symbols)
    values.push_back(symbol == "T"       ? tokens
                     : symbol == "pages" ? tokens / 16 + 2
                                         : anyOther);
  return values;
}

Error placeArgument(const Argument &argument,
                    const std::vector<int64_t> &symbols, Spacing spacing,
                    Placement &placement) {
  placement = Placement();
  placement.elementBytes = typeBytes(argument.type);
  for (const Dim &dim : argument.shape) {
    std::optional<int64_t> size = evaluate(dim, symbols.data());
    if (!size)
      return Error(MLAFUSE_INVALID_ARGUMENT,
                   concat({"argument ", quoted(argument.name), ": its size ",
                           dim.text, " does not fit 64 bits"}));
    placement.shape.push_back(*size);
  }
  placement.width = placement.shape.empty() ? 1 : placement.shape.back();
  placement.rows = 1;
  for (size_t d = 0; d + 1 < placement.shape.size(); ++d)
    placement.rows *= placement.shape[d];
  placement.pitch = placement.width;
  if (argument.layout == MLAFUSE_STRIDED)
    placement.pitch += spacing.gap;

  placement.strides.assign(placement.shape.size(), 1);
  int64_t stride = placement.pitch;
  for (size_t d = placement.shape.size(); d-- > 1;) {
    placement.strides[d - 1] = stride;
    stride *= placement.shape[d - 1];
  }
  placement.begin = spacing.guard + static_cast<size_t>(spacing.offset *
                                                        placement.elementBytes);
  size_t end =
      placement.elements() == 0
          ? placement.begin
          : placement.rowBegin(placement.rows - 1) + placement.rowBytes();
  placement.bytes = end + spacing.guard;
  return {};
}

} // namespace mlafuse::rt
