//===- Ptxas.cpp - PTX to cubins, by NVIDIA's assembler -------------------===//

#include "MLAFuse/Conversion/GPUCodegen.h"
#include "TemporaryFile.h"
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

static std::string inDirectory(llvm::StringRef toolkit) {
  llvm::SmallString<128> path(toolkit);
  llvm::sys::path::append(path, "bin", "ptxas");
  return path.str().str();
}

llvm::Expected<std::string> mlafuse::findPtxas(const PtxasLocation &location) {
  // What the user says is not replaced by something else.
  if (!location.path.empty()) {
    if (llvm::sys::fs::can_execute(location.path))
      return location.path;
    return llvm::createStringError("--ptxas=" + location.path +
                                   ": no such program");
  }
  if (!location.toolkit.empty()) {
    std::string path = inDirectory(location.toolkit);
    if (llvm::sys::fs::can_execute(path))
      return path;
    return llvm::createStringError("--cuda-path=" + location.toolkit +
                                   ": no program '" + path + "'");
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
  if (status == 0)
    return output->read();
  auto text = messages->read();
  if (!text)
    return text.takeError();
  return llvm::createStringError(
      "'" + ptxas + "' fails for " + chip.name + ": " + reason +
      llvm::StringRef(text->data(), text->size()).trim());
}
