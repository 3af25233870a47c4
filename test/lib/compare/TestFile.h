//===- TestFile.h - safetensors content for tests -------------*- C++ -*-===//
#ifndef MLAFUSE_TEST_COMPARE_TESTFILE_H
#define MLAFUSE_TEST_COMPARE_TESTFILE_H

#include "SafeTensors.h"

#include <gtest/gtest.h>

namespace mlafuse::rt {

/// A tensor of a made-up file; `codes` are its elements' bits.
struct TestTensor {
  std::string name;
  std::string dtype;
  std::vector<int64_t> shape;
  std::vector<uint64_t> codes;
};

inline std::vector<uint8_t> bytesOf(const TestTensor &tensor) {
  int64_t width = *detail::dtypeBytes(tensor.dtype);
  std::vector<uint8_t> bytes;
  for (uint64_t code : tensor.codes)
    for (int64_t i = 0; i < width; ++i)
      bytes.push_back(static_cast<uint8_t>(code >> (8 * i)));
  return bytes;
}

/// A file with these tensors, in this order. The metadata's values are JSON
/// texts of their own, here with ' in place of ".
inline SafeTensorsFile
makeFile(const std::vector<TestTensor> &tensors,
         const std::map<std::string, std::string> &metadata = {}) {
  std::string header = "{\"__metadata__\":{";
  const char *separator = "";
  for (const auto &[key, value] : metadata) {
    std::string text;
    for (char c : value)
      text += c == '\'' ? "\\\"" : std::string(1, c);
    header += separator + ("\"" + key) + "\":\"" + text + "\"";
    separator = ",";
  }
  header += "}";
  std::vector<uint8_t> data;
  for (const TestTensor &tensor : tensors) {
    std::vector<uint8_t> bytes = bytesOf(tensor);
    header += ",\"" + tensor.name + "\":{\"dtype\":\"" + tensor.dtype +
              "\",\"shape\":" + shapeText(tensor.shape) +
              ",\"data_offsets\":[" + std::to_string(data.size()) + "," +
              std::to_string(data.size() + bytes.size()) + "]}";
    data.insert(data.end(), bytes.begin(), bytes.end());
  }
  header += "}";
  std::vector<uint8_t> content;
  for (size_t i = 0; i < 8; ++i)
    content.push_back(static_cast<uint8_t>(header.size() >> (8 * i)));
  content.insert(content.end(), header.begin(), header.end());
  content.insert(content.end(), data.begin(), data.end());
  SafeTensorsFile file;
  Error error = file.parse(std::move(content));
  EXPECT_FALSE(error) << error.getText();
  return file;
}

} // namespace mlafuse::rt

#endif // MLAFUSE_TEST_COMPARE_TESTFILE_H
