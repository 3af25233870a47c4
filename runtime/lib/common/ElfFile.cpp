//===- ElfFile.cpp - whether a shared library is whole ----------------===//
#include "ElfFile.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <link.h>
#include <sys/stat.h>
#include <unistd.h>

namespace mlafuse::rt {
namespace {

using Header = ElfW(Ehdr);
using Segment = ElfW(Phdr);

class File {
public:
  explicit File(const std::string &path)
      // A pipe would keep open() waiting; only regular files are read.
      : descriptor(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {}
  ~File() {
    if (descriptor >= 0)
      close(descriptor);
  }
  File(const File &) = delete;
  File &operator=(const File &) = delete;

  /// Nothing to look at: 0.
  uint64_t size() const {
    struct stat status;
    if (descriptor < 0 || fstat(descriptor, &status) != 0 ||
        !S_ISREG(status.st_mode))
      return 0;
    return static_cast<uint64_t>(status.st_size);
  }

  /// Reads as much as there is.
  void read(void *data, size_t bytes, uint64_t offset) const {
    auto *to = static_cast<char *>(data);
    while (bytes > 0) {
      ssize_t got = pread(descriptor, to, bytes, static_cast<off_t>(offset));
      if (got <= 0)
        return;
      to += got;
      bytes -= static_cast<size_t>(got);
      offset += static_cast<uint64_t>(got);
    }
  }

private:
  int descriptor;
};

/// The end of a part of a file; one that no number holds is the greatest.
uint64_t endOf(uint64_t offset, uint64_t bytes) {
  uint64_t end;
  return __builtin_add_overflow(offset, bytes, &end) ? UINT64_MAX : end;
}

bool isForThisMachine(const Header &header) {
  constexpr unsigned char wordClass =
      sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32;
  constexpr unsigned char byteOrder =
      __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB;
  return header.e_ident[EI_CLASS] == wordClass &&
         header.e_ident[EI_DATA] == byteOrder;
}

/// How many bytes a file must have, as far as those it has tell.
uint64_t neededBytes(const File &file, uint64_t size, const Header &header) {
  if (size < sizeof(header))
    return sizeof(header);
  if (!isForThisMachine(header) || header.e_phentsize != sizeof(Segment))
    return 0;
  uint64_t segmentsEnd =
      endOf(header.e_phoff, uint64_t(header.e_phnum) * sizeof(Segment));
  uint64_t needed = segmentsEnd;
  if (header.e_shoff != 0)
    needed = std::max(needed, endOf(header.e_shoff, uint64_t(header.e_shnum) *
                                                        header.e_shentsize));
  if (segmentsEnd > size)
    return needed;
  for (uint64_t i = 0; i < header.e_phnum; ++i) {
    Segment segment = {};
    file.read(&segment, sizeof(segment), header.e_phoff + i * sizeof(segment));
    needed = std::max(needed, endOf(segment.p_offset, segment.p_filesz));
  }
  return needed;
}

} // namespace

Error checkIsWhole(const std::string &path) {
  File file(path);
  uint64_t size = file.size();
  if (size < SELFMAG)
    return {};
  Header header = {};
  file.read(&header, sizeof(header), 0);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0)
    return {};
  uint64_t needed = neededBytes(file, size, header);
  if (needed <= size)
    return {};
  return Error(
      MLAFUSE_BAD_LIBRARY,
      concat({quoted(path), " is cut short: it has ", std::to_string(size),
              " bytes, its headers need ", std::to_string(needed)}));
}

} // namespace mlafuse::rt
