//===- Nvidia.cpp - NVIDIA's chips, PTX and its simulator -------------===//
#include "Nvidia.h"
#include "Memory.h"
#include "Translator.h"
#include "Vendor.h"
#include "ptxsim.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iterator>

namespace mlafuse::cudastub {

int capabilityOf(const std::string &name) {
  const char *digits = name.c_str() + std::min<size_t>(3, name.size());
  char *end;
  long value = std::strtol(digits, &end, 10);
  bool isName = name.compare(0, 3, "sm_") == 0 && end != digits;
  return isName ? static_cast<int>(value) : -1;
}

} // namespace mlafuse::cudastub

namespace mlafuse::gpustub {
namespace {

// Warp size and shared memory of a block, from the CUDA programming guide.
constexpr Chip chips[] = {
    {"sm_90", 32, 227 * 1024},
    {"sm_80", 32, 163 * 1024},
    {"sm_89", 32, 99 * 1024},
    {"sm_100", 32, 227 * 1024},
};

/// PTX begins with .version, behind comments; another image is binary.
bool isPtx(const char *text) {
  for (;;) {
    text += std::strspn(text, " \t\r\n");
    if (std::strncmp(text, "//", 2) == 0)
      text += std::strcspn(text, "\n");
    else if (std::strncmp(text, "/*", 2) == 0 && std::strstr(text, "*/"))
      text = std::strstr(text, "*/") + 2;
    else
      return std::strncmp(text, ".version", 8) == 0;
  }
}

std::string readPtx(const void *image, std::string_view &bytes) {
  const char *text = static_cast<const char *>(image);
  if (!isPtx(text))
    return "the image is no PTX: the simulator runs PTX alone";
  bytes = text;
  return "";
}

Kernel readKernel(const ptxsim_kernel &from) {
  Kernel kernel = {from.name,
                   from.parameter_bytes,
                   from.shared_bytes,
                   from.local_bytes,
                   from.max_threads,
                   {},
                   std::nullopt, // PTX's registers are not the chip's.
                   {}};
  std::copy_n(from.block_size, 3, kernel.blockSize.begin());
  for (uint32_t i = 0; i < from.parameter_count; ++i) {
    const ptxsim_parameter &parameter = from.parameters[i];
    kernel.arguments.push_back({parameter.name, parameter.offset,
                                parameter.size, parameter.is_pointer != 0});
  }
  return kernel;
}

bool readTranslation(void *library, Code &code) {
  decltype(ptxsim_target) *target;
  decltype(ptxsim_kernel_count) *kernelCount;
  decltype(ptxsim_get_kernel) *getKernel;
  decltype(ptxsim_launch) *launchKernel;
  if (!findFunction(library, target, "ptxsim_target") ||
      !findFunction(library, kernelCount, "ptxsim_kernel_count") ||
      !findFunction(library, getKernel, "ptxsim_get_kernel") ||
      !findFunction(library, launchKernel, "ptxsim_launch"))
    return false;
  code.target = target();
  for (uint32_t i = 0; i < kernelCount(); ++i)
    code.kernels.push_back(readKernel(*getKernel(i)));
  code.run = [launchKernel](uint32_t kernel, const Launch &launch) {
    ptxsim_launch_parameters parameters = {};
    std::copy_n(launch.grid.begin(), 3, parameters.grid);
    std::copy_n(launch.block.begin(), 3, parameters.block);
    parameters.parameters = launch.arguments.data();
    parameters.parameter_bytes = launch.arguments.size();
    parameters.dynamic_shared_bytes = launch.dynamicSharedBytes;
    parameters.seed = launch.seed;
    parameters.overlaps_previous = launch.overlapsPrevious;
    parameters.describe_address = describeAddress;
    ptxsim_launch_result result;
    bool failed = launchKernel(kernel, &parameters, &result) != 0;
    return std::string(failed ? result.message : "");
  };
  return true;
}

/// As the driver's compiler: PTX runs on its own chip and all newer ones, with
/// an "a" on its own alone, with an "f" on its own and newer ones of its
/// family.
std::string checkTarget(const std::string &target, const Chip &chip) {
  int wanted = cudastub::capabilityOf(target);
  int own = cudastub::capabilityOf(chip.name);
  bool isRight = wanted > 0 && wanted <= own;
  if (target.back() == 'a')
    isRight = wanted == own;
  if (target.back() == 'f')
    isRight &= wanted / 10 == own / 10;
  return isRight
             ? ""
             : "the PTX is for " + target + ", the device is an " + chip.name;
}

std::string checkSizes(const Sizes &grid, const Sizes &block) {
  constexpr Sizes mostBlocks = {0x7fffffff, 0xffff, 0xffff};
  constexpr Sizes mostThreads = {1024, 1024, 64};
  for (int k = 0; k < 3; ++k)
    if (grid[k] > mostBlocks[k] || block[k] > mostThreads[k])
      return "grid " + sizesText(grid) + " of blocks " + sizesText(block) +
             " is larger than " + sizesText(mostBlocks) + " of " +
             sizesText(mostThreads) + " in one dimension";
  return "";
}

constexpr Vendor describe() {
  Vendor v = {};
  v.stub = "cuda stub";
  v.initialize = "cuInit";
  v.allocate = "cuMemAlloc";
  v.threads = "threads";
  v.sharedMemory = "shared memory";
  v.chips = chips;
  v.chipCount = std::size(chips);
  v.unaskedSharedBytes = 48 * 1024;
  v.endOfExtra = 0;
  v.checkSizes = checkSizes;
  v.simulator = PTXSIM_DIRECTORY "/ptxsim.py";
  v.sources[0] = PTXSIM_DIRECTORY;
  v.sources[1] = AMDSIM_DIRECTORY; // PTX's simulator uses its files.
  v.environment = "PTXSIM_";
  v.imageExtension = ".ptx";
  v.readImage = readPtx;
  v.readTranslation = readTranslation;
  v.checkTarget = checkTarget;
  return v;
}

} // namespace

const Vendor vendor = describe();

} // namespace mlafuse::gpustub
