//===- Amd.cpp - AMD's chips, code objects and simulator --------------===//
#include "Memory.h"
#include "Translator.h"
#include "Vendor.h"
#include "amdsim.h"

#include <algorithm>
#include <cstring>
#include <elf.h>
#include <iterator>

namespace mlafuse::gpustub {
namespace {

// Wave size and LDS of a workgroup, from AMD's ISA documents.
constexpr Chip chips[] = {
    {"gfx942", 64, 64 * 1024},  {"gfx950", 64, 160 * 1024},
    {"gfx1100", 32, 64 * 1024}, {"gfx1200", 32, 64 * 1024},
    {"gfx1201", 32, 64 * 1024},
};

constexpr uint16_t machineAMDGPU = 224;

/// The size of an ELF file in memory: its sections' headers stand at its end.
std::string readCodeObject(const void *image, std::string_view &bytes) {
  Elf64_Ehdr header;
  std::memcpy(&header, image, sizeof header);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
      header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_machine != machineAMDGPU)
    return "the image is not a code object of AMD's";
  const char *start = static_cast<const char *>(image);
  size_t end = header.e_shoff + size_t(header.e_shnum) * header.e_shentsize;
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    Elf64_Shdr section;
    std::memcpy(&section, start + header.e_shoff + i * header.e_shentsize,
                sizeof section);
    if (section.sh_type != SHT_NOBITS)
      end = std::max<size_t>(end, section.sh_offset + section.sh_size);
  }
  bytes = {start, end};
  return "";
}

Kernel readKernel(const amdsim_kernel &from) {
  Kernel kernel = {from.name,
                   from.kernarg_bytes,
                   from.lds_bytes,
                   from.scratch_bytes,
                   from.max_workgroup_size,
                   {},
                   from.vector_registers,
                   {}};
  std::copy_n(from.workgroup_size, 3, kernel.blockSize.begin());
  for (uint32_t i = 0; i < from.argument_count; ++i) {
    const amdsim_argument &argument = from.arguments[i];
    // The simulator fills in what is hidden.
    if (std::strncmp(argument.kind, "hidden_", 7) != 0)
      kernel.arguments.push_back(
          {argument.name, argument.offset, argument.size,
           std::strcmp(argument.kind, "global_buffer") == 0});
  }
  return kernel;
}

bool readTranslation(void *library, Code &code) {
  decltype(amdsim_chip) *chip;
  decltype(amdsim_kernel_count) *kernelCount;
  decltype(amdsim_get_kernel) *getKernel;
  decltype(amdsim_launch) *launchKernel;
  if (!findFunction(library, chip, "amdsim_chip") ||
      !findFunction(library, kernelCount, "amdsim_kernel_count") ||
      !findFunction(library, getKernel, "amdsim_get_kernel") ||
      !findFunction(library, launchKernel, "amdsim_launch"))
    return false;
  code.target = chip();
  for (uint32_t i = 0; i < kernelCount(); ++i)
    code.kernels.push_back(readKernel(*getKernel(i)));
  code.run = [launchKernel](uint32_t kernel, const Launch &launch) {
    amdsim_launch_parameters parameters = {};
    std::copy_n(launch.grid.begin(), 3, parameters.grid);
    std::copy_n(launch.block.begin(), 3, parameters.block);
    parameters.kernarg = launch.arguments.data();
    parameters.kernarg_bytes = launch.arguments.size();
    parameters.dynamic_lds_bytes = launch.dynamicSharedBytes;
    parameters.seed = launch.seed;
    parameters.describe_address = describeAddress;
    amdsim_launch_result result;
    bool failed = launchKernel(kernel, &parameters, &result) != 0;
    return std::string(failed ? result.message : "");
  };
  return true;
}

std::string checkTarget(const std::string &target, const Chip &chip) {
  return target == chip.name ? ""
                             : "the code object is for " + target +
                                   ", the device is a " + chip.name;
}

std::string checkSizes(const Sizes &grid, const Sizes &block) {
  for (int k = 0; k < 3; ++k)
    if (uint64_t(grid[k]) * block[k] > UINT32_MAX)
      return "grid " + sizesText(grid) + " of blocks " + sizesText(block) +
             " has 2^32 or more lanes in one dimension";
  return "";
}

constexpr Vendor describe() {
  Vendor v = {};
  v.stub = "hip stub";
  v.initialize = "hipInit";
  v.allocate = "hipMalloc";
  v.threads = "lanes";
  v.sharedMemory = "LDS";
  v.chips = chips;
  v.chipCount = std::size(chips);
  v.unaskedSharedBytes = UINT32_MAX; // All that the chip has.
  v.endOfExtra = 3;
  v.checkSizes = checkSizes;
  v.simulator = AMDSIM_DIRECTORY "/amdsim.py";
  v.sources[0] = AMDSIM_DIRECTORY;
  v.environment = "AMDSIM_";
  v.imageExtension = ".hsaco";
  v.readImage = readCodeObject;
  v.readTranslation = readTranslation;
  v.checkTarget = checkTarget;
  return v;
}

} // namespace

const Vendor vendor = describe();

} // namespace mlafuse::gpustub
