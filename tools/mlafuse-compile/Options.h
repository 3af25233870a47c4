//===- Options.h - the command line of mlafuse-compile ----------*- C++ -*-===//
#ifndef MLAFUSE_TOOLS_COMPILE_OPTIONS_H
#define MLAFUSE_TOOLS_COMPILE_OPTIONS_H

#include "MLAFuse/Conversion/GPUCodegen.h"
#include "MLAFuse/Transforms/Passes.h"
#include "Targets.h"
#include "llvm/Support/Error.h"

#include <string>

namespace mlafuse {

/// What the tool writes. From early to late, but that an image is of kernels
/// and an object or a library of all code.
enum class Stage {
  MLIR,
  Lowered,
  LLVM,
  PTX,
  Cubin,
  HSACO,
  Object,
  SharedLibrary
};

/// In the place of the assembler's path: libraries hold PTX alone.
constexpr llvm::StringLiteral kNoPtxas = "none";

struct CompileOptions {
  std::string input;  ///< "-": the standard input.
  std::string output; ///< "-": the standard output (text only).
  Stage stage = Stage::SharedLibrary;
  llvm::SmallVector<Target> targets;
  PtxasLocation ptxas;
  bool noFuse = false;
  Numerics numerics = Numerics::Exact;
  FusionReport report = FusionReport::None;
  std::string reportFile;
  std::string schedule; ///< What mlafuse-set-schedule takes; empty: nothing.
  /// An option of how the source is fused, if one is given: "--no-fuse".
  std::string fusionOption;
};

/// Parses the command line. Prints help or the version and exits where asked
/// to.
llvm::Expected<CompileOptions> parseOptions(int argc, char **argv);

} // namespace mlafuse

#endif // MLAFUSE_TOOLS_COMPILE_OPTIONS_H
