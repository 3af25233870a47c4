//===- ShufflesAMD.cpp - Exchanges between the lanes of a wave ------------===//
//
// An exchange with a constant offset, by the cheapest instruction that does it:
//
// | lane xor        | gfx942          | gfx950              | gfx12          |
// |-----------------|-----------------|---------------------|----------------|
// | 1 to 3          | DPP quad_perm   | the same            | DPP row_xmask  |
// | up to 15        | 1 or 2 DPP      | the same            | DPP row_xmask  |
// | 16              | ds_swizzle      | v_permlane16_swap   | v_permlanex16  |
// | 17 to 31        | ds_swizzle      | ds_swizzle          | v_permlanex16  |
// | 32              | ds_bpermute     | v_permlane32_swap   |                |
// | from lane i     | v_readlane      | the same            | the same       |
//
// DPP is part of the instruction that uses the value; ds_swizzle and
// ds_bpermute take the way through the LDS unit, though not its memory. All
// other exchanges are left to the patterns of MLIR (ds_bpermute).
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "mlir/Dialect/AMDGPU/Utils/Chipset.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlafuse;

namespace {

/// Values of DPP's control field.
enum DPP : unsigned {
  kQuadPerm = 0x000,   ///< Plus two bits of source lane for each of four.
  kRowRotate = 0x120,  ///< Plus the distance.
  kRowMirror = 0x140,  ///< Lane i takes 15 - i.
  kHalfMirror = 0x141, ///< Lane i takes 7 - i of its eight lanes.
  kRowXor = 0x160,     ///< Plus the mask; from gfx10.
};

} // namespace

static Value constant(ImplicitLocOpBuilder &b, uint32_t value) {
  return arith::ConstantOp::create(
      b, b.getI32IntegerAttr(static_cast<int32_t>(value)));
}

static Value emitDPP(ImplicitLocOpBuilder &b, Value v, unsigned control) {
  Type i32 = b.getI32Type();
  // Every lane has a source, so there is no old value to keep.
  Value old = LLVM::PoisonOp::create(b, i32);
  return ROCDL::DPPUpdateOp::create(b, i32, old, v, control, /*rowMask=*/0xF,
                                    /*bankMask=*/0xF, /*boundCtrl=*/true);
}

static unsigned quadPermXor(unsigned mask) {
  unsigned control = kQuadPerm;
  for (unsigned lane = 0; lane < 4; ++lane)
    control |= (lane ^ mask) << (2 * lane);
  return control;
}

/// Lane xor `mask`, below 16, without row_xmask: a move by 4, 8 or 12 is a
/// rotation or a mirroring; a mirroring also reverses the four lanes, which a
/// permutation of four mends.
static Value xorWithinRow(ImplicitLocOpBuilder &b, Value v, unsigned mask) {
  unsigned quad = mask & 3;
  switch (mask & 12) {
  case 4:
    v = emitDPP(b, v, kHalfMirror);
    quad ^= 3;
    break;
  case 8:
    v = emitDPP(b, v, kRowRotate + 8);
    break;
  case 12:
    v = emitDPP(b, v, kRowMirror);
    quad ^= 3;
    break;
  }
  return quad ? emitDPP(b, v, quadPermXor(quad)) : v;
}

static Value swizzleXor(ImplicitLocOpBuilder &b, Value v, unsigned mask) {
  // Bit mode: 5 bits each of and, or and xor masks.
  Value control = constant(b, 0x1F | mask << 10);
  return ROCDL::DsSwizzleOp::create(b, b.getI32Type(), v, control);
}

/// Lane xor 16 (gfx12): lane i takes lane `sel[i] = i xor mask` of the other
/// row of 16.
static Value permuteOtherRow(ImplicitLocOpBuilder &b, Value v, unsigned mask) {
  uint32_t select[2] = {0, 0};
  for (uint32_t lane = 0; lane < 16; ++lane)
    select[lane / 8] |= (lane ^ mask) << (4 * (lane % 8));
  Type i32 = b.getI32Type();
  Value old = LLVM::PoisonOp::create(b, i32);
  return ROCDL::PermlaneX16Op::create(b, i32, old, v, constant(b, select[0]),
                                      constant(b, select[1]),
                                      /*fi=*/true, /*boundControl=*/false);
}

/// Lane xor `distance` (gfx950): the swap of two copies of a value leaves the
/// groups of `distance` lanes with an even number in one result and those with
/// an odd number in the other.
static Value swapLanes(ImplicitLocOpBuilder &b, Value v, unsigned distance) {
  Type i32 = b.getI32Type();
  Type pair = LLVM::LLVMStructType::getLiteral(b.getContext(), {i32, i32});
  Value swapped;
  if (distance == 16)
    swapped = ROCDL::Permlane16SwapOp::create(b, pair, v, v, /*fi=*/false,
                                              /*boundControl=*/false);
  else
    swapped = ROCDL::Permlane32SwapOp::create(b, pair, v, v, /*fi=*/false,
                                              /*boundControl=*/false);
  Value even = LLVM::ExtractValueOp::create(b, swapped, 0);
  Value odd = LLVM::ExtractValueOp::create(b, swapped, 1);
  // The lanes of even groups, a constant in scalar registers.
  int64_t evenLanes = distance == 16 ? 0x0000FFFF0000FFFF : 0x00000000FFFFFFFF;
  Value lanes = arith::ConstantOp::create(b, b.getI64IntegerAttr(evenLanes));
  Value isEven =
      LLVM::CallIntrinsicOp::create(
          b, b.getI1Type(), b.getStringAttr("llvm.amdgcn.inverse.ballot.i64"),
          ValueRange{lanes})
          .getResult(0);
  return arith::SelectOp::create(b, isEven, odd, even);
}

static Value permuteThroughLDS(ImplicitLocOpBuilder &b, Value v,
                               unsigned mask) {
  Type i32 = b.getI32Type();
  Value lane = arith::IndexCastOp::create(
      b, i32, gpu::LaneIdOp::create(b, /*upper_bound=*/nullptr));
  // The address counts bytes.
  Value source = arith::XOrIOp::create(
      b, arith::ShLIOp::create(b, lane, constant(b, 2)), constant(b, mask * 4));
  return ROCDL::DsBpermuteOp::create(b, i32, source, v);
}

static constexpr amdgpu::Chipset kGfx950(9, 5, 0);

static Value emitXor(ImplicitLocOpBuilder &b, Value v, unsigned mask,
                     amdgpu::Chipset chipset) {
  if (chipset.majorVersion >= 10)
    return mask < 16 ? emitDPP(b, v, kRowXor + mask)
                     : permuteOtherRow(b, v, mask % 16);
  if (mask < 16)
    return xorWithinRow(b, v, mask);
  if ((mask == 16 || mask == 32) && chipset >= kGfx950)
    return swapLanes(b, v, mask);
  return mask < 32 ? swizzleXor(b, v, mask) : permuteThroughLDS(b, v, mask);
}

namespace {

struct LowerShuffle : OpRewritePattern<gpu::ShuffleOp> {
  LowerShuffle(MLIRContext *context, const Chip &chip)
      : OpRewritePattern(context), subgroupSize(chip.subgroupSize),
        chipset(*amdgpu::Chipset::parse(chip.name)) {}

  LogicalResult matchAndRewrite(gpu::ShuffleOp op,
                                PatternRewriter &rewriter) const override {
    Type type = op.getShuffleResult().getType();
    APInt offset, width;
    if (!type.isInteger(32) && !type.isF32())
      return rewriter.notifyMatchFailure(op, "not 32 bits wide");
    if (!matchPattern(op.getOffset(), m_ConstantInt(&offset)) ||
        !matchPattern(op.getWidth(), m_ConstantInt(&width)))
      return rewriter.notifyMatchFailure(op, "offset or width varies");
    if (width != subgroupSize || offset.uge(subgroupSize))
      return rewriter.notifyMatchFailure(op, "not over a whole subgroup");
    bool isXor = op.getMode() == gpu::ShuffleMode::XOR;
    if (!isXor && op.getMode() != gpu::ShuffleMode::IDX)
      return rewriter.notifyMatchFailure(op, "neither xor nor idx");

    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value v = arith::BitcastOp::create(b, b.getI32Type(), op.getValue());
    unsigned lanes = offset.getZExtValue();
    if (!isXor)
      v = ROCDL::ReadlaneOp::create(b, b.getI32Type(), v, constant(b, lanes));
    else if (lanes != 0)
      v = emitXor(b, v, lanes, chipset);
    Value valid = arith::ConstantOp::create(b, b.getBoolAttr(true));
    rewriter.replaceOp(op, {arith::BitcastOp::create(b, type, v), valid});
    return success();
  }

  int64_t subgroupSize;
  amdgpu::Chipset chipset;
};

} // namespace

void mlafuse::populateShufflePatternsAMD(RewritePatternSet &patterns,
                                         const Chip &chip) {
  patterns.add<LowerShuffle>(patterns.getContext(), chip);
}
