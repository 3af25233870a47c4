//===- TensorChecks.h - checks of one tensor's memory ---------*- C++ -*-===//
//
// What a launch asks of the memory of one tensor whose type and sizes are
// already known to be right. Each check gives "" or what is wrong, in words.
//
//===------------------------------------------------------------------===//
#ifndef MLAFUSE_RT_COMMON_TENSORCHECKS_H
#define MLAFUSE_RT_COMMON_TENSORCHECKS_H

#include "Manifest.h"

namespace mlafuse::rt {

/// True if a size is 0.
bool hasNoElements(const mlafuse_tensor &tensor);

/// The tensor's bytes can be addressed with 64 bits.
std::string checkExtent(const mlafuse_tensor &tensor);

/// The strides fit the argument's layout: row-major for a contiguous one, an
/// innermost stride of 1 for a strided one, whose elements moreover don't
/// overlap if it is written. Strides of sizes 0 and 1 mean nothing.
std::string checkStrides(const Argument &argument,
                         const mlafuse_tensor &tensor);

/// The data pointer is there, if it needs to be, and is aligned to an element.
std::string checkData(const mlafuse_tensor &tensor);

} // namespace mlafuse::rt

#endif // MLAFUSE_RT_COMMON_TENSORCHECKS_H
