//===- TensorChecks.cpp - checks of one tensor's memory ---------------===//
#include "TensorChecks.h"
#include "ElementType.h"
#include "SmallBuffer.h"

#include <algorithm>

namespace mlafuse::rt {
namespace {

std::string number(int64_t value) { return std::to_string(value); }

std::string checkRowMajor(const mlafuse_tensor &tensor) {
  int64_t wanted = 1;
  for (int32_t d = tensor.rank - 1; d >= 0; --d) {
    if (tensor.shape[d] > 1 && tensor.strides[d] != wanted)
      return concat({"the stride of dimension ", number(d), " is ",
                     number(tensor.strides[d]), " elements; wanted ",
                     number(wanted), ", as the argument is contiguous"});
    wanted *= tensor.shape[d];
  }
  return "";
}

/// Sorted by stride, each dimension must step over all that those before it
/// span; else two indices may meet in one element.
std::string checkNoOverlap(const mlafuse_tensor &tensor) {
  size_t rank = static_cast<size_t>(tensor.rank);
  SmallBuffer<int32_t, 8> order(rank);
  size_t count = 0;
  for (int32_t d = 0; d < tensor.rank; ++d)
    if (tensor.shape[d] > 1)
      order[count++] = d;
  auto distance = [&](int32_t d) {
    return tensor.strides[d] < 0 ? -tensor.strides[d] : tensor.strides[d];
  };
  std::sort(order.data(), order.data() + count,
            [&](int32_t a, int32_t b) { return distance(a) < distance(b); });
  int64_t span = 1;
  for (size_t i = 0; i < count; ++i) {
    int32_t d = order[i];
    if (distance(d) < span)
      return concat({"elements overlap: the stride of dimension ", number(d),
                     " is ", number(tensor.strides[d]),
                     " elements, and the function writes this argument; "
                     "wanted at least ",
                     number(span)});
    span += (tensor.shape[d] - 1) * distance(d);
  }
  return "";
}

} // namespace

bool hasNoElements(const mlafuse_tensor &tensor) {
  for (int32_t d = 0; d < tensor.rank; ++d)
    if (tensor.shape[d] == 0)
      return true;
  return false;
}

std::string checkExtent(const mlafuse_tensor &tensor) {
  if (hasNoElements(tensor))
    return "";
  int64_t bytes = typeBytes(tensor.type), span = bytes;
  bool overflow = false;
  for (int32_t d = 0; d < tensor.rank; ++d) {
    overflow |= __builtin_mul_overflow(bytes, tensor.shape[d], &bytes);
    if (!tensor.strides || tensor.shape[d] == 1)
      continue;
    int64_t stride = tensor.strides[d], step;
    // The distance of the smallest stride can't be negated.
    overflow |= stride == INT64_MIN;
    stride = stride < 0 && !overflow ? -stride : stride;
    overflow |= __builtin_mul_overflow(stride, tensor.shape[d] - 1, &step);
    overflow |= __builtin_mul_overflow(step, typeBytes(tensor.type), &step);
    overflow |= __builtin_add_overflow(span, step, &span);
  }
  return overflow ? "its bytes do not fit an address space of 64 bits" : "";
}

std::string checkStrides(const Argument &argument,
                         const mlafuse_tensor &tensor) {
  if (!tensor.strides || tensor.rank == 0 || hasNoElements(tensor))
    return "";
  if (argument.layout == MLAFUSE_CONTIGUOUS)
    return checkRowMajor(tensor);
  int32_t inner = tensor.rank - 1;
  if (tensor.shape[inner] > 1 && tensor.strides[inner] != 1)
    return concat({"the innermost stride is ", number(tensor.strides[inner]),
                   " elements; wanted 1"});
  return argument.access == MLAFUSE_READ ? "" : checkNoOverlap(tensor);
}

std::string checkData(const mlafuse_tensor &tensor) {
  if (hasNoElements(tensor))
    return "";
  if (!tensor.data)
    return "the data pointer is NULL";
  int64_t bytes = typeBytes(tensor.type);
  int64_t remainder = static_cast<int64_t>(
      reinterpret_cast<uintptr_t>(tensor.data) % static_cast<uint64_t>(bytes));
  if (remainder != 0)
    return concat({"the data pointer is ", number(remainder),
                   " bytes past a multiple of ", number(bytes),
                   "; wanted one aligned to its elements of ", number(bytes),
                   " bytes"});
  return "";
}

} // namespace mlafuse::rt
