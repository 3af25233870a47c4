//===- AttentionVerify.cpp - checks that the attention ops share ----------===//

#include "AttentionVerify.h"
#include "Verify.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlafuse;

LogicalResult mlafuse::verifyStatic(Operation *op, Value value, StringRef name,
                                    ArrayRef<unsigned> dims, StringRef label) {
  for (unsigned dim : dims)
    if (ShapedType::isDynamic(getShape(value)[dim]))
      return op->emitOpError()
             << "dimension " << dim << " of " << name << " must be static, got "
             << value.getType() << " (" << label << ")";
  return success();
}

LogicalResult mlafuse::verifyPaging(Operation *op, int64_t batch,
                                    int64_t queries, Value blockTable,
                                    Value seqLens, Value indices) {
  if (static_cast<bool>(blockTable) != static_cast<bool>(seqLens) ||
      static_cast<bool>(blockTable) == static_cast<bool>(indices))
    return op->emitOpError("takes either block_table(...) and seq_lens(...), "
                           "or indices(...) (C2)");
  Type i32 = IntegerType::get(op->getContext(), 32);
  auto checkTable = [&](Value value, StringRef name,
                        ArrayRef<int64_t> shape) -> LogicalResult {
    if (getShaped(value).getElementType() != i32 ||
        !isCompatibleShape(getShape(value), shape))
      return op->emitOpError() << name << " must be " << shapeToString(shape)
                               << " of i32, got " << value.getType() << " (C2)";
    return success();
  };
  if (indices)
    return checkTable(indices, "indices",
                      {batch, queries, ShapedType::kDynamic});
  if (failed(
          checkTable(blockTable, "block_table", {batch, ShapedType::kDynamic})))
    return failure();
  return checkTable(seqLens, "seq_lens", {batch});
}

LogicalResult mlafuse::verifySoftmaxScale(Operation *op, APFloat scale,
                                          StringRef label) {
  if (!scale.isFinite())
    return op->emitOpError()
           << "softmax_scale must be finite (" << label << ")";
  return success();
}

static LogicalResult verifyParameters(Operation *op, ScheduleAttr schedule,
                                      ArrayRef<StringRef> known) {
  if (!schedule)
    return success();
  for (auto [name, value] : schedule.getNamedParameters())
    if (value && !llvm::is_contained(known, name))
      return op->emitOpError()
             << "takes no '" << name << "' in its schedule, but "
             << llvm::join(known, ", ") << " (S6)";
  return success();
}

LogicalResult mlafuse::verifyAttentionSchedule(Operation *op,
                                               ScheduleAttr schedule) {
  return verifyParameters(op, schedule,
                          {"tile_rows", "stages", "block_keys", "warpgroups",
                           "warps", "groups", "splits", "split_overhead"});
}

LogicalResult mlafuse::verifyProjectionSchedule(Operation *op,
                                                ScheduleAttr schedule) {
  return verifyParameters(
      op, schedule, {"tile_rows", "stages", "tile_columns", "tile_depth"});
}

LogicalResult mlafuse::verifyOutput(QuantizableOutput op,
                                    const QuantOutput &output,
                                    ArrayRef<int64_t> shape, Value lse,
                                    ArrayRef<int64_t> lseShape,
                                    bool takesRank4) {
  QuantSpec spec = op.getOutputQuant();
  if (shape.back() == 0)
    return op->emitOpError("output needs rows that are not empty (S3)");
  if (lse) {
    if (!getShaped(lse).getElementType().isF32())
      return op->emitOpError()
             << "lse must be f32, got " << lse.getType() << " (S5)";
    if (failed(verifyShape(op, lse, "lse", lseShape)))
      return failure();
  }
  if (spec) {
    if (!isCompatibleShape(getShape(output.init).take_front(1),
                           {shape.front()}) &&
        !output.rowOffset)
      return verifyShape(op, output.init, "output", shape);
    auto data =
        RankedTensorType::get(shape, Float32Type::get(op->getContext()));
    return verifyQuantization([&] { return op->emitOpError(); }, spec,
                              {data, output.init, output.scaleInit,
                               output.scale, output.scaleUb, output.globalScale,
                               output.rowOffset});
  }
  if (spec.layout || spec.rule || output.scale || output.scaleUb ||
      output.globalScale)
    return op->emitOpError(
        "scale operands, scale_layout and scale_rule need a key (Q1)");
  if (spec.numerics == Numerics::Contracted)
    return op->emitOpError("contracted numerics need a key (Q10)");
  if (failed(verifyModelFloat(op, output.init, "output", "C1")))
    return failure();
  if (takesRank4 && getShaped(output.init).getRank() == 4)
    return success();
  SmallVector<int64_t> wanted(shape);
  if (output.rowOffset)
    wanted.front() = ShapedType::kDynamic;
  return verifyShape(op, output.init, "output", wanted);
}
