//===- SiblingLegality.cpp - the rules of pairing two norms ---------------===//

#include "Legality.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlafuse;

/// Equal constants, one value, or the same dimension of one tensor. Sizes are
/// often asked for once per slice.
static bool isSameSize(OpFoldResult a, OpFoldResult b) {
  if (isEqualConstantIntOrValue(a, b))
    return true;
  auto valueA = dyn_cast<Value>(a), valueB = dyn_cast<Value>(b);
  if (!valueA || !valueB)
    return false;
  auto dimA = valueA.getDefiningOp<tensor::DimOp>();
  auto dimB = valueB.getDefiningOp<tensor::DimOp>();
  return dimA && dimB && dimA.getSource() == dimB.getSource() &&
         isEqualConstantIntOrValue(OpFoldResult(dimA.getIndex()),
                                   OpFoldResult(dimB.getIndex()));
}

bool ColumnRange::hasSameRows(const ColumnRange &other) const {
  auto same = [](ArrayRef<OpFoldResult> a, ArrayRef<OpFoldResult> b) {
    return llvm::all_of(llvm::zip(a, b), [](auto pair) {
      return isSameSize(std::get<0>(pair), std::get<1>(pair));
    });
  };
  return source == other.source && same(rowOffsets, other.rowOffsets) &&
         same(rowSizes, other.rowSizes);
}

std::optional<ColumnRange> mlafuse::getColumnRange(const NormSide &norm) {
  auto slice = norm.input.getDefiningOp<tensor::ExtractSliceOp>();
  if (!slice || slice.getType().getRank() != slice.getSourceType().getRank() ||
      !slice.hasUnitStride())
    return std::nullopt;
  ColumnRange range;
  range.source = slice.getSource();
  range.rowOffsets = slice.getMixedOffsets();
  range.rowSizes = slice.getMixedSizes();
  std::optional<int64_t> begin = getConstantIntValue(range.rowOffsets.back());
  std::optional<int64_t> width = getConstantIntValue(range.rowSizes.back());
  if (!begin || !width)
    return std::nullopt;
  range.begin = *begin;
  range.width = *width;
  range.rowOffsets.pop_back();
  range.rowSizes.pop_back();
  return range;
}

/// The rules that look at the ops alone.
static Verdict checkForms(const NormSide &q, const NormSide &kv) {
  for (const NormSide *side : {&q, &kv}) {
    if (side->residual)
      return Verdict::missed(FusionCode::Residual, "a sibling adds a residual",
                             side->op);
    if (!side->weight)
      return Verdict::missed(FusionCode::NoWeight, "a sibling has no weight",
                             side->op);
    if (side->rowOffset)
      return Verdict::missed(FusionCode::RowOffset,
                             "a sibling quantizes into a row range of a "
                             "whole buffer",
                             side->op);
  }
  if (q.rounding != kv.rounding || q.weightOffset != kv.weightOffset)
    return Verdict::missed(
        FusionCode::OtherForm,
        q.rounding != kv.rounding
            ? "the siblings differ in rounding"
            : "one sibling adds 1 to its weight, the other does not",
        kv.op);
  if (q.count != kv.count)
    return Verdict::missed(FusionCode::TokenCount,
                           "the siblings do not have the same "
                           "num_actual_tokens",
                           kv.op);
  if (q.spec && kv.spec && q.spec.numerics != kv.spec.numerics)
    return Verdict::missed(FusionCode::OtherNumerics,
                           "one sibling is exact, the other contracted", kv.op);
  return Verdict::legal();
}

Verdict mlafuse::checkSiblings(const NormSide &q, const NormSide &kv,
                               MotionPlan &plan) {
  if (q.op->getBlock() != kv.op->getBlock())
    return Verdict::missed(FusionCode::OtherBlock,
                           "they are in different blocks", q.op);
  if (Verdict verdict = checkForms(q, kv); !verdict.isLegal)
    return verdict;
  bool qFirst = q.op->isBeforeInBlock(kv.op);
  return planNeighbours(qFirst ? q.op : kv.op, qFirst ? kv.op : q.op,
                        /*link=*/nullptr, plan);
}
