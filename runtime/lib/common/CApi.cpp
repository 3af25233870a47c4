//===- CApi.cpp - version, errors, contexts and memory ----------------===//
#include "CApi.h"

using namespace mlafuse::rt;

namespace {
thread_local std::string lastError;
} // namespace

mlafuse_status mlafuse::rt::report(const Error &error) {
  if (error)
    lastError = error.getText();
  return error.getStatus();
}

mlafuse_status mlafuse::rt::reportNull(const char *parameter) {
  return report(Error(MLAFUSE_INVALID_ARGUMENT,
                      concat({"parameter ", quoted(parameter), " is NULL"})));
}

uint32_t mlafuse_version(void) {
  return MLAFUSE_VERSION_MAJOR * 10000 + MLAFUSE_VERSION_MINOR * 100 +
         MLAFUSE_VERSION_PATCH;
}

// The project's version comes from the build; the header's must be the same.
const char *mlafuse_version_text(void) { return MLAFUSE_PROJECT_VERSION; }

const char *mlafuse_last_error(void) { return lastError.c_str(); }

const char *mlafuse_status_text(mlafuse_status status) {
  switch (status) {
  case MLAFUSE_OK:
    return "ok";
  case MLAFUSE_INVALID_ARGUMENT:
    return "invalid argument";
  case MLAFUSE_NOT_FOUND:
    return "not found";
  case MLAFUSE_BAD_LIBRARY:
    return "bad library";
  case MLAFUSE_BACKEND_UNAVAILABLE:
    return "backend unavailable";
  case MLAFUSE_OUT_OF_RESOURCES:
    return "out of resources";
  case MLAFUSE_EXECUTION_FAILED:
    return "execution failed";
  case MLAFUSE_STATUS_FORCE_32_BITS:
    break;
  }
  return "unknown status";
}

mlafuse_status mlafuse_context_create(const char *backend, int32_t threads,
                                      mlafuse_context **context) {
  if (!backend)
    return reportNull("backend");
  if (!context)
    return reportNull("context");
  std::shared_ptr<Device> device;
  if (Error error = Device::open(backend, threads, device))
    return report(error);
  *context = new mlafuse_context{std::move(device)};
  return MLAFUSE_OK;
}

void mlafuse_context_destroy(mlafuse_context *context) { delete context; }

const char *mlafuse_context_backend(const mlafuse_context *context) {
  return context->device->getBackend().name;
}

const char *mlafuse_context_chip(const mlafuse_context *context) {
  return context->device->getChip();
}

int32_t mlafuse_context_threads(const mlafuse_context *context) {
  return context->device->getThreads();
}

mlafuse_status mlafuse_alloc(mlafuse_context *context, size_t bytes,
                             void **memory) {
  if (!context)
    return reportNull("context");
  if (!memory)
    return reportNull("memory");
  void *allocated = nullptr;
  if (bytes != 0) {
    const Device &device = *context->device;
    if (Error error =
            device.call(device.getBackend().allocate, bytes, &allocated))
      return report(error);
  }
  *memory = allocated;
  return MLAFUSE_OK;
}

void mlafuse_free(mlafuse_context *context, void *memory) {
  if (memory)
    context->device->release(memory);
}

mlafuse_status mlafuse_copy(mlafuse_context *context, void *stream,
                            void *destination, const void *source, size_t bytes,
                            mlafuse_copy_kind kind) {
  if (!context)
    return reportNull("context");
  if (bytes == 0)
    return MLAFUSE_OK;
  if (!destination)
    return reportNull("destination");
  if (!source)
    return reportNull("source");
  const Device &device = *context->device;
  return report(device.call(device.getBackend().copy, stream, destination,
                            source, bytes, kind));
}

mlafuse_status mlafuse_synchronize(mlafuse_context *context, void *stream) {
  if (!context)
    return reportNull("context");
  const Device &device = *context->device;
  return report(device.call(device.getBackend().synchronize, stream));
}
