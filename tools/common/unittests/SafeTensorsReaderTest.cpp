//===- SafeTensorsReaderTest.cpp - tests of reading files -------------===//
#include "SafeTensors.h"

#include <gtest/gtest.h>

using namespace mlafuse::rt;

namespace {

using Bytes = std::vector<uint8_t>;

/// A file's content with this header and this many bytes 0, 1, 2, ... of data.
Bytes makeFile(const std::string &header, size_t dataBytes) {
  Bytes file;
  for (size_t i = 0; i < 8; ++i)
    file.push_back(static_cast<uint8_t>(header.size() >> (8 * i)));
  file.insert(file.end(), header.begin(), header.end());
  for (size_t i = 0; i < dataBytes; ++i)
    file.push_back(static_cast<uint8_t>(i));
  return file;
}

std::string errorOf(Bytes content) {
  SafeTensorsFile file;
  return file.parse(std::move(content)).getText();
}

std::string errorOf(const std::string &header, size_t dataBytes) {
  return errorOf(makeFile(header, dataBytes));
}

void expectError(const std::string &header, size_t dataBytes,
                 const std::string &part) {
  std::string error = errorOf(header, dataBytes);
  EXPECT_NE(error.find(part), std::string::npos)
      << "\"" << part << "\" is not in: " << error;
}

const std::string whole =
    R"({"__metadata__":{"op":"x"},)"
    R"("b":{"dtype":"BF16","shape":[2,2],"data_offsets":[4,12]},)"
    R"("a":{"dtype":"F8_E4M3","shape":[4],"data_offsets":[0,4]},)"
    R"("none":{"dtype":"I64","shape":[3,0],"data_offsets":[12,12]}}  )";

} // namespace

TEST(SafeTensorsReader, Whole) {
  SafeTensorsFile file;
  Error error = file.parse(makeFile(whole, 12));
  ASSERT_FALSE(error) << error.getText();
  EXPECT_EQ(file.getMetadata().at("op"), "x");
  ASSERT_EQ(file.getTensors().size(), 3u);
  const SafeTensor *b = file.find("b");
  ASSERT_NE(b, nullptr);
  EXPECT_EQ(b->dtype, "BF16");
  EXPECT_EQ(b->shape, (std::vector<int64_t>{2, 2}));
  EXPECT_EQ(b->bytes, 8u);
  EXPECT_EQ(b->data[0], 4);
  EXPECT_EQ(file.find("none")->bytes, 0u);
  EXPECT_EQ(file.find("c"), nullptr);
}

TEST(SafeTensorsReader, StaysWholeWhenMoved) {
  SafeTensorsFile first;
  ASSERT_FALSE(first.parse(makeFile(whole, 12)));
  SafeTensorsFile second = std::move(first);
  EXPECT_EQ(second.find("b")->data[1], 5);
}

TEST(SafeTensorsReader, NoTensors) { EXPECT_EQ(errorOf("{}", 0), ""); }

TEST(SafeTensorsReader, EveryCutFileIsAnError) {
  Bytes file = makeFile(whole, 12);
  for (size_t length = 0; length < file.size(); ++length)
    EXPECT_NE(errorOf(Bytes(file.begin(), file.begin() + length)), "")
        << length;
}

TEST(SafeTensorsReader, NoChangedByteCrashes) {
  Bytes file = makeFile(whole, 12);
  for (size_t at = 0; at < file.size(); ++at)
    for (char byte : {'\0', '\1', '\t', '"', ',', '0', '9', '-', '[', '}',
                      '\x7F', '\xFF'}) {
      Bytes changed = file;
      changed[at] = static_cast<uint8_t>(byte);
      errorOf(changed);
    }
}

TEST(SafeTensorsReader, HeaderLength) {
  Bytes file = makeFile("{}", 0);
  file[7] = 0x80;
  EXPECT_NE(errorOf(file).find("header would have 9223372036854775810 bytes"),
            std::string::npos);
  file = makeFile("{}", 0);
  file[0] = 3;
  EXPECT_NE(errorOf(file).find("its header has 3 bytes, of which 2 are there"),
            std::string::npos);
  EXPECT_NE(errorOf(Bytes(7)).find("it has 7 bytes; wanted at least 8"),
            std::string::npos);
}

TEST(SafeTensorsReader, Header) {
  expectError("[]", 0, "header: wanted an object");
  expectError("{", 0,
              "header: not valid JSON at byte 1: a key in quotes is missing");
  expectError(R"({"a":3})", 0, "tensor 'a': wanted an object");
  expectError(R"({"a":{"shape":[],"data_offsets":[0,0]}})", 0,
              "tensor 'a': key \"dtype\" is missing");
  expectError(R"({"a":{"dtype":"U8","data_offsets":[0,0]}})", 0,
              "key \"shape\" is missing");
  expectError(R"({"a":{"dtype":"U8","shape":[0]}})", 0,
              "key \"data_offsets\" is missing");
  expectError(R"({"__metadata__":[]})", 0, "__metadata__: wanted an object");
  expectError(R"({"__metadata__":{"k":1}})", 0, "'k' is not a text");
  std::string tensor = R"("a":{"dtype":"U8","shape":[0],"data_offsets":[0,0]})";
  expectError("{" + tensor + "," + tensor + "}", 0, "'a' appears twice");
}

TEST(SafeTensorsReader, Sizes) {
  auto header = [](const std::string &shape, const std::string &offsets) {
    return R"({"a":{"dtype":"F32","shape":)" + shape + R"(,"data_offsets":)" +
           offsets + "}}";
  };
  EXPECT_EQ(errorOf(header("[2]", "[0,8]"), 8), "");
  EXPECT_EQ(errorOf(header("[]", "[0,4]"), 4), "");
  expectError(header("[-2]", "[0,8]"), 8, "shape[0]: wanted at least 0");
  expectError(header("[2.0]", "[0,8]"), 8, "shape[0]: wanted an integer");
  expectError(header("2", "[0,8]"), 8, "shape: wanted an array");
  expectError(header("[2]", "[0]"), 8, "wanted [begin, end]");
  expectError(header("[2]", "[8,0]"), 8, "wanted [begin, end]");
  expectError(header("[2]", "[0,-8]"), 8, "data_offsets[1]: wanted at least 0");
  expectError(header("[2]", "[0,8]"), 7,
              "data_offsets end at byte 8, the file's data at byte 7: the file "
              "is cut");
  expectError(header("[3]", "[0,8]"), 8,
              "data_offsets span 8 bytes; F32 [3] takes 12");
  expectError(header("[4611686018427387905]", "[0,4]"), 4,
              "takes more than 64 bits can say");
  expectError(header("[0,4611686018427387905,8]", "[0,4]"), 4, "takes 0");
}

TEST(SafeTensorsReader, BytesOfTwoTensorsOrOfNone) {
  auto header = [](const std::string &first, const std::string &second) {
    return R"({"a":{"dtype":"U8","shape":[2],"data_offsets":)" + first +
           R"(},"b":{"dtype":"U8","shape":[2],"data_offsets":)" + second + "}}";
  };
  EXPECT_EQ(errorOf(header("[0,2]", "[2,4]"), 4), "");
  EXPECT_EQ(errorOf(header("[2,4]", "[0,2]"), 4), "");
  expectError(header("[0,2]", "[1,3]"), 3, "'b' shares bytes");
  expectError(header("[0,2]", "[0,2]"), 2, "shares bytes");
  expectError(header("[0,2]", "[3,5]"), 5, "before tensor 'b' belong to no");
  expectError(header("[1,3]", "[3,5]"), 5, "before tensor 'a' belong to no");
  expectError(header("[0,2]", "[2,4]"), 6, "2 bytes at the end belong to no");
}

TEST(SafeTensorsReader, OtherTypesAreKept) {
  SafeTensorsFile file;
  ASSERT_FALSE(file.parse(
      makeFile(R"({"a":{"dtype":"F4","shape":[4],"data_offsets":[0,2]}})", 2)));
  EXPECT_EQ(file.find("a")->dtype, "F4");
  expectError(R"({"a":{"dtype":"F64","shape":[1],"data_offsets":[0,4]}})", 4,
              "F64 [1] takes 8");
}

TEST(SafeTensorsReader, Paths) {
  SafeTensorsFile file;
  EXPECT_EQ(file.open("/nowhere/x").getText(),
            "'/nowhere/x': cannot open: No such file or directory");
  EXPECT_EQ(file.open("/tmp").getText(), "'/tmp': not a regular file");
}
