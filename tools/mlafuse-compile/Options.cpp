//===- Options.cpp - the command line of mlafuse-compile ------------------===//

#include "Options.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlafuse;
namespace cl = llvm::cl;

/// Finds the value that `text` names.
template <typename T>
static llvm::Error
parseChoice(llvm::StringRef option, llvm::StringRef text,
            std::initializer_list<std::pair<llvm::StringRef, T>> choices,
            T &value) {
  std::string names;
  for (auto [name, choice] : choices) {
    if (text == name) {
      value = choice;
      return llvm::Error::success();
    }
    names += (names.empty() ? "" : ", ") + name.str();
  }
  return llvm::createStringError(option + "=" + text + ": wanted one of " +
                                 names);
}

/// LLVM's own messages begin with the program's name, which main adds.
static llvm::Error cleanError(llvm::StringRef text, llvm::StringRef program) {
  // Where an option lacks its value LLVM prints at once, and not to `text`.
  if (text.empty())
    return llvm::createStringError("the command line is not understood");
  llvm::StringRef line = text.split('\n').first;
  line.consume_front(program);
  line.consume_front(": ");
  return llvm::createStringError(line.trim());
}

/// An option that says nothing is no default: a script's variable is unset.
static llvm::Error
checkValues(llvm::ArrayRef<const cl::opt<std::string> *> given) {
  for (const cl::opt<std::string> *option : given)
    if (option->getNumOccurrences() && option->empty())
      return llvm::createStringError("--" + option->ArgStr +
                                     "= has no value: give a " +
                                     option->ValueStr + ", or leave it out");
  return llvm::Error::success();
}

/// A schedule is that of a GPU's kernels, which are made.
static llvm::Error checkSchedule(const CompileOptions &options) {
  if (options.schedule.empty())
    return llvm::Error::success();
  if (options.stage == Stage::MLIR)
    return llvm::createStringError("--schedule is about kernels, which "
                                   "--emit=mlir is ahead of: give one of them");
  if (llvm::none_of(options.targets,
                    [](const Target &target) { return target.chip; }))
    return llvm::createStringError(
        "--schedule is about the kernels of a GPU: give a --target that is "
        "one");
  return llvm::Error::success();
}

/// The form that is asked for is one of the targets.
static llvm::Error checkTargets(const CompileOptions &options,
                                llvm::StringRef emit) {
  if (options.stage != Stage::SharedLibrary && options.targets.size() > 1)
    return llvm::createStringError("--emit=" + emit +
                                   " is of one target: only a library (so) "
                                   "has several");
  const Target &target = options.targets.front();
  bool isNVIDIA = options.stage == Stage::PTX || options.stage == Stage::Cubin;
  if (isNVIDIA && !target.isNVIDIA())
    return llvm::createStringError("--emit=" + emit +
                                   " is of NVIDIA's chips: give "
                                   "--target=nvvm:CHIP, not " +
                                   target.text);
  if (options.stage == Stage::HSACO && !target.isAMD())
    return llvm::createStringError(
        "--emit=hsaco is of AMD's chips: give --target=rocdl:CHIP, not " +
        target.text);
  return llvm::Error::success();
}

llvm::Expected<CompileOptions> mlafuse::parseOptions(int argc, char **argv) {
  // Static: the registry of options keeps pointers to them, and lld resets
  // every option before it links.
  static cl::OptionCategory category("mlafuse-compile options");
  static cl::opt<std::string> input(cl::Positional, cl::init(""),
                                    cl::desc("<input .mlir file, or ->"),
                                    cl::cat(category));
  static cl::opt<std::string> output(
      "o", cl::init(""), cl::value_desc("file"),
      cl::desc("Where to write; - is the standard "
               "output, for text only"),
      cl::cat(category));
  static cl::list<std::string> target(
      "target", cl::value_desc("targets"),
      cl::desc("cpu (this machine), cpu:NAME (a CPU by LLVM's name), nvvm:CHIP "
               "or rocdl:CHIP; several, separated by commas or each with an "
               "option of its own, share a library"),
      cl::cat(category));
  static cl::opt<std::string> emit(
      "emit", cl::init("so"), cl::value_desc("form"),
      cl::desc("What to write: mlir (fused IR on tensors), lowered (loops over "
               "memrefs, or kernels ahead of the last conversion), llvm "
               "(optimized LLVM IR, of a GPU its kernels'), ptx, cubin, hsaco "
               "(kernels), obj or so (the default)"),
      cl::cat(category));
  static cl::opt<std::string> ptxas(
      "ptxas", cl::init(""), cl::value_desc("file"),
      cl::desc("NVIDIA's assembler; else it is looked for in PATH, "
               "$CUDA_HOME/bin, $CUDA_PATH/bin and /usr/local/cuda/bin; none: "
               "libraries hold PTX alone, which the driver compiles"),
      cl::cat(category));
  static cl::opt<std::string> cudaPath(
      "cuda-path", cl::init(""), cl::value_desc("directory"),
      cl::desc("CUDA toolkit whose bin/ptxas is used"), cl::cat(category));
  static cl::opt<bool> noFuse("no-fuse",
                              cl::desc("Lower every op as it is written"),
                              cl::cat(category));
  static cl::opt<std::string> numerics(
      "numerics", cl::init("exact"), cl::value_desc("mode"),
      cl::desc("What fused ops round: exact (as their unfused chain, the "
               "default) or contracted (once, at the end of the chain)"),
      cl::cat(category));
  static cl::opt<std::string> report(
      "report", cl::init(""), cl::value_desc("form"),
      cl::desc("Say what was fused, and why the rest was not: text or json"),
      cl::cat(category));
  static cl::opt<std::string> reportFile(
      "report-file", cl::init("-"), cl::value_desc("file"),
      cl::desc("Where to write the report; - is the standard output"),
      cl::cat(category));

  static cl::opt<std::string> schedule(
      "schedule", cl::init(""), cl::value_desc("schedule"),
      cl::desc("How a GPU's attention is tuned, as '"
               "block_keys = 64, stages = 2', in place of what the source and "
               "the compiler choose; 'head_projection: stages = 2' for the "
               "projections, after a semicolon for both"),
      cl::cat(category));

  cl::HideUnrelatedOptions(category);
  cl::SetVersionPrinter([](llvm::raw_ostream &os) {
    os << "mlafuse-compile " MLAFUSE_VERSION ", LLVM " LLVM_VERSION_STRING "\n";
  });
  std::string messages;
  llvm::raw_string_ostream errors(messages);
  if (!cl::ParseCommandLineOptions(
          argc, argv,
          "Compiles tensor functions of the mlafuse dialect to a "
          "shared library.\n",
          &errors))
    return cleanError(messages, llvm::sys::path::filename(argv[0]));

  if (input.empty())
    return llvm::createStringError(
        "no input: give an .mlir file, or - for the standard input");
  CompileOptions options;
  options.input = input;
  options.output = output;
  options.noFuse = noFuse;
  options.reportFile = reportFile;
  options.schedule = schedule;
  options.ptxas = {ptxas, cudaPath};
  if (llvm::Error missing =
          checkValues({&ptxas, &cudaPath, &report, &reportFile, &schedule}))
    return std::move(missing);
  if (noFuse)
    options.fusionOption = "--no-fuse";
  for (const cl::opt<std::string> *option : {&report, &numerics})
    if (option->getNumOccurrences())
      options.fusionOption = ("--" + option->ArgStr).str();
  llvm::Error error = parseChoice("--emit", emit,
                                  {{"mlir", Stage::MLIR},
                                   {"lowered", Stage::Lowered},
                                   {"llvm", Stage::LLVM},
                                   {"ptx", Stage::PTX},
                                   {"cubin", Stage::Cubin},
                                   {"hsaco", Stage::HSACO},
                                   {"obj", Stage::Object},
                                   {"so", Stage::SharedLibrary}},
                                  options.stage);
  auto targets = parseTargets(
      target.empty() ? "cpu" : llvm::join(target.begin(), target.end(), ","));
  if (targets)
    options.targets = std::move(*targets);
  else
    error = llvm::joinErrors(std::move(error), targets.takeError());
  error = llvm::joinErrors(std::move(error),
                           parseChoice("--numerics", numerics,
                                       {{"exact", Numerics::Exact},
                                        {"contracted", Numerics::Contracted}},
                                       options.numerics));
  if (!report.empty())
    error = llvm::joinErrors(std::move(error),
                             parseChoice("--report", report,
                                         {{"text", FusionReport::Text},
                                          {"json", FusionReport::JSON}},
                                         options.report));
  if (error)
    return std::move(error);
  if (reportFile.getNumOccurrences() && options.report == FusionReport::None)
    return llvm::createStringError(
        "--report-file says where the report goes: give --report=text or json "
        "too");
  if (options.noFuse && options.report != FusionReport::None)
    return llvm::createStringError("--report tells of fusion, which --no-fuse "
                                   "turns off: give one of them");
  if (options.noFuse && options.numerics == Numerics::Contracted)
    return llvm::createStringError("--numerics=contracted is about fused ops, "
                                   "which --no-fuse leaves out: give one of "
                                   "them");
  if (llvm::Error wrong = checkTargets(options, emit))
    return std::move(wrong);
  if (llvm::Error wrong = checkSchedule(options))
    return std::move(wrong);
  if (!options.ptxas.path.empty() && !options.ptxas.toolkit.empty())
    return llvm::createStringError(
        "--ptxas and --cuda-path both say where ptxas is: give one of them");
  bool isText = options.stage <= Stage::PTX;
  if (options.output.empty()) {
    if (!isText)
      return llvm::createStringError("no output: give -o FILE");
    options.output = "-";
  }
  if (options.output == "-" && !isText)
    return llvm::createStringError(
        emit + " is binary and goes to a file: give -o FILE");
  return options;
}
