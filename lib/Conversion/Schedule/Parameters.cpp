//===- Parameters.cpp - checks that the schedules share -------------------===//

#include "Parameters.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::schedule;

InFlightDiagnostic Parameters::emitError() const {
  return op->emitOpError("has a schedule that ")
         << chip.name << " has no kernel for: ";
}

LogicalResult Parameters::verifyChip() const {
  if (chip.multipliesWarps())
    return success();
  return op->emitOpError("has no kernel for ")
         << chip.name
         << ": attention and projections run on NVIDIA's chips; --target=cpu "
            "runs every op";
}

int64_t Parameters::getRowStep() const {
  // wgmma gives each of its four warps the 16 rows of an mma.sync.
  return chip.multipliesWarpgroups() ? 64 : 16;
}

LogicalResult Parameters::verifySteps(StringRef name, int64_t value,
                                      int64_t step, int64_t most) const {
  if (value % step == 0 && value <= most)
    return success();
  InFlightDiagnostic error = emitError() << name << " = " << value << " is ";
  if (step == 1)
    return error << "more than " << most;
  return error << "no multiple of " << step << " up to " << most;
}

LogicalResult Parameters::verifyShared(int64_t bytes, int64_t stages,
                                       const Twine &shape) const {
  if (bytes <= chip.sharedBytes)
    return success();
  return emitError() << "stages = " << stages << " with " << shape << " take "
                     << bytes << " bytes of shared memory, and a block has "
                     << chip.sharedBytes;
}
