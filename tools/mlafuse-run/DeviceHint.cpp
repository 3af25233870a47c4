//===- DeviceHint.cpp - code that the default device lacks ------------===//
#include "DeviceHint.h"
#include "TargetChoice.h"

#include <algorithm>

namespace mlafuse::rt {

Error checkDefaultDevice(const Manifest &manifest, const Options &options) {
  if (options.isDeviceGiven)
    return {};
  std::vector<std::string> devices;
  for (const Target &target : manifest.targets) {
    if (!options.target.empty() && target.chip != options.target)
      continue;
    if (target.backend == options.device)
      return {};
    if (std::find(devices.begin(), devices.end(), target.backend) ==
        devices.end())
      devices.push_back(target.backend);
  }
  auto failed = [&](std::string_view what) {
    return Error(MLAFUSE_BAD_LIBRARY,
                 concat({quoted(options.library), ": compiled for ",
                         listTargets(manifest.targets), "; ", what}));
  };
  if (devices.empty() && options.target.empty())
    return {};
  if (devices.empty())
    return failed(concat({"there is no code for ", options.target}));
  std::string hints;
  for (const std::string &device : devices)
    hints += concat({hints.empty() ? "" : " or ", "--device=", device});
  return failed(
      concat({"to run ", options.target.empty() ? "it" : "the code for ",
              options.target, " give ", hints}));
}

} // namespace mlafuse::rt
