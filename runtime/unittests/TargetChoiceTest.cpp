//===- TargetChoiceTest.cpp - tests of the choice of code -------------===//
#include "TargetChoice.h"

#include <gtest/gtest.h>

using namespace mlafuse::rt;

namespace {

Target target(const std::string &chip) {
  Target made;
  made.chip = chip;
  made.prefix = "p";
  made.backend = chip.rfind("gfx", 0) == 0 ? "hip" : "cuda";
  return made;
}

/// "sm_80+ptx" has a cubin and PTX, "sm_80-ptx" PTX alone.
std::vector<Target> library(const std::vector<std::string> &chips) {
  std::vector<Target> targets;
  for (const std::string &chip : chips) {
    if (chip.rfind("gfx", 0) == 0) {
      targets.push_back(target(chip));
      targets.back().images = {{ImageFormat::Hsaco, "h", 1}};
      continue;
    }
    size_t end = chip.find_first_of("+-");
    targets.push_back(target(chip.substr(0, end)));
    std::vector<Image> &images = targets.back().images;
    if (end == std::string::npos || chip[end] == '+')
      images.push_back({ImageFormat::Cubin, "c", 1});
    if (end != std::string::npos)
      images.push_back({ImageFormat::Ptx, "p", 1});
  }
  return targets;
}

/// "sm_80 ptx", or the error.
std::string choose(const std::vector<Target> &targets,
                   const std::string &device, const std::string &wanted = "") {
  std::string backend = device.rfind("gfx", 0) == 0 ? "hip" : "cuda";
  TargetChoice choice;
  if (Error error = chooseTarget(targets, backend, device, wanted, choice)) {
    EXPECT_EQ(error.getStatus(), MLAFUSE_BAD_LIBRARY);
    return error.getText();
  }
  constexpr const char *formats[] = {"cubin", "ptx", "hsaco"};
  const Target &chosen = targets[choice.target];
  return chosen.chip + " " +
         formats[static_cast<int>(chosen.images[choice.image].format)];
}

/// All chips, as mlafuse-compile makes them: PTX of the lowest plain chip.
const std::vector<Target> &whole() {
  static const std::vector<Target> targets =
      library({"sm_80+ptx", "sm_89", "sm_90a", "sm_100a", "gfx942", "gfx950",
               "gfx1201"});
  return targets;
}

const std::string wholeList = "cuda:sm_80, cuda:sm_89, cuda:sm_90a, "
                              "cuda:sm_100a, hip:gfx942, hip:gfx950, "
                              "hip:gfx1201";

void expectNone(const std::vector<Target> &targets, const std::string &device,
                const std::string &list) {
  EXPECT_EQ(choose(targets, device),
            "compiled for " + list + "; none of them runs on this device, " +
                device +
                ": compile it for this chip if mlafuse-compile lists it");
}

} // namespace

TEST(TargetChoice, LibraryOfAllChips) {
  const std::pair<const char *, const char *> cases[] = {
      {"sm_80", "sm_80 cubin"},     {"sm_86", "sm_80 cubin"},
      {"sm_87", "sm_80 cubin"},     {"sm_89", "sm_89 cubin"},
      {"sm_90", "sm_90a cubin"},    {"sm_100", "sm_100a cubin"},
      {"sm_103", "sm_80 ptx"},      {"sm_120", "sm_80 ptx"},
      {"gfx942", "gfx942 hsaco"},   {"gfx950", "gfx950 hsaco"},
      {"gfx1201", "gfx1201 hsaco"},
  };
  for (const auto &[device, chosen] : cases)
    EXPECT_EQ(choose(whole(), device), chosen) << device;
  for (const char *device : {"sm_75", "gfx90a", "gfx1200", "gfx9420", "gfx94"})
    expectNone(whole(), device, wholeList);
}

TEST(TargetChoice, Cubins) {
  std::vector<Target> targets = library({"sm_86", "sm_80"});
  EXPECT_EQ(choose(targets, "sm_89"), "sm_86 cubin");
  EXPECT_EQ(choose(targets, "sm_86"), "sm_86 cubin");
  EXPECT_EQ(choose(targets, "sm_80"), "sm_80 cubin");
  // Another major version, be it higher.
  expectNone(targets, "sm_90", "cuda:sm_86, cuda:sm_80");
  expectNone(library({"sm_103"}), "sm_100", "cuda:sm_103");
  EXPECT_EQ(choose(library({"sm_100"}), "sm_103"), "sm_100 cubin");
}

TEST(TargetChoice, SpecialInstructionsStayOnTheirChip) {
  EXPECT_EQ(choose(library({"sm_90a"}), "sm_90"), "sm_90a cubin");
  expectNone(library({"sm_90a", "sm_100a"}), "sm_80",
             "cuda:sm_90a, cuda:sm_100a");
  expectNone(library({"sm_100a"}), "sm_103", "cuda:sm_100a");
  expectNone(library({"sm_100a"}), "sm_120", "cuda:sm_100a");
  expectNone(library({"sm_90a-ptx"}), "sm_100", "cuda:sm_90a");
}

TEST(TargetChoice, Preferences) {
  // Its own cubin, a plain one, its own PTX, any PTX.
  EXPECT_EQ(choose(library({"sm_90", "sm_90a+ptx", "sm_80+ptx"}), "sm_90"),
            "sm_90a cubin");
  EXPECT_EQ(choose(library({"sm_90a-ptx", "sm_90", "sm_80+ptx"}), "sm_90"),
            "sm_90 cubin");
  EXPECT_EQ(choose(library({"sm_80+ptx", "sm_90-ptx", "sm_90a-ptx"}), "sm_90"),
            "sm_90a ptx");
  EXPECT_EQ(choose(library({"sm_89-ptx", "sm_80-ptx"}), "sm_90"), "sm_89 ptx");
  EXPECT_EQ(choose(library({"sm_80-ptx", "sm_89-ptx"}), "sm_86"), "sm_80 ptx");
}

TEST(TargetChoice, Ptx) {
  EXPECT_EQ(choose(library({"sm_80-ptx"}), "sm_80"), "sm_80 ptx");
  EXPECT_EQ(choose(library({"sm_80-ptx"}), "sm_120"), "sm_80 ptx");
  expectNone(library({"sm_89-ptx"}), "sm_86", "cuda:sm_89");
}

TEST(TargetChoice, FeaturesOfAMDDevices) {
  EXPECT_EQ(choose(whole(), "gfx942:sramecc+:xnack-"), "gfx942 hsaco");
  expectNone(whole(), "gfx90a:sramecc+:xnack-", wholeList);
}

TEST(TargetChoice, NamesThatAreNotKnownNeverRun) {
  expectNone(library({"sm_100f+ptx"}), "sm_100", "cuda:sm_100f");
  expectNone(library({"sm_+ptx", "90+ptx"}), "sm_90", "cuda:sm_, cuda:90");
  expectNone(library({"sm_90+ptx"}), "unknown", "cuda:sm_90");
}

TEST(TargetChoice, WantedTarget) {
  EXPECT_EQ(choose(whole(), "sm_90", "sm_80"), "sm_80 ptx");
  EXPECT_EQ(choose(whole(), "sm_86", "sm_80"), "sm_80 cubin");
  EXPECT_EQ(choose(whole(), "sm_90", "sm_89"),
            "compiled for " + wholeList +
                "; the code for sm_89 does not run on this device, sm_90");
  EXPECT_EQ(choose(whole(), "sm_90", "sm_70"),
            "compiled for " + wholeList + "; there is no target cuda:sm_70");
  EXPECT_EQ(choose(whole(), "sm_90", "gfx942"),
            "compiled for " + wholeList + "; there is no target cuda:gfx942");
  EXPECT_EQ(choose(whole(), "gfx950", "gfx942"),
            "compiled for " + wholeList +
                "; the code for gfx942 does not run on this device, gfx950");
}

TEST(TargetChoice, OtherVendor) {
  EXPECT_EQ(choose(library({"gfx942"}), "sm_90"),
            "compiled for hip:gfx942; wanted one for cuda (sm_90)");
  EXPECT_EQ(choose({}, "gfx942"),
            "compiled for no target; wanted one for hip (gfx942)");
}
