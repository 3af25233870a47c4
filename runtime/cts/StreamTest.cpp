//===- StreamTest.cpp - launches on streams of the caller -------------===//
#include "Cts.h"
#include "DriverStreams.h"

using namespace mlafuse::cts;

namespace {

class StreamTest : public CtsTest {
protected:
  void SetUp() override {
    if (isCpu())
      GTEST_SKIP() << "the CPU has no streams";
    CtsTest::SetUp();
    ASSERT_EQ(driver.open(), "");
    for (void *&stream : streams)
      ASSERT_EQ(driver.createStream(stream), "");
  }
  void TearDown() override {
    if (isCpu())
      return;
    for (void *stream : streams)
      EXPECT_EQ(driver.destroyStream(stream), "");
    CtsTest::TearDown();
  }

  DriverStreams driver;
  void *streams[2] = {};
};

} // namespace

TEST_F(StreamTest, EveryCallFollowsTheStream) {
  const mlafuse_function *function = find("scale_rows");
  constexpr int64_t rows = 300;
  ScaleRows first(context, rows), second(context, rows);
  ASSERT_EQ(first.launch(function, streams[0]), MLAFUSE_OK)
      << mlafuse_last_error();
  ASSERT_EQ(second.launch(function, streams[1]), MLAFUSE_OK)
      << mlafuse_last_error();
  // What the first stream made, scaled again on it.
  first.tensors[0].data = first.y.view.data;
  ASSERT_EQ(first.launch(function, streams[0]), MLAFUSE_OK)
      << mlafuse_last_error();
  std::vector<float> got(rows * 4);
  ASSERT_EQ(mlafuse_copy(context, streams[0], got.data(), first.y.view.data,
                         got.size() * sizeof(float), MLAFUSE_DEVICE_TO_HOST),
            MLAFUSE_OK);
  ASSERT_EQ(mlafuse_synchronize(context, streams[0]), MLAFUSE_OK);
  ASSERT_EQ(mlafuse_synchronize(context, streams[1]), MLAFUSE_OK);
  std::vector<float> wanted = ScaleRows::wanted(rows);
  EXPECT_EQ(second.y.read<float>(), wanted);
  for (size_t i = 0; i < wanted.size(); ++i)
    wanted[i] *= static_cast<float>(i / 4 + 1);
  EXPECT_EQ(got, wanted);
}

TEST_F(StreamTest, TheCallersDeviceStaysCurrent) {
  ScaleRows data(context, 3);
  ASSERT_EQ(data.launch(find("scale_rows")), MLAFUSE_OK)
      << mlafuse_last_error();
  // Streams are made on the thread's current device.
  void *another = nullptr;
  ASSERT_EQ(driver.createStream(another), "");
  EXPECT_EQ(driver.destroyStream(another), "");
  EXPECT_EQ(data.y.read<float>(), ScaleRows::wanted(3));
}
