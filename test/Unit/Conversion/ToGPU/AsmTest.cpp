//===- AsmTest.cpp - PTX of numbers and copies ----------------------------===//

#include "NVIDIA/Asm.h"
#include "PTX.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::test;
namespace ptx = mlafuse::kernel::ptx;

TEST(Numbers, ReadWhereTheyAreUsed) {
  expectLines(getPTX("sm_80",
                     [](Body &body) {
                       body.keep(ptx::readThread(body.e));
                       body.keep(ptx::readThread(body.e));
                       body.keep(ptx::readBlock(body.e));
                     }),
              {"mov.u32 #, %tid.x;", "st.global", "mov.u32 #, %tid.x;",
               "st.global", "mov.u32 #, %ctaid.x;", "st.global"});
}

// What is known of the original is not of the copy.
TEST(Opaque, HidesConstants) {
  expectLines(getPTX("sm_80",
                     [](Body &body) {
                       Value seven = ptx::i32(body.e, 7);
                       body.keep(ptx::plusI(body.e, seven, 1));
                       Value copy = ptx::opaque(body.e, seven);
                       body.keep(ptx::plusI(body.e, copy, 1));
                     }),
              {"mov.b32 #, 8;", "st.global", "mov.b32 #, 7;", "mov.b32 #, #;",
               "add.s32 #, #, 1;", "st.global"});
}
