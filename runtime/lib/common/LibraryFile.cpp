//===- LibraryFile.cpp - a compiled library and its manifest ----------===//
#include "LibraryFile.h"
#include "ElfFile.h"

#include <cerrno>
#include <cstring>
#include <dlfcn.h>
#include <unistd.h>

namespace mlafuse::rt {

LibraryFile::~LibraryFile() {
  if (library)
    dlclose(library);
}

Error LibraryFile::open(const std::string &path) {
  if (access(path.c_str(), R_OK) != 0)
    return Error(MLAFUSE_NOT_FOUND,
                 concat({"cannot read ", quoted(path), ": ", strerror(errno)}));
  if (Error error = checkIsWhole(path))
    return error;
  // A name without a slash would be searched for in the system's directories.
  std::string file =
      path.find('/') == std::string::npos ? concat({"./", path}) : path;
  library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return Error(MLAFUSE_BAD_LIBRARY,
                 concat({quoted(path), " cannot be loaded: ", dlerror()}));
  return readManifest().in(quoted(path));
}

void *LibraryFile::find(const std::string &symbol) const {
  return dlsym(library, symbol.c_str());
}

Error LibraryFile::readManifest() {
  manifestText = static_cast<const char *>(find("mlafuse_manifest"));
  if (!manifestText)
    return Error(MLAFUSE_BAD_LIBRARY,
                 "not a library made by mlafuse-compile: it exports no "
                 "mlafuse_manifest");
  return parseManifest(manifestText, manifest);
}

} // namespace mlafuse::rt
