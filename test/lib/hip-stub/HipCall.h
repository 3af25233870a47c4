//===- HipCall.h - from the stub's errors to HIP's --------------*- C++ -*-===//
#ifndef MLAFUSE_HIPSTUB_HIPCALL_H
#define MLAFUSE_HIPSTUB_HIPCALL_H

#include "HipFunctions.h"
#include "Stub.h"

namespace mlafuse::hipstub {

/// The code for `error`, which becomes the thread's last one.
hipError_t finishCall(gpustub::Error error);

/// Calls `function` with a Call and the arguments if HIP is initialized.
template <typename Function, typename... Arguments>
hipError_t run(const char *name, Function function, Arguments... arguments) {
  gpustub::Call call(name);
  gpustub::Error error = call.check();
  return finishCall(error ? error : function(call, arguments...));
}

} // namespace mlafuse::hipstub

#endif // MLAFUSE_HIPSTUB_HIPCALL_H
