//===- Memory.cpp - which tensors share memory ----------------------------===//

#include "Memory.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlafuse;

static bool isView(Operation *op) {
  return isa<tensor::CastOp, tensor::CollapseShapeOp, tensor::ExpandShapeOp,
             tensor::ExtractSliceOp>(op);
}

namespace {
/// Values that may be in one memory, as bufferization sees it: two slices of a
/// value share its memory even if they do not overlap.
class SharedMemory {
public:
  SharedMemory(Value start, Operation *writer) : writer(writer) {
    push(start);
    for (size_t i = 0; i < values.size(); ++i) {
      Value value = values[i];
      pushSource(value);
      for (OpOperand &use : value.getUses())
        pushResult(use);
    }
  }

  ArrayRef<Value> getValues() const { return values.getArrayRef(); }
  bool contains(Value value) const { return values.contains(value); }

private:
  void push(Value value) {
    // Every use of an empty tensor gets memory of its own.
    if (isa<RankedTensorType>(value.getType()) &&
        !value.getDefiningOp<tensor::EmptyOp>())
      values.insert(value);
  }

  void pushAll(ValueRange range) {
    for (Value value : range)
      push(value);
  }

  /// What an op with regions takes, yields and gives may be any of the others.
  void pushRegions(Operation *op) {
    if (!op || isa<FunctionOpInterface>(op))
      return;
    pushAll(op->getOperands());
    pushAll(op->getResults());
    for (Region &region : op->getRegions())
      for (Block &block : region) {
        pushAll(block.getArguments());
        pushAll(block.back().getOperands());
      }
  }

  void pushSource(Value value) {
    Operation *def = value.getDefiningOp();
    if (!def)
      return pushRegions(value.getParentBlock()->getParentOp());
    if (isView(def))
      push(def->getOperand(0));
    else if (auto dps = dyn_cast<DestinationStyleOpInterface>(def))
      push(dps.getTiedOpOperand(cast<OpResult>(value))->get());
    else if (def->getNumRegions() != 0)
      pushRegions(def);
  }

  void pushResult(OpOperand &use) {
    Operation *user = use.getOwner();
    if (user == writer)
      return;
    if (isView(user)) {
      push(user->getResult(0));
    } else if (auto dps = dyn_cast<DestinationStyleOpInterface>(user)) {
      if (dps.isDpsInit(&use) && user->getNumResults() != 0)
        push(dps.getTiedOpResult(&use));
    } else if (user->getNumRegions() != 0) {
      pushRegions(user);
    } else if (user->hasTrait<OpTrait::IsTerminator>()) {
      pushRegions(user->getParentOp());
    }
  }

  Operation *writer;
  llvm::SetVector<Value> values;
};
} // namespace

SmallVector<Value> mlafuse::getWritten(Operation *op) {
  SmallVector<Value> written;
  op->walk([&](Operation *nested) {
    if (auto dps = dyn_cast<DestinationStyleOpInterface>(nested))
      llvm::append_range(written, dps.getDpsInits());
    else if (nested->getNumRegions() == 0 && !isMemoryEffectFree(nested))
      llvm::append_range(written, nested->getOperands());
  });
  llvm::erase_if(written, [](Value value) {
    return !isa<RankedTensorType>(value.getType());
  });
  return written;
}

Operation *
mlafuse::findAccess(Value destination, Operation *writer, Block *block,
                    llvm::function_ref<bool(Operation *)> isConcerned) {
  Operation *first = nullptr, *firstOuter = nullptr;
  SharedMemory memory(destination, writer);
  for (Value value : memory.getValues())
    for (Operation *user : value.getUsers()) {
      // What a fusion left without users is gone soon.
      if (user == writer || isView(user) || isa<tensor::DimOp>(user) ||
          isOpTriviallyDead(user))
        continue;
      Operation *outer = block->findAncestorOpInBlock(*user);
      if (!outer || !isConcerned(outer))
        continue;
      if (!first || outer->isBeforeInBlock(firstOuter)) {
        first = user;
        firstOuter = outer;
      }
    }
  return first;
}

bool mlafuse::isWrittenByOthers(Value destination, ArrayRef<Operation *> own) {
  SharedMemory memory(destination, /*writer=*/nullptr);
  Block *block = own.front()->getBlock();
  auto isWrite = [&](OpOperand &use) {
    Operation *user = use.getOwner(),
              *outer = block->findAncestorOpInBlock(*user);
    if (llvm::is_contained(own, user) || isOpTriviallyDead(user) ||
        (outer && outer->isBeforeInBlock(own.front())))
      return false;
    if (auto insert = dyn_cast<tensor::InsertSliceOp>(user))
      return !memory.contains(insert.getSource());
    if (auto dps = dyn_cast<DestinationStyleOpInterface>(user))
      return dps.isDpsInit(&use);
    return user->getNumRegions() == 0 && !isMemoryEffectFree(user) &&
           !user->hasTrait<OpTrait::IsTerminator>();
  };
  return llvm::any_of(memory.getValues(), [&](Value value) {
    return llvm::any_of(value.getUses(), isWrite);
  });
}
