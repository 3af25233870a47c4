//===- TargetChoice.cpp - the code of a library for a device ----------===//
#include "TargetChoice.h"

#include <charconv>
#include <optional>

namespace mlafuse::rt {
namespace {

/// "sm_90a": number 90, of which the last digit is the minor version, and
/// special instructions, which no other chip need have.
struct CudaChip {
  int number;
  bool special;

  int majorVersion() const { return number / 10; }
};

/// Nothing for a name of another form, as of which chips have the code is not
/// known.
std::optional<CudaChip> parseCudaChip(std::string_view name) {
  constexpr std::string_view start = "sm_";
  if (name.substr(0, start.size()) != start)
    return std::nullopt;
  const char *end = name.data() + name.size();
  CudaChip chip;
  auto [rest, status] =
      std::from_chars(name.data() + start.size(), end, chip.number);
  std::string_view suffix(rest, static_cast<size_t>(end - rest));
  if (status != std::errc() || (!suffix.empty() && suffix != "a"))
    return std::nullopt;
  chip.special = !suffix.empty();
  return chip;
}

/// How well an image fits a device: the greatest is chosen, 0 does not run.
using Rank = int;

Rank rankCuda(const Target &target, const Image &image,
              std::string_view device) {
  std::optional<CudaChip> chip = parseCudaChip(target.chip);
  std::optional<CudaChip> here = parseCudaChip(device);
  if (!chip || !here || image.format == ImageFormat::Hsaco)
    return 0;
  // Chip numbers have up to four digits.
  constexpr Rank step = 10'000;
  bool binary = image.format == ImageFormat::Cubin;
  if (chip->special)
    return chip->number == here->number ? (binary ? 4 : 2) * step : 0;
  bool runs = chip->number <= here->number &&
              (!binary || chip->majorVersion() == here->majorVersion());
  return runs ? (binary ? 3 : 1) * step + chip->number : 0;
}

Rank rankHip(const Target &target, const Image &image,
             std::string_view device) {
  // Behind the name stand features that the device has switched on.
  bool runs = image.format == ImageFormat::Hsaco &&
              target.chip == device.substr(0, device.find(':'));
  return runs ? 1 : 0;
}

Error badLibrary(std::string text) {
  return Error(MLAFUSE_BAD_LIBRARY, std::move(text));
}

} // namespace

std::string listTargets(const std::vector<Target> &targets) {
  std::string list;
  for (const Target &target : targets)
    list +=
        concat({list.empty() ? "" : ", ", target.backend, ":", target.chip});
  return list.empty() ? "no target" : list;
}

Error chooseTarget(const std::vector<Target> &targets, std::string_view backend,
                   std::string_view device, std::string_view wanted,
                   TargetChoice &choice) {
  Rank best = 0;
  bool hasBackend = false, hasWanted = wanted.empty();
  for (size_t t = 0; t < targets.size(); ++t) {
    const Target &target = targets[t];
    if (target.backend != backend)
      continue;
    hasBackend = true;
    if (!wanted.empty() && target.chip != wanted)
      continue;
    hasWanted = true;
    for (size_t i = 0; i < target.images.size(); ++i) {
      const Image &image = target.images[i];
      Rank rank = backend == "hip" ? rankHip(target, image, device)
                                   : rankCuda(target, image, device);
      if (rank <= best)
        continue;
      best = rank;
      choice = {t, i};
    }
  }
  if (best > 0)
    return {};
  std::string has = concat({"compiled for ", listTargets(targets)});
  if (!hasBackend)
    return badLibrary(
        concat({has, "; wanted one for ", backend, " (", device, ")"}));
  if (!hasWanted)
    return badLibrary(
        concat({has, "; there is no target ", backend, ":", wanted}));
  if (!wanted.empty())
    return badLibrary(concat({has, "; the code for ", wanted,
                              " does not run on this device, ", device}));
  return badLibrary(
      concat({has, "; none of them runs on this device, ", device,
              ": compile it for this chip if mlafuse-compile lists it"}));
}

} // namespace mlafuse::rt
