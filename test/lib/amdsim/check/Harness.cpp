//===- Harness.cpp - runs translated kernels, compares results --------===//
#include "Harness.h"

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <sys/mman.h>

namespace amdsim::check {

int Comparison::failed = 0;
int Comparison::passed = 0;

[[noreturn]] static void stop(const std::string &why) {
  std::fprintf(stderr, "%s\n", why.c_str());
  std::exit(1);
}

void *allocateGuarded(size_t bytes) {
  constexpr size_t page = 4096, alignment = 16;
  size_t inner = (bytes + page - 1) / page * page;
  char *mapping = static_cast<char *>(mmap(nullptr, inner + 2 * page, PROT_NONE,
                                           MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  if (mapping == MAP_FAILED ||
      mprotect(mapping + page, inner, PROT_READ | PROT_WRITE) != 0)
    stop("no memory is left");
  return mapping + page + inner -
         (bytes + alignment - 1) / alignment * alignment;
}

Kernels::Kernels(const char *path, uint32_t seed) : seed(seed) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library)
    stop(dlerror());
  auto find = [&](auto &function, const char *name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(
        dlsym(library, name));
    if (!function)
      stop(std::string(path) + " lacks " + name);
  };
  decltype(amdsim_chip) *chip;
  find(chip, "amdsim_chip");
  find(kernelCount, "amdsim_kernel_count");
  find(getKernel, "amdsim_get_kernel");
  find(launchKernel, "amdsim_launch");
  chipName = chip();
}

bool Kernels::has(const std::string &name) const {
  return find(name) < kernelCount();
}

uint32_t Kernels::find(const std::string &name) const {
  uint32_t i = 0;
  while (i < kernelCount() && name != getKernel(i)->name)
    ++i;
  return i;
}

const amdsim_kernel &Kernels::info(const std::string &name) const {
  if (!has(name))
    stop("there is no kernel " + name);
  return *getKernel(find(name));
}

void Kernels::launch(const std::string &name, uint32_t grid, uint32_t block,
                     const std::vector<std::vector<char>> &values) {
  const amdsim_kernel &kernel = info(name);
  std::vector<char> memory(kernel.kernarg_bytes);
  size_t next = 0;
  for (uint32_t i = 0; i < kernel.argument_count; ++i) {
    const amdsim_argument &argument = kernel.arguments[i];
    if (std::strncmp(argument.kind, "hidden_", 7) == 0)
      continue;
    if (next == values.size() || values[next].size() != argument.size)
      stop(name + ": argument " + std::to_string(i) + " does not fit");
    std::memcpy(memory.data() + argument.offset, values[next].data(),
                argument.size);
    ++next;
  }
  if (next != values.size())
    stop(name + ": too many arguments");
  amdsim_launch_parameters parameters = {
      {grid, 1, 1}, {block, 1, 1}, memory.data(), memory.size(), 0,
      seed,         nullptr};
  amdsim_launch_result result;
  if (launchKernel(find(name), &parameters, &result) != 0)
    stop(result.message);
}

void Comparison::add(bool isEqual, size_t index, double expected,
                     double actual) {
  ++count;
  if (isEqual)
    return;
  if (++differing <= 3)
    std::printf("%s: element %zu is %.9g instead of %.9g\n", what.c_str(),
                index, actual, expected);
}

Comparison::~Comparison() {
  bool isGood = count > 0 && differing == 0;
  ++(isGood ? passed : failed);
  if (!isGood)
    std::printf("%s: %zu of %zu differ\n", what.c_str(), differing, count);
}

} // namespace amdsim::check

int main(int argumentCount, char **arguments) {
  using namespace amdsim::check;
  struct {
    const char *name;
    void (*check)(Kernels &);
  } checks[] = {{"operations", checkOperations},
                {"conversions", checkConversions},
                {"scaled-conversions", checkScaledConversions},
                {"lanes", checkLanes},
                {"memory", checkMemory},
                {"matrices", checkMatrices},
                {"scaled-matrices", checkScaledMatrices},
                {"transcendentals", checkTranscendentals},
                {"norm", checkNorm},
                {"barriers", checkBarriers}};
  for (const auto &[name, check] : checks) {
    if (argumentCount != 4 || std::strcmp(name, arguments[1]) != 0)
      continue;
    Kernels kernels(arguments[2],
                    static_cast<uint32_t>(std::atoi(arguments[3])));
    check(kernels);
    std::printf("%s, %s: %d passed, %d failed\n", name, kernels.chip().c_str(),
                Comparison::passed, Comparison::failed);
    return Comparison::failed > 0 || Comparison::passed == 0;
  }
  std::fprintf(stderr, "usage: mlafuse-amdsim-check CHECK K.so SEED; checks:");
  for (const auto &[name, check] : checks)
    std::fprintf(stderr, " %s", name);
  std::fprintf(stderr, "\n");
  return 2;
}
