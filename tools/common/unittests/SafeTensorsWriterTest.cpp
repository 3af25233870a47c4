//===- SafeTensorsWriterTest.cpp - tests of writing files -------------===//
#include "SafeTensors.h"

#include <csignal>
#include <dirent.h>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace mlafuse::rt;

namespace {

/// A directory of its own for each test.
class SafeTensorsWriter : public ::testing::Test {
protected:
  void SetUp() override {
    directory = ::testing::TempDir() + "mlafuse_safetensors_XXXXXX";
    ASSERT_NE(mkdtemp(directory.data()), nullptr);
  }
  void TearDown() override {
    for (const std::string &name : names())
      unlink((directory + "/" + name).c_str());
    rmdir(directory.c_str());
  }

  std::vector<std::string> names() const {
    std::vector<std::string> found;
    DIR *open = opendir(directory.c_str());
    while (dirent *entry = readdir(open))
      if (entry->d_name[0] != '.')
        found.push_back(entry->d_name);
    closedir(open);
    return found;
  }

  std::string read(const std::string &path) const {
    std::ifstream file(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  }

  std::string directory;
};

const uint8_t data[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};

const std::vector<SafeTensor> tensors = {
    {"bytes \"q\"", "U8", {3}, data, 3},
    {"wide", "F32", {1, 2}, data + 4, 8},
    {"none", "BF16", {0, 7}, nullptr, 0},
};

} // namespace

TEST_F(SafeTensorsWriter, ComesBack) {
  std::string path = directory + "/x.safetensors";
  Error error = writeSafeTensors(path, tensors, {{"k", "v\n"}});
  ASSERT_FALSE(error) << error.getText();
  SafeTensorsFile file;
  error = file.open(path);
  ASSERT_FALSE(error) << error.getText();
  ASSERT_EQ(file.getTensors().size(), 3u);
  EXPECT_EQ(file.getMetadata().at("k"), "v\n");
  for (const SafeTensor &wanted : tensors) {
    const SafeTensor *got = file.find(wanted.name);
    ASSERT_NE(got, nullptr);
    EXPECT_EQ(got->dtype, wanted.dtype);
    EXPECT_EQ(got->shape, wanted.shape);
    ASSERT_EQ(got->bytes, wanted.bytes);
    EXPECT_TRUE(std::equal(got->data, got->data + got->bytes, wanted.data));
  }
}

TEST_F(SafeTensorsWriter, TensorsAreAligned) {
  std::string path = directory + "/x.safetensors";
  ASSERT_FALSE(writeSafeTensors(path, tensors, {}));
  SafeTensorsFile file;
  ASSERT_FALSE(file.open(path));
  const uint8_t *start = file.getTensors()[0].data;
  size_t headerBytes = read(path).size() - 11;
  EXPECT_EQ(headerBytes % 8, 0u);
  EXPECT_EQ((file.find("wide")->data - start) % 4, 0);
}

TEST_F(SafeTensorsWriter, ReplacesAFileAndLeavesNoOther) {
  std::string path = directory + "/x.safetensors";
  std::ofstream(path) << "old";
  ASSERT_FALSE(writeSafeTensors(path, tensors, {}));
  EXPECT_EQ(names(), std::vector<std::string>{"x.safetensors"});
  EXPECT_NE(read(path), "old");
}

TEST_F(SafeTensorsWriter, FullDiskLeavesTheOldFile) {
  std::string path = directory + "/x.safetensors";
  std::ofstream(path) << "old";
  // A limit on the size of files stands for a disk that is full.
  rlimit before;
  getrlimit(RLIMIT_FSIZE, &before);
  rlimit small = before;
  small.rlim_cur = 100;
  auto *handler = signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &small);
  Error error = writeSafeTensors(path, tensors, {});
  setrlimit(RLIMIT_FSIZE, &before);
  signal(SIGXFSZ, handler);
  EXPECT_EQ(error.getText(), "cannot write '" + path + "': File too large");
  EXPECT_EQ(read(path), "old");
  EXPECT_EQ(names(), std::vector<std::string>{"x.safetensors"});
}

TEST_F(SafeTensorsWriter, PathsThatCannotBe) {
  EXPECT_EQ(writeSafeTensors("/nowhere/x", tensors, {}).getText(),
            "cannot write '/nowhere/x': No such file or directory");
  EXPECT_EQ(writeSafeTensors(directory, tensors, {}).getText(),
            "cannot write '" + directory +
                "': it is there and not a regular file");
  EXPECT_EQ(writeSafeTensors("/dev/null", tensors, {}).getText(),
            "cannot write '/dev/null': it is there and not a regular file");
}
