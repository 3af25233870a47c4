//===- mlafuse-device-check.cpp - a device against the CPU ------------===//
#include "FunctionCheck.h"

#include <cinttypes>

using namespace mlafuse::rt;

namespace {

/// "0,1,3".
std::string numbersText(const std::vector<int64_t> &numbers) {
  std::string text;
  for (int64_t number : numbers)
    text += (text.empty() ? "" : ",") + std::to_string(number);
  return text;
}

/// A line of the table; returns whether the function passed.
bool checkFunction(const Side &device, const Side &oracle,
                   const Function &function, const CheckOptions &options,
                   Streams *streams) {
  FunctionCheck check(device, oracle, function, options, streams);
  Error error = check.run();
  Tally total = check.getTotal();
  printf("%-6s %-60s T=%s runs=%" PRId64 " compared=%" PRId64
         " differing=%" PRId64 " worst=%.3g\n",
         error ? "FAILED" : "ok", function.name.c_str(),
         numbersText(check.getTokens()).c_str(), check.getRuns(),
         total.compared, total.differing, total.worst);
  if (error)
    printf("       %s\n", error.getText().c_str());
  fflush(stdout);
  return !error;
}

Error checkLibrary(const CheckOptions &options, int64_t &failures) {
  Side device, oracle;
  if (Error error = device.open(options.device, options.threads,
                                options.library, options.target))
    return error;
  if (Error error =
          oracle.open("cpu", options.threads, options.oracle, /*target=*/""))
    return std::move(error).in("the oracle");
  Manifest manifest;
  if (Error error = parseManifest(device.manifest(), manifest))
    return error;
  Streams streams;
  if (options.streams)
    if (Error error = streams.open(options.device))
      return error;
  int64_t passed = 0;
  for (const Function &function : manifest.functions) {
    if (!options.functions.matches(function.name))
      continue;
    bool ok = checkFunction(device, oracle, function, options,
                            options.streams ? &streams : nullptr);
    ++(ok ? passed : failures);
  }
  printf("%" PRId64 " passed, %" PRId64 " failed\n", passed, failures);
  if (passed + failures == 0)
    return Error(MLAFUSE_NOT_FOUND, "no function has such a name");
  return {};
}

} // namespace

int main(int argc, char **argv) {
  CheckOptions options;
  int64_t failures = 0;
  Error error = parseOptions(argc, argv, options);
  if (!error && options.help)
    fputs(helpText, stdout);
  else if (!error)
    error = checkLibrary(options, failures);
  if (!error && (fflush(stdout) != 0 || ferror(stdout)))
    error = Error(MLAFUSE_EXECUTION_FAILED, "cannot write to standard output");
  if (error) {
    fprintf(stderr, "mlafuse-device-check: error: %s\n",
            error.getText().c_str());
    return 2;
  }
  return failures == 0 ? 0 : 1;
}
