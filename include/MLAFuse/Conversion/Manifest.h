//===- Manifest.h - what a library says of itself ---------------*- C++ -*-===//
//
// The manifest's form is that of mlafuse/runtime/abi.h.
//
//===----------------------------------------------------------------------===//
#ifndef MLAFUSE_CONVERSION_MANIFEST_H
#define MLAFUSE_CONVERSION_MANIFEST_H

#include "mlir/IR/BuiltinOps.h"

#include <optional>
#include <string>

namespace mlafuse {

/// The kernels of a GPU target in one form, a constant of the library.
struct ImageDescription {
  std::string format; ///< "cubin", "ptx" or "hsaco".
  std::string symbol;
  int64_t bytes; ///< Without the zero byte that ends PTX.
};

/// What a call of an entry takes on one target.
struct EntryDescription {
  std::string name;
  /// Launches of kernels that one call makes at most; none if a loop with an
  /// unknown number of iterations launches.
  std::optional<int64_t> launches;
  /// Names of the kernels that a call may launch, in order.
  llvm::SmallVector<std::string> kernels;
  /// Bytes of workspace over the sizes of the signature: "align(130 * T, 64)".
  std::string workspace;
};

struct TargetDescription {
  std::string backend; ///< "cpu", "cuda" or "hip".
  std::string chip;    ///< LLVM's name.
  std::string prefix;  ///< What the names of its entry points begin with.
  /// Empty for a CPU. The runtime takes the first image that its device runs.
  llvm::SmallVector<ImageDescription> images;
  /// Names of the kernels, by their index.
  llvm::SmallVector<std::string> kernels;
  llvm::SmallVector<EntryDescription> entries;
};

/// What a call of each entry of `module` takes. The module is one target's: its
/// workspace is placed, and its kernels, if it is a GPU's, are outlined and
/// their launches still ops. Fails with a diagnostic at a malformed signature.
mlir::FailureOr<llvm::SmallVector<EntryDescription>>
describeEntries(mlir::ModuleOp module);

/// The prefix of a CPU's entry points.
inline constexpr llvm::StringLiteral kCPUPrefix = "mlafuse";

/// The prefix of the entry points of the GPU `chip`.
inline std::string getGPUPrefix(llvm::StringRef chip) {
  return "mlafuse_" + chip.str();
}

/// The manifest of the entries of `module`, as JSON. Their signatures are
/// well-formed, and every result has its argument.
std::string printManifest(mlir::ModuleOp module,
                          llvm::ArrayRef<TargetDescription> targets);

/// Adds `manifest` to `module` under the name that the runtime looks for.
void addManifest(mlir::ModuleOp module, llvm::StringRef manifest);

/// Adds the constant `name` of `bytes` and a zero byte, which every user of the
/// library sees.
void addConstant(mlir::ModuleOp module, llvm::StringRef name,
                 llvm::StringRef bytes, unsigned alignment);

} // namespace mlafuse

#endif // MLAFUSE_CONVERSION_MANIFEST_H
