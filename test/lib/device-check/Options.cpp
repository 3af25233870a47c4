//===- Options.cpp - command line of mlafuse-device-check -------------===//
#include "Options.h"

#include <cerrno>
#include <cstdlib>
#include <getopt.h>

namespace mlafuse::rt {

const char helpText[] =
    R"(usage: mlafuse-device-check LIBRARY --device=BACKEND [OPTION...]

Runs every function of a compiled library on a device and on the CPU, on the same
made-up arguments, and compares all that they write. Fails if anything differs by
more than the function's name allows (a first part `norm` or `merge`), if a guard
byte around a tensor or an argument that is only read has changed, or if a second
launch gives other bits than the first. Functions attention_..., decode_... and
projection_... are compared by rows, and the codes of one with a key must be those that
the CPU makes of what its __unkeyed writes on the device.

  --device=NAME     cpu (default), cuda or hip
  --target=CHIP     run the code of this chip, which the device must be able to run
  --oracle=LIBRARY  where the CPU's results come from (default: LIBRARY itself)
  --functions=REGEX only functions with this in their name
  --tokens=N,...    values of the size T (default 0,1,3,7,128,257,4096; of functions
                    projection_... 0,1,7,65,257)
  --requests=BxN,...  numbers of requests, and keys of the longest of them, for
                    functions with a paged cache (default 0x64,1x777,3x300,9x65)
  --seed=N          first seed of the arguments (default 1)
  --seeds=N         how many seeds (default 2; above 1000 tokens 1, of projections above
                    100): strided rows of
                    odd ones are aligned, those of even ones start anywhere; each
                    runs with plain numbers and with NaN, infinities, zeros, tiny
                    and huge numbers among them
  --offset=N        put every tensor N elements behind aligned memory (default 0)
  --tight           end the memory of a tensor with it, in place of guard bytes:
                    for a driver whose memory ends at a page that nobody may touch
  --bits            fill rows of floats with all patterns of 16 bits in turn (f32: in
                    its upper half), sorted so that those of a row are near in
                    magnitude: a tensor of 65536 elements has all of them
  --streams         launch on a stream of our own, and replay captured launches
                    with other counts of tokens (cuda and hip)
  --threads=N       threads of the CPU (default 0: one per core)
  --verbose         a line for every run
  --help            print this
)";

Error NamePattern::compile(const char *text) {
  if (isSet)
    regfree(&expression);
  int code = regcomp(&expression, text, REG_EXTENDED | REG_NOSUB);
  isSet = code == 0;
  if (isSet)
    return {};
  char reason[128];
  regerror(code, &expression, reason, sizeof(reason));
  return Error(MLAFUSE_INVALID_ARGUMENT,
               concat({"--functions=", text, ": ", reason}));
}

bool NamePattern::matches(const std::string &name) const {
  return !isSet || regexec(&expression, name.c_str(), 0, nullptr, 0) == 0;
}

namespace {

Error usage(std::string text) {
  return Error(MLAFUSE_INVALID_ARGUMENT,
               concat({text, " (see mlafuse-device-check --help)"}));
}

Error parseNumber(const char *option, const std::string &text, int64_t high,
                  int64_t &value) {
  char *end;
  errno = 0;
  value = strtoll(text.c_str(), &end, 10);
  if (!text.empty() && *end == '\0' && errno == 0 && value >= 0 &&
      value <= high)
    return {};
  return usage(concat({"--", option, ": '", text, "' is no number from 0 to ",
                       std::to_string(high)}));
}

Error parseTokens(const std::string &text, std::vector<int64_t> &tokens) {
  tokens.clear();
  for (size_t begin = 0; begin <= text.size();) {
    size_t end = std::min(text.find(',', begin), text.size());
    int64_t number;
    if (Error error = parseNumber("tokens", text.substr(begin, end - begin),
                                  int64_t(1) << 32, number))
      return error;
    tokens.push_back(number);
    begin = end + 1;
  }
  return {};
}

/// "3x300,1x64".
Error parseRequests(std::string_view text, std::vector<RunSize> &sizes) {
  sizes.clear();
  for (size_t begin = 0, end; begin <= text.size(); begin = end + 1) {
    end = std::min(text.find(',', begin), text.size());
    std::string size(text.substr(begin, end - begin));
    size_t cross = size.find('x');
    if (cross == std::string::npos)
      return usage(concat(
          {"--requests: wanted BxN, such as 3x300, not ", quoted(size)}));
    RunSize parsed;
    if (Error error = parseNumber("requests", size.substr(0, cross), 1 << 16,
                                  parsed.requests))
      return error;
    if (Error error = parseNumber("requests", size.substr(cross + 1), 1 << 27,
                                  parsed.keys))
      return error;
    sizes.push_back(parsed);
  }
  return {};
}

enum Option {
  Device = 256,
  Target,
  Oracle,
  Functions,
  Tokens,
  Requests,
  Seed,
  Seeds,
  Offset,
  Tight,
  Bits,
  Streams,
  Threads,
  Verbose,
  Help
};

constexpr option longOptions[] = {
    {"device", required_argument, nullptr, Device},
    {"target", required_argument, nullptr, Target},
    {"oracle", required_argument, nullptr, Oracle},
    {"functions", required_argument, nullptr, Functions},
    {"tokens", required_argument, nullptr, Tokens},
    {"requests", required_argument, nullptr, Requests},
    {"seed", required_argument, nullptr, Seed},
    {"seeds", required_argument, nullptr, Seeds},
    {"offset", required_argument, nullptr, Offset},
    {"tight", no_argument, nullptr, Tight},
    {"bits", no_argument, nullptr, Bits},
    {"streams", no_argument, nullptr, Streams},
    {"threads", required_argument, nullptr, Threads},
    {"verbose", no_argument, nullptr, Verbose},
    {"help", no_argument, nullptr, Help},
    {nullptr, 0, nullptr, 0},
};

Error parseOption(int option, CheckOptions &options) {
  int64_t number = 0;
  switch (option) {
  case Device:
    options.device = optarg;
    return {};
  case Target:
    options.target = optarg;
    return {};
  case Oracle:
    options.oracle = optarg;
    return {};
  case Functions:
    return options.functions.compile(optarg);
  case Tokens: {
    Error error = parseTokens(optarg, options.tokens);
    options.projectionTokens = options.tokens;
    return error;
  }
  case Requests:
    return parseRequests(optarg, options.requests);
  case Seed: {
    Error error = parseNumber("seed", optarg, INT64_MAX, number);
    options.firstSeed = static_cast<uint64_t>(number);
    return error;
  }
  case Seeds:
    return parseNumber("seeds", optarg, 1'000'000, options.seeds);
  case Offset:
    return parseNumber("offset", optarg, 64, options.offset);
  case Threads: {
    Error error = parseNumber("threads", optarg, 4096, number);
    options.threads = static_cast<int32_t>(number);
    return error;
  }
  case Tight:
    options.tight = true;
    return {};
  case Bits:
    options.bits = true;
    return {};
  case Streams:
    options.streams = true;
    return {};
  case Verbose:
    options.verbose = true;
    return {};
  case Help:
    options.help = true;
    return {};
  }
  return usage("unknown option, or an option without its value");
}

} // namespace

Error parseOptions(int argc, char **argv, CheckOptions &options) {
  opterr = 0;
  for (int option;
       (option = getopt_long(argc, argv, "", longOptions, nullptr)) != -1;)
    if (Error error = parseOption(option, options))
      return error;
  if (options.help)
    return {};
  if (optind + 1 != argc)
    return usage("wanted one library");
  options.library = argv[optind];
  if (options.oracle.empty())
    options.oracle = options.library;
  return {};
}

} // namespace mlafuse::rt
