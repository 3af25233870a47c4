//===- Candidates.cpp - every candidate of the fusion ---------------------===//

#include "Legality.h"
#include "Phases.h"

using namespace mlir;
using namespace mlafuse;

void mlafuse::recordMissedQuantizations(ModuleOp module, bool ofNorms,
                                        FusionRecords &records) {
  module.walk<WalkOrder::PreOrder>([&](QuantizeOp quant) {
    Value source = getQuantSource(quant).value;
    Operation *producer = source.getDefiningOp();
    if (!producer || quant->getNumResults() == 0)
      return;
    MotionPlan plan;
    auto record = [&](const Verdict &verdict) {
      assert(!verdict.isLegal && "a legal fusion was left over");
      records.push_back(makeMissed(verdict, quant.getLoc(), producer, quant));
    };
    if (ofNorms) {
      if (std::optional<NormSide> norm = getNormOf(source))
        record(checkNormQuantize(*norm, quant, plan));
      return;
    }
    auto output = dyn_cast<QuantizableOutput>(producer);
    if (output && source == producer->getResult(0))
      record(checkOutputQuantize(output, quant, plan));
  });
}

/// The part of a fused op's location that `tag` fused second.
static Location getSecondLocation(Location loc, StringRef tag) {
  auto fused = dyn_cast<FusedLoc>(loc);
  auto name =
      fused ? dyn_cast_or_null<StringAttr>(fused.getMetadata()) : StringAttr();
  return name && name.getValue() == tag ? fused.getLocations().back() : loc;
}

static int64_t getBytes(Type element) {
  return element.getIntOrFloatBitWidth() / 8;
}

static FusionRecord makePassed(FusionCode code, Location loc, Operation *op) {
  FusionRecord record(/*isPassed=*/true, code, loc, getFunctionName(op));
  record.launches = 1;
  record.anchors = {op};
  return record;
}

/// A norm with its quantization: the value between is not read again, and not
/// written either unless somebody else wants it.
static FusionRecord recordNormQuantize(const NormSide &norm, Location loc) {
  FusionRecord record =
      makePassed(FusionCode::NormQuantize,
                 getSecondLocation(loc, "norm+quantize"), norm.op);
  record.producer = norm.residual ? "mlafuse.add_rms_norm" : "mlafuse.rms_norm";
  record.consumer = "mlafuse.quantize";
  int64_t width = cast<ShapedType>(norm.input.getType()).getShape().back();
  int64_t row = width * getBytes(norm.getIntermediateType());
  record.bytesPerRow = norm.getNormalized() ? row : 2 * row;
  return record;
}

static StringRef getPlainName(const NormSide &norm) {
  return norm.spec ? "mlafuse.rms_norm_quantize" : "mlafuse.rms_norm";
}

static void recordNorms(Operation *op, FusionRecords &records) {
  SmallVector<NormSide, 2> sides = getNormSides(op);
  bool isDual = sides.size() == 2;
  Location loc = op->getLoc();
  Location kvLoc = getSecondLocation(loc, "siblings");
  Location qLoc = kvLoc == loc ? loc : cast<FusedLoc>(loc).getLocations()[0];
  for (auto [index, side] : llvm::enumerate(sides))
    if (side.spec)
      records.push_back(recordNormQuantize(side, index == 0 ? qLoc : kvLoc));
  if (!isDual)
    return;
  FusionRecord pair = makePassed(FusionCode::Siblings, kvLoc, op);
  pair.producer = getPlainName(sides[0]);
  pair.consumer = getPlainName(sides[1]);
  records.push_back(std::move(pair));
}

void mlafuse::recordFused(ModuleOp module, FusionRecords &records) {
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op->getNumResults() == 0)
      return;
    recordNorms(op, records);
    auto output = dyn_cast<QuantizableOutput>(op);
    if (!output || !output.getOutputQuant())
      return;
    FusionRecord record =
        makePassed(FusionCode::OutputQuantize,
                   getSecondLocation(op->getLoc(), "output+quantize"), op);
    record.producer = op->getName().getStringRef().str();
    record.consumer = "mlafuse.quantize";
    RankedTensorType type = output.getUnquantizedType();
    record.bytesPerRow =
        2 * type.getShape().back() * getBytes(type.getElementType());
    records.push_back(std::move(record));
  });
}
