//===- Device.cpp - an open device ------------------------------------===//
#include "Device.h"

#include <cstdlib>
#include <dlfcn.h>
#include <unistd.h>

namespace mlafuse::rt {
namespace {

/// The directory that the runtime's own code was loaded from.
Error runtimeDirectory(std::string &directory) {
  Dl_info info;
  if (!dladdr(reinterpret_cast<void *>(&runtimeDirectory), &info))
    return Error(MLAFUSE_BACKEND_UNAVAILABLE,
                 "cannot tell where the runtime's library lies");
  std::string path = info.dli_fname;
  if (char *resolved = realpath(info.dli_fname, nullptr)) {
    path = resolved;
    free(resolved);
  }
  size_t slash = path.rfind('/');
  directory = slash == std::string::npos ? "." : path.substr(0, slash);
  return {};
}

Error loadBackend(std::string_view name, const Backend *&backend) {
  std::string directory;
  if (Error error = runtimeDirectory(directory))
    return error;
  std::string path = concat({directory, "/libmlafuse_backend_", name, ".so"});
  auto failed = [&](std::string_view why) {
    return Error(MLAFUSE_BACKEND_UNAVAILABLE,
                 concat({"backend ", quoted(name), ": ", why}));
  };
  if (access(path.c_str(), F_OK) != 0)
    return failed(concat({"there is no file ", path,
                          " (backends lie beside the runtime's library)"}));
  // Never closed: the backend's threads and the device's driver may outlive the
  // last context, and a second context would load it again.
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return failed(concat({"cannot load it: ", dlerror()}));
  auto get =
      reinterpret_cast<const Backend *(*)()>(dlsym(library, backendSymbol));
  if (!get)
    return failed(concat(
        {path, " is no backend of mlafuse: it exports no ", backendSymbol}));
  const Backend *found = get();
  if (found->version != backendVersion)
    return failed(
        concat({path, " has version ", std::to_string(found->version),
                ", this runtime wants version ", std::to_string(backendVersion),
                ": install both from one release"}));
  backend = found;
  return {};
}

/// The name becomes part of a path.
bool isBackendName(std::string_view name) {
  for (char c : name)
    if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'))
      return false;
  return !name.empty();
}

} // namespace

Error Device::open(std::string_view name, int32_t threads,
                   std::shared_ptr<Device> &device) {
  if (!isBackendName(name))
    return Error(MLAFUSE_INVALID_ARGUMENT,
                 concat({"backend ", quoted(name),
                         ": not a backend's name; wanted cpu, cuda or hip"}));
  if (threads < 0 || threads > maxThreads)
    return Error(
        MLAFUSE_INVALID_ARGUMENT,
        concat({"the number of threads is ", std::to_string(threads),
                "; wanted 0 (one per core) to ", std::to_string(maxThreads)}));
  const Backend *backend;
  if (Error error = loadBackend(name, backend))
    return error;
  char text[errorBytes] = "";
  void *state;
  mlafuse_status status =
      backend->create(threads, &state, ErrorText{text, sizeof(text)});
  if (status != MLAFUSE_OK)
    return Error(status, concat({"backend ", quoted(name), ": ", text}));
  device.reset(new Device(*backend, state));
  return {};
}

Device::~Device() { backend->destroy(state); }

} // namespace mlafuse::rt
