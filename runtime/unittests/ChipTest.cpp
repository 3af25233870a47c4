//===- ChipTest.cpp - tests of the check of CPU names -----------------===//
#include "Chip.h"

#include <gtest/gtest.h>

using namespace mlafuse::rt;

TEST(Chip, UnknownNamesAreTrusted) {
  EXPECT_EQ(checkCpu("generic"), "");
  EXPECT_EQ(checkCpu("a-cpu-of-the-future"), "");
}

#if defined(__x86_64__)
TEST(Chip, FollowsWhatTheCpuHas) {
  EXPECT_EQ(checkCpu("x86-64"), "");
  EXPECT_EQ(checkCpu(thisCpu()), "");
  struct Case {
    const char *chip;
    bool supported;
  };
  const Case cases[] = {
      {"x86-64-v2", __builtin_cpu_supports("x86-64-v2") != 0},
      {"haswell", __builtin_cpu_supports("avx2") != 0},
      {"sapphirerapids", __builtin_cpu_supports("avx512f") != 0},
  };
  for (const Case &cpu : cases) {
    std::string problem = checkCpu(cpu.chip);
    EXPECT_EQ(problem.empty(), cpu.supported) << problem;
    if (!cpu.supported)
      EXPECT_NE(problem.find(cpu.chip), std::string::npos) << problem;
  }
}
#endif
