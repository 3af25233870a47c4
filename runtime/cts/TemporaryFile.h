//===- TemporaryFile.h - a file of one test's own -------------*- C++ -*-===//
#ifndef MLAFUSE_RUNTIME_CTS_TEMPORARYFILE_H
#define MLAFUSE_RUNTIME_CTS_TEMPORARYFILE_H

#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <unistd.h>

namespace mlafuse::cts {

/// A new file of these bytes, gone with this object. No two have the same
/// path, in other processes either: the suite runs for several chips at once.
class TemporaryFile {
public:
  explicit TemporaryFile(const std::string &bytes)
      : path(::testing::TempDir() + "mlafuse_XXXXXX.so") {
    int descriptor = mkstemps(path.data(), sizeof(".so") - 1);
    EXPECT_GE(descriptor, 0) << path;
    close(descriptor);
    EXPECT_TRUE(std::ofstream(path, std::ios::binary) << bytes) << path;
  }
  ~TemporaryFile() { unlink(path.c_str()); }
  TemporaryFile(const TemporaryFile &) = delete;
  TemporaryFile &operator=(const TemporaryFile &) = delete;

  const std::string &getPath() const { return path; }

private:
  std::string path;
};

} // namespace mlafuse::cts

#endif // MLAFUSE_RUNTIME_CTS_TEMPORARYFILE_H
