//===- LibraryFile.h - a compiled library and its manifest ----*- C++ -*-===//
#ifndef MLAFUSE_RT_COMMON_LIBRARYFILE_H
#define MLAFUSE_RT_COMMON_LIBRARYFILE_H

#include "Manifest.h"

namespace mlafuse::rt {

/// A compiled library in the process. No device is needed to read it.
class LibraryFile {
public:
  LibraryFile() = default;
  ~LibraryFile();
  LibraryFile(const LibraryFile &) = delete;
  LibraryFile &operator=(const LibraryFile &) = delete;

  /// Loads the file, once, and reads its manifest. An error names the file:
  /// MLAFUSE_NOT_FOUND if it cannot be read, MLAFUSE_BAD_LIBRARY if it is not
  /// a whole library that mlafuse-compile made.
  Error open(const std::string &path);

  /// The address of an exported symbol, or NULL.
  void *find(const std::string &symbol) const;
  const char *getManifestText() const { return manifestText; }
  const Manifest &getManifest() const { return manifest; }

private:
  Error readManifest();

  void *library = nullptr;
  const char *manifestText = nullptr;
  Manifest manifest;
};

} // namespace mlafuse::rt

#endif // MLAFUSE_RT_COMMON_LIBRARYFILE_H
