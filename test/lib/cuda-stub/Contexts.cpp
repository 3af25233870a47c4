//===- Contexts.cpp - the device's primary context --------------------===//
#include "CudaCall.h"

using namespace mlafuse;
using namespace mlafuse::gpustub;
using namespace mlafuse::cudastub;

struct mlafuse::cudastub::Context {
  unsigned users = 0; ///< It lives as long as there are any.
};

static Context primary;
/// Of a thread; the last one is current, and may be null.
static thread_local std::vector<Context *> contexts;

static Context *currentContext() {
  return contexts.empty() ? nullptr : contexts.back();
}

static Error checkAlive(Call &call, Context *context) {
  if (context == &primary && primary.users > 0)
    return Success;
  return call.fail(NoContext,
                   "no context " + hex(context) + " exists (any more)");
}

Error cudastub::checkContext(Call &call) {
  Context *context = currentContext();
  return context ? checkAlive(call, context)
                 : call.fail(NoContext, "the thread has no current context");
}

CUDASTUB_API CUresult cuDevicePrimaryCtxRetain(CUcontext *result,
                                               CUdevice device) {
  return runWithoutContext(__func__, [=](Call &call) {
    Error error = checkDevice(call, device);
    if (!error)
      error = checkPlace(call, result, "context");
    if (error)
      return error;
    ++primary.users;
    *result = &primary;
    return Success;
  });
}

CUDASTUB_API CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device) {
  return runWithoutContext(__func__, [=](Call &call) {
    Error error = checkDevice(call, device);
    if (error)
      return error;
    if (primary.users == 0)
      return call.fail(NoContext, "nobody retains the primary context");
    return --primary.users == 0 ? call.stub.finishAll(call) : Success;
  });
}

CUDASTUB_API CUresult cuCtxGetCurrent(CUcontext *result) {
  return runWithoutContext(__func__, [=](Call &call) {
    Error error = checkPlace(call, result, "context");
    if (!error)
      *result = currentContext();
    return error;
  });
}

CUDASTUB_API CUresult cuCtxSetCurrent(CUcontext context) {
  return runWithoutContext(__func__, [=](Call &call) {
    Error error = context ? checkAlive(call, context) : Success;
    if (error)
      return error;
    if (!contexts.empty())
      contexts.pop_back();
    if (context)
      contexts.push_back(context);
    return Success;
  });
}

CUDASTUB_API CUresult cuCtxPushCurrent_v2(CUcontext context) {
  return runWithoutContext(__func__, [=](Call &call) {
    Error error = checkAlive(call, context);
    if (!error)
      contexts.push_back(context);
    return error;
  });
}

CUDASTUB_API CUresult cuCtxPopCurrent_v2(CUcontext *result) {
  return runWithoutContext(__func__, [=](Call &call) {
    if (contexts.empty())
      return call.fail(NoContext, "the thread has no current context");
    if (result)
      *result = contexts.back();
    contexts.pop_back();
    return Success;
  });
}

CUDASTUB_API CUresult cuCtxGetDevice(CUdevice *result) {
  return run(__func__, [=](Call &call) {
    Error error = checkPlace(call, result, "device");
    if (!error)
      *result = 0;
    return error;
  });
}
