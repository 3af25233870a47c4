//===- SafeTensorsReader.cpp - read safetensors files -----------------===//
#include "JsonNode.h"
#include "SafeTensors.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <sys/stat.h>

namespace mlafuse::rt {
namespace {

constexpr size_t lengthBytes = 8;

/// The format's own limit.
constexpr uint64_t maxHeaderBytes = 100'000'000;

Error failed(std::string text) {
  return Error(MLAFUSE_INVALID_ARGUMENT, std::move(text));
}

std::string number(uint64_t value) { return std::to_string(value); }

/// Reads an array of integers that are not negative.
Error parseSizes(const JsonNode &node, const char *key,
                 std::vector<int64_t> &sizes) {
  JsonNode array = node;
  if (Error error = node.member(key, array))
    return error;
  if (Error error = array.expectArray())
    return error;
  sizes.resize(array.size());
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (Error error = array.element(i).readInteger(sizes[i]))
      return error;
    if (sizes[i] < 0)
      return array.element(i).error("wanted at least 0");
  }
  return {};
}

Error checkBytes(const JsonNode &node, const SafeTensor &tensor) {
  std::optional<int64_t> bytes = detail::dtypeBytes(tensor.dtype);
  if (!bytes)
    return {};
  bool overflow = false;
  // A size of 0 makes the product 0 whatever the others are.
  if (std::find(tensor.shape.begin(), tensor.shape.end(), 0) !=
      tensor.shape.end())
    bytes = 0;
  else
    for (int64_t size : tensor.shape)
      overflow |= __builtin_mul_overflow(*bytes, size, &*bytes);
  if (!overflow && static_cast<uint64_t>(*bytes) == tensor.bytes)
    return {};
  return node.error(
      concat({"data_offsets span ", number(tensor.bytes), " bytes; ",
              tensor.dtype, " ", shapeText(tensor.shape), " takes ",
              overflow ? "more than 64 bits can say"
                       : number(static_cast<uint64_t>(*bytes))}));
}

Error parseTensor(const JsonNode &node, const uint8_t *data, size_t dataBytes,
                  SafeTensor &tensor) {
  JsonNode dtype = node;
  if (Error error = node.member("dtype", dtype))
    return error;
  if (Error error = dtype.readName(tensor.dtype))
    return error;
  if (Error error = parseSizes(node, "shape", tensor.shape))
    return error;
  std::vector<int64_t> offsets;
  if (Error error = parseSizes(node, "data_offsets", offsets))
    return error;
  if (offsets.size() != 2 || offsets[0] > offsets[1])
    return node.error("data_offsets: wanted [begin, end], begin <= end");
  if (static_cast<uint64_t>(offsets[1]) > dataBytes)
    return node.error(
        concat({"data_offsets end at byte ", std::to_string(offsets[1]),
                ", the file's data at byte ", number(dataBytes),
                ": the file is cut or damaged"}));
  tensor.data = data + offsets[0];
  tensor.bytes = static_cast<size_t>(offsets[1] - offsets[0]);
  return checkBytes(node, tensor);
}

Error parseMetadata(const JsonNode &node,
                    std::map<std::string, std::string> &metadata) {
  if (node.get().kind != Json::Kind::Object)
    return node.error("wanted an object");
  for (size_t i = 0; i < node.size(); ++i) {
    const Json &value = node.get().elements[i];
    if (value.kind != Json::Kind::Text)
      return node.error(concat(
          {"the value of ", quoted(node.get().keys[i]), " is not a text"}));
    metadata[node.get().keys[i]] = value.text;
  }
  return {};
}

/// Sorts the tensors by their bytes, which must follow one another.
Error checkOrder(std::vector<SafeTensor> &tensors, const uint8_t *data,
                 size_t dataBytes) {
  std::sort(tensors.begin(), tensors.end(),
            [](const SafeTensor &a, const SafeTensor &b) {
              return a.data != b.data ? a.data < b.data : a.bytes < b.bytes;
            });
  const uint8_t *end = data;
  for (const SafeTensor &tensor : tensors) {
    if (tensor.data < end)
      return failed(concat({"tensor ", quoted(tensor.name),
                            " shares bytes with another tensor"}));
    if (tensor.data > end)
      return failed(concat({"the bytes before tensor ", quoted(tensor.name),
                            " belong to no tensor"}));
    end = tensor.data + tensor.bytes;
  }
  if (end != data + dataBytes)
    return failed(concat({number(static_cast<uint64_t>(data + dataBytes - end)),
                          " bytes at the end belong to no tensor"}));
  return {};
}

Error readContent(const std::string &path, std::vector<uint8_t> &content) {
  std::unique_ptr<FILE, int (*)(FILE *)> file(fopen(path.c_str(), "rb"),
                                              fclose);
  struct stat info;
  if (!file || fstat(fileno(file.get()), &info) != 0)
    return failed(concat({"cannot open: ", strerror(errno)}));
  if (!S_ISREG(info.st_mode))
    return failed("not a regular file");
  content.resize(static_cast<size_t>(info.st_size));
  size_t got = fread(content.data(), 1, content.size(), file.get());
  if (got == content.size())
    return {};
  return failed(concat({"cannot read: ", ferror(file.get())
                                             ? strerror(errno)
                                             : "the file became shorter"}));
}

} // namespace

Error SafeTensorsFile::open(const std::string &path) {
  std::vector<uint8_t> bytes;
  Error error = readContent(path, bytes);
  if (!error)
    error = parse(std::move(bytes));
  return std::move(error).in(quoted(path));
}

Error SafeTensorsFile::parse(std::vector<uint8_t> bytes) {
  content = std::move(bytes);
  tensors.clear();
  metadata.clear();
  if (content.size() < lengthBytes)
    return failed(
        concat({"not a safetensors file: it has ", number(content.size()),
                " bytes; wanted at least ", number(lengthBytes)}));
  uint64_t length = 0;
  for (size_t i = lengthBytes; i-- > 0;)
    length = length << 8 | content[i];
  size_t rest = content.size() - lengthBytes;
  if (length > maxHeaderBytes)
    return failed(concat({"not a safetensors file: its header would have ",
                          number(length), " bytes; at most ",
                          number(maxHeaderBytes), " are allowed"}));
  if (length > rest)
    return failed(concat({"the file is cut: its header has ", number(length),
                          " bytes, of which ", number(rest), " are there"}));
  std::string_view header(
      reinterpret_cast<const char *>(content.data()) + lengthBytes, length);
  return parseHeader(header, rest - length);
}

Error SafeTensorsFile::parseHeader(std::string_view header, size_t dataBytes) {
  Json json;
  if (Error error = parseJson(header, json))
    return std::move(error).in("header");
  if (json.kind != Json::Kind::Object)
    return failed("header: wanted an object");
  const uint8_t *data = content.data() + content.size() - dataBytes;
  for (size_t i = 0; i < json.elements.size(); ++i) {
    const std::string &name = json.keys[i];
    if (name == "__metadata__") {
      if (Error error =
              parseMetadata(JsonNode(json.elements[i], name), metadata))
        return error;
      continue;
    }
    SafeTensor &tensor = tensors.emplace_back();
    tensor.name = name;
    if (Error error =
            parseTensor(JsonNode(json.elements[i], "tensor " + quoted(name)),
                        data, dataBytes, tensor))
      return error;
  }
  return checkOrder(tensors, data, dataBytes);
}

const SafeTensor *SafeTensorsFile::find(std::string_view name) const {
  for (const SafeTensor &tensor : tensors)
    if (tensor.name == name)
      return &tensor;
  return nullptr;
}

} // namespace mlafuse::rt
