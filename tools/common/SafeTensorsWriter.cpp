//===- SafeTensorsWriter.cpp - write safetensors files ----------------===//
#include "Json.h"
#include "SafeTensors.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace mlafuse::rt {
namespace {

constexpr size_t lengthBytes = 8;

std::string headerText(const std::vector<const SafeTensor *> &tensors,
                       const std::map<std::string, std::string> &metadata) {
  std::string header = "{";
  const char *separator = "";
  if (!metadata.empty()) {
    header += "\"__metadata__\":{";
    for (const auto &[key, value] : metadata) {
      header += concat({separator, jsonQuoted(key), ":", jsonQuoted(value)});
      separator = ",";
    }
    header += "}";
  }
  size_t offset = 0;
  for (const SafeTensor *tensor : tensors) {
    header += concat({separator, jsonQuoted(tensor->name),
                      ":{\"dtype\":", jsonQuoted(tensor->dtype),
                      ",\"shape\":", shapeText(tensor->shape),
                      ",\"data_offsets\":[", std::to_string(offset), ",",
                      std::to_string(offset + tensor->bytes), "]}"});
    separator = ",";
    offset += tensor->bytes;
  }
  header += "}";
  // Spaces, so that the data begins at a multiple of the largest element.
  header.resize((header.size() + 7) / 8 * 8, ' ');
  return header;
}

/// A file that is removed unless it has taken the place of another.
class TemporaryFile {
public:
  explicit TemporaryFile(const std::string &target)
      : path(concat({target, ".tmp.", std::to_string(getpid())})),
        file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                    0666)),
        mustRemove(file >= 0) {}
  ~TemporaryFile() {
    if (file >= 0)
      close(file);
    if (mustRemove)
      unlink(path.c_str());
  }
  TemporaryFile(const TemporaryFile &) = delete;
  TemporaryFile &operator=(const TemporaryFile &) = delete;

  bool isOpen() const { return file >= 0; }

  bool write(const void *data, size_t bytes) {
    const char *next = static_cast<const char *>(data);
    while (bytes > 0) {
      ssize_t written = ::write(file, next, bytes);
      if (written < 0 && errno == EINTR)
        continue;
      if (written < 0)
        return false;
      next += written;
      bytes -= static_cast<size_t>(written);
    }
    return true;
  }

  /// Some file systems tell only on closing that the disk is full.
  bool replace(const std::string &target) {
    int descriptor = file;
    file = -1;
    if (close(descriptor) != 0 || rename(path.c_str(), target.c_str()) != 0)
      return false;
    mustRemove = false;
    return true;
  }

private:
  std::string path;
  int file;
  bool mustRemove;
};

} // namespace

Error writeSafeTensors(const std::string &path,
                       const std::vector<SafeTensor> &tensors,
                       const std::map<std::string, std::string> &metadata) {
  std::vector<const SafeTensor *> sorted;
  for (const SafeTensor &tensor : tensors)
    sorted.push_back(&tensor);
  auto elementBytes = [](const SafeTensor *tensor) {
    return detail::dtypeBytes(tensor->dtype).value_or(1);
  };
  std::sort(sorted.begin(), sorted.end(),
            [&](const SafeTensor *a, const SafeTensor *b) {
              return elementBytes(a) != elementBytes(b)
                         ? elementBytes(a) > elementBytes(b)
                         : a->name < b->name;
            });
  auto failed = [&](std::string_view why) {
    return Error(MLAFUSE_INVALID_ARGUMENT,
                 concat({"cannot write ", quoted(path), ": ", why}));
  };
  struct stat info;
  if (stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode))
    return failed("it is there and not a regular file");
  TemporaryFile file(path);
  if (!file.isOpen())
    return failed(strerror(errno));
  std::string header = headerText(sorted, metadata);
  uint8_t length[lengthBytes];
  for (size_t i = 0; i < lengthBytes; ++i)
    length[i] = static_cast<uint8_t>(header.size() >> (8 * i));
  bool written = file.write(length, sizeof(length)) &&
                 file.write(header.data(), header.size());
  for (size_t i = 0; i < sorted.size() && written; ++i)
    written = file.write(sorted[i]->data, sorted[i]->bytes);
  if (!written || !file.replace(path))
    return failed(strerror(errno));
  return {};
}

} // namespace mlafuse::rt
