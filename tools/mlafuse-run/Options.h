//===- Options.h - command line of mlafuse-run ----------------*- C++ -*-===//
#ifndef MLAFUSE_TOOLS_MLAFUSE_RUN_OPTIONS_H
#define MLAFUSE_TOOLS_MLAFUSE_RUN_OPTIONS_H

#include "Error.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace mlafuse::rt {

struct Options {
  std::string library;
  std::string function; ///< Empty: the library's only one.
  std::string device = "cpu";
  bool isDeviceGiven = false;     ///< By --device, or as --target's BACKEND.
  std::string target;             ///< A chip; empty: what fits best.
  std::string inputs;             ///< Path; empty: none.
  std::string outputs;            ///< Path; empty: print checksums.
  std::optional<uint64_t> random; ///< The seed.
  /// Sizes of symbols, in the order given.
  std::vector<std::pair<std::string, int64_t>> dims;
  int64_t benchmark = 0; ///< Timed runs; 0: none.
  int32_t threads = 0;   ///< 0: one per core.
  bool poison = false;
  bool list = false;
  bool help = false;
  bool version = false;
};

/// Parses the command line; with --help or --version nothing else is needed.
Error parseOptions(int argc, char **argv, Options &options);

/// What --help prints.
extern const char helpText[];

} // namespace mlafuse::rt

#endif // MLAFUSE_TOOLS_MLAFUSE_RUN_OPTIONS_H
