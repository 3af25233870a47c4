//===- BodyPool.cpp - one function for equal loop bodies ------------------===//

#include "BodyPool.h"
#include "mlir/IR/OperationSupport.h"

using namespace mlir;
using namespace mlafuse;

/// Equal for equal functions: of the ops in order, without their operands.
static size_t hashBody(func::FuncOp body) {
  llvm::hash_code hash(0);
  body.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    hash =
        llvm::hash_combine(hash, OperationEquivalence::computeHash(
                                     op, OperationEquivalence::ignoreHashValue,
                                     OperationEquivalence::ignoreHashValue,
                                     OperationEquivalence::IgnoreLocations));
  });
  return hash;
}

func::FuncOp BodyPool::insert(func::FuncOp body) {
  SmallVector<func::FuncOp, 1> &candidates = bodies[hashBody(body)];
  for (func::FuncOp candidate : candidates)
    if (OperationEquivalence::isRegionEquivalentTo(
            &candidate.getBody(), &body.getBody(),
            OperationEquivalence::IgnoreLocations)) {
      body.erase();
      return candidate;
    }
  symbols.insert(body);
  candidates.push_back(body);
  return body;
}
