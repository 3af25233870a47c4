//===- Candidates.cpp - every candidate of the fusion ---------------------===//

#include "Legality.h"
#include "Phases.h"

using namespace mlir;
using namespace mlafuse;

static int64_t getBytes(Type element) {
  return element.getIntOrFloatBitWidth() / 8;
}

static int64_t getRowBytes(Value value, unsigned dim) {
  auto type = cast<ShapedType>(value.getType());
  return type.getDimSize(dim) * getBytes(type.getElementType());
}

/// What a row of a quantization writes: codes and scales.
static int64_t getQuantizedRowBytes(const QuantSpec &spec, ValueRange inits) {
  int64_t bytes =
      getRowBytes(inits[0], cast<ShapedType>(inits[0].getType()).getRank() - 1);
  if (!spec.hasScaleResult() || spec.key.isPerTensor())
    return bytes;
  bool isRowMajor = spec.getLayout() == ScaleLayout::RowMajor ||
                    spec.getLayout() == ScaleLayout::Swizzled128x4;
  return bytes + getRowBytes(inits[1], isRowMajor ? 1 : 0);
}

/// The quantizations that were merged into one at `loc`, which reads
/// `readBytes` a row: each saves all of it.
static void recordMerged(Location loc, Operation *op, int64_t readBytes,
                         const QuantSpec &spec, ValueRange inits,
                         FusionRecords &records) {
  SmallVector<Location> locations = getMergedLocations(loc);
  for (Location merged : ArrayRef(locations).drop_front()) {
    FusionRecord record(/*isPassed=*/true, FusionCode::EqualQuantize, merged,
                        getFunctionName(op));
    record.producer = record.consumer = "mlafuse.quantize";
    record.bytesPerRow = readBytes + getQuantizedRowBytes(spec, inits);
    record.launches = 1;
    record.anchors = {op};
    records.push_back(std::move(record));
  }
}

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
      Location loc = getMergedLocations(quant.getLoc()).front();
      records.push_back(makeMissed(verdict, loc, producer, quant));
      // The producer may yet become part of a pair.
      records.back().anchors = {quant};
      int64_t width =
          cast<ShapedType>(quant.getInput().getType()).getRank() - 1;
      recordMerged(quant.getLoc(), quant, getRowBytes(quant.getInput(), width),
                   quant.getQuantSpec(), quant.getInits(), records);
    };
    if (ofNorms) {
      if (std::optional<NormSide> norm = getNormOf(source))
        record(checkNormQuantize(*norm, quant, plan));
      return;
    }
    auto output = dyn_cast<QuantizableOutput>(producer);
    // Codes that are widened and quantized again are no candidate.
    if (output && !output.getOutputQuant() && source == producer->getResult(0))
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

static FusionRecord makePassed(FusionCode code, Location loc, Operation *op) {
  FusionRecord record(/*isPassed=*/true, code, loc, getFunctionName(op));
  record.launches = 1;
  record.anchors = {op};
  return record;
}

/// A norm with its quantization: the value between is not read again, and not
/// written either unless somebody else wants it.
static void recordNormQuantize(const NormSide &norm, Location loc,
                               FusionRecords &records) {
  Location quantLoc = getSecondLocation(loc, "norm+quantize");
  FusionRecord record = makePassed(
      FusionCode::NormQuantize, getMergedLocations(quantLoc).front(), norm.op);
  record.producer = norm.residual ? "mlafuse.add_rms_norm" : "mlafuse.rms_norm";
  record.consumer = "mlafuse.quantize";
  int64_t width = cast<ShapedType>(norm.input.getType()).getShape().back();
  int64_t row = width * getBytes(norm.getIntermediateType());
  record.bytesPerRow = norm.getNormalized() ? row : 2 * row;
  records.push_back(std::move(record));
  recordMerged(quantLoc, norm.op, row, norm.spec, norm.getInits(), records);
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
      recordNormQuantize(side, index == 0 ? qLoc : kvLoc, records);
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
    Location quantLoc = getSecondLocation(op->getLoc(), "output+quantize");
    FusionRecord record = makePassed(FusionCode::OutputQuantize,
                                     getMergedLocations(quantLoc).front(), op);
    record.producer = op->getName().getStringRef().str();
    record.consumer = "mlafuse.quantize";
    RankedTensorType type = output.getUnquantizedType();
    int64_t row = type.getShape().back() * getBytes(type.getElementType());
    record.bytesPerRow = 2 * row;
    records.push_back(std::move(record));
    recordMerged(quantLoc, op, row, output.getOutputQuant(),
                 cast<DestinationStyleOpInterface>(op).getDpsInits(), records);
  });
}
