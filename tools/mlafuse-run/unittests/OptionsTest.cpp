//===- OptionsTest.cpp - tests of the command line --------------------===//
#include "Options.h"

#include <getopt.h>
#include <gtest/gtest.h>

using namespace mlafuse::rt;

namespace {

Error parse(std::vector<std::string> arguments, Options &options) {
  arguments.insert(arguments.begin(), "mlafuse-run");
  std::vector<char *> pointers;
  for (std::string &argument : arguments)
    pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  optind = 0; // Makes getopt begin anew.
  return parseOptions(static_cast<int>(arguments.size()), pointers.data(),
                      options);
}

void expectError(const std::vector<std::string> &arguments,
                 const std::string &text) {
  Options options;
  EXPECT_EQ(parse(arguments, options).getText(),
            text + " (see mlafuse-run --help)");
}

} // namespace

TEST(Options, All) {
  Options options;
  Error error = parse({"--function=f", "lib.so", "--device", "hip",
                       "--inputs=i", "--outputs=o", "--random=18", "--dim=T=4",
                       "--dim=a=b=5", "--benchmark=6", "--threads=7", "--list",
                       "--target=gfx942", "--poison"},
                      options);
  ASSERT_FALSE(error) << error.getText();
  EXPECT_EQ(options.library, "lib.so");
  EXPECT_EQ(options.function, "f");
  EXPECT_EQ(options.device, "hip");
  EXPECT_TRUE(options.isDeviceGiven);
  EXPECT_EQ(options.inputs, "i");
  EXPECT_EQ(options.outputs, "o");
  EXPECT_EQ(options.random, 18u);
  EXPECT_EQ(options.dims, (std::vector<std::pair<std::string, int64_t>>{
                              {"T", 4}, {"a=b", 5}}));
  EXPECT_EQ(options.benchmark, 6);
  EXPECT_EQ(options.threads, 7);
  EXPECT_TRUE(options.list);
  EXPECT_EQ(options.target, "gfx942");
  EXPECT_TRUE(options.poison);
}

TEST(Options, Defaults) {
  Options options;
  ASSERT_FALSE(parse({"lib.so"}, options));
  EXPECT_EQ(options.device, "cpu");
  EXPECT_FALSE(options.isDeviceGiven);
  EXPECT_FALSE(options.random);
  EXPECT_FALSE(options.poison);
  EXPECT_EQ(options.target, "");
  EXPECT_EQ(options.benchmark, 0);
  EXPECT_EQ(options.threads, 0);
}

TEST(Options, HelpAndVersionNeedNoLibrary) {
  Options options;
  ASSERT_FALSE(parse({"--help"}, options));
  EXPECT_TRUE(options.help);
  ASSERT_FALSE(parse({"--version"}, options));
  EXPECT_TRUE(options.version);
}

TEST(Options, Errors) {
  expectError({}, "no library given");
  expectError({"a.so", "b.so"}, "a second library 'b.so' given; wanted one");
  expectError({"a.so", "--foo"}, "unknown option '--foo'");
  expectError({"a.so", "--foo=3"}, "unknown option '--foo=3'");
  expectError({"-x", "a.so"}, "unknown option '-x'");
  expectError({"a.so", "--list=3"}, "--list=3: this option takes no value");
  expectError({"a.so", "--inputs"}, "--inputs needs a value");
  expectError({"a.so", "--inputs="}, "--inputs needs a value");
  for (const char *number : {"", "x", "-1", "1x", " 1", "99999999999999999999"})
    expectError({"a.so", std::string("--random=") + number},
                std::string("--random=") + number +
                    ": wanted a number from 0 to 9223372036854775807");
  expectError({"a.so", "--benchmark=0"},
              "--benchmark=0: wanted a number from 1 to 100000000");
  expectError({"a.so", "--threads=4097"},
              "--threads=4097: wanted a number from 0 to 4096");
  expectError({"a.so", "--dim=T"}, "--dim=T: wanted --dim=NAME=N");
  expectError({"a.so", "--dim==3"}, "--dim==3: wanted --dim=NAME=N");
  expectError({"a.so", "--dim=T=-3"},
              "--dim=T=-3: wanted a number from 0 to 9223372036854775807");
  expectError({"a.so", "--dim=T=3", "--dim=T=4"},
              "--dim=T=4: T was already given as 3");
}

TEST(Options, TargetWithBackend) {
  struct Case {
    std::string text, device, chip;
  };
  const Case cases[] = {{"hip:gfx942", "hip", "gfx942"},
                        {"rocdl:gfx942", "hip", "gfx942"},
                        {"cuda:sm_90a", "cuda", "sm_90a"},
                        {"nvvm:sm_90a", "cuda", "sm_90a"},
                        {"cpu:x86-64-v3", "cpu", "x86-64-v3"}};
  for (const Case &each : cases) {
    SCOPED_TRACE(each.text);
    Options options;
    Error error = parse({"lib.so", "--target=" + each.text}, options);
    ASSERT_FALSE(error) << error.getText();
    EXPECT_EQ(options.device, each.device);
    EXPECT_TRUE(options.isDeviceGiven);
    EXPECT_EQ(options.target, each.chip);
    // In any order, with the device that it names.
    EXPECT_FALSE(
        parse({"lib.so", "--target=" + each.text, "--device=" + each.device},
              options));
  }
}

TEST(Options, WrongTarget) {
  expectError({"l", "--target=rocdl:gfx942", "--device=cuda"},
              "--target=rocdl:gfx942 is code for --device=hip; given is "
              "--device=cuda");
  expectError({"l", "--target=hip:"},
              "--target=hip:: wanted hip:CHIP or the chip's name alone");
  expectError({"l", "--target=amd:gfx942"},
              "--target=amd:gfx942: there is no backend 'amd'; wanted the "
              "chip's name alone, cpu:CHIP, cuda:CHIP or hip:CHIP");
}
