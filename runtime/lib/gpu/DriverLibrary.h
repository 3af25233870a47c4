//===- DriverLibrary.h - functions of a driver's shared library -*- C++ -*-===//
#ifndef MLAFUSE_RT_GPU_DRIVERLIBRARY_H
#define MLAFUSE_RT_GPU_DRIVERLIBRARY_H

#include <cstdint>
#include <initializer_list>
#include <string>

namespace mlafuse::rt {

/// CUresult or hipError_t; both have 0 for success.
using DriverResult = int32_t;

/// A function of a driver and its name, for errors.
template <typename Signature>
struct DriverFunction {
  const char *name;
  Signature *function = nullptr;

  /// The driver declares enumerations where this program has int32_t, which
  /// makes two types to -fsanitize=function.
  template <typename... Arguments>
#ifdef __clang__
  __attribute__((no_sanitize("function")))
#endif
  auto operator()(Arguments... arguments) const {
    return function(arguments...);
  }
};

/// A driver's library, loaded at run time, so that nothing of a vendor is
/// needed to build or to load this program. It stays loaded: drivers have
/// threads and exit handlers of their own.
class DriverLibrary {
public:
  /// Loads the first library of `sonames` that there is. Gives "" or what is
  /// wrong, with all names that were tried and what the system said.
  std::string open(std::initializer_list<const char *> sonames);

  /// Finds a function by its name; "" or what is missing.
  template <typename Signature>
  std::string find(DriverFunction<Signature> &function) const {
    void *address;
    std::string problem = findAddress(function.name, address);
    function.function = reinterpret_cast<Signature *>(address);
    return problem;
  }

  /// Finds several; "" or the first that is missing.
  template <typename... Signatures>
  std::string findAll(DriverFunction<Signatures> &...functions) const {
    std::string problem;
    ((problem.empty() ? void(problem = find(functions)) : void()), ...);
    return problem;
  }

private:
  std::string findAddress(const char *name, void *&address) const;

  void *library = nullptr;
  std::string soname;
};

} // namespace mlafuse::rt

#endif // MLAFUSE_RT_GPU_DRIVERLIBRARY_H
