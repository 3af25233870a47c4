//===- Access.cpp - whether an argument's old contents matter -------------===//

#include "Access.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlafuse;

namespace {

/// A range of the one dimension in which a slice is not whole.
struct Interval {
  int64_t dim, begin, end;
};

/// Follows one argument's memory through the function, in program order.
class AccessScan {
public:
  AccessScan(func::FuncOp function, unsigned index,
             const FunctionSignature &signature)
      : function(function), argument(function.getArgument(index)),
        shape(signature.arguments[index].shape), signature(signature) {
    aliases.insert(argument);
    whole.insert(argument);
  }

  StringRef scan() {
    function.walk<WalkOrder::PreOrder>([&](Operation *op) { visit(op); });
    if (isWritten)
      return readsOld || !isOverwritten ? "readwrite" : "write";
    // A destination of the source that fusion has no need of stays one.
    if (readsOld || isReturned)
      return "read";
    return signature.arguments[argument.getArgNumber()].access;
  }

private:
  void visit(Operation *op) {
    bool isUsed = llvm::any_of(op->getOperands(), [&](Value operand) {
      return aliases.contains(operand);
    });
    if (!isUsed || isa<memref::DimOp>(op))
      return;
    if (isa<func::ReturnOp>(op)) {
      isReturned = true;
      return;
    }
    if (isa<memref::CastOp, memref::ExpandShapeOp, memref::CollapseShapeOp>(
            op)) {
      aliases.insert(op->getResult(0));
      if (whole.contains(op->getOperand(0)))
        whole.insert(op->getResult(0));
      return;
    }
    if (auto slice = dyn_cast<memref::SubViewOp>(op)) {
      aliases.insert(slice.getResult());
      if (slice.getSource() == argument)
        addSlice(slice);
      return;
    }
    // Memory that leaves through results or regions is not followed.
    auto effects = dyn_cast<MemoryEffectOpInterface>(op);
    if (effects &&
        !llvm::any_of(op->getResultTypes(), llvm::IsaPred<BaseMemRefType>))
      return visitEffects(op, effects);
    readsOld |= !isOverwritten;
    isWritten = true;
  }

  void visitEffects(Operation *op, MemoryEffectOpInterface effects) {
    SmallVector<MemoryEffects::EffectInstance> instances;
    effects.getEffects(instances);
    Value written;
    for (MemoryEffects::EffectInstance &effect : instances) {
      if (!effect.getValue() || !aliases.contains(effect.getValue()))
        continue;
      if (isa<MemoryEffects::Read>(effect.getEffect()))
        readsOld |= !isOverwritten;
      if (isa<MemoryEffects::Write>(effect.getEffect()))
        written = effect.getValue();
    }
    if (!written)
      return;
    isWritten = true;
    // Inside a loop or a branch it may never happen; an element is no whole.
    if (op->getParentOp() != function || isa<memref::StoreOp>(op))
      return;
    if (whole.contains(written))
      isOverwritten = true;
    else if (auto it = intervals.find(written); it != intervals.end())
      addInterval(it->second);
  }

  void addInterval(Interval interval) {
    if (!covered.empty() && covered.front().dim != interval.dim)
      return;
    covered.push_back(interval);
    llvm::sort(covered, [](const Interval &a, const Interval &b) {
      return a.begin < b.begin;
    });
    int64_t end = 0;
    for (const Interval &part : covered)
      if (part.begin <= end)
        end = std::max(end, part.end);
    auto type = cast<MemRefType>(argument.getType());
    isOverwritten |= end == type.getDimSize(interval.dim);
  }

  /// The manifest's word for a size, or null.
  Attribute getSize(OpFoldResult size) {
    if (std::optional<int64_t> number = getConstantIntValue(size))
      return IntegerAttr::get(IntegerType::get(function.getContext(), 64),
                              *number);
    auto dim = cast<Value>(size).getDefiningOp<memref::DimOp>();
    if (!dim || !dim.getConstantIndex())
      return {};
    auto source = dyn_cast<BlockArgument>(dim.getSource());
    if (!source || source.getOwner() != &function.getBody().front() ||
        source.getArgNumber() >= signature.arguments.size())
      return {};
    return signature.arguments[source.getArgNumber()]
        .shape[*dim.getConstantIndex()];
  }

  /// Notes what a slice covers, if it is whole in all dimensions but one.
  void addSlice(memref::SubViewOp slice) {
    std::optional<Interval> interval;
    auto type = cast<MemRefType>(argument.getType());
    for (int64_t i : llvm::seq(type.getRank())) {
      std::optional<int64_t> offset =
          getConstantIntValue(slice.getMixedOffsets()[i]);
      std::optional<int64_t> stride =
          getConstantIntValue(slice.getMixedStrides()[i]);
      OpFoldResult size = slice.getMixedSizes()[i];
      if (!offset || stride != 1)
        return;
      if (*offset == 0 && getSize(size) == shape[i])
        continue;
      std::optional<int64_t> length = getConstantIntValue(size);
      if (interval || !length || type.isDynamicDim(i))
        return;
      interval = Interval{i, *offset, *offset + *length};
    }
    if (interval)
      intervals[slice.getResult()] = *interval;
    else
      whole.insert(slice.getResult());
  }

  func::FuncOp function;
  BlockArgument argument;
  ArrayRef<Attribute> shape;
  const FunctionSignature &signature;

  DenseSet<Value> aliases, whole;
  DenseMap<Value, Interval> intervals;
  SmallVector<Interval> covered;
  bool readsOld = false, isWritten = false, isOverwritten = false;
  bool isReturned = false;
};

} // namespace

StringRef mlafuse::getAccess(func::FuncOp function, unsigned index,
                             const FunctionSignature &signature) {
  return AccessScan(function, index, signature).scan();
}
