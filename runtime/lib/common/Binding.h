//===- Binding.h - tensors checked and made descriptors -------*- C++ -*-===//
//
// The step from the tensors of a caller to the memref descriptors of a compiled
// entry. All checks of a launch are here.
//
//===------------------------------------------------------------------===//
#ifndef MLAFUSE_RT_COMMON_BINDING_H
#define MLAFUSE_RT_COMMON_BINDING_H

#include "BindingPlan.h"
#include "SmallBuffer.h"

namespace mlafuse::rt {

/// The descriptors of one launch. Lives on the launching thread's stack.
class Binding {
public:
  explicit Binding(const BindingPlan &plan);
  Binding(const Binding &) = delete;
  Binding &operator=(const Binding &) = delete;

  /// Checks `tensors` against the function and fills the descriptors. With
  /// `checkData` false, data pointers are neither checked nor used.
  Error bind(const mlafuse_tensor *tensors, size_t count, bool checkData);

  /// One pointer per argument, in the manifest's order.
  void *const *descriptors() { return pointers.data(); }

private:
  /// Which size of which argument gave a symbol its value.
  struct Source {
    size_t argument;
    size_t dim;
  };

  /// Binds tensors that are right and as they mostly are: elements there,
  /// strides that do not descend. Accepts nothing that the full checks refuse;
  /// what it does not accept they must look at.
  bool bindFast(const mlafuse_tensor *tensors, bool checkData);
  bool bindTensor(const BindingPlan::Tensor &wanted,
                  const BindingPlan::Size *sizes, const mlafuse_tensor &tensor,
                  bool checkData, int64_t *descriptor);

  Error checkAll(const mlafuse_tensor *tensors, bool checkData);
  Error bindSizes(size_t index, const mlafuse_tensor &tensor);
  Error bindSymbol(size_t index, size_t dim, int64_t size);
  Error checkExpressions(size_t index, const mlafuse_tensor &tensor);
  void fillDescriptor(size_t index, const mlafuse_tensor &tensor,
                      bool withData);
  Error error(size_t index, std::string text) const;

  // 48 arguments of rank 4: more than any attention block takes.
  static constexpr size_t localArguments = 48;
  static constexpr size_t localWords = localArguments * (3 + 2 * 4);

  const BindingPlan &plan;
  const Function &function;
  SmallBuffer<int64_t, localArguments> symbols;
  SmallBuffer<Source, localArguments> sources;
  SmallBuffer<void *, localArguments> pointers;
  /// The descriptors one after the other; all their fields have 64 bits.
  SmallBuffer<int64_t, localWords> words;
};

} // namespace mlafuse::rt

#endif // MLAFUSE_RT_COMMON_BINDING_H
