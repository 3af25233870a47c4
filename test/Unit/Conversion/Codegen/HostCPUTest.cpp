//===- HostCPUTest.cpp - tests of what this machine's CPU is called -------===//
#include "MLAFuse/Conversion/CPUCodegen.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

#include "gtest/gtest.h"

using namespace mlafuse;

TEST(HostCPU, HiddenInstructions) {
  llvm::Triple triple(llvm::sys::getDefaultTargetTriple());
  if (!triple.isX86())
    GTEST_SKIP() << "only CPUs of x86 have levels";
  auto expect = [](const char *name, const char *features,
                   const char *expected) {
    EXPECT_EQ(llvm::cantFail(getCPUWith(name, features)), expected);
  };
  expect("znver4", "", "znver4");
  expect("znver4", "+avx512f,+avx512vl,-pku", "znver4");
  expect("znver4", "-avx512f", "x86-64-v3");
  expect("sapphirerapids", "-avx512bw", "x86-64-v3");
  expect("znver3", "-avx512f", "znver3");
  expect("x86-64-v4", "-avx512vl,+avx2", "x86-64-v3");
  expect("generic", "+avx2,-avx512f", "x86-64-v3");
  expect("generic", "+avx512f,+avx512bw,+avx512cd,+avx512dq,+avx512vl",
         "x86-64-v4");
}

TEST(HostCPU, NothingBeyondItsLevel) {
  auto machine = llvm::cantFail(createCPUTargetMachine(""));
  if (machine->getTargetCPU() == llvm::sys::getHostCPUName())
    GTEST_SKIP() << "this machine's CPU has all that its name stands for";
  EXPECT_EQ(machine->getTargetFeatureString().find('+'), llvm::StringRef::npos)
      << machine->getTargetFeatureString().str();
}
