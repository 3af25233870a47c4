//===- Link.cpp - objects to libraries and images, by lld in this process -===//

#include "MLAFuse/Conversion/GPUCodegen.h"
#include "TemporaryFile.h"
#include "lld/Common/Driver.h"
#include "llvm/Object/ObjectFile.h"

LLD_HAS_DRIVER(elf)

using namespace mlafuse;

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

namespace {

/// Libraries that objects call.
struct NeededLibraries {
  bool libc = false, libm = false;

  llvm::Error add(llvm::ArrayRef<char> object);
};

} // namespace

llvm::Error NeededLibraries::add(llvm::ArrayRef<char> object) {
  auto file = llvm::object::ObjectFile::createObjectFile(llvm::MemoryBufferRef(
      llvm::StringRef(object.data(), object.size()), "mlafuse.o"));
  if (!file)
    return file.takeError();
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
    libc |= isLibc;
    libm |= isLibm;
  }
  return llvm::Error::success();
}

static llvm::Error runLinker(llvm::ArrayRef<llvm::StringRef> options,
                             llvm::ArrayRef<std::string> inputs,
                             llvm::StringRef output) {
  llvm::SmallVector<std::string> words = {"ld.lld", "-shared", "-o",
                                          output.str()};
  words.append(options.begin(), options.end());
  words.append(inputs.begin(), inputs.end());
  auto arguments = llvm::map_to_vector(
      words, [](const std::string &word) { return word.c_str(); });
  std::string messages;
  llvm::raw_string_ostream stream(messages);
  lld::Result result =
      lld::lldMain(arguments, stream, stream, {{lld::Gnu, &lld::elf::link}});
  if (result.retCode != 0)
    return llvm::createStringError("the linker failed: " +
                                   llvm::StringRef(messages).trim());
  return llvm::Error::success();
}

static llvm::Error linkHost(llvm::ArrayRef<std::string> inputs,
                            llvm::StringRef output, llvm::StringRef soname) {
  return runLinker(
      {"--no-as-needed", "--hash-style=gnu", "-z", "now", "-soname", soname},
      inputs, output);
}

/// An empty library called `soname`, so that linking against it records the
/// need and asks for no file of the machine on which the compiler runs.
static llvm::Expected<TemporaryFile> makeStandIn(llvm::StringRef soname,
                                                 llvm::TargetMachine &machine) {
  llvm::LLVMContext context;
  llvm::Module empty("empty", context);
  empty.setTargetTriple(machine.getTargetTriple());
  empty.setDataLayout(machine.createDataLayout());
  auto object = emitCode(empty, machine, llvm::CodeGenFileType::ObjectFile);
  if (!object)
    return object.takeError();
  auto input = TemporaryFile::create("o", *object);
  if (!input)
    return input.takeError();
  auto library = TemporaryFile::create("so", {});
  if (!library)
    return library.takeError();
  if (llvm::Error error =
          linkHost({input->getPath().str()}, library->getPath(), soname))
    return std::move(error);
  return library;
}

llvm::Error mlafuse::linkSharedLibrary(llvm::ArrayRef<Binary> objects,
                                       llvm::TargetMachine &machine,
                                       llvm::StringRef output,
                                       llvm::StringRef soname) {
  NeededLibraries needed;
  llvm::SmallVector<std::string> inputs;
  llvm::SmallVector<TemporaryFile> files;
  for (const Binary &object : objects) {
    if (llvm::Error error = needed.add(object))
      return error;
    auto input = TemporaryFile::create("o", object);
    if (!input)
      return input.takeError();
    inputs.push_back(input->getPath().str());
    files.push_back(std::move(*input));
  }
  llvm::SmallVector<llvm::StringRef, 2> libraries;
  if (needed.libm)
    libraries.push_back("libm.so.6");
  if (needed.libc)
    libraries.push_back("libc.so.6");
  for (llvm::StringRef library : libraries) {
    auto standIn = makeStandIn(library, machine);
    if (!standIn)
      return standIn.takeError();
    inputs.push_back(standIn->getPath().str());
    files.push_back(std::move(*standIn));
  }
  return linkHost(inputs, output, soname);
}

llvm::Expected<Binary> mlafuse::linkCodeObject(llvm::ArrayRef<char> object) {
  auto input = TemporaryFile::create("o", object);
  if (!input)
    return input.takeError();
  auto output = TemporaryFile::create("hsaco", {});
  if (!output)
    return output.takeError();
  // A call of something that the object lacks must not wait for the loader.
  if (llvm::Error error = runLinker(
          {"--no-undefined"}, {input->getPath().str()}, output->getPath()))
    return std::move(error);
  return output->read();
}
