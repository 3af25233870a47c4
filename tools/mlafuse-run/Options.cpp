//===- Options.cpp - command line of mlafuse-run ----------------------===//
#include "Options.h"

#include <cerrno>
#include <cstdlib>
#include <getopt.h>

namespace mlafuse::rt {

const char helpText[] =
    R"(usage: mlafuse-run LIBRARY.so [options]

Runs a function of a library that mlafuse-compile made.

  --function=NAME    the function; may be left out if the library has only one
  --device=NAME      cpu (default), cuda or hip
  --target=CHIP      run the code for this chip, such as sm_80, if the device can;
                     else the code that fits the device best. cuda:CHIP and
                     hip:CHIP name the device as well
  --inputs=FILE      safetensors file with a tensor for each argument, by name;
                     other tensors of the file are ignored
  --outputs=FILE     safetensors file to write the results to, by name; without
                     it, their types, shapes and checksums (FNV-1a) are printed
  --random=SEED      make the arguments that no file gives: floats normally
                     distributed with deviation 1, or evenly within the
                     argument's range if it has one; integers evenly within
                     their range, zero without one; bytes (i8) any. The same
                     seed, name and shape give the same values everywhere.
  --dim=NAME=N       size of a symbol that no input gives (repeatable)
  --benchmark=N      afterwards time N runs
  --poison           before every run fill what it only writes, and its workspace,
                     with bytes 0xA5, and afterwards check the guard bytes around
                     every buffer
  --threads=N        threads on the CPU; 0 (default): one per core
  --list             print the library's functions, arguments and results; opens
                     a device only if --device or --target is given
  --help, --version

An argument that the function only writes need not be given: it then holds zeros,
or with --poison bytes 0xA5.
Dynamic sizes come from the inputs and --dim, and must agree.
)";

namespace {

Error usage(std::string text) {
  return Error(MLAFUSE_INVALID_ARGUMENT,
               concat({text, " (see mlafuse-run --help)"}));
}

/// A whole decimal number in [low, high].
Error parseNumber(const char *option, std::string_view text, int64_t low,
                  int64_t high, int64_t &value) {
  std::string digits(text);
  char *end;
  errno = 0;
  value = strtoll(digits.c_str(), &end, 10);
  bool isNumber = !digits.empty() && *end == '\0' && errno == 0 &&
                  (digits[0] == '-' || (digits[0] >= '0' && digits[0] <= '9'));
  if (isNumber && value >= low && value <= high)
    return {};
  return usage(concat({option, "=", text, ": wanted a number from ",
                       std::to_string(low), " to ", std::to_string(high)}));
}

Error parseDim(std::string_view text,
               std::vector<std::pair<std::string, int64_t>> &dims) {
  size_t equals = text.rfind('=');
  if (equals == std::string_view::npos || equals == 0)
    return usage(concat({"--dim=", text, ": wanted --dim=NAME=N"}));
  int64_t size;
  std::string name(text.substr(0, equals));
  if (Error error = parseNumber(("--dim=" + name).c_str(),
                                text.substr(equals + 1), 0, INT64_MAX, size))
    return error;
  for (const auto &[known, value] : dims)
    if (known == name && value != size)
      return usage(concat({"--dim=", text, ": ", name, " was already given as ",
                           std::to_string(value)}));
  dims.emplace_back(name, size);
  return {};
}

enum Option {
  Function = 256,
  Device,
  Target,
  Inputs,
  Outputs,
  Random,
  DimSize,
  Benchmark,
  Threads,
  Poison,
  List,
  Help,
  Version
};

constexpr option longOptions[] = {
    {"function", required_argument, nullptr, Function},
    {"device", required_argument, nullptr, Device},
    {"target", required_argument, nullptr, Target},
    {"inputs", required_argument, nullptr, Inputs},
    {"outputs", required_argument, nullptr, Outputs},
    {"random", required_argument, nullptr, Random},
    {"dim", required_argument, nullptr, DimSize},
    {"benchmark", required_argument, nullptr, Benchmark},
    {"threads", required_argument, nullptr, Threads},
    {"poison", no_argument, nullptr, Poison},
    {"list", no_argument, nullptr, List},
    {"help", no_argument, nullptr, Help},
    {"version", no_argument, nullptr, Version},
    {nullptr, 0, nullptr, 0},
};

Error parseText(const char *option, std::string &value) {
  value = optarg;
  return value.empty() ? usage(concat({option, " needs a value"})) : Error();
}

Error parseOption(int option, Options &options) {
  int64_t number = 0;
  switch (option) {
  case Function:
    return parseText("--function", options.function);
  case Device:
    options.isDeviceGiven = true;
    return parseText("--device", options.device);
  case Target:
    return parseText("--target", options.target);
  case Inputs:
    return parseText("--inputs", options.inputs);
  case Outputs:
    return parseText("--outputs", options.outputs);
  case Random: {
    Error error = parseNumber("--random", optarg, 0, INT64_MAX, number);
    options.random = static_cast<uint64_t>(number);
    return error;
  }
  case DimSize:
    return parseDim(optarg, options.dims);
  case Benchmark:
    return parseNumber("--benchmark", optarg, 1, 100'000'000,
                       options.benchmark);
  case Threads: {
    Error error = parseNumber("--threads", optarg, 0, 4096, number);
    options.threads = static_cast<int32_t>(number);
    return error;
  }
  case Poison:
    options.poison = true;
    break;
  case List:
    options.list = true;
    break;
  case Help:
    options.help = true;
    break;
  case Version:
    options.version = true;
    break;
  }
  return {};
}

/// Takes the backend off a target in the form of the runtime's messages,
/// hip:gfx942, or of mlafuse-compile's targets, rocdl:gfx942.
Error splitTarget(Options &options) {
  constexpr std::pair<std::string_view, std::string_view> backends[] = {
      {"cpu", "cpu"},   {"cuda", "cuda"}, {"hip", "hip"},
      {"nvvm", "cuda"}, {"rocdl", "hip"},
  };
  size_t colon = options.target.find(':');
  if (colon == std::string::npos)
    return {};
  std::string_view given = std::string_view(options.target).substr(0, colon);
  for (auto [name, device] : backends) {
    if (given != name)
      continue;
    if (colon + 1 == options.target.size())
      return usage(concat({"--target=", options.target, ": wanted ", name,
                           ":CHIP or the chip's name alone"}));
    if (options.isDeviceGiven && options.device != device)
      return usage(
          concat({"--target=", options.target, " is code for --device=", device,
                  "; given is --device=", options.device}));
    options.device = device;
    options.isDeviceGiven = true;
    options.target.erase(0, colon + 1);
    return {};
  }
  return usage(concat({"--target=", options.target, ": there is no backend ",
                       quoted(given),
                       "; wanted the chip's name alone, cpu:CHIP, cuda:CHIP or "
                       "hip:CHIP"}));
}

} // namespace

Error parseOptions(int argc, char **argv, Options &options) {
  opterr = 0;
  for (;;) {
    int start = optind;
    // A leading ':' makes a missing value another result than a wrong option.
    int option = getopt_long(argc, argv, ":", longOptions, nullptr);
    if (option == -1)
      break;
    // Only where the option stands by itself does optind tell which it was.
    const char *text = argv[optind - 1 >= start ? optind - 1 : start];
    if (option == ':')
      return usage(concat({text, " needs a value"}));
    // getopt names the option only if it knows it.
    if (option == '?' && optopt >= Function)
      return usage(concat({text, ": this option takes no value"}));
    if (option == '?')
      return usage(concat({"unknown option ", quoted(text)}));
    if (Error error = parseOption(option, options))
      return error;
  }
  if (options.help || options.version)
    return {};
  if (optind == argc)
    return usage("no library given");
  options.library = argv[optind];
  if (optind + 1 < argc)
    return usage(concat(
        {"a second library ", quoted(argv[optind + 1]), " given; wanted one"}));
  return splitTarget(options);
}

} // namespace mlafuse::rt
