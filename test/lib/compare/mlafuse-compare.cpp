//===- mlafuse-compare.cpp - compare results of mlafuse-run -----------===//
#include "Compare.h"

#include <cstdio>
#include <getopt.h>

using namespace mlafuse::rt;

namespace {

const char helpText[] =
    R"(usage: mlafuse-compare RESULTS.safetensors GOLDEN.safetensors [options]
       mlafuse-compare --bits A.safetensors B.safetensors

Compares results with a golden file by its metadata 'tolerance' and 'encodings',
or two files of results bit for bit. Prints a line for each tensor; the exit
status is 1 if one differs or is missing.

  --map=RESULT=OUTPUT   compare the result with the golden output of this name
                        (repeatable); else their names are the same
  --against-contracted  take the outputs of contracted numerics where there are
                        some
  --partial             outputs that the results lack are left out
  --bits                all tensors of both files must have the same bytes
)";

struct Options {
  GoldenOptions golden;
  bool bits = false;
  bool help = false;
  std::string paths[2];
};

Error usage(std::string text) {
  return Error(MLAFUSE_INVALID_ARGUMENT,
               concat({text, " (see mlafuse-compare --help)"}));
}

Error parseOptions(int argc, char **argv, Options &options) {
  enum { Map, Contracted, Partial, Bits, Help };
  const option known[] = {
      {"map", required_argument, nullptr, Map},
      {"against-contracted", no_argument, nullptr, Contracted},
      {"partial", no_argument, nullptr, Partial},
      {"bits", no_argument, nullptr, Bits},
      {"help", no_argument, nullptr, Help},
      {nullptr, 0, nullptr, 0}};
  opterr = 0;
  for (int option;
       (option = getopt_long(argc, argv, "", known, nullptr)) != -1;) {
    switch (option) {
    case Map: {
      std::string text = optarg;
      size_t equals = text.find('=');
      if (equals == std::string::npos)
        return usage(concat({"--map=", text, ": wanted RESULT=OUTPUT"}));
      options.golden.names[text.substr(0, equals)] = text.substr(equals + 1);
      break;
    }
    case Contracted:
      options.golden.contracted = true;
      break;
    case Partial:
      options.golden.partial = true;
      break;
    case Bits:
      options.bits = true;
      break;
    case Help:
      options.help = true;
      return {};
    default:
      return usage(
          concat({"unknown or incomplete option ", quoted(argv[optind - 1])}));
    }
  }
  if (argc - optind != 2)
    return usage("wanted two files");
  options.paths[0] = argv[optind];
  options.paths[1] = argv[optind + 1];
  bool hasGoldenOption = options.golden.contracted || options.golden.partial ||
                         !options.golden.names.empty();
  return options.bits && hasGoldenOption
             ? usage("--bits goes with no other option")
             : Error();
}

Error compare(const Options &options, Report &report) {
  SafeTensorsFile files[2];
  for (int i = 0; i < 2; ++i)
    if (Error error = files[i].open(options.paths[i]))
      return error;
  if (!options.bits)
    return compareGolden(files[0], files[1], options.golden, report)
        .in(options.paths[1]);
  compareBits(files[0], files[1], report);
  return {};
}

} // namespace

int main(int argc, char **argv) {
  Options options;
  Error error = parseOptions(argc, argv, options);
  if (!error && options.help) {
    fputs(helpText, stdout);
    return 0;
  }
  Report report;
  if (!error)
    error = compare(options, report);
  fputs(report.text.c_str(), stdout);
  if (error)
    fprintf(stderr, "mlafuse-compare: error: %s\n", error.getText().c_str());
  return !error && report.passed ? 0 : 1;
}
