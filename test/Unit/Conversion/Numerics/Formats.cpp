//===- Formats.cpp - The formats under test, by APFloat -------------------===//

#include "Formats.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

#include <iostream>
#include <random>

using namespace mlir;
using namespace mlafuse::test;
using llvm::APFloat;

mlir::Type Format::getType(MLIRContext &context) const {
  Type types[] = {
      BFloat16Type::get(&context),     Float16Type::get(&context),
      Float8E4M3FNType::get(&context), Float8E4M3FNUZType::get(&context),
      Float8E5M2Type::get(&context),   Float4E2M1FNType::get(&context)};
  return *llvm::find_if(types, [&](Type type) {
    return &cast<FloatType>(type).getFloatSemantics() == semantics;
  });
}

mlir::Type Format::getStorageType(MLIRContext &context) const {
  return bits == 4 ? Type(IntegerType::get(&context, 8)) : getType(context);
}

float Format::decode(unsigned code) const {
  APFloat value(*semantics, llvm::APInt(bits, code));
  bool lossy;
  value.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &lossy);
  return value.convertToFloat();
}

unsigned Format::encode(float x, float limit) const {
  if (std::isnan(x))
    return nan;
  if (saturates) {
    bool lossy;
    APFloat largest = APFloat::getLargest(*semantics);
    largest.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven,
                    &lossy);
    limit = std::min(limit, largest.convertToFloat());
    x = std::copysign(std::min(std::fabs(x), limit), x);
  }
  APFloat value(x);
  bool lossy;
  value.convert(*semantics, APFloat::rmNearestTiesToEven, &lossy);
  return value.bitcastToAPInt().getZExtValue();
}

std::vector<float> Format::nonNegativeNumbers() const {
  std::vector<float> numbers;
  for (unsigned code = 0; code < 1u << (bits - 1); ++code)
    if (float number = decode(code); std::isfinite(number))
      numbers.push_back(number);
  return numbers;
}

const std::vector<Format> &mlafuse::test::getFormats() {
  static const std::vector<Format> formats = {
      {"bf16", &APFloat::BFloat(), 16, 0x7FC0, false},
      {"f16", &APFloat::IEEEhalf(), 16, 0x7E00, false},
      {"f8E4M3FN", &APFloat::Float8E4M3FN(), 8, 0x7F, true},
      {"f8E4M3FNUZ", &APFloat::Float8E4M3FNUZ(), 8, 0x80, true},
      {"f8E5M2", &APFloat::Float8E5M2(), 8, 0x7F, true},
      {"f4E2M1FN", &APFloat::Float4E2M1FN(), 4, 0x7, true}};
  return formats;
}

const Format &mlafuse::test::getFormat(llvm::StringRef name) {
  return *llvm::find_if(getFormats(),
                        [&](const Format &f) { return f.name == name; });
}

uint32_t mlafuse::test::toBits(float x) { return llvm::bit_cast<uint32_t>(x); }

float mlafuse::test::fromBits(uint32_t bits) {
  return llvm::bit_cast<float>(bits);
}

bool mlafuse::test::sameFloat(float a, float b) {
  return toBits(a) == toBits(b) || (std::isnan(a) && std::isnan(b));
}

std::vector<float> mlafuse::test::randomFloats(size_t count) {
  constexpr uint64_t seed = 20260101;
  std::cout << "random bit patterns from seed " << seed << std::endl;
  std::mt19937 generator(seed);
  std::vector<float> floats(count);
  for (float &x : floats)
    x = fromBits(generator());
  return floats;
}
