//===- CudaCall.h - from the stub's errors to CUDA's ------------*- C++ -*-===//
#ifndef MLAFUSE_CUDASTUB_CUDACALL_H
#define MLAFUSE_CUDASTUB_CUDACALL_H

#include "CudaFunctions.h"
#include "Stub.h"

namespace mlafuse::cudastub {

CUresult toCuda(gpustub::Error error);

/// Whether a context that lives is the thread's current one.
gpustub::Error checkContext(gpustub::Call &call);

/// Calls `function` with a Call and the arguments if CUDA is initialized.
template <typename Function, typename... Arguments>
CUresult runWithoutContext(const char *name, Function function,
                           Arguments... arguments) {
  gpustub::Call call(name);
  gpustub::Error error = call.check();
  return toCuda(error ? error : function(call, arguments...));
}

/// The same if the thread has a context.
template <typename Function, typename... Arguments>
CUresult run(const char *name, Function function, Arguments... arguments) {
  return runWithoutContext(name, [&](gpustub::Call &call) {
    gpustub::Error error = checkContext(call);
    return error ? error : function(call, arguments...);
  });
}

} // namespace mlafuse::cudastub

#endif // MLAFUSE_CUDASTUB_CUDACALL_H
