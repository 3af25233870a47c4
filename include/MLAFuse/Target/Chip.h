//===- Chip.h - what is known of each chip ----------------------*- C++ -*-===//
//
// The kernels are emitted by one program for every chip; what differs between
// the chips is the data here. NVIDIA.def and AMD.def hold it, one chip a line.
//
//===----------------------------------------------------------------------===//
#ifndef MLAFUSE_TARGET_CHIP_H
#define MLAFUSE_TARGET_CHIP_H

#include "mlir/IR/Types.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>

namespace mlafuse {

enum class Vendor { NVIDIA, AMD };

/// What a chip does by an instruction; bits of `Chip::capabilities`.
/// `Converts...`: a narrow float from and to f32.
enum Capability : unsigned {
  ConvertsNone = 0,
  ConvertsE4M3FN = 1,
  ConvertsE4M3FNUZ = 2,
  ConvertsE5M2 = 4,
  ConvertsE2M1FN = 8,
  ConvertsBF16 = 16,
  /// Two bf16, rounding once.
  MultipliesBF16 = 32,
  /// Matrices of bf16 and f16 that the registers of a warp hold (mma.sync).
  MultipliesWarps = 64,
  /// The same in shared memory, by four warps at a time (wgmma).
  MultipliesWarpgroups = 128,
  /// A kernel that starts before the one ahead of it on the stream has ended,
  /// and waits for its end (griddepcontrol).
  OverlapsLaunches = 256,
};

struct Chip {
  llvm::StringRef name; ///< LLVM's CPU name: "sm_90a", "gfx942".
  Vendor vendor;
  llvm::StringRef features; ///< LLVM's target features.
  int64_t subgroupSize;     ///< Threads of a warp (wave).
  int64_t sharedBytes;      ///< Shared memory (LDS) of a block at most.
  unsigned capabilities;    ///< Capability bits.
  int64_t multiprocessors;  ///< Of the largest card: grids are sized by it.

  /// Bytes of the widest access of one thread to device memory.
  static constexpr int64_t kAccessBytes = 16;
  /// Threads of a block at most.
  static constexpr int64_t kMaxBlockThreads = 1024;
  /// Bytes of shared memory that a kernel declares at most; what is beyond is
  /// dynamic.
  static constexpr int64_t kDefaultSharedBytes = 48 * 1024;
  /// Bytes that the address of dynamic shared memory is a multiple of.
  static constexpr int64_t kDynamicSharedAlignment = 128;

  /// Whether an instruction converts between f32 and the narrow float
  /// `elementType`.
  bool converts(mlir::Type elementType) const;

  bool multipliesBF16() const { return capabilities & MultipliesBF16; }
  bool multipliesWarps() const { return capabilities & MultipliesWarps; }
  bool multipliesWarpgroups() const {
    return capabilities & MultipliesWarpgroups;
  }
  bool overlapsLaunches() const { return capabilities & OverlapsLaunches; }

  /// The runtime's backend: "cuda" or "hip".
  llvm::StringRef getBackend() const;
  /// LLVM's triple.
  llvm::StringRef getTriple() const;
};

/// The chip of that name; null if there is none.
const Chip *findChip(llvm::StringRef name);

/// The names of all chips, for messages: "sm_80, sm_89, ...".
std::string listChips();

} // namespace mlafuse

#endif // MLAFUSE_TARGET_CHIP_H
