//===- Translator.cpp - runs the simulator, keeps what it made --------===//
#include "Translator.h"
#include "Vendor.h"

#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace fs = std::filesystem;

namespace mlafuse::gpustub {
namespace {

/// FNV-1a.
class Hash {
public:
  void add(std::string_view bytes) {
    for (char byte : bytes)
      value = (value ^ static_cast<unsigned char>(byte)) * 0x100000001b3u;
  }
  /// The files of the simulator: a change of it makes translations anew.
  void addDirectory(const fs::path &directory) {
    std::set<fs::path> paths;
    std::error_code ignored;
    for (const auto &entry :
         fs::recursive_directory_iterator(directory, ignored))
      for (const char *extension : {".py", ".h", ".c"})
        if (entry.path().extension() == extension)
          paths.insert(entry.path());
    for (const fs::path &path : paths) {
      std::ifstream file(path, std::ios::binary);
      add(std::string{std::istreambuf_iterator<char>(file), {}});
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

/// The directory of translations.
fs::path findCache() {
  if (const char *chosen = vendor.getVariable("CACHE"))
    return chosen;
  return fs::temp_directory_path() /
         ("mlafuse-" + fs::path(vendor.simulator).stem().string() + "-" +
          std::to_string(getuid()));
}

} // namespace

std::string translate(std::string_view image, Code &code) {
  fs::path directory = findCache();
  std::error_code error;
  fs::create_directories(directory, error);
  Hash hash;
  hash.add(image);
  for (const char *sources : vendor.sources)
    if (sources)
      hash.addDirectory(sources);
  fs::path path = directory / (hash.text() + ".so");
  if (!fs::exists(path, error)) {
    fs::path input = directory / (hash.text() + "." + std::to_string(getpid()) +
                                  vendor.imageExtension);
    std::ofstream(input, std::ios::binary)
        .write(image.data(), static_cast<std::streamsize>(image.size()));
    std::string problem =
        runProgram({"python3", vendor.simulator, "--translate", input.string(),
                    "-o", path.string()});
    fs::remove(input, error);
    if (!problem.empty())
      return problem;
  }
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return std::string("the translation cannot be loaded: ") + dlerror();
  return vendor.readTranslation(library, code)
             ? ""
             : path.string() + " is no translation";
}

} // namespace mlafuse::gpustub
