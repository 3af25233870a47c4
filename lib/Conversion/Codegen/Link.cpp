//===- Link.cpp - objects to shared libraries, by lld in this process -----===//

#include "MLAFuse/Conversion/CPUCodegen.h"
#include "lld/Common/Driver.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"

LLD_HAS_DRIVER(elf)

using namespace mlafuse;

namespace {

/// A file of this process, removed at the end.
class TemporaryFile {
public:
  static llvm::Expected<TemporaryFile> create(llvm::StringRef suffix,
                                              llvm::ArrayRef<char> contents) {
    llvm::SmallString<128> path;
    int descriptor;
    if (std::error_code error = llvm::sys::fs::createTemporaryFile(
            "mlafuse", suffix, descriptor, path))
      return llvm::createStringError("cannot make a temporary file: " +
                                     error.message());
    TemporaryFile file(path);
    llvm::raw_fd_ostream stream(descriptor, /*shouldClose=*/true);
    stream.write(contents.data(), contents.size());
    stream.close();
    if (std::error_code error = stream.error()) {
      stream.clear_error();
      return llvm::createStringError("cannot write " + llvm::Twine(path) +
                                     ": " + error.message());
    }
    return file;
  }

  llvm::StringRef getPath() const { return path; }

private:
  explicit TemporaryFile(llvm::StringRef path)
      : path(path), remover(std::make_unique<llvm::FileRemover>(path)) {}

  std::string path;
  std::unique_ptr<llvm::FileRemover> remover;
};

} // namespace

static bool isInLibc(llvm::StringRef symbol) {
  return llvm::is_contained({"memcpy", "memmove", "memset", "memcmp", "bcmp"},
                            symbol);
}

/// f64 functions by name, f32 ones with an f at the end.
static bool isInLibm(llvm::StringRef symbol) {
  static constexpr llvm::StringLiteral functions[] = {
      "acos",  "acosh", "asin",  "asinh", "atan",  "atan2",     "atanh",
      "cbrt",  "ceil",  "cos",   "cosh",  "erf",   "erfc",      "exp",
      "exp10", "exp2",  "expm1", "fabs",  "floor", "fma",       "fmax",
      "fmin",  "fmod",  "ldexp", "log",   "log10", "log1p",     "log2",
      "pow",   "rint",  "round", "sin",   "sinh",  "nearbyint", "roundeven",
      "sqrt",  "tan",   "tanh",  "trunc", "sincos"};
  if (llvm::is_contained(functions, symbol))
    return true;
  return symbol.consume_back("f") && llvm::is_contained(functions, symbol);
}

/// Names of the libraries that `object` calls.
static llvm::Expected<llvm::SmallVector<llvm::StringRef, 2>>
findNeededLibraries(llvm::ArrayRef<char> object) {
  auto file = llvm::object::ObjectFile::createObjectFile(llvm::MemoryBufferRef(
      llvm::StringRef(object.data(), object.size()), "mlafuse.o"));
  if (!file)
    return file.takeError();
  bool needsLibc = false, needsLibm = false;
  for (const llvm::object::SymbolRef &symbol : (*file)->symbols()) {
    llvm::Expected<uint32_t> flags = symbol.getFlags();
    if (!flags)
      return flags.takeError();
    if (!(*flags & llvm::object::SymbolRef::SF_Undefined))
      continue;
    llvm::Expected<llvm::StringRef> name = symbol.getName();
    if (!name)
      return name.takeError();
    if (name->empty())
      continue;
    bool isLibc = isInLibc(*name), isLibm = !isLibc && isInLibm(*name);
    if (!isLibc && !isLibm)
      return llvm::createStringError(
          "the generated code calls '" + *name +
          "', which neither libc nor libm has; the program uses an operation "
          "or a type that the CPU target has no code for");
    needsLibc |= isLibc;
    needsLibm |= isLibm;
  }
  llvm::SmallVector<llvm::StringRef, 2> libraries;
  if (needsLibm)
    libraries.push_back("libm.so.6");
  if (needsLibc)
    libraries.push_back("libc.so.6");
  return libraries;
}

static llvm::Error runLinker(llvm::ArrayRef<std::string> inputs,
                             llvm::StringRef output, llvm::StringRef soname) {
  std::string outputText = output.str(), sonameText = soname.str();
  llvm::SmallVector<const char *> arguments = {"ld.lld",
                                               "-shared",
                                               "--no-as-needed",
                                               "--hash-style=gnu",
                                               "-z",
                                               "now",
                                               "-soname",
                                               sonameText.c_str(),
                                               "-o",
                                               outputText.c_str()};
  for (const std::string &input : inputs)
    arguments.push_back(input.c_str());
  std::string messages;
  llvm::raw_string_ostream stream(messages);
  lld::Result result =
      lld::lldMain(arguments, stream, stream, {{lld::Gnu, &lld::elf::link}});
  if (result.retCode != 0)
    return llvm::createStringError("the linker failed: " +
                                   llvm::StringRef(messages).trim());
  return llvm::Error::success();
}

/// An empty library called `soname`, so that linking against it records the
/// need and asks for no file of the machine on which the compiler runs.
static llvm::Expected<TemporaryFile> makeStandIn(llvm::StringRef soname,
                                                 llvm::TargetMachine &machine) {
  llvm::LLVMContext context;
  llvm::Module empty("empty", context);
  empty.setTargetTriple(machine.getTargetTriple());
  empty.setDataLayout(machine.createDataLayout());
  auto object = emitObject(empty, machine);
  if (!object)
    return object.takeError();
  auto input = TemporaryFile::create("o", *object);
  if (!input)
    return input.takeError();
  auto library = TemporaryFile::create("so", {});
  if (!library)
    return library.takeError();
  if (llvm::Error error =
          runLinker({input->getPath().str()}, library->getPath(), soname))
    return std::move(error);
  return library;
}

llvm::Error mlafuse::linkSharedLibrary(llvm::ArrayRef<char> object,
                                       llvm::TargetMachine &machine,
                                       llvm::StringRef output,
                                       llvm::StringRef soname) {
  auto libraries = findNeededLibraries(object);
  if (!libraries)
    return libraries.takeError();
  auto input = TemporaryFile::create("o", object);
  if (!input)
    return input.takeError();
  llvm::SmallVector<std::string> inputs = {input->getPath().str()};
  llvm::SmallVector<TemporaryFile, 2> standIns;
  for (llvm::StringRef library : *libraries) {
    auto standIn = makeStandIn(library, machine);
    if (!standIn)
      return standIn.takeError();
    inputs.push_back(standIn->getPath().str());
    standIns.push_back(std::move(*standIn));
  }
  return runLinker(inputs, output, soname);
}
