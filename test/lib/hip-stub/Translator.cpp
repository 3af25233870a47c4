//===- Translator.cpp - runs amdsim.py, keeps what it made ------------===//
#include "Translator.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

extern char **environ;

namespace fs = std::filesystem;

namespace mlafuse::hipstub {
namespace {

constexpr uint16_t machineAMDGPU = 224;

/// The size of an ELF file in memory: its sections' headers stand at its end.
/// 0 if it is none, or not AMD's.
size_t imageBytes(const void *image) {
  Elf64_Ehdr header;
  std::memcpy(&header, image, sizeof header);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
      header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_machine != machineAMDGPU)
    return 0;
  const char *start = static_cast<const char *>(image);
  size_t end = header.e_shoff + size_t(header.e_shnum) * header.e_shentsize;
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    Elf64_Shdr section;
    std::memcpy(&section, start + header.e_shoff + i * header.e_shentsize,
                sizeof section);
    if (section.sh_type != SHT_NOBITS)
      end = std::max<size_t>(end, section.sh_offset + section.sh_size);
  }
  return end;
}

/// FNV-1a.
class Hash {
public:
  void add(const char *bytes, size_t count) {
    for (size_t i = 0; i < count; ++i)
      value = (value ^ static_cast<unsigned char>(bytes[i])) * 0x100000001b3u;
  }
  /// The files of the simulator: a change of it makes translations anew.
  void addDirectory(const fs::path &directory) {
    std::set<fs::path> paths;
    std::error_code ignored;
    for (const auto &entry :
         fs::recursive_directory_iterator(directory, ignored))
      if (entry.path().extension() == ".py" || entry.path().extension() == ".h")
        paths.insert(entry.path());
    for (const fs::path &path : paths) {
      std::ifstream file(path, std::ios::binary);
      std::string text{std::istreambuf_iterator<char>(file), {}};
      add(text.data(), text.size());
    }
  }
  std::string text() const {
    char digits[32];
    std::snprintf(digits, sizeof digits, "%016llx",
                  static_cast<unsigned long long>(value));
    return digits;
  }

private:
  uint64_t value = 0xcbf29ce484222325u;
};

/// Runs a program of the PATH; "" or how it failed. What it says goes to this
/// process's stderr.
std::string runProgram(std::vector<std::string> arguments) {
  std::vector<char *> pointers;
  for (std::string &argument : arguments)
    pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  pid_t process;
  if (int error = posix_spawnp(&process, pointers[0], nullptr, nullptr,
                               pointers.data(), environ))
    return arguments[0] + " cannot be run: " + std::strerror(error);
  int status = 0;
  waitpid(process, &status, 0);
  bool isFine = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  return isFine ? "" : arguments[1] + " failed";
}

std::string load(const fs::path &path, Translated &code) {
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return std::string("the translation cannot be loaded: ") + dlerror();
  auto find = [&](auto &function, const char *name) {
    function = reinterpret_cast<std::decay_t<decltype(function)>>(
        dlsym(library, name));
    return function != nullptr;
  };
  bool isComplete = find(code.chip, "amdsim_chip") &&
                    find(code.kernelCount, "amdsim_kernel_count") &&
                    find(code.getKernel, "amdsim_get_kernel") &&
                    find(code.launch, "amdsim_launch");
  return isComplete ? "" : path.string() + " is no translation";
}

} // namespace

std::string translate(const void *image, Translated &code) {
  size_t bytes = imageBytes(image);
  if (bytes == 0)
    return "the image is not a code object of AMD's";
  const char *start = static_cast<const char *>(image);
  const char *chosen = std::getenv("AMDSIM_CACHE");
  std::error_code error;
  fs::path directory = chosen
                           ? fs::path(chosen)
                           : fs::temp_directory_path() /
                                 ("mlafuse-amdsim-" + std::to_string(getuid()));
  fs::create_directories(directory, error);
  Hash hash;
  hash.add(start, bytes);
  hash.addDirectory(fs::path(AMDSIM_SCRIPT).parent_path());
  fs::path library = directory / (hash.text() + ".so");
  if (!fs::exists(library, error)) {
    fs::path object =
        directory / (hash.text() + "." + std::to_string(getpid()) + ".hsaco");
    std::ofstream(object, std::ios::binary)
        .write(start, static_cast<std::streamsize>(bytes));
    std::string problem = runProgram({"python3", AMDSIM_SCRIPT, "--translate",
                                      object.string(), "-o", library.string()});
    fs::remove(object, error);
    if (!problem.empty())
      return problem;
  }
  return load(library, code);
}

} // namespace mlafuse::hipstub
