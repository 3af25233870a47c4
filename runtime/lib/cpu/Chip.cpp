//===- Chip.cpp - whether code for a CPU runs on this one -------------===//
#include "Chip.h"

namespace mlafuse::rt {

#if defined(__x86_64__)
namespace {

struct Cpu {
  const char *name;
  int level;
};

constexpr Cpu cpus[] = {
    {"x86-64", 1},         {"x86-64-v2", 2},     {"nehalem", 2},
    {"westmere", 2},       {"sandybridge", 2},   {"ivybridge", 2},
    {"x86-64-v3", 3},      {"haswell", 3},       {"broadwell", 3},
    {"skylake", 3},        {"alderlake", 3},     {"raptorlake", 3},
    {"meteorlake", 3},     {"arrowlake", 3},     {"lunarlake", 3},
    {"sierraforest", 3},   {"znver1", 3},        {"znver2", 3},
    {"znver3", 3},         {"x86-64-v4", 4},     {"skylake-avx512", 4},
    {"cascadelake", 4},    {"cooperlake", 4},    {"icelake-client", 4},
    {"icelake-server", 4}, {"tigerlake", 4},     {"rocketlake", 4},
    {"sapphirerapids", 4}, {"emeraldrapids", 4}, {"graniterapids", 4},
    {"znver4", 4},         {"znver5", 4},
};

int levelOfThisCpu() {
  if (__builtin_cpu_supports("x86-64-v4"))
    return 4;
  if (__builtin_cpu_supports("x86-64-v3"))
    return 3;
  return __builtin_cpu_supports("x86-64-v2") ? 2 : 1;
}

} // namespace

std::string checkCpu(const std::string &chip) {
  for (const Cpu &cpu : cpus) {
    if (chip != cpu.name)
      continue;
    int here = levelOfThisCpu();
    if (cpu.level <= here)
      return "";
    return "the library was compiled for '" + chip +
           "', which needs the instructions of x86-64-v" +
           std::to_string(cpu.level) + "; this CPU has those of x86-64-v" +
           std::to_string(here) + ": compile it for this CPU";
  }
  return "";
}

const char *thisCpu() {
  constexpr const char *levels[] = {"x86-64", "x86-64-v2", "x86-64-v3",
                                    "x86-64-v4"};
  return levels[levelOfThisCpu() - 1];
}
#else
std::string checkCpu(const std::string &) { return ""; }
const char *thisCpu() { return "generic"; }
#endif

} // namespace mlafuse::rt
