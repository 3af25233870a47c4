//===- DriverLibrary.cpp - functions of a driver's shared library -----===//
#include "DriverLibrary.h"

#include <dlfcn.h>

namespace mlafuse::rt {

std::string DriverLibrary::open(std::initializer_list<const char *> sonames) {
  std::string tried;
  for (const char *name : sonames) {
    library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (library) {
      soname = name;
      return "";
    }
    tried += std::string(tried.empty() ? "" : "; ") + dlerror();
  }
  return "the driver's library cannot be loaded: " + tried;
}

std::string DriverLibrary::findAddress(const char *name, void *&address) const {
  address = dlsym(library, name);
  return address ? ""
                 : soname + " has no function " + name +
                       ": the driver is older than this runtime needs";
}

} // namespace mlafuse::rt
