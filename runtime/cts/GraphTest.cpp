//===- GraphTest.cpp - launches captured in graphs --------------------===//
#include "Cts.h"
#include "DriverStreams.h"

using namespace mlafuse::cts;

namespace {

class GraphTest : public CtsTest {
protected:
  void SetUp() override {
    if (isCpu())
      GTEST_SKIP() << "the CPU has no graphs";
    CtsTest::SetUp();
    ASSERT_EQ(driver.open(), "");
    ASSERT_EQ(driver.createStream(stream), "");
  }
  void TearDown() override {
    if (isCpu())
      return;
    if (graph)
      EXPECT_EQ(driver.destroyGraph(graph), "");
    EXPECT_EQ(driver.destroyStream(stream), "");
    CtsTest::TearDown();
  }

  void capture(ScaleRows &data, int launches) {
    const mlafuse_function *function = find("scale_rows");
    ASSERT_EQ(driver.beginCapture(stream), "");
    for (int i = 0; i < launches; ++i)
      EXPECT_EQ(data.launch(function, stream), MLAFUSE_OK)
          << mlafuse_last_error();
    ASSERT_EQ(driver.endCapture(stream, graph), "");
  }

  void replay() {
    ASSERT_EQ(driver.launchGraph(graph, stream), "");
    ASSERT_EQ(driver.synchronize(stream), "");
  }

  /// Overwrites a tensor's values.
  void write(const Tensor &tensor, const std::vector<float> &values) {
    ASSERT_EQ(mlafuse_copy(context, nullptr, tensor.view.data, values.data(),
                           values.size() * sizeof(float),
                           MLAFUSE_HOST_TO_DEVICE),
              MLAFUSE_OK);
    ASSERT_EQ(mlafuse_synchronize(context, nullptr), MLAFUSE_OK);
  }

  DriverStreams driver;
  void *stream = nullptr;
  void *graph = nullptr;
};

} // namespace

TEST_F(GraphTest, CaptureRunsNothing) {
  ScaleRows data(context, 5);
  capture(data, 1);
  EXPECT_EQ(data.y.read<float>(), std::vector<float>(20, -1));
}

TEST_F(GraphTest, ReplaySeesNewValues) {
  ScaleRows data(context, 7);
  capture(data, 2);
  replay();
  EXPECT_EQ(data.y.read<float>(), ScaleRows::wanted(7));
  write(data.s, std::vector<float>(7, 2));
  write(data.y, std::vector<float>(28, -1));
  for (int run = 0; run < 3; ++run)
    replay();
  std::vector<float> doubled = ScaleRows::ramp(28, 0);
  for (float &value : doubled)
    value *= 2;
  EXPECT_EQ(data.y.read<float>(), doubled);
}

TEST_F(GraphTest, RefusedLaunchLeavesTheCaptureWhole) {
  ScaleRows data(context, 4);
  ASSERT_EQ(driver.beginCapture(stream), "");
  data.tensors[1].rank = 0;
  EXPECT_EQ(data.launch(find("scale_rows"), stream), MLAFUSE_INVALID_ARGUMENT);
  data.tensors[1].rank = 1;
  EXPECT_EQ(data.launch(find("scale_rows"), stream), MLAFUSE_OK);
  ASSERT_EQ(driver.endCapture(stream, graph), "");
  replay();
  EXPECT_EQ(data.y.read<float>(), ScaleRows::wanted(4));
}
