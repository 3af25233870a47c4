//===- OwnCheck.cpp - what HIP alone has ------------------------------===//
#include "StubCheck.h"

namespace check {

void misuseFirst(Addition &) { printed(hipSetDevice(1)); }

void misuseLast(Addition &) {
  printed(hipGetLastError());
  printed(hipGetLastError());
}

bool runOther(const std::string &, const char *) { return false; }

} // namespace check
