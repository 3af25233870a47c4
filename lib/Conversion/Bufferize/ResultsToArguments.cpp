//===- ResultsToArguments.cpp - binds results to arguments' memory --------===//
//
// A compiled entry returns nothing: every result is the memory of an argument.
//
//===----------------------------------------------------------------------===//

#include "Access.h"
#include "MLAFuse/Conversion/Passes.h"
#include "MLAFuse/Conversion/Signature.h"

namespace mlafuse {
#define GEN_PASS_DEF_MLAFUSERESULTSTOARGUMENTS
#include "MLAFuse/Conversion/Passes.h.inc"
} // namespace mlafuse

using namespace mlir;
using namespace mlafuse;

namespace {

class ResultBinder {
public:
  ResultBinder(func::FuncOp function, FunctionSignature &signature)
      : function(function), signature(signature),
        givenArguments(signature.arguments.size()) {}

  LogicalResult bind() {
    if (failed(check()))
      return failure();
    auto returnOp =
        cast<func::ReturnOp>(function.getBody().front().getTerminator());
    for (unsigned i = 0; i < returnOp.getNumOperands(); ++i)
      if (failed(bindResult(i, returnOp.getOperand(i))))
        return failure();
    // What is returned untouched is read, so before the return lets go of it.
    for (unsigned i = 0; i < givenArguments; ++i)
      signature.arguments[i].access = getAccess(function, i, signature).str();
    returnOp->setOperands({});
    function.setType(
        FunctionType::get(function.getContext(),
                          function.getBody().front().getArgumentTypes(), {}));
    function.removeResAttrsAttr();
    signature.attachTo(function);
    return success();
  }

private:
  /// The function is what bufferization leaves of the one that was described.
  LogicalResult check() {
    auto fits = [](Type type, const TensorSignature &tensor) {
      auto memory = dyn_cast<MemRefType>(type);
      return memory && memory.getRank() == int64_t(tensor.shape.size());
    };
    auto allFit = [&](TypeRange types, const auto &tensors) {
      return types.size() == tensors.size() &&
             llvm::all_of(llvm::zip(types, tensors), [&](const auto &pair) {
               return fits(std::get<0>(pair), std::get<1>(pair));
             });
    };
    if (function.getBody().hasOneBlock() &&
        allFit(function.getArgumentTypes(), signature.arguments) &&
        allFit(function.getResultTypes(), signature.results))
      return success();
    return function.emitError("entry '")
           << function.getName()
           << "' does not take and give, as memrefs, what its signature lists; "
              "run 'mlafuse-bufferize' first";
  }

  InFlightDiagnostic emitError(unsigned i, Value value) {
    InFlightDiagnostic error = mlir::emitError(value.getLoc());
    error << "result #" << i << " ('" << signature.results[i].name
          << "') of entry '" << signature.name << "' ";
    return error;
  }

  LogicalResult bindResult(unsigned i, Value value) {
    // `views` leads from the memory to the result, last first.
    SmallVector<Operation *> views;
    Value memory = value;
    while (Operation *op = memory.getDefiningOp()) {
      if (!isa<memref::CastOp, memref::ExpandShapeOp, memref::CollapseShapeOp>(
              op))
        break;
      views.push_back(op);
      memory = op->getOperand(0);
    }
    if (auto argument = dyn_cast<BlockArgument>(memory);
        argument && argument.getOwner() == &function.getBody().front())
      return bindToArgument(i, argument, value);
    auto alloc = memory.getDefiningOp<memref::AllocOp>();
    if (alloc && alloc->getParentOp() == function)
      return bindToAllocation(i, alloc, views, value);
    if (memory.getDefiningOp<memref::SubViewOp>())
      return emitError(i, value)
             << "is a slice of other memory; return the whole value, or copy "
                "the "
                "slice into an argument (tensor.insert_slice)";
    return emitError(i, value)
           << "is neither the memory of an argument nor a new tensor (it comes "
              "from "
           << (memory.getDefiningOp()
                   ? "'" + memory.getDefiningOp()->getName().getStringRef() +
                         "'"
                   : Twine("a block argument"))
           << "); write it into a destination argument";
  }

  LogicalResult bindToArgument(unsigned i, BlockArgument argument,
                               Value value) {
    unsigned index = argument.getArgNumber();
    auto argumentType = cast<MemRefType>(argument.getType());
    auto type = cast<MemRefType>(value.getType());
    ResultSignature &result = signature.results[i];
    bool isSameShape = type.getRank() == argumentType.getRank() &&
                       succeeded(verifyCompatibleShape(type, argumentType));
    if (!isSameShape)
      return emitError(i, value)
             << "is the memory of argument '" << signature.arguments[index].name
             << "' in another shape (" << type << ", not " << argumentType
             << "); return it in the argument's shape";
    result.argument = index;
    return success();
  }

  /// The allocation, seen as the result, is given by the caller.
  LogicalResult bindToAllocation(unsigned i, memref::AllocOp alloc,
                                 ArrayRef<Operation *> views, Value value) {
    ResultSignature &result = signature.results[i];
    auto unknown = llvm::find(
        result.shape, StringAttr::get(function.getContext(), kUnknownSize));
    if (unknown != result.shape.end())
      return emitError(i, value)
             << "is a new tensor whose dimension "
             << unknown - result.shape.begin()
             << " does not follow from the sizes of the arguments; pass its "
                "destination as an argument";
    for (const ArgumentSignature &argument : signature.arguments)
      if (argument.name == result.name)
        return emitError(i, value) << "is a new tensor, which becomes an "
                                      "argument of that name, but "
                                      "there is one already; rename it with '"
                                   << kNameAttr << "'";
    auto type = cast<MemRefType>(value.getType());
    auto contiguous = MemRefType::get(type.getShape(), type.getElementType());
    unsigned index = function.getNumArguments();
    // Results are still listed in the type, and go away with the return.
    if (failed(function.insertArgument(index, contiguous, {}, value.getLoc())))
      return failure();
    FailureOr<Value> memory =
        undoViews(function.getArgument(index), alloc, views);
    if (failed(memory))
      return emitError(i, value) << "is reshaped from an allocation in a way "
                                    "that cannot be undone; "
                                    "pass its destination as an argument";
    alloc.replaceAllUsesWith(*memory);
    alloc.erase();

    ArgumentSignature &argument = signature.arguments.emplace_back();
    argument.name = result.name;
    argument.shape = result.shape;
    argument.access = "write";
    argument.elementType = type.getElementType();
    result.argument = index;
    return success();
  }

  FailureOr<Value> undoViews(Value memory, memref::AllocOp alloc,
                             ArrayRef<Operation *> views) {
    OpBuilder builder(alloc);
    for (Operation *view : views) {
      Location loc = view->getLoc();
      auto wanted = cast<MemRefType>(view->getOperand(0).getType());
      if (auto expand = dyn_cast<memref::ExpandShapeOp>(view)) {
        memory = memref::CollapseShapeOp::create(
            builder, loc, memory, expand.getReassociationIndices());
      } else if (auto collapse = dyn_cast<memref::CollapseShapeOp>(view)) {
        if (collapse.getSrc() != alloc.getResult())
          return failure();
        memory = memref::ExpandShapeOp::create(
            builder, loc, wanted, memory, collapse.getReassociationIndices(),
            alloc.getMixedSizes());
      }
      if (memory.getType() != wanted)
        memory = memref::CastOp::create(builder, loc, wanted, memory);
    }
    return memory;
  }

  func::FuncOp function;
  FunctionSignature &signature;
  size_t givenArguments; ///< Those of the source: results add more.
};

struct ResultsToArguments
    : public mlafuse::impl::MLAFuseResultsToArgumentsBase<ResultsToArguments> {
  void runOnOperation() override {
    for (func::FuncOp function : getEntries(getOperation())) {
      FailureOr<FunctionSignature> signature = FunctionSignature::get(function);
      if (failed(signature) ||
          failed(ResultBinder(function, *signature).bind()))
        return signalPassFailure();
    }
  }
};

} // namespace
