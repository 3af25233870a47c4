//===- PartsTest.cpp - PTX of bytes and halves of registers ---------------===//

#include "NVIDIA/Parts.h"
#include "PTX.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::test;
namespace ptx = mlafuse::kernel::ptx;

TEST(Parts, InterleavesBytes) {
  expectLines(getPTX("sm_80",
                     [](Body &body) {
                       auto words = body.getI32s(2);
                       for (int64_t first : {0, 2})
                         body.keep(ptx::interleaveBytes(body.e, words[0],
                                                        words[1], first));
                     }),
              {"prmt.b32 #, #, #, 0x5140;", "prmt.b32 #, #, #, 0x7362;"});
}

TEST(Parts, SelectsHalves) {
  expectLines(
      getPTX("sm_80",
             [](Body &body) {
               auto words = body.getI32s(2);
               for (bool high : {false, true})
                 body.keep(ptx::selectHalves(body.e, words[0], words[1], high));
             }),
      {"prmt.b32 #, #, #, 0x5410;", "prmt.b32 #, #, #, 0x7632;"});
}

TEST(Parts, LargerHalves) {
  expectLines(getPTX("sm_90a",
                     [](Body &body) {
                       auto words = body.getI32s(2);
                       body.keep(ptx::largerHalves(body.e, words[0], words[1]));
                     }),
              {"max.u16x2 #, #, #;"});
}
