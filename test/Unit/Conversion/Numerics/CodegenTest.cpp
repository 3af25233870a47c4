//===- CodegenTest.cpp - What x86-64 makes of it --------------------------===//
//
// A conversion that turns into a call of compiler-rt or libm, or an exact
// square root into an approximate one, gives results that depend on where the
// code is linked, and is slow: neither may happen on the machines we support.
//
//===----------------------------------------------------------------------===//

#include "Formats.h"
#include "Kernel.h"

#include "MLAFuse/Conversion/Numerics.h"

#include "mlir/IR/BuiltinTypes.h"

#include "llvm/ADT/StringExtras.h"

#include "gtest/gtest.h"

#include <functional>
#include <iostream>

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::test;

namespace {

struct Case {
  std::string name;
  Type operand;
  unsigned operandCount;
  std::function<Value(OpBuilder &, Location, ValueRange)> body;
};

std::vector<Case> conversions() {
  std::vector<Case> cases;
  Type f32 = Float32Type::get(&getContext());
  for (const Format &format : getFormats()) {
    Type type = format.getType(getContext());
    cases.push_back({"extend " + format.name,
                     format.getStorageType(getContext()), 1,
                     [=](OpBuilder &b, Location loc, ValueRange v) {
                       return extendToF32(b, loc, v[0], type);
                     }});
    cases.push_back({"round " + format.name, f32, 1,
                     [=](OpBuilder &b, Location loc, ValueRange v) {
                       return roundFromF32(b, loc, v[0], type);
                     }});
    cases.push_back({"round through " + format.name, f32, 1,
                     [=](OpBuilder &b, Location loc, ValueRange v) {
                       return roundThrough(b, loc, v[0], type);
                     }});
  }
  return cases;
}

std::vector<Case> functions() {
  Type f32 = Float32Type::get(&getContext());
  auto unary = [&](const char *name,
                   Value (*builder)(OpBuilder &, Location, Value)) {
    return Case{name, f32, 1, [=](OpBuilder &b, Location loc, ValueRange v) {
                  return builder(b, loc, v[0]);
                }};
  };
  return {unary("exp", emitExp),
          unary("log", emitLog),
          unary("inverse square root", emitInvSqrt),
          unary("abs", absF32),
          unary("ue8m0", ue8m0RoundUp),
          Case{"max", f32, 2,
               [](OpBuilder &b, Location loc, ValueRange v) {
                 return maxIgnoringNaN(b, loc, v[0], v[1]);
               }},
          Case{"clamp", f32, 1, [](OpBuilder &b, Location loc, ValueRange v) {
                 Value limit = createFloat(b, loc, v[0].getType(), 448.0);
                 return clampKeepNaN(b, loc, v[0], limit);
               }}};
}

/// The instructions of the kernel, without labels and directives.
std::vector<std::string> instructions(const Case &c, unsigned lanes,
                                      StringRef cpu) {
  Type type = lanes ? Type(VectorType::get(lanes, c.operand)) : c.operand;
  SmallVector<Type> types(c.operandCount, type);
  std::string text = emitAssembly(types, c.body, cpu);
  std::vector<std::string> found;
  SmallVector<StringRef> lines;
  StringRef(text).split(lines, '\n');
  for (StringRef line : lines)
    if (line.starts_with("\t") && !line.starts_with("\t."))
      found.push_back(line.trim().str());
  return found;
}

TEST(Codegen, NoCallsSpillsOrApproximations) {
  std::vector<Case> cases = conversions();
  for (Case &c : functions())
    cases.push_back(c);
  for (const char *cpu : {"x86-64-v3", "x86-64-v4"})
    for (unsigned lanes : {0u, 16u})
      for (const Case &c : cases) {
        std::vector<std::string> found = instructions(c, lanes, cpu);
        ASSERT_FALSE(found.empty());
        for (StringRef line : found) {
          bool bad = line.starts_with("call") || line.contains("@PLT") ||
                     line.contains("(%rsp)") || line.starts_with("vrsqrt") ||
                     line.starts_with("vrcp") ||
                     line.starts_with("vcvtneps2bf16");
          EXPECT_FALSE(bad) << c.name << ", " << cpu << ", lanes " << lanes
                            << ": " << line.str();
        }
      }
}

/// One maxps, and minps with maxps: the operand order is the one they have.
TEST(Codegen, MaximumAndClampAreSingleInstructions) {
  for (const Case &c : functions()) {
    int wanted = c.name == "max" ? 1 : c.name == "clamp" ? 2 : 0;
    if (!wanted)
      continue;
    int found = 0;
    for (StringRef line : instructions(c, 16, "x86-64-v4")) {
      found += line.starts_with("vmaxps") || line.starts_with("vminps");
      EXPECT_FALSE(line.starts_with("vcmp")) << line.str();
    }
    EXPECT_EQ(found, wanted) << c.name;
  }
}

/// Whole kernels of 16 elements, load, store and return included. The bounds
/// have little room above what LLVM 22 gives; lost vectorization exceeds them
/// several times.
TEST(Codegen, ConversionsAreShort) {
  for (const Case &c : conversions()) {
    size_t avx512 = instructions(c, 16, "x86-64-v4").size();
    size_t avx2 = instructions(c, 16, "x86-64-v3").size();
    std::cout << c.name << ": " << avx512 << " instructions (x86-64-v4), "
              << avx2 << " (x86-64-v3)\n";
    EXPECT_LE(avx512, 32u) << c.name;
    EXPECT_LE(avx2, 70u) << c.name;
  }
}

} // namespace
