//===- mlafuse-device-check.cpp - a device against the CPU ------------===//
#include "FunctionCheck.h"
#include "MLACheck.h"

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

/// "3x300,1x64".
std::string sizesText(const std::vector<RunSize> &sizes) {
  std::string text;
  for (RunSize size : sizes)
    text += (text.empty() ? "" : ",") + std::to_string(size.requests) + "x" +
            std::to_string(size.keys);
  return text;
}

/// Prints why a function failed; returns whether it passed.
bool report(const Error &error) {
  if (error)
    printf("       %s\n", error.getText().c_str());
  fflush(stdout);
  return !error;
}

/// A line of the table, of a function that is compared by rows.
bool checkMLA(const Side &device, const Side &oracle,
              const Manifest &deviceManifest, const Manifest &oracleManifest,
              const Function &function, const CheckOptions &options,
              Streams *streams) {
  MLAFunction described;
  if (Error error =
          describe(deviceManifest, oracleManifest, function, described)) {
    printf("FAILED %s\n", function.name.c_str());
    return report(error);
  }
  MLACheck check(device, oracle, described, options, streams);
  Error error = check.run();
  const MLATally &tally = check.getTally();
  printf("%-6s %-80s %s=%s runs=%" PRId64 " rows=%" PRId64 " worst=%.2g",
         error ? "FAILED" : "ok", function.name.c_str(),
         described.hasPaging() ? "requests" : "T",
         described.hasPaging() ? sizesText(options.requests).c_str()
                               : numbersText(options.projectionTokens).c_str(),
         check.getRuns(), tally.rows, tally.worstRow);
  if (findArgument(function, "lse"))
    printf(" lse=%.2g", tally.worstLse);
  if (described.hasKey())
    printf(" codes=%" PRId64 " moved=%" PRId64 " scales_moved=%" PRId64,
           tally.codes, tally.movedCodes, tally.movedScales);
  printf("\n");
  return report(error);
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
  return report(error);
}

Error checkLibrary(const CheckOptions &options, int64_t &failures) {
  Side device, oracle;
  if (Error error = device.open(options.device, options.threads,
                                options.library, options.target))
    return error;
  if (Error error =
          oracle.open("cpu", options.threads, options.oracle, /*target=*/""))
    return std::move(error).in("the oracle");
  Manifest manifest, oracleManifest;
  if (Error error = parseManifest(device.manifest(), manifest))
    return error;
  if (Error error = parseManifest(oracle.manifest(), oracleManifest))
    return std::move(error).in("the oracle's library");
  Streams streams;
  if (options.streams)
    if (Error error = streams.open(options.device))
      return error;
  int64_t passed = 0;
  for (const Function &function : manifest.functions) {
    if (!options.functions.matches(function.name) ||
        isPartOfFamily(function.name))
      continue;
    Streams *used = options.streams ? &streams : nullptr;
    bool ok = isMLAName(function.name)
                  ? checkMLA(device, oracle, manifest, oracleManifest, function,
                             options, used)
                  : checkFunction(device, oracle, function, options, used);
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
