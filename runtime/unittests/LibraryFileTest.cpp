//===- LibraryFileTest.cpp - tests of reading a library ---------------===//
#include "LibraryFile.h"
#include "TemporaryFile.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <link.h>

using namespace mlafuse::rt;
using mlafuse::cts::TemporaryFile;

namespace {

class LibraryFileTest : public ::testing::Test {
protected:
  void SetUp() override {
    std::ifstream stream(LIBRARY, std::ios::binary);
    whole.assign(std::istreambuf_iterator<char>(stream), {});
    ASSERT_GT(whole.size(), sizeof(ElfW(Ehdr)));
    memcpy(&header, whole.data(), sizeof(header));
  }

  /// The error of a file of these bytes.
  static Error open(const std::string &bytes) {
    TemporaryFile written(bytes);
    LibraryFile file;
    return file.open(written.getPath());
  }

  static void expectCut(const std::string &bytes, uint64_t needed) {
    TemporaryFile cut(bytes);
    LibraryFile file;
    Error error = file.open(cut.getPath());
    EXPECT_EQ(error.getStatus(), MLAFUSE_BAD_LIBRARY);
    EXPECT_EQ(error.getText(), "'" + cut.getPath() + "' is cut short: it has " +
                                   std::to_string(bytes.size()) +
                                   " bytes, its headers need " +
                                   std::to_string(needed));
  }

  std::string with(const ElfW(Ehdr) & other) const {
    std::string bytes = whole;
    memcpy(bytes.data(), &other, sizeof(other));
    return bytes;
  }

  std::string whole;
  ElfW(Ehdr) header;
};

} // namespace

TEST_F(LibraryFileTest, Whole) {
  LibraryFile file;
  Error error = file.open(LIBRARY);
  ASSERT_FALSE(error) << error.getText();
  EXPECT_EQ(file.getManifest().functions.size(), 5u);
  EXPECT_EQ(file.find("mlafuse_manifest"), file.getManifestText());
  EXPECT_EQ(file.find("mlafuse_nothing"), nullptr);
  EXPECT_FALSE(open(whole));
}

TEST_F(LibraryFileTest, CutAnywhere) {
  // The linker puts the section headers last.
  for (uint64_t parts = 1; parts < 64; ++parts) {
    uint64_t size = whole.size() * parts / 64;
    if (size < header.e_phoff + header.e_phnum * header.e_phentsize)
      continue;
    expectCut(whole.substr(0, size), whole.size());
  }
  expectCut(whole.substr(0, whole.size() - 1), whole.size());
}

TEST_F(LibraryFileTest, CutInItsHeaders) {
  expectCut(whole.substr(0, 4), sizeof(header));
  expectCut(whole.substr(0, sizeof(header) - 1), sizeof(header));
  header.e_shoff = 0;
  expectCut(with(header).substr(0, sizeof(header)),
            header.e_phoff + header.e_phnum * sizeof(ElfW(Phdr)));
}

TEST_F(LibraryFileTest, CutInItsSegments) {
  uint64_t end = 0;
  for (size_t i = 0; i < header.e_phnum; ++i) {
    ElfW(Phdr) segment;
    memcpy(&segment, whole.data() + header.e_phoff + i * sizeof(segment),
           sizeof(segment));
    end = std::max<uint64_t>(end, segment.p_offset + segment.p_filesz);
  }
  // A library without section headers, as some tools that strip make it.
  header.e_shoff = 0;
  header.e_shnum = header.e_shstrndx = 0;
  std::string bytes = with(header);
  EXPECT_FALSE(open(bytes.substr(0, end)));
  expectCut(bytes.substr(0, end - 1), end);
  expectCut(bytes.substr(0, 4096), end);
}

TEST_F(LibraryFileTest, OffsetsThatOverflow) {
  header.e_shoff = UINT64_MAX - 8;
  expectCut(with(header), UINT64_MAX);
}

TEST_F(LibraryFileTest, OtherFilesAreLeftToTheLoader) {
  std::string other = whole;
  other[EI_CLASS] = ELFCLASS32;
  for (const std::string &bytes :
       {std::string(), std::string("no library"), other.substr(0, 500)}) {
    Error error = open(bytes);
    EXPECT_EQ(error.getStatus(), MLAFUSE_BAD_LIBRARY);
    EXPECT_NE(error.getText().find("' cannot be loaded: "), std::string::npos)
        << error.getText();
  }
  LibraryFile directory;
  EXPECT_NE(
      directory.open(::testing::TempDir()).getText().find("cannot be loaded"),
      std::string::npos);
  LibraryFile missing;
  EXPECT_EQ(missing.open("/nowhere/x.so").getStatus(), MLAFUSE_NOT_FOUND);
}
