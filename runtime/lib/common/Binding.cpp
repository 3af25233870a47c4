//===- Binding.cpp - tensors checked and made descriptors -------------===//
#include "Binding.h"
#include "ElementType.h"
#include "TensorChecks.h"

namespace mlafuse::rt {
namespace {

size_t descriptorWords(const Argument &argument) {
  return 3 + 2 * argument.shape.size();
}

bool accepts(mlafuse_type wanted, mlafuse_type given) {
  return given == wanted || (given == MLAFUSE_U8 && typeBytes(wanted) == 1);
}

std::string number(size_t value) { return std::to_string(value); }

} // namespace

Binding::Binding(const BindingPlan &plan)
    : plan(plan), function(plan.function), symbols(function.symbols.size()),
      sources(function.symbols.size()), pointers(function.arguments.size()),
      words(plan.descriptorWords) {}

Error Binding::bind(const mlafuse_tensor *tensors, size_t count,
                    bool checkData) {
  if (count != plan.tensors.size())
    return Error(
        MLAFUSE_INVALID_ARGUMENT,
        concat({"function ", quoted(function.name), ": ", number(count),
                " tensors given; wanted ", number(plan.tensors.size())}));
  if (count != 0 && !tensors)
    return Error(MLAFUSE_INVALID_ARGUMENT,
                 concat({"function ", quoted(function.name),
                         ": the array of tensors is NULL"}));
  return bindFast(tensors, checkData) ? Error() : checkAll(tensors, checkData);
}

bool Binding::bindFast(const mlafuse_tensor *tensors, bool checkData) {
  for (size_t i = 0; i < function.symbols.size(); ++i)
    symbols[i] = unknownSize;
  const BindingPlan::Size *sizes = plan.sizes.data();
  int64_t *next = words.data();
  size_t count = plan.tensors.size();
  for (size_t i = 0; i < count; ++i) {
    const BindingPlan::Tensor &wanted = plan.tensors[i];
    if (!bindTensor(wanted, sizes, tensors[i], checkData, next))
      return false;
    pointers[i] = next;
    sizes += wanted.rank;
    next += 3 + 2 * wanted.rank;
  }
  for (const BindingPlan::Expression &expression : plan.expressions)
    if (evaluate(*expression.size, symbols.data()) !=
        tensors[expression.argument].shape[expression.dim])
      return false;
  return true;
}

bool Binding::bindTensor(const BindingPlan::Tensor &wanted,
                         const BindingPlan::Size *sizes,
                         const mlafuse_tensor &tensor, bool checkData,
                         int64_t *descriptor) {
  int32_t rank = wanted.rank;
  bool isType = tensor.type == wanted.type ||
                (tensor.type == MLAFUSE_U8 && wanted.elementBytes == 1);
  if (!isType || tensor.rank != rank || (rank != 0 && !tensor.shape))
    return false;
  auto address = reinterpret_cast<uintptr_t>(tensor.data);
  // Elements have 1, 2, 4 or 8 bytes.
  uintptr_t pastAlignment =
      address & static_cast<uintptr_t>(wanted.elementBytes - 1);
  if (checkData && (!address || pastAlignment != 0))
    return false;
  descriptor[0] = descriptor[1] = checkData ? static_cast<int64_t>(address) : 0;
  descriptor[2] = 0;
  int64_t *boundSizes = descriptor + 3, *boundStrides = boundSizes + rank;
  // Elements of the dimensions so far, and from the first to the last of them.
  int64_t elements = 1, span = 1;
  for (int32_t d = rank - 1; d >= 0; --d) {
    int64_t size = tensor.shape[d];
    const BindingPlan::Size &dim = sizes[d];
    if (size <= 0 || (dim.kind == Dim::Kind::Static && size != dim.value))
      return false;
    if (dim.kind == Dim::Kind::Symbol) {
      int64_t &symbol = symbols[static_cast<size_t>(dim.value)];
      if (symbol != unknownSize && symbol != size)
        return false;
      symbol = size;
    }
    int64_t stride = elements, step;
    if (tensor.strides && (size > 1 || wanted.isStrided)) {
      int64_t given = tensor.strides[d];
      bool isFree = wanted.isStrided && d != rank - 1;
      if (!isFree && given != stride && size > 1)
        return false;
      if (isFree)
        stride = given;
      // Else two elements may be one, or lie before the first.
      if (size > 1 && stride < (wanted.isWritten ? span : 0))
        return false;
    }
    boundSizes[d] = size;
    boundStrides[d] = stride;
    if (__builtin_mul_overflow(elements, size, &elements) ||
        (size > 1 && (__builtin_mul_overflow(stride, size - 1, &step) ||
                      __builtin_add_overflow(span, step, &span))))
      return false;
  }
  int64_t bytes;
  return !__builtin_mul_overflow(elements, wanted.elementBytes, &bytes) &&
         !__builtin_mul_overflow(span, wanted.elementBytes, &bytes);
}

Error Binding::checkAll(const mlafuse_tensor *tensors, bool checkData) {
  const std::vector<Argument> &arguments = function.arguments;
  size_t count = arguments.size();
  for (size_t i = 0; i < function.symbols.size(); ++i)
    symbols[i] = unknownSize;
  for (size_t i = 0; i < count; ++i)
    if (Error error = bindSizes(i, tensors[i]))
      return error;
  for (size_t i = 0; i < count; ++i) {
    if (Error error = checkExpressions(i, tensors[i]))
      return error;
    std::string problem = checkExtent(tensors[i]);
    if (problem.empty())
      problem = checkStrides(arguments[i], tensors[i]);
    if (problem.empty() && checkData)
      problem = rt::checkData(tensors[i]);
    if (!problem.empty())
      return error(i, std::move(problem));
  }
  int64_t *next = words.data();
  for (size_t i = 0; i < count; ++i) {
    pointers[i] = next;
    fillDescriptor(i, tensors[i], checkData);
    next += descriptorWords(arguments[i]);
  }
  return {};
}

Error Binding::bindSizes(size_t index, const mlafuse_tensor &tensor) {
  const Argument &argument = function.arguments[index];
  if (!accepts(argument.type, tensor.type))
    return error(index, concat({"the type is ", typeName(tensor.type),
                                "; wanted ", typeName(argument.type)}));
  size_t rank = argument.shape.size();
  if (tensor.rank < 0 || static_cast<size_t>(tensor.rank) != rank)
    return error(index, concat({"the rank is ", std::to_string(tensor.rank),
                                "; wanted ", number(rank)}));
  if (rank != 0 && !tensor.shape)
    return error(index, "the shape is NULL");
  for (size_t d = 0; d < rank; ++d) {
    const Dim &dim = argument.shape[d];
    int64_t size = tensor.shape[d];
    if (size < 0 || (dim.kind == Dim::Kind::Static && size != dim.value))
      return error(index,
                   concat({"the size of dimension ", number(d), " is ",
                           std::to_string(size), "; wanted ", dim.text}));
    if (dim.kind == Dim::Kind::Symbol)
      if (Error error = bindSymbol(index, d, size))
        return error;
  }
  return {};
}

Error Binding::bindSymbol(size_t index, size_t dim, int64_t size) {
  size_t symbol =
      static_cast<size_t>(function.arguments[index].shape[dim].value);
  if (symbols[symbol] == unknownSize) {
    symbols[symbol] = size;
    sources[symbol] = {index, dim};
    return {};
  }
  if (symbols[symbol] == size)
    return {};
  const Source &source = sources[symbol];
  return error(
      index,
      concat({"the size of dimension ", number(dim), " is ",
              std::to_string(size), "; wanted ", function.symbols[symbol],
              " = ", std::to_string(symbols[symbol]),
              ", the size of dimension ", number(source.dim), " of argument ",
              quoted(function.arguments[source.argument].name)}));
}

Error Binding::checkExpressions(size_t index, const mlafuse_tensor &tensor) {
  const Argument &argument = function.arguments[index];
  for (size_t d = 0; d < argument.shape.size(); ++d) {
    const Dim &dim = argument.shape[d];
    std::optional<int64_t> wanted = evaluate(dim, symbols.data());
    if (wanted && *wanted == tensor.shape[d])
      continue;
    return error(
        index, concat({"the size of dimension ", number(d), " is ",
                       std::to_string(tensor.shape[d]), "; wanted ", dim.text,
                       wanted ? " = " + std::to_string(*wanted)
                              : std::string(", which does not fit 64 bits")}));
  }
  return {};
}

void Binding::fillDescriptor(size_t index, const mlafuse_tensor &tensor,
                             bool withData) {
  const Argument &argument = function.arguments[index];
  int64_t *descriptor = static_cast<int64_t *>(pointers[index]);
  int64_t address =
      withData ? static_cast<int64_t>(reinterpret_cast<intptr_t>(tensor.data))
               : 0;
  descriptor[0] = address;
  descriptor[1] = address;
  descriptor[2] = 0;
  int64_t *sizes = descriptor + 3;
  int64_t *strides = sizes + tensor.rank;
  bool useGiven = argument.layout == MLAFUSE_STRIDED && tensor.strides;
  int64_t rowMajor = 1;
  for (int32_t d = tensor.rank - 1; d >= 0; --d) {
    sizes[d] = tensor.shape[d];
    // The innermost stride is 1 by the entry's type, whatever a tensor with at
    // most one element in that dimension says.
    strides[d] =
        useGiven && d != tensor.rank - 1 ? tensor.strides[d] : rowMajor;
    // A size of 0 elsewhere lets the others be as large as they like.
    if (__builtin_mul_overflow(rowMajor, tensor.shape[d], &rowMajor))
      rowMajor = 0;
  }
}

Error Binding::error(size_t index, std::string text) const {
  return Error(MLAFUSE_INVALID_ARGUMENT,
               concat({"function ", quoted(function.name), ", argument ",
                       quoted(function.arguments[index].name), " (",
                       number(index), "): ", text}));
}

} // namespace mlafuse::rt
