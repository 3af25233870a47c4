//===- PowersOfTwoTest.cpp - factors that bring numbers near f16 ----------===//

#include "Attention/PowersOfTwo.h"
#include "PTX.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::test;

// The sign does not count. 0 has no power.
TEST(PowerOfTwo, BringsNumbersNearF16) {
  struct Case {
    double number;
    int64_t power;
  };
  const Case cases[] = {{3, 13},      {-3, 13},     {16384, 0},
                        {1e38, -112}, {1e-38, 126}, {0, 0}};
  for (const Case &it : cases) {
    SCOPED_TRACE(it.number);
    std::string text = getPTX("sm_80", [&](Body &body) {
      auto [up, down] = kernel::PowerOfTwo::bringNear(
          body.e, rows::constant(body.e, it.number));
      body.keep(up);
      body.keep(down);
    });
    // Both fold to the bits of an f32.
    auto getLine = [](int64_t power) {
      return "mov.b32 #, " + std::to_string((power + 127) << 23) + ";";
    };
    expectLines(text, {getLine(it.power), "st.global", "st.global"});
    expectLines(text, {getLine(-it.power), "st.global"});
  }
}
