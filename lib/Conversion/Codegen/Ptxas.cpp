//===- Ptxas.cpp - PTX to cubins, by NVIDIA's assembler -------------------===//

#include "MLAFuse/Conversion/GPUCodegen.h"
#include "TemporaryFile.h"
#include "llvm/Object/ELF.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"

using namespace mlafuse;

/// Where NVIDIA's packages put the toolkit.
static constexpr llvm::StringLiteral kDefaultToolkit = "/usr/local/cuda";

char NoPtxasError::ID;

void NoPtxasError::log(llvm::raw_ostream &os) const {
  os << "no ptxas (NVIDIA's assembler) in " << searched
     << "; --ptxas=FILE or --cuda-path=DIRECTORY says where it is";
}

/// What is wrong with the program that the user names; empty if nothing is.
static llvm::StringRef checkProgram(llvm::StringRef path) {
  if (llvm::sys::fs::can_execute(path))
    return "";
  if (!llvm::sys::fs::exists(path))
    return "no such program";
  return llvm::sys::fs::is_directory(path) ? "is a directory"
                                           : "is not executable";
}

static std::string inDirectory(llvm::StringRef toolkit) {
  llvm::SmallString<128> path(toolkit);
  llvm::sys::path::append(path, "bin", "ptxas");
  return path.str().str();
}

llvm::Expected<std::string> mlafuse::findPtxas(const PtxasLocation &location) {
  // What the user says is not replaced by something else.
  if (!location.path.empty()) {
    llvm::StringRef wrong = checkProgram(location.path);
    if (wrong.empty())
      return location.path;
    return llvm::createStringError("--ptxas=" + location.path + ": " + wrong);
  }
  if (!location.toolkit.empty()) {
    std::string path = inDirectory(location.toolkit);
    llvm::StringRef wrong = checkProgram(path);
    if (wrong.empty())
      return path;
    return llvm::createStringError("--cuda-path=" + location.toolkit + ": '" +
                                   path + "': " + wrong);
  }

  if (llvm::ErrorOr<std::string> found = llvm::sys::findProgramByName("ptxas"))
    return *found;
  std::string searched = "PATH";
  for (const char *variable : {"CUDA_HOME", "CUDA_PATH"}) {
    std::optional<std::string> toolkit = llvm::sys::Process::GetEnv(variable);
    searched += ", $" + std::string(variable) + "/bin";
    if (!toolkit || toolkit->empty()) {
      searched += " (not set)";
      continue;
    }
    std::string path = inDirectory(*toolkit);
    if (llvm::sys::fs::can_execute(path))
      return path;
    searched += " (" + *toolkit + ")";
  }
  std::string path = inDirectory(kDefaultToolkit);
  if (llvm::sys::fs::can_execute(path))
    return path;
  return llvm::make_error<NoPtxasError>(searched + " and " +
                                        kDefaultToolkit.str() + "/bin");
}

/// Whether `image` begins as a cubin: an ELF file of NVIDIA's machines.
static bool isCubin(const Binary &image) {
  auto file = llvm::object::ELF64LEFile::create({image.data(), image.size()});
  if (!file) {
    llvm::consumeError(file.takeError());
    return false;
  }
  return file->getHeader().checkMagic() &&
         file->getHeader().e_machine == llvm::ELF::EM_CUDA;
}

llvm::Expected<Binary> mlafuse::assemblePTX(llvm::StringRef ptxas,
                                            llvm::StringRef ptx,
                                            const Chip &chip) {
  auto input = TemporaryFile::create("ptx", {ptx.data(), ptx.size()});
  if (!input)
    return input.takeError();
  auto output = TemporaryFile::create("cubin", {});
  if (!output)
    return output.takeError();
  auto messages = TemporaryFile::create("txt", {});
  if (!messages)
    return messages.takeError();

  std::string arch = "-arch=" + chip.name.str();
  llvm::StringRef arguments[] = {
      ptxas, arch, "-O3", input->getPath(), "-o", output->getPath()};
  std::optional<llvm::StringRef> redirects[] = {
      llvm::StringRef(), messages->getPath(), messages->getPath()};
  std::string reason;
  int status = llvm::sys::ExecuteAndWait(ptxas, arguments, std::nullopt,
                                         redirects, /*SecondsToWait=*/0,
                                         /*MemoryLimit=*/0, &reason);
  auto text = messages->read();
  if (!text)
    return text.takeError();
  llvm::StringRef words = llvm::StringRef(text->data(), text->size()).trim();
  if (status != 0)
    return llvm::createStringError("'" + ptxas + "' fails for " + chip.name +
                                   ": " + reason + words);
  auto image = output->read();
  if (!image || isCubin(*image))
    return image;
  return llvm::createStringError(
      "'" + ptxas + "' succeeds for " + chip.name + ", but what it writes (" +
      llvm::Twine(image->size()) +
      " bytes) is no cubin, an ELF file of NVIDIA's machines" +
      (words.empty() ? "" : ": ") + words);
}
