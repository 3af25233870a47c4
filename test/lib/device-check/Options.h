//===- Options.h - command line of mlafuse-device-check -------*- C++ -*-===//
#ifndef MLAFUSE_TEST_DEVICECHECK_OPTIONS_H
#define MLAFUSE_TEST_DEVICECHECK_OPTIONS_H

#include "MLAFunction.h"

#include <cstdint>
#include <regex.h>
#include <string>
#include <vector>

namespace mlafuse::rt {

/// A POSIX extended regular expression that a whole name is searched with.
class NamePattern {
public:
  NamePattern() = default;
  NamePattern(const NamePattern &) = delete;
  NamePattern &operator=(const NamePattern &) = delete;
  ~NamePattern() {
    if (isSet)
      regfree(&expression);
  }

  Error compile(const char *text);
  /// True for every name if there is no expression.
  bool matches(const std::string &name) const;

private:
  regex_t expression;
  bool isSet = false;
};

struct CheckOptions {
  std::string library;
  std::string oracle; ///< Library with the reference; `library` by default.
  std::string device = "cpu";
  std::string target; ///< Chip whose code is run; empty: the runtime chooses.
  NamePattern functions;
  std::vector<int64_t> tokens = {0, 1, 3, 7, 128, 257, 4096};
  /// Of projections of many heads, whose rows are long.
  std::vector<int64_t> projectionTokens = {0, 1, 7, 65, 257};
  /// Of functions with a paged cache.
  std::vector<RunSize> requests = {{0, 64}, {1, 777}, {3, 300}, {9, 65}};
  uint64_t firstSeed = 1;
  int64_t seeds = 2;
  int64_t offset = 0; ///< Elements between aligned memory and each tensor.
  int32_t threads = 0;
  bool tight = false; ///< No guards: memory ends with its tensor.
  bool bits = false;  ///< Rows hold every bit pattern in place of numbers.
  bool streams = false;
  bool verbose = false;
  bool help = false;
};

/// Parses the command line.
Error parseOptions(int argc, char **argv, CheckOptions &options);

/// What --help prints.
extern const char helpText[];

} // namespace mlafuse::rt

#endif // MLAFUSE_TEST_DEVICECHECK_OPTIONS_H
