//===- OutlineParallel.cpp - bodies of parallel loops as functions --------===//
//
// scf.parallel (i) = (lb) to (ub) step (s) { body }
//   ==> context->parallel_for(runtime, @body, &captured, count, grain)
//
// Iterations are independent by definition, so any cut into ranges is legal. A
// loop over several dimensions is cut over all but the last, which stays serial
// so that its accesses are consecutive.
//
//===----------------------------------------------------------------------===//

#include "BodyPool.h"
#include "Context.h"
#include "MLAFuse/Conversion/Passes.h"
#include "MLAFuse/Conversion/ParallelGrain.h"
#include "MLAFuse/Conversion/Signature.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Transforms/RegionUtils.h"

namespace mlafuse {
#define GEN_PASS_DEF_MLAFUSEOUTLINEPARALLEL
#include "MLAFuse/Conversion/Passes.h.inc"
} // namespace mlafuse

using namespace mlir;
using namespace mlafuse;

namespace {

/// Iterations of a loop from `lower` to `upper`.
Value emitTripCount(OpBuilder &builder, Location loc, Value lower, Value upper,
                    Value step) {
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value span = arith::SubIOp::create(builder, loc, upper, lower);
  Value count = arith::CeilDivSIOp::create(builder, loc, span, step);
  return arith::MaxSIOp::create(builder, loc, count, zero);
}

/// One loop on its way into a function.
class Outliner {
public:
  Outliner(scf::ParallelOp loop, BodyPool &pool, const LLVMTypeConverter &types)
      : loop(loop), loc(loop.getLoc()), pool(pool), types(types),
        entry(loop->getParentOfType<func::FuncOp>()), builder(loop) {}

  LogicalResult outline() {
    emitCounts();
    collectCaptured();
    if (failed(convertCaptured()))
      return failure();
    func::FuncOp body = pool.insert(emitBody());
    emitCall(body);
    loop.erase();
    return success();
  }

private:
  void emitCounts() {
    unsigned loops = loop.getNumLoops();
    cutDims = std::max(loops, 2u) - 1;
    Value one = arith::ConstantIndexOp::create(builder, loc, 1);
    total = one;
    for (unsigned d = 0; d < cutDims; ++d) {
      counts.push_back(emitTripCount(builder, loc, loop.getLowerBound()[d],
                                     loop.getUpperBound()[d],
                                     loop.getStep()[d]));
      total = d == 0 ? counts.back()
                     : arith::MulIOp::create(builder, loc, total, counts.back())
                           .getResult();
    }
  }

  /// What the body uses from outside, constants apart: those it gets anew.
  void collectCaptured() {
    llvm::SetVector<Value> used;
    getUsedValuesDefinedAbove(loop.getRegion(), used);
    for (unsigned d = 0; d < loop.getNumLoops(); ++d) {
      used.insert(loop.getLowerBound()[d]);
      used.insert(loop.getStep()[d]);
      if (d >= cutDims)
        used.insert(loop.getUpperBound()[d]);
    }
    used.insert(counts.begin() + (counts.empty() ? 0 : 1), counts.end());
    for (Value value : used)
      (matchPattern(value, m_Constant()) ? constants : captured)
          .push_back(value);
  }

  LogicalResult convertCaptured() {
    SmallVector<Type> fields;
    for (Value value : captured) {
      Type type = types.convertType(value.getType());
      if (!type)
        return loop.emitError("a parallel loop uses a value of type ")
               << value.getType() << ", which cannot be handed to threads";
      fields.push_back(type);
    }
    environmentType =
        LLVM::LLVMStructType::getLiteral(loop.getContext(), fields);
    return success();
  }

  Value getField(OpBuilder &b, Value environment, unsigned index) {
    return LLVM::GEPOp::create(
        b, loc, environment.getType(), environmentType, environment,
        ArrayRef<LLVM::GEPArg>{0, static_cast<int32_t>(index)});
  }

  func::FuncOp emitBody() {
    Type ptr = LLVM::LLVMPointerType::get(loop.getContext());
    Type i64 = builder.getI64Type(), index = builder.getIndexType();
    OpBuilder b(entry->getContext());
    auto body = func::FuncOp::create(loc, (entry.getName() + "_body").str(),
                                     b.getFunctionType({ptr, i64, i64}, {}));
    body.setPrivate();
    Block *block = body.addEntryBlock();
    b.setInsertionPointToStart(block);

    IRMapping mapping;
    for (Value constant : constants)
      mapping.map(constant, b.clone(*constant.getDefiningOp())->getResult(0));
    for (auto [i, value] : llvm::enumerate(captured)) {
      Value field = LLVM::LoadOp::create(b, loc, environmentType.getBody()[i],
                                         getField(b, block->getArgument(0), i));
      mapping.map(value, castThroughLowering(b, loc, value.getType(), field));
    }
    Value begin =
        arith::IndexCastOp::create(b, loc, index, block->getArgument(1));
    Value end =
        arith::IndexCastOp::create(b, loc, index, block->getArgument(2));
    Value one = arith::ConstantIndexOp::create(b, loc, 1);
    auto range = scf::ForOp::create(b, loc, begin, end, one);
    func::ReturnOp::create(b, loc);

    b.setInsertionPointToStart(range.getBody());
    mapCutDims(b, range.getInductionVar(), mapping);
    for (unsigned d = cutDims; d < loop.getNumLoops(); ++d) {
      auto serial =
          scf::ForOp::create(b, loc, mapping.lookup(loop.getLowerBound()[d]),
                             mapping.lookup(loop.getUpperBound()[d]),
                             mapping.lookup(loop.getStep()[d]));
      mapping.map(loop.getInductionVars()[d], serial.getInductionVar());
      b.setInsertionPointToStart(serial.getBody());
    }
    for (Operation &op : loop.getBody()->without_terminator())
      b.clone(op, mapping);
    return body;
  }

  /// Induction variables of the dimensions that `position` runs over.
  void mapCutDims(OpBuilder &b, Value position, IRMapping &mapping) {
    for (unsigned d = cutDims; d-- > 0;) {
      Value number = position;
      if (d > 0) {
        Value count = mapping.lookup(counts[d]);
        number = arith::RemUIOp::create(b, loc, position, count);
        position = arith::DivUIOp::create(b, loc, position, count);
      }
      Value scaled = arith::MulIOp::create(b, loc, number,
                                           mapping.lookup(loop.getStep()[d]));
      mapping.map(loop.getInductionVars()[d],
                  arith::AddIOp::create(
                      b, loc, scaled, mapping.lookup(loop.getLowerBound()[d])));
    }
  }

  void emitCall(func::FuncOp body) {
    Type ptr = LLVM::LLVMPointerType::get(loop.getContext());
    Type i64 = builder.getI64Type();
    // In the entry block: a loop around this one must not grow the stack.
    OpBuilder atEntry = OpBuilder::atBlockBegin(&entry.getBody().front());
    Value one = LLVM::ConstantOp::create(atEntry, loc, i64, 1);
    Value environment =
        LLVM::AllocaOp::create(atEntry, loc, ptr, environmentType, one, 64);
    // Loops follow each other: all may use the same place on the stack.
    LLVM::LifetimeStartOp::create(builder, loc, environment);
    for (auto [i, value] : llvm::enumerate(captured))
      LLVM::StoreOp::create(builder, loc,
                            castThroughLowering(builder, loc,
                                                environmentType.getBody()[i],
                                                value),
                            getField(builder, environment, i));

    Value context = entry.getArgument(0);
    Value parallelFor =
        loadContextField(builder, loc, context, ContextField::ParallelFor);
    Value runtime =
        loadContextField(builder, loc, context, ContextField::Runtime);
    Value address = castThroughLowering(
        builder, loc, ptr,
        func::ConstantOp::create(builder, loc, body.getFunctionType(),
                                 body.getSymName()));
    Value count = arith::IndexCastOp::create(builder, loc, i64, total);
    Value grain =
        arith::ConstantIntOp::create(builder, loc, getParallelGrain(loop), 64);
    LLVM::CallOp::create(
        builder, loc, getParallelForType(loop.getContext()),
        ValueRange{parallelFor, runtime, address, environment, count, grain});
    LLVM::LifetimeEndOp::create(builder, loc, environment);
  }

  scf::ParallelOp loop;
  Location loc;
  BodyPool &pool;
  const LLVMTypeConverter &types;
  func::FuncOp entry;
  OpBuilder builder;

  /// Dimensions that are cut; those after them are serial.
  unsigned cutDims = 0;
  SmallVector<Value> counts;
  Value total;
  SmallVector<Value> captured, constants;
  LLVM::LLVMStructType environmentType;
};

struct OutlineParallel
    : public mlafuse::impl::MLAFuseOutlineParallelBase<OutlineParallel> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    BodyPool pool(symbols);
    LLVMTypeConverter types(&getContext());
    Type ptr = LLVM::LLVMPointerType::get(&getContext());
    for (func::FuncOp entry : getEntries(getOperation())) {
      if (failed(entry.insertArgument(0, ptr, {}, entry.getLoc())))
        return signalPassFailure();
      // A reduction stays where it is, serial: its order is part of its value.
      SmallVector<scf::ParallelOp> loops;
      entry.walk<WalkOrder::PreOrder>([&](scf::ParallelOp loop) {
        if (loop->getNumResults() != 0)
          return WalkResult::advance();
        loops.push_back(loop);
        return WalkResult::skip();
      });
      for (scf::ParallelOp loop : loops)
        if (failed(Outliner(loop, pool, types).outline()))
          return signalPassFailure();
    }
  }
};

} // namespace
