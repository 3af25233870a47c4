//===- SafeTensors.h - read and write safetensors files -------*- C++ -*-===//
//
// The format: 8 bytes with the little-endian length of a JSON header, the
// header (tensor name -> dtype, shape, data_offsets), and the tensors' bytes,
// row-major and without gaps.
//
//===------------------------------------------------------------------===//
#ifndef MLAFUSE_TOOLS_COMMON_SAFETENSORS_H
#define MLAFUSE_TOOLS_COMMON_SAFETENSORS_H

#include "Error.h"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace mlafuse::rt {

/// A tensor in a file's format. `data` belongs to whoever made the struct.
struct SafeTensor {
  std::string name;
  std::string dtype; ///< As in the file: "BF16", "F8_E4M3", ...
  std::vector<int64_t> shape;
  const uint8_t *data = nullptr;
  size_t bytes = 0;
};

/// The dtype that tensors of an element type have in a file; U8 for those that
/// the format has no name for (i8, f8E4M3FNUZ).
const char *safeTensorsType(mlafuse_type type);

/// "[2, 3]".
std::string shapeText(const std::vector<int64_t> &shape);

/// A file that was read and found whole: every tensor lies in it, has the size
/// that its shape and dtype give, and shares no byte with another, and no byte
/// belongs to none. A dtype that is not known is kept, its size unchecked.
class SafeTensorsFile {
public:
  SafeTensorsFile() = default;
  SafeTensorsFile(SafeTensorsFile &&) = default;
  SafeTensorsFile &operator=(SafeTensorsFile &&) = default;

  /// Reads the file at `path`, whose tensors then live as long as this object.
  /// Errors name the file, the tensor and what would be right.
  Error open(const std::string &path);

  /// The same for a file's content in memory.
  Error parse(std::vector<uint8_t> content);

  /// In the order of their bytes.
  const std::vector<SafeTensor> &getTensors() const { return tensors; }
  const std::map<std::string, std::string> &getMetadata() const {
    return metadata;
  }
  /// NULL if there is no tensor of that name.
  const SafeTensor *find(std::string_view name) const;

private:
  Error parseHeader(std::string_view header, size_t dataBytes);

  std::vector<uint8_t> content;
  std::vector<SafeTensor> tensors;
  std::map<std::string, std::string> metadata;
};

/// Writes a file at `path`, or leaves what is there as it was: the bytes go to
/// a file beside it, which takes its place when it is whole. Tensors with the
/// larger elements come first, so that all are aligned.
Error writeSafeTensors(const std::string &path,
                       const std::vector<SafeTensor> &tensors,
                       const std::map<std::string, std::string> &metadata);

namespace detail {
/// Bytes of an element of a file's dtype; nothing if it is not known or not a
/// whole number.
std::optional<int64_t> dtypeBytes(std::string_view dtype);
} // namespace detail

} // namespace mlafuse::rt

#endif // MLAFUSE_TOOLS_COMMON_SAFETENSORS_H
