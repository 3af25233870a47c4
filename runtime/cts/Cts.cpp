//===- Cts.cpp - command line of the conformance tests ----------------===//
#include "Cts.h"

#include <cstdio>
#include <string_view>

namespace mlafuse::cts {
namespace {

Config &mutableConfig() {
  static Config config;
  return config;
}

bool readOption(std::string_view argument, std::string_view option,
                std::string &value) {
  if (argument.substr(0, option.size()) != option)
    return false;
  value = argument.substr(option.size());
  return true;
}

} // namespace

const Config &config() { return mutableConfig(); }

DLDeviceType dlpackDevice() {
  return isCpu() ? kDLCPU : config().backend == "cuda" ? kDLCUDA : kDLROCM;
}

} // namespace mlafuse::cts

int main(int argc, char **argv) {
  ::testing::InitGoogleTest(&argc, argv);
  mlafuse::cts::Config &config = mlafuse::cts::mutableConfig();
  for (int i = 1; i < argc; ++i) {
    if (mlafuse::cts::readOption(argv[i], "--backend=", config.backend) ||
        mlafuse::cts::readOption(argv[i], "--library=", config.fixture) ||
        mlafuse::cts::readOption(argv[i], "--libraries=", config.libraries))
      continue;
    fprintf(stderr,
            "%s: unknown argument '%s'; wanted --backend=cpu|cuda|hip, "
            "--library=FIXTURE.so, --libraries=DIRECTORY, or an option of "
            "GoogleTest\n",
            argv[0], argv[i]);
    return 2;
  }
  return RUN_ALL_TESTS();
}
