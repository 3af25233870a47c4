//===- Sizes.cpp - sizes of a run's arguments -------------------------===//
#include "Sizes.h"
#include "Describe.h"
#include "ElementType.h"

#include <algorithm>

namespace mlafuse::rt {
namespace {

class Solver {
public:
  Solver(const Function &function, const SafeTensorsFile &inputs,
         const Options &options, Sizes &sizes)
      : function(function), inputs(inputs), options(options), sizes(sizes),
        sources(function.symbols.size()) {
    sizes.symbols.assign(function.symbols.size(), unknownSize);
  }

  Error solve() {
    for (const auto &[name, size] : options.dims)
      if (Error error = takeOption(name, size))
        return error;
    for (const Argument &argument : function.arguments) {
      sizes.given.push_back(inputs.find(argument.name));
      if (Error error = takeTensor(argument, sizes.given.back()))
        return error;
    }
    for (size_t i = 0; i < function.arguments.size(); ++i)
      if (Error error = evaluateShape(function.arguments[i], sizes.given[i]))
        return error;
    return {};
  }

private:
  Error takeOption(const std::string &name, int64_t size) {
    auto it = std::find(function.symbols.begin(), function.symbols.end(), name);
    if (it == function.symbols.end())
      return failed(
          concat({"--dim=", name, "=", std::to_string(size), ": function ",
                  quoted(function.name),
                  " has no such size; it has: ", join(function.symbols)}));
    size_t symbol = static_cast<size_t>(it - function.symbols.begin());
    sizes.symbols[symbol] = size;
    sources[symbol] = "as --dim gives it";
    return {};
  }

  Error takeTensor(const Argument &argument, const SafeTensor *tensor) {
    if (!tensor)
      return argument.access == MLAFUSE_WRITE || options.random
                 ? Error()
                 : missing(argument);
    const char *dtype = safeTensorsType(argument.type);
    if (tensor->dtype != dtype)
      return wrong(argument, concat({"its type is ", tensor->dtype, "; wanted ",
                                     dtype, " for ", typeName(argument.type)}));
    if (tensor->shape.size() != argument.shape.size())
      return wrong(argument, concat({"its shape is ", shapeText(tensor->shape),
                                     "; wanted rank ",
                                     std::to_string(argument.shape.size()),
                                     ", ", shapeText(argument)}));
    for (size_t d = 0; d < argument.shape.size(); ++d)
      if (Error error = takeSize(argument, d, tensor->shape))
        return error;
    return {};
  }

  Error takeSize(const Argument &argument, size_t d,
                 const std::vector<int64_t> &shape) {
    const Dim &dim = argument.shape[d];
    if (dim.kind != Dim::Kind::Symbol)
      return {};
    size_t symbol = static_cast<size_t>(dim.value);
    int64_t &size = sizes.symbols[symbol];
    if (size == unknownSize) {
      size = shape[d];
      sources[symbol] =
          concat({"as argument ", quoted(argument.name), " gives it"});
      return {};
    }
    return size == shape[d]
               ? Error()
               : wrongSize(argument, d, shape,
                           concat({dim.text, " = ", std::to_string(size), ", ",
                                   sources[symbol]}));
  }

  Error evaluateShape(const Argument &argument, const SafeTensor *tensor) {
    std::vector<int64_t> &shape = sizes.shapes.emplace_back();
    int64_t bytes = typeBytes(argument.type);
    bool overflow = false;
    for (size_t d = 0; d < argument.shape.size(); ++d) {
      const Dim &dim = argument.shape[d];
      std::optional<int64_t> size = evaluate(dim, sizes.symbols.data());
      if (!size)
        return unknown(argument, dim);
      if (tensor && tensor->shape[d] != *size)
        return wrongSize(
            argument, d, tensor->shape,
            dim.kind == Dim::Kind::Static
                ? dim.text
                : concat({dim.text, " = ", std::to_string(*size)}));
      shape.push_back(*size);
      overflow |= __builtin_mul_overflow(bytes, *size, &bytes);
    }
    // An overflow on the way to a size of 0 is none.
    if (std::find(shape.begin(), shape.end(), 0) != shape.end())
      bytes = 0;
    else if (overflow)
      return failed(concat({"argument ", quoted(argument.name), " of shape ",
                            shapeText(shape), " does not fit a memory"}));
    sizes.bytes.push_back(static_cast<size_t>(bytes));
    return {};
  }

  static Error failed(std::string text) {
    return Error(MLAFUSE_INVALID_ARGUMENT, std::move(text));
  }

  Error missing(const Argument &argument) const {
    std::string what =
        concat({"function ", quoted(function.name), " reads argument ",
                quoted(argument.name), " (", describe(argument), "), "});
    if (options.inputs.empty())
      return failed(what + "which nothing gives: give --inputs=FILE or "
                           "--random=SEED");
    return failed(
        concat({what, "which ", quoted(options.inputs), " does not have"}));
  }

  Error wrong(const Argument &argument, std::string text) const {
    return failed(concat({quoted(options.inputs), ", tensor ",
                          quoted(argument.name), ": ", text}));
  }

  Error wrongSize(const Argument &argument, size_t d,
                  const std::vector<int64_t> &shape,
                  std::string_view wanted) const {
    return wrong(argument,
                 concat({"its shape is ", shapeText(shape), "; wanted ",
                         shapeText(argument), ", with dimension ",
                         std::to_string(d), " = ", wanted}));
  }

  Error unknown(const Argument &argument, const Dim &dim) const {
    std::optional<size_t> symbol =
        firstUnknownSymbol(dim, sizes.symbols.data());
    if (!symbol)
      return failed(concat({"argument ", quoted(argument.name), ": its size ",
                            dim.text, " does not fit 64 bits"}));
    const std::string &name = function.symbols[*symbol];
    return failed(concat({"the size ", name, " of argument ",
                          quoted(argument.name), " (", describe(argument),
                          ") is not known: give --dim=", name, "=N"}));
  }

  const Function &function;
  const SafeTensorsFile &inputs;
  const Options &options;
  Sizes &sizes;
  /// Per symbol, where its value came from, in words.
  std::vector<std::string> sources;
};

} // namespace

Error solveSizes(const Function &function, const SafeTensorsFile &inputs,
                 const Options &options, Sizes &sizes) {
  return Solver(function, inputs, options, sizes).solve();
}

} // namespace mlafuse::rt
