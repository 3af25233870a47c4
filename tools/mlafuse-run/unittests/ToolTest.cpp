//===- ToolTest.cpp - tests of the whole tool -------------------------===//
#include "SafeTensors.h"

#include <cstdio>
#include <cstring>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace mlafuse::rt;

namespace {

class ToolTest : public ::testing::Test {
protected:
  void SetUp() override {
    directory = ::testing::TempDir() + "mlafuse_run_XXXXXX";
    ASSERT_NE(mkdtemp(directory.data()), nullptr);
    inputs = directory + "/in.safetensors";
    outputs = directory + "/out.safetensors";
  }
  void TearDown() override {
    unlink(inputs.c_str());
    unlink(outputs.c_str());
    EXPECT_EQ(rmdir(directory.c_str()), 0) << "files were left behind";
  }

  /// Runs the tool; `output` gets what it prints on both streams.
  int run(const std::string &arguments) {
    output.clear();
    std::string command = MLAFUSE_RUN " " + arguments + " 2>&1";
    FILE *pipe = popen(command.c_str(), "r");
    char buffer[4096];
    while (size_t got = fread(buffer, 1, sizeof(buffer), pipe))
      output.append(buffer, got);
    return WEXITSTATUS(pclose(pipe));
  }

  void expectFailure(const std::string &arguments, const std::string &error) {
    EXPECT_EQ(run(arguments), 1) << output;
    EXPECT_NE(output.find("mlafuse-run: error: " + error), std::string::npos)
        << output;
    EXPECT_NE(access(outputs.c_str(), F_OK), 0);
  }

  void writeInputs() {
    const std::vector<SafeTensor> tensors = {
        {"x", "F32", {2, 4}, reinterpret_cast<const uint8_t *>(x), 32},
        {"s", "F32", {2}, reinterpret_cast<const uint8_t *>(s), 8},
        {"unused", "I32", {1}, reinterpret_cast<const uint8_t *>(x), 4}};
    ASSERT_FALSE(writeSafeTensors(inputs, tensors, {}));
  }

  const float x[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  const float s[2] = {2, -1};
  std::string directory, inputs, outputs, output;
};

const std::string fixture = FIXTURE;

} // namespace

TEST_F(ToolTest, FilesInAndOut) {
  writeInputs();
  ASSERT_EQ(run(fixture + " --function=scale_rows --inputs=" + inputs +
                " --outputs=" + outputs),
            0)
      << output;
  EXPECT_EQ(output, "");
  SafeTensorsFile file;
  ASSERT_FALSE(file.open(outputs));
  ASSERT_EQ(file.getTensors().size(), 1u);
  const SafeTensor *scaled = file.find("scaled");
  ASSERT_NE(scaled, nullptr);
  EXPECT_EQ(scaled->dtype, "F32");
  EXPECT_EQ(scaled->shape, (std::vector<int64_t>{2, 4}));
  const float wanted[] = {2, 4, 6, 8, -5, -6, -7, -8};
  ASSERT_EQ(scaled->bytes, sizeof(wanted));
  EXPECT_EQ(memcmp(scaled->data, wanted, sizeof(wanted)), 0);
}

TEST_F(ToolTest, ChecksumsWithoutOutputs) {
  writeInputs();
  ASSERT_EQ(run(fixture + " --function=scale_rows --inputs=" + inputs), 0);
  // FNV-1a of the bytes of FilesInAndOut's result.
  EXPECT_EQ(output, "scaled: f32 [2, 4] fnv1a 81b5d2b26925a025\n");
}

TEST_F(ToolTest, RandomIsReproducible) {
  std::string command =
      fixture + " --function=scatter --random=5 --dim=N=10 --dim=P=100";
  ASSERT_EQ(run(command), 0) << output;
  std::string first = output;
  EXPECT_EQ(first.rfind("seed: 5\ncache: f16 [100] fnv1a ", 0), 0u) << first;
  ASSERT_EQ(run(command + " --threads=1"), 0);
  EXPECT_EQ(output, first);
  ASSERT_EQ(
      run(fixture + " --function=scatter --random=6 --dim=N=10 --dim=P=100"),
      0);
  EXPECT_NE(output.substr(8), first.substr(8));
}

TEST_F(ToolTest, NoRows) {
  ASSERT_EQ(run(fixture + " --function=scale_rows --random=1 --dim=T=0"), 0)
      << output;
  EXPECT_EQ(output, "seed: 1\nscaled: f32 [0, 4] fnv1a cbf29ce484222325\n");
}

TEST_F(ToolTest, Benchmark) {
  ASSERT_EQ(run(fixture +
                " --function=scale_rows --random=1 --dim=T=9 --benchmark=5"),
            0)
      << output;
  double least, median, mean;
  int runs;
  size_t line = output.find("time: ");
  ASSERT_NE(line, std::string::npos) << output;
  ASSERT_EQ(sscanf(output.c_str() + line,
                   "time: min %lf us, median %lf us, mean %lf us (%d runs)",
                   &least, &median, &mean, &runs),
            4)
      << output;
  EXPECT_EQ(runs, 5);
  EXPECT_GT(least, 0);
  EXPECT_LE(least, median);
  EXPECT_LE(least, mean);
}

TEST_F(ToolTest, PoisonShowsWhatIsLeftUnwritten) {
  std::string command =
      fixture + " --function=untouched --dim=T=5 --outputs=" + outputs;
  auto expectBytes = [&](uint8_t byte) {
    ASSERT_EQ(run(command), 0) << output;
    SafeTensorsFile file;
    ASSERT_FALSE(file.open(outputs));
    const SafeTensor *y = file.find("y");
    ASSERT_NE(y, nullptr);
    EXPECT_EQ(std::vector<uint8_t>(y->data, y->data + y->bytes),
              std::vector<uint8_t>(5, byte));
  };
  expectBytes(0);
  command += " --poison";
  expectBytes(0xA5);
}

TEST_F(ToolTest, PoisonKeepsWhatIsGiven) {
  const uint8_t y[3] = {1, 2, 3};
  ASSERT_FALSE(writeSafeTensors(inputs, {{"y", "U8", {3}, y, 3}}, {}));
  std::string command = fixture + " --function=untouched --inputs=" + inputs;
  ASSERT_EQ(run(command), 0) << output;
  std::string whole = output;
  ASSERT_EQ(run(command + " --poison"), 0) << output;
  EXPECT_EQ(output, whole);
}

TEST_F(ToolTest, PoisonWithWorkspaceAndNoRows) {
  writeInputs();
  ASSERT_EQ(run(fixture +
                " --function=scale_rows --poison --benchmark=2"
                " --inputs=" +
                inputs),
            0)
      << output;
  EXPECT_EQ(output.rfind("scaled: f32 [2, 4] fnv1a 81b5d2b26925a025\n", 0), 0u);
  ASSERT_EQ(
      run(fixture + " --function=scale_rows --poison --random=1 --dim=T=0"), 0)
      << output;
}

TEST_F(ToolTest, GuardsShowWritesOutside) {
  const uint16_t cache[4] = {};
  auto expectOutside = [&](int64_t slot, const std::string &where) {
    const std::vector<SafeTensor> tensors = {
        {"slots", "I64", {1}, reinterpret_cast<const uint8_t *>(&slot), 8},
        {"cache", "F16", {4}, reinterpret_cast<const uint8_t *>(cache), 8}};
    ASSERT_FALSE(writeSafeTensors(inputs, tensors, {}));
    expectFailure(fixture + " --function=scatter --poison --inputs=" + inputs +
                      " --outputs=" + outputs,
                  "function 'scatter', argument 'cache': the function wrote "
                  "outside of its 8 bytes: byte " +
                      where + " was changed");
  };
  expectOutside(4, "2 behind its last");
  expectOutside(-1, "1 before its first");
  expectOutside(-2, "3 before its first");
}

TEST_F(ToolTest, Target) {
  ASSERT_EQ(run(fixture + " --list --target=generic"), 0) << output;
  ASSERT_EQ(run(fixture + " --list --target=cpu:generic"), 0) << output;
  expectFailure(fixture + " --list --target=sm_75",
                "'" + fixture + "': compiled for cpu:generic");
}

TEST_F(ToolTest, CodeOfAnotherDevice) {
  std::string gpuOnly = GPU_ONLY;
  std::string has = "'" + gpuOnly + "': compiled for cuda:sm_35, hip:gfx600; ";
  expectFailure(gpuOnly, has + "to run it give --device=cuda or --device=hip");
  expectFailure(gpuOnly + " --target=gfx600",
                has + "to run the code for gfx600 give --device=hip");
  expectFailure(gpuOnly + " --list --target=sm_35",
                has + "to run the code for sm_35 give --device=cuda");
  expectFailure(gpuOnly + " --device=cpu", has + "wanted one for cpu");
  expectFailure(gpuOnly + " --target=gfx942",
                has + "there is no code for gfx942");
}

TEST_F(ToolTest, ListNeedsNoDevice) {
  ASSERT_EQ(run(GPU_ONLY " --list"), 0) << output;
  EXPECT_EQ(output, "f\n");
  expectFailure(GPU_ONLY " --list --device=none",
                "backend 'none': there is no");
}

TEST_F(ToolTest, ListHelpAndVersion) {
  ASSERT_EQ(run(fixture + " --list"), 0);
  EXPECT_EQ(
      output.rfind("scale_rows\n  argument x: f32 [T, 4] strided read\n", 0),
      0u)
      << output;
  EXPECT_NE(output.find("  result scaled: argument y\n"), std::string::npos);
  ASSERT_EQ(run("--help"), 0);
  EXPECT_EQ(output.rfind("usage: mlafuse-run LIBRARY.so", 0), 0u);
  ASSERT_EQ(run("--version"), 0);
  EXPECT_EQ(output.rfind("mlafuse-run ", 0), 0u);
}

TEST_F(ToolTest, Errors) {
  std::string out = " --outputs=" + outputs;
  expectFailure("", "no library given");
  expectFailure("--foo", "unknown option '--foo'");
  expectFailure("/nowhere.so" + out, "cannot read '/nowhere.so'");
  expectFailure(fixture + out, "give --function=NAME; the library has: "
                               "scale_rows, sizes, scatter, untouched, "
                               "refuse");
  expectFailure(fixture + " --function=g" + out, "there is no function 'g'");
  expectFailure(fixture + " --device=none" + out,
                "backend 'none': there is no");
  expectFailure(fixture + " --function=scale_rows --inputs=/nowhere" + out,
                "'/nowhere': cannot open: No such file");
  expectFailure(fixture + " --function=refuse" + out, "function 'refuse': ");
  expectFailure(fixture + " --function=scatter --random=1 --dim=N=3 --dim=P=2" +
                    out,
                "--random, argument 'slots': wanted 3 values");
  expectFailure(fixture + " --function=scale_rows --random=1 --dim=T=1"
                          " --outputs=/nowhere/out",
                "cannot write '/nowhere/out': No such file or directory");
  expectFailure(fixture +
                    " --function=scale_rows --random=1"
                    " --dim=T=100000000000000" +
                    out,
                "argument 'x' of shape [100000000000000, 4]: cpu: no memory");
}

TEST_F(ToolTest, CutInputsLeaveTheOutputsAlone) {
  writeInputs();
  ASSERT_EQ(truncate(inputs.c_str(), 100), 0);
  std::ofstream(outputs) << "old";
  EXPECT_EQ(run(fixture + " --function=scale_rows --inputs=" + inputs +
                " --outputs=" + outputs),
            1);
  EXPECT_NE(output.find("the file is cut"), std::string::npos) << output;
  std::ifstream kept(outputs);
  std::string text;
  kept >> text;
  EXPECT_EQ(text, "old");
}
