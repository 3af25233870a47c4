//===- Conflicts.cpp - copies that bufferization would add ----------------===//

#include "Conflicts.h"
#include "MLAFuse/IR/MLAFuse.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/Transforms.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::bufferization;
using namespace mlafuse;

FailureOr<SmallVector<Conflict>>
mlafuse::insertCopies(ModuleOp module,
                      const OneShotBufferizationOptions &options,
                      BufferizationState &state) {
  DenseMap<OpOperand *, Value> originals;
  DenseSet<Operation *> allocations;
  module->walk([&](Operation *op) {
    if (isa<AllocTensorOp>(op))
      allocations.insert(op);
    for (OpOperand &operand : op->getOpOperands())
      if (isa<TensorType>(operand.get().getType()))
        originals[&operand] = operand.get();
  });
  if (failed(insertTensorCopies(module, options, state)))
    return failure();

  SmallVector<Conflict> conflicts;
  module->walk([&](AllocTensorOp added) {
    if (allocations.contains(added))
      return;
    for (OpOperand &use : added->getUses())
      if (Value original = originals.lookup(&use))
        if (Value copied = added.getCopy();
            !copied || copied.getDefiningOp() != use.getOwner()) {
          bool isResult = copied && isa<OpResult>(copied) && copied != original;
          conflicts.push_back(
              isResult ? Conflict{nullptr, copied, copied.getDefiningOp()}
                       : Conflict{&use, original, use.getOwner()});
          return;
        }
  });
  return conflicts;
}

/// True for ops whose result is the memory of their first operand.
static bool isView(Operation *op) {
  return isa<tensor::CastOp, tensor::ExtractSliceOp, tensor::CollapseShapeOp,
             tensor::ExpandShapeOp>(op);
}

/// `value`, what it is a view of, and all views of that.
static llvm::SetVector<Value> getAliases(Value value) {
  while (Operation *view = value.getDefiningOp()) {
    if (!isView(view))
      break;
    value = view->getOperand(0);
  }
  llvm::SetVector<Value> aliases;
  aliases.insert(value);
  // An inserted copy stands between the value and those who used it.
  for (size_t i = 0; i < aliases.size(); ++i)
    for (Operation *user : aliases[i].getUsers())
      if (isView(user) || isa<AllocTensorOp>(user))
        aliases.insert(user->getResult(0));
  return aliases;
}

/// True if `first` comes before `second` or an op that holds it.
static bool isBefore(Operation *first, Operation *second) {
  Operation *inBlock = first->getBlock()->findAncestorOpInBlock(*second);
  return inBlock && inBlock != first && first->isBeforeInBlock(inBlock);
}

/// An op after `writer` that reads `value` or a view of its memory.
static Operation *findLateReader(Value value, Operation *writer) {
  for (Value alias : getAliases(value))
    for (Operation *user : alias.getUsers())
      if (!isView(user) && !isa<tensor::DimOp, AllocTensorOp>(user) &&
          isBefore(writer, user))
        return user;
  return nullptr;
}

/// The operand of an op before `reader` that writes the memory of `value`.
static OpOperand *findEarlyWriter(Value value, Operation *reader) {
  for (Value alias : getAliases(value))
    for (OpOperand &use : alias.getUses()) {
      auto writer = dyn_cast<DestinationStyleOpInterface>(use.getOwner());
      if (writer && writer.isDpsInit(&use) && isBefore(writer, reader))
        return &use;
    }
  return nullptr;
}

void mlafuse::reportConflict(const Conflict &conflict) {
  // The analysis would rather copy a slice before it is overwritten; what is in
  // the way is the write.
  auto destinationStyle = dyn_cast<DestinationStyleOpInterface>(conflict.op);
  if (conflict.operand &&
      !(destinationStyle && destinationStyle.isDpsInit(conflict.operand)))
    if (OpOperand *write = findEarlyWriter(conflict.original, conflict.op))
      return reportConflict({write, write->get(), write->getOwner()});
  if (!conflict.operand) {
    conflict.op->emitOpError(
        "would need a copy of its result: what it views is "
        "written while the result is still read");
    return;
  }
  Operation *op = conflict.op;
  Operation *reader = findLateReader(conflict.original, op);
  InFlightDiagnostic error = op->emitOpError();
  if (isa<CacheUpdateOp>(op)) {
    error << "would copy the whole cache";
    if (reader)
      error
          << ": '" << reader->getName()
          << "' reads the old cache after the update; let it take the updated "
             "cache";
  } else {
    error << "cannot use operand #" << conflict.operand->getOperandNumber()
          << " in place and would need a copy or a buffer of its own";
    if (reader && isa<func::ReturnOp>(reader))
      error << ": its old value is returned";
    else if (reader)
      error << ": '" << reader->getName() << "' reads the old value later";
    else if (conflict.original.getDefiningOp<arith::ConstantOp>())
      error << ": it is a constant";
    else if (llvm::is_contained(op->getOperands(), conflict.original))
      error << ": the op also reads it, and not row by row";
  }
  if (reader)
    error.attachNote(reader->getLoc()) << "the later reader is here";
}
