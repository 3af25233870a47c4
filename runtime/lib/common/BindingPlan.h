//===- BindingPlan.h - a function's arguments for fast checks -*- C++ -*-===//
#ifndef MLAFUSE_RT_COMMON_BINDINGPLAN_H
#define MLAFUSE_RT_COMMON_BINDINGPLAN_H

#include "Manifest.h"

namespace mlafuse::rt {

/// What the checks of a launch need of a function, in the order in which they
/// need it, so that a launch that is right costs little. Made once; `function`
/// outlives it.
struct BindingPlan {
  explicit BindingPlan(const Function &function);

  struct Size {
    Dim::Kind kind;
    int64_t value; ///< As in Dim.
  };

  struct Tensor {
    mlafuse_type type;
    int32_t rank;
    int64_t elementBytes;
    bool isStrided;
    bool isWritten;
  };

  /// A size that follows from symbols.
  struct Expression {
    size_t argument;
    size_t dim;
    const Dim *size;
  };

  const Function &function;
  std::vector<Tensor> tensors;
  /// The sizes of all tensors, one tensor after the other.
  std::vector<Size> sizes;
  std::vector<Expression> expressions;
  /// 64-bit fields of all descriptors together.
  size_t descriptorWords = 0;
};

} // namespace mlafuse::rt

#endif // MLAFUSE_RT_COMMON_BINDINGPLAN_H
