//===- Legality.cpp - the rules of fusing a quantization ------------------===//

#include "Legality.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlafuse;

StringRef mlafuse::getCodeText(FusionCode code) {
  static constexpr StringLiteral codes[] = {
#define MLAFUSE_FUSION_CODE(Id, Code, Kind, Name, Meaning, Cure) Code,
#include "MLAFuse/Transforms/FusionCodes.def"
  };
  return codes[static_cast<size_t>(code)];
}

StringRef mlafuse::getCodeName(FusionCode code) {
  static constexpr StringLiteral names[] = {
#define MLAFUSE_FUSION_CODE(Id, Code, Kind, Name, Meaning, Cure) Name,
#include "MLAFuse/Transforms/FusionCodes.def"
  };
  return names[static_cast<size_t>(code)];
}

QuantSource mlafuse::getQuantSource(QuantizeOp quant) {
  QuantSource source{quant.getInput()};
  while (Operation *def = source.value.getDefiningOp()) {
    if (!isa<tensor::CastOp, tensor::CollapseShapeOp, tensor::ExpandShapeOp,
             tensor::ExtractSliceOp, arith::TruncFOp, arith::ExtFOp>(def))
      break;
    source.through = def;
    source.value = def->getOperand(0);
  }
  return source;
}

Value mlafuse::getOutputRowOffset(QuantizableOutput op) {
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case<HeadProjectionOp, DecodeOp, PrefillOp, MergeAttnStatesOp,
            AttentionBatchOp>([](auto typed) { return typed.getRowOffset(); })
      .Default([](Operation *) { return Value(); });
}

/// The first in the text of two users of one value, which may be null.
static Operation *getFirstUser(Operation *a, Operation *b, Block *block) {
  if (!a || !b)
    return a ? a : b;
  Operation *outerA = block->findAncestorOpInBlock(*a),
            *outerB = block->findAncestorOpInBlock(*b);
  return outerB->isBeforeInBlock(outerA) ? b : a;
}

/// The first user of `value` besides `quant`.
static Operation *getOtherUser(Value value, Operation *quant) {
  Operation *first = nullptr;
  for (Operation *user : value.getUsers())
    if (user != quant)
      first = getFirstUser(user, first, value.getParentBlock());
  return first;
}

//===----------------------------------------------------------------------===//
// Rules that norms and attention share
//===----------------------------------------------------------------------===//

static Verdict checkBlock(Operation *producer, Operation *consumer) {
  if (producer->getBlock() == consumer->getBlock())
    return Verdict::legal();
  return Verdict::missed(FusionCode::OtherBlock, "they are in different blocks",
                         producer);
}

/// True if `use` sees no row past `count`.
static bool readsCountedRows(OpOperand &use, Value count) {
  auto rowOp = dyn_cast<RowOpInterface>(use.getOwner());
  return rowOp && rowOp.getTokenCount() == count &&
         !cast<DestinationStyleOpInterface>(use.getOwner()).isDpsInit(&use);
}

/// Fused with a count, an op writes counted rows only: to all of its results.
static Verdict checkCount(Operation *producer, Value producerCount,
                          QuantizeOp quant) {
  Value count = quant.getNumActualTokens();
  if (producerCount == count)
    return Verdict::legal();
  if (producerCount)
    return Verdict::missed(FusionCode::TokenCount,
                           count ? "they have different num_actual_tokens"
                                 : "the quantization also covers rows past "
                                   "the producer's num_actual_tokens",
                           producer);
  Operation *reader = nullptr;
  for (OpOperand &use : producer->getUses())
    if (use.getOwner() != quant && !readsCountedRows(use, count))
      reader = getFirstUser(use.getOwner(), reader, producer->getBlock());
  if (!reader)
    return Verdict::legal();
  return Verdict::missed(FusionCode::TokenCount,
                         "the producer has no num_actual_tokens and another op "
                         "reads all of its rows",
                         reader);
}

static Verdict checkKey(QuantizeOp quant) {
  QuantKeyAttr key = quant.getKey();
  if (!key.isDynamic() || !key.isPerTensor())
    return Verdict::legal();
  return Verdict::missed(FusionCode::WholeTensorScale,
                         "a dynamic per-tensor scale needs all rows before "
                         "the first code",
                         quant);
}

/// Checks the key against the rows that the fused op would see.
static Verdict checkTypes(ShapedType data, Operation *producer,
                          QuantizeOp quant) {
  // An abandoned diagnostic still counts as one, but nobody sees it.
  auto silent = [&] {
    InFlightDiagnostic diagnostic = quant.emitOpError();
    diagnostic.abandon();
    return diagnostic;
  };
  if (succeeded(verifyQuantization(
          silent, quant.getQuantSpec(),
          {data, quant.getCodesInit(), quant.getScaleInit(), quant.getScale(),
           quant.getScaleUb(), quant.getGlobalScale(), quant.getRowOffset()})))
    return Verdict::legal();
  return Verdict::missed(FusionCode::Unsupported,
                         "the producer's rows do not fit the quantized "
                         "destinations",
                         producer);
}

static Verdict planQuantize(Operation *producer, QuantizeOp quant,
                            MotionPlan &plan) {
  return planNeighbours(producer, quant, &quant.getInputMutable(), plan);
}

//===----------------------------------------------------------------------===//
// Norms
//===----------------------------------------------------------------------===//

static Verdict checkRounding(const NormSide &norm) {
  Type model = getElementTypeOrSelf(norm.input);
  if (getElementTypeOrSelf(norm.getNormalized()) == model ||
      norm.rounding == Rounding::Result)
    return Verdict::legal();
  return Verdict::missed(FusionCode::IntermediateType,
                         "an f32 value between goes with rounding = result "
                         "only",
                         norm.op);
}

/// What stands between a norm and a quantization, in words.
static Verdict explainReshape(const QuantSource &source, QuantizeOp quant) {
  Operation *through = source.through;
  if (isa<arith::TruncFOp, arith::ExtFOp>(through))
    return Verdict::missed(FusionCode::IntermediateType,
                           "the value between is converted to another type",
                           through);
  auto missed = [&](const Twine &reason) {
    return Verdict::missed(FusionCode::Reshape, reason, through);
  };
  if (isa<tensor::ExtractSliceOp>(through))
    return missed("only a slice of the result is quantized");
  auto before = cast<ShapedType>(through->getOperand(0).getType());
  auto after = cast<ShapedType>(through->getResult(0).getType());
  if (before.getShape().back() != after.getShape().back())
    return missed("a reshape between does not keep the rows");
  if (quant.getRowOffset())
    return missed("a reshape between cannot move below a quantization into a "
                  "row range");
  return missed("a reshape between cannot move to the other side of the "
                "quantization without the risk of a copy");
}

Verdict mlafuse::checkNormQuantize(const NormSide &norm, QuantizeOp quant,
                                   MotionPlan &plan) {
  if (norm.spec)
    return Verdict::missed(FusionCode::OtherQuantization,
                           "the norm is fused with another quantization",
                           norm.op);
  QuantSource source = getQuantSource(quant);
  if (Verdict verdict = checkBlock(norm.op, quant); !verdict.isLegal)
    return verdict;
  if (Verdict verdict = checkKey(quant); !verdict.isLegal)
    return verdict;
  if (source.through)
    return explainReshape(source, quant);
  // The norm's verifier leaves its value the input's type or f32.
  if (Verdict verdict = checkRounding(norm); !verdict.isLegal)
    return verdict;
  if (Verdict verdict = checkCount(norm.op, norm.count, quant);
      !verdict.isLegal)
    return verdict;
  if (Verdict verdict =
          checkTypes(cast<ShapedType>(norm.input.getType()), norm.op, quant);
      !verdict.isLegal)
    return verdict;
  return planQuantize(norm.op, quant, plan);
}

//===----------------------------------------------------------------------===//
// Ops with a quantizable output
//===----------------------------------------------------------------------===//

/// A fused op quantizes a value of the model's type or, contracted, the f32
/// one.
static Verdict checkIntermediate(Type model, Type between,
                                 Operation *producer) {
  if (between == model || between.isF32())
    return Verdict::legal();
  return Verdict::missed(FusionCode::IntermediateType,
                         "the value between has neither the input's type nor "
                         "f32",
                         producer);
}

/// The type of the output, with the number of rows where the inputs tell it.
static ShapedType getOutputType(QuantizableOutput producer) {
  RankedTensorType type = producer.getUnquantizedType();
  if (isa<AttentionBatchOp>(producer.getOperation()) || type.getRank() != 2)
    return type;
  // [B, S, H, ..] or [T, H, ..].
  auto input = cast<ShapedType>(producer->getOperand(0).getType());
  ArrayRef<int64_t> rows = input.getShape().take_front(input.getRank() - 2);
  if (ShapedType::isDynamicShape(rows))
    return type;
  SmallVector<int64_t> shape(type.getShape());
  shape.front() = ShapedType::getNumElements(rows);
  return type.clone(shape);
}

Verdict mlafuse::checkOutputQuantize(QuantizableOutput producer,
                                     QuantizeOp quant, MotionPlan &plan) {
  QuantSource source = getQuantSource(quant);
  assert(!producer.getOutputQuant() && "codes are not quantized again");
  if (Verdict verdict = checkBlock(producer, quant); !verdict.isLegal)
    return verdict;
  if (Verdict verdict = checkKey(quant); !verdict.isLegal)
    return verdict;
  if (source.through)
    return explainReshape(source, quant);
  Value output = quant.getInput();
  if (Operation *user = getOtherUser(output, quant))
    return Verdict::missed(FusionCode::OtherUser,
                           "another op reads the unquantized output", user);
  if (getOutputRowOffset(producer))
    return Verdict::missed(FusionCode::RowOffset,
                           "the producer writes a row range of the buffer "
                           "that is quantized whole",
                           producer);
  if (Verdict verdict =
          checkIntermediate(getElementTypeOrSelf(producer->getOperand(0)),
                            getElementTypeOrSelf(output), producer);
      !verdict.isLegal)
    return verdict;
  auto rowOp = cast<RowOpInterface>(producer.getOperation());
  if (Verdict verdict = checkCount(producer, rowOp.getTokenCount(), quant);
      !verdict.isLegal)
    return verdict;
  std::string reason;
  if (failed(producer.supportsOutputQuant(quant.getQuantSpec(), reason)))
    return Verdict::missed(FusionCode::Unsupported, reason, producer);
  if (Verdict verdict = checkTypes(getOutputType(producer), producer, quant);
      !verdict.isLegal)
    return verdict;
  return planQuantize(producer, quant, plan);
}
