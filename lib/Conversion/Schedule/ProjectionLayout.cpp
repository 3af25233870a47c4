//===- ProjectionLayout.cpp - memory of a projection's block --------------===//

#include "ProjectionLayout.h"
#include "Parameters.h"
#include "SharedLayout.h"
#include <algorithm>
#include <numeric>

using namespace mlafuse;
using namespace mlafuse::kernel;
using ptx::SharedLayout;

/// Columns of a swizzled tile are padded to whole boxes.
static constexpr int64_t kBoxColumns = 64;
static constexpr int64_t kBarrierBytes = 8;
/// Values of K of a part of the weights, if that divides a slice.
static constexpr int64_t kPartDepth = 64;
/// Registers of a multiprocessor, and of a thread at most; those come in steps
/// of 8.
static constexpr int64_t kRegisters = 64 * 1024, kRegisterStep = 8;
static constexpr int64_t kThreadRegisters = 255;

//===----------------------------------------------------------------------===//
// Sums on their way to the output
//===----------------------------------------------------------------------===//

int64_t kernel::getStagedColumns(int64_t columns) {
  // The order of chunks is by eights of 16 bytes.
  return std::max<int64_t>(32, llvm::PowerOf2Ceil(columns));
}

int64_t kernel::getStagedRows(int64_t columns) {
  return getStagedColumns(columns) > kBoxColumns ? 8 : 16;
}

int64_t kernel::getStagedBytes(int64_t columns) {
  return getStagedRows(columns) * getStagedColumns(columns) * sizeof(float);
}

//===----------------------------------------------------------------------===//
// The block
//===----------------------------------------------------------------------===//

ProjectionLayout::ProjectionLayout(const ProjectionSchedule &s, int64_t depth,
                                   int64_t tiles)
    : groups(s.tileRows / kGroupRows), stages(s.stages),
      slices(llvm::divideCeil(depth, s.tileDepth)), columns(s.tileColumns),
      fullBarriers(llvm::alignTo(stages, groups * slices)) {
  SharedLayout layout;
  partDepth = std::gcd(s.tileDepth, kPartDepth);
  weightParts = llvm::divideCeil(depth, partDepth);
  auto getRowBytes = [](int64_t columns) {
    return llvm::alignTo(columns, kBoxColumns) * schedule::kElementBytes;
  };
  tileBytes = depth * getRowBytes(s.tileColumns);
  weights = layout.add(tiles * tileBytes, SharedLayout::kAlignment);
  slotBytes = kGroupRows * getRowBytes(std::min(s.tileDepth, depth));
  ring = layout.add(stages * slotBytes, SharedLayout::kAlignment);
  stagingBytes = getStagedBytes(s.tileColumns);
  staging = layout.add(groups * kGroupWarps * stagingBytes);
  full = layout.add(fullBarriers * kBarrierBytes);
  free = layout.add(stages * kBarrierBytes);
  weightsFull = layout.add(tiles * weightParts * kBarrierBytes);
  bytes = layout.getBytes();
}

bool ProjectionLayout::movesRegisters() const {
  // The assembler moves those of a kernel that would take more than it may.
  return groups > 2 || (groups == 2 && columns > kBoxColumns);
}

int64_t ProjectionLayout::getLoaderRegisters() const {
  if (!movesRegisters())
    return 0;
  // None of the loader's forms spills with as many as two multipliers of such
  // tiles have to spare; those of others have none to spare.
  return groups == 2 && columns <= 2 * kBoxColumns ? 88 : 56;
}

int64_t ProjectionLayout::getMultiplierRegisters() const {
  if (!movesRegisters())
    return 0;
  // A launch gives all threads as many: what that leaves is nobody's.
  int64_t equal = llvm::alignDown(kRegisters / getThreads(), kRegisterStep);
  int64_t rest = (groups + 1) * equal - getLoaderRegisters();
  return llvm::alignDown(rest / groups, kRegisterStep);
}

int64_t ProjectionLayout::getThreadRegisters() const {
  if (int64_t registers = getMultiplierRegisters())
    return registers;
  return std::min<int64_t>(
      kThreadRegisters,
      llvm::alignDown(kRegisters / getThreads(), kRegisterStep));
}
