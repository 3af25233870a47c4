//===- Warpgroup.cpp - matrix products of four warps ----------------------===//

#include "Warpgroup.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::kernel;

//===----------------------------------------------------------------------===//
// Descriptors: PTX ISA, "Matrix descriptor format" of wgmma. Addresses and
// strides are in units of 16 bytes.
//===----------------------------------------------------------------------===//

static constexpr int64_t kUnit = 16;
/// Eight rows of 128 bytes: the swizzle's period.
static constexpr int64_t kPeriodBytes = 1024;

ptx::MatrixOperand::MatrixOperand(Emitter &e, const SwizzledTile &tile,
                                  Major major)
    : boxBytes(tile.getBoxBytes()), major(major) {
  // The leading stride is between boxes; with Major::K an instruction stays
  // within one.
  uint64_t leading = boxBytes / kUnit;
  uint64_t stride = kPeriodBytes / kUnit;
  constexpr uint64_t swizzle128 = 1;
  uint64_t fields = leading << 16 | stride << 32 | swizzle128 << 62;
  Value address = tile.start.get(e);
  Value units = arith::ShRUIOp::create(e, address, i32(e, 4));
  descriptor.low =
      arith::OrIOp::create(e, units, i32(e, static_cast<int32_t>(fields)));
  descriptor.high = fields >> 32;
}

ptx::MatrixDescriptor ptx::MatrixOperand::get(Emitter &e, int64_t depth,
                                              int64_t first) const {
  constexpr int64_t box = SwizzledTile::kBoxColumns;
  constexpr int64_t row = SwizzledTile::kRowBytes;
  int64_t column = major == Major::K ? depth : first;
  int64_t line = major == Major::K ? first : depth;
  int64_t bytes = column / box * boxBytes + column % box * 2 + line * row;
  MatrixDescriptor place = descriptor;
  place.units += bytes / kUnit;
  return place;
}

ptx::MatrixOperand ptx::MatrixOperand::advance(Emitter &e, Value bytes) const {
  MatrixOperand other = *this;
  Value units = arith::ShRUIOp::create(e, bytes, i32(e, 4));
  other.descriptor.low = plusI(e, descriptor.low, units);
  return other;
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

void ptx::fenceProducts(Emitter &e) {
  emitAsm(e, "wgmma.fence.sync.aligned;", TypeRange(), {}, Effect::Memory);
}

/// Operands of a product, and the text that makes the descriptors.
namespace {
struct ProductOperands {
  ptx::Registers values;
  SmallVector<std::string> constraints;
  std::string setup;
  unsigned next; ///< Number of the next operand.

  void add(Value value) {
    values.push_back(value);
    constraints.push_back("r");
    ++next;
  }
  std::string add(ptx::MatrixDescriptor descriptor, StringRef name) {
    std::string low = (name + "l").str(), high = (name + "h").str();
    setup += (".reg .b32 " + low + ", " + high + ";\n.reg .b64 " + name +
              ";\nadd.u32 " + low + ", $" + Twine(next) + ", " +
              Twine(descriptor.units) + ";\nmov.u32 " + high + ", " +
              Twine(descriptor.high) + ";\nmov.b64 " + name + ", {" + low +
              ", " + high + "};\n")
                 .str();
    add(descriptor.low);
    return name.str();
  }
};
} // namespace

static ptx::Registers emitProduct(Emitter &e,
                                  const ptx::WarpgroupProduct &product,
                                  ValueRange d, ProductOperands operands,
                                  StringRef a, StringRef b,
                                  StringRef transposes) {
  int64_t count = product.getRegisters();
  std::string type = product.elements.isBF16() ? "bf16" : "f16";
  std::string text =
      "{\n" + operands.setup + "wgmma.mma_async.sync.aligned.m64n" +
      std::to_string(product.n) + "k16.f32." + type + "." + type + " " +
      ptx::listOperands(0, count) + ", " + a.str() + ", " + b.str() + ", " +
      (d.empty() ? "0" : "1") + ", 1, 1" + transposes.str() + ";\n}";
  for (auto [i, value] : llvm::enumerate(d)) {
    operands.constraints.push_back(std::to_string(i));
    operands.values.push_back(value);
  }
  SmallVector<Type> types(count, e.getF32Type());
  return ptx::emitAsm(e, text, TypeRange(types), operands.constraints,
                      operands.values, ptx::Effect::Memory);
}

static std::string transpose(ptx::Major major) {
  return major == ptx::Major::MN ? ", 1" : ", 0";
}

ptx::Registers ptx::multiply(Emitter &e, const WarpgroupProduct &product,
                             ValueRange d, const MatrixDescriptor &a,
                             Major aMajor, const MatrixDescriptor &b,
                             Major bMajor) {
  ProductOperands operands;
  operands.next = product.getRegisters();
  std::string left = operands.add(a, "a"), right = operands.add(b, "b");
  return emitProduct(e, product, d, std::move(operands), left, right,
                     transpose(aMajor) + transpose(bMajor));
}

ptx::Registers ptx::multiply(Emitter &e, const WarpgroupProduct &product,
                             ValueRange d, ValueRange a,
                             const MatrixDescriptor &b, Major bMajor) {
  assert(a.size() == 4);
  ProductOperands operands;
  operands.next = product.getRegisters();
  std::string left = listOperands(operands.next, a.size());
  for (Value value : a)
    operands.add(value);
  std::string right = operands.add(b, "b");
  return emitProduct(e, product, d, std::move(operands), left, right,
                     transpose(bMajor));
}

void ptx::commitProducts(Emitter &e) {
  emitAsm(e, "wgmma.commit_group.sync.aligned;", TypeRange(), {},
          Effect::Memory);
}

ptx::Registers ptx::waitProducts(Emitter &e, int64_t pending,
                                 ValueRange registers) {
  SmallVector<std::string> constraints;
  for (unsigned i = 0; i < registers.size(); ++i)
    constraints.push_back(std::to_string(i));
  return emitAsm(e, "wgmma.wait_group.sync.aligned " + Twine(pending) + ";",
                 registers.getTypes(), constraints, registers, Effect::Memory);
}

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

void ptx::raiseRegisters(Emitter &e, int64_t count) {
  emitAsm(e, "setmaxnreg.inc.sync.aligned.u32 " + Twine(count) + ";",
          TypeRange(), {}, Effect::Memory);
}

void ptx::lowerRegisters(Emitter &e, int64_t count) {
  emitAsm(e, "setmaxnreg.dec.sync.aligned.u32 " + Twine(count) + ";",
          TypeRange(), {}, Effect::Memory);
}
