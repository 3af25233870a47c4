//===- Parts.cpp - bytes and halves of registers --------------------------===//

#include "Parts.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;

Value ptx::interleaveBytes(Emitter &e, Value a, Value b, int64_t first) {
  // A digit for each byte of the result; b's are 4 to 7.
  int64_t selector =
      (first + 5) << 12 | (first + 1) << 8 | (first + 4) << 4 | first;
  return emitAsm(e, "prmt.b32 $0, $1, $2, 0x" + llvm::utohexstr(selector) + ";",
                 e.getI32Type(), {a, b}, Effect::None);
}

Value ptx::pairBytes(Emitter &e, Value a) {
  return emitAsm(e, "prmt.b32 $0, $1, $1, 0x3120;", e.getI32Type(), a,
                 Effect::None);
}

Value ptx::selectHalves(Emitter &e, Value a, Value b, bool high) {
  return emitAsm(
      e, Twine("prmt.b32 $0, $1, $2, ") + (high ? "0x7632;" : "0x5410;"),
      e.getI32Type(), {a, b}, Effect::None);
}

Value ptx::largerHalves(Emitter &e, Value a, Value b) {
  return emitAsm(e, "max.u16x2 $0, $1, $2;", e.getI32Type(), {a, b},
                 Effect::None);
}
