//===- PlaceWorkspace.cpp - allocations become slices of a workspace ------===//

#include "MLAFuse/Conversion/Passes.h"
#include "MLAFuse/Conversion/Signature.h"
#include "MLAFuse/Conversion/Workspace.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

namespace mlafuse {
#define GEN_PASS_DEF_MLAFUSEPLACEWORKSPACE
#include "MLAFuse/Conversion/Passes.h.inc"
} // namespace mlafuse

using namespace mlir;
using namespace mlafuse;

namespace {

/// Of the workspace, and of every slice by itself.
constexpr int64_t kAlignment = 64;

/// Rounds `value` up to a multiple of `alignment`, a power of two.
Value emitAlign(OpBuilder &builder, Location loc, Value value,
                int64_t alignment) {
  Value mask = arith::ConstantIndexOp::create(builder, loc, alignment - 1);
  Value padded = arith::AddIOp::create(builder, loc, value, mask);
  Value clear = arith::ConstantIndexOp::create(builder, loc, -alignment);
  return arith::AndIOp::create(builder, loc, padded, clear);
}

/// Copies what computes `value` to the builder's place, from the function's
/// arguments on. Says why and fails if that is more than sizes of arguments.
class SizeComputation {
public:
  SizeComputation(memref::AllocOp alloc, OpBuilder &builder, IRMapping &mapping)
      : alloc(alloc), builder(builder), mapping(mapping) {}

  FailureOr<Value> copy(Value value) {
    if (Value known = mapping.lookupOrNull(value))
      return known;
    Operation *op = value.getDefiningOp();
    if (!op) {
      alloc.emitError("a new tensor has a size that changes in a loop; make it "
                      "before the loop, with the largest size");
      return failure();
    }
    if (!isMemoryEffectFree(op) || op->getNumRegions() != 0) {
      alloc.emitError("a new tensor has a size that depends on data; workspace "
                      "sizes follow from the arguments' sizes alone")
              .attachNote(op->getLoc())
          << "the data is read here";
      return failure();
    }
    // It moves out of the branch or the loop that may keep it from running.
    if (!isSpeculatable(op) && !isa<func::FuncOp>(op->getParentOp())) {
      alloc.emitError("a new tensor has a size that is computed under a "
                      "condition and fails without it; workspace sizes are "
                      "computed before the function runs")
              .attachNote(op->getLoc())
          << "compute it so that it holds always, or outside the condition";
      return failure();
    }
    for (Value operand : op->getOperands())
      if (failed(copy(operand)))
        return failure();
    builder.clone(*op, mapping);
    return mapping.lookup(value);
  }

private:
  memref::AllocOp alloc;
  OpBuilder &builder;
  IRMapping &mapping;
};

class WorkspacePlacer {
public:
  explicit WorkspacePlacer(func::FuncOp function) : function(function) {
    // A kernel's own memory is no workspace.
    function->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa<gpu::LaunchOp>(op))
        return WalkResult::skip();
      if (auto alloc = dyn_cast<memref::AllocOp>(op))
        allocs.push_back(alloc);
      return WalkResult::advance();
    });
  }

  LogicalResult place() {
    SmallVector<memref::DeallocOp> deallocs;
    function->walk([&](memref::DeallocOp op) { deallocs.push_back(op); });
    for (memref::DeallocOp dealloc : deallocs)
      dealloc.erase();
    if (allocs.empty())
      return success();
    for (memref::AllocOp alloc : allocs)
      if (failed(check(alloc)))
        return failure();
    if (failed(emitSizeFunction()))
      return failure();
    return emitViews();
  }

private:
  static LogicalResult check(memref::AllocOp alloc) {
    if (!alloc.getType().getLayout().isIdentity())
      return alloc.emitError("a new tensor must be contiguous, got ")
             << alloc.getType();
    for (Operation *parent = alloc->getParentOp(); !isa<func::FuncOp>(parent);
         parent = parent->getParentOp())
      if (isa<LoopLikeOpInterface>(parent)) {
        if (isa<scf::ParallelOp, scf::ForallOp>(parent))
          return alloc.emitError("a new tensor in a parallel loop would be one "
                                 "per iteration; make it before the loop");
        // One place serves all iterations, unless a value lives on in the next.
        if (isYielded(alloc))
          return alloc.emitError(
              "a new tensor is carried from one iteration of "
              "a loop to the next; make it before the loop");
      }
    return success();
  }

  /// Bytes that the address of `alloc` is a multiple of.
  static int64_t getAlignment(memref::AllocOp alloc) {
    return std::max<int64_t>(kAlignment, alloc.getAlignment().value_or(1));
  }

  int64_t getLargestAlignment() {
    int64_t largest = kAlignment;
    for (memref::AllocOp alloc : allocs)
      largest = std::max(largest, getAlignment(alloc));
    return largest;
  }

  static bool isYielded(Value memory) {
    for (Operation *user : memory.getUsers()) {
      if (user->hasTrait<OpTrait::IsTerminator>())
        return true;
      if (isa<ViewLikeOpInterface>(user) && user->getNumResults() == 1 &&
          isYielded(user->getResult(0)))
        return true;
    }
    return false;
  }

  /// Bytes of `alloc`, rounded up to the alignment, from `sizes`.
  static Value emitBytes(OpBuilder &builder, memref::AllocOp alloc,
                         ValueRange sizes) {
    Location loc = alloc.getLoc();
    MemRefType type = alloc.getType();
    Type element = type.getElementType();
    int64_t bytes = element.isIndex()
                        ? 8
                        : llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
    for (int64_t size : type.getShape())
      if (ShapedType::isStatic(size))
        bytes *= size;
    Value total = arith::ConstantIndexOp::create(builder, loc, bytes);
    for (Value size : sizes)
      total = arith::MulIOp::create(builder, loc, total, size);
    return emitAlign(builder, loc, total, kAlignment);
  }

  /// Calls `visit(alloc, sizes, offset)` for each allocation in order, the
  /// offset being from an address of the largest alignment; returns the bytes
  /// of all.
  FailureOr<Value>
  forEachPlace(OpBuilder &builder, IRMapping &mapping,
               function_ref<void(memref::AllocOp, ValueRange, Value)> visit) {
    Value offset =
        arith::ConstantIndexOp::create(builder, function.getLoc(), 0);
    for (memref::AllocOp alloc : allocs) {
      SmallVector<Value> sizes;
      for (Value size : alloc.getDynamicSizes()) {
        FailureOr<Value> copied =
            SizeComputation(alloc, builder, mapping).copy(size);
        if (failed(copied))
          return failure();
        sizes.push_back(*copied);
      }
      if (int64_t alignment = getAlignment(alloc); alignment > kAlignment)
        offset = emitAlign(builder, alloc.getLoc(), offset, alignment);
      visit(alloc, sizes, offset);
      offset = arith::AddIOp::create(builder, alloc.getLoc(), offset,
                                     emitBytes(builder, alloc, sizes));
    }
    return offset;
  }

  LogicalResult emitSizeFunction() {
    OpBuilder builder(function);
    std::string name = getWorkspaceSizeName(function.getName());
    auto sizeFunction = func::FuncOp::create(
        builder, function.getLoc(), name,
        builder.getFunctionType(function.getArgumentTypes(),
                                builder.getIndexType()));
    sizeFunction.setPrivate();
    Block *block = sizeFunction.addEntryBlock();
    IRMapping mapping;
    mapping.map(function.getArguments(), block->getArguments());
    builder.setInsertionPointToStart(block);
    FailureOr<Value> total = forEachPlace(
        builder, mapping, [](memref::AllocOp, ValueRange, Value) {});
    if (failed(total))
      return failure();
    // What emitFirstAlignedByte may skip.
    Value bytes = *total;
    if (int64_t skipped = getLargestAlignment() - kAlignment)
      bytes = arith::AddIOp::create(
          builder, function.getLoc(), bytes,
          arith::ConstantIndexOp::create(builder, function.getLoc(), skipped));
    func::ReturnOp::create(builder, function.getLoc(), bytes);
    return success();
  }

  /// The first byte of `workspace` with the largest alignment; null if that is
  /// always byte 0.
  Value emitFirstAlignedByte(OpBuilder &builder, Value workspace) {
    int64_t alignment = getLargestAlignment();
    if (alignment == kAlignment)
      return {};
    Location loc = function.getLoc();
    Value address =
        memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, workspace);
    Value aligned = emitAlign(builder, loc, address, alignment);
    return arith::SubIOp::create(builder, loc, aligned, address);
  }

  LogicalResult emitViews() {
    unsigned index = function.getNumArguments();
    auto bytes = MemRefType::get({ShapedType::kDynamic},
                                 IntegerType::get(function.getContext(), 8));
    if (failed(function.insertArgument(index, bytes, {}, function.getLoc())))
      return failure();
    Value workspace = function.getArgument(index);
    Block &entry = function.getBody().front();
    OpBuilder builder(&entry, entry.begin());
    IRMapping mapping;
    mapping.map(function.getArguments(), function.getArguments());
    Value first = emitFirstAlignedByte(builder, workspace);
    FailureOr<Value> total = forEachPlace(
        builder, mapping,
        [&](memref::AllocOp alloc, ValueRange sizes, Value offset) {
          if (first)
            offset =
                arith::AddIOp::create(builder, alloc.getLoc(), first, offset);
          Value view =
              memref::ViewOp::create(builder, alloc.getLoc(), alloc.getType(),
                                     workspace, offset, sizes);
          // Later sizes may be those of this tensor.
          mapping.map(alloc.getResult(), view);
          views.push_back(view);
        });
    if (failed(total))
      return failure();
    for (auto [alloc, view] : llvm::zip(allocs, views)) {
      alloc.replaceAllUsesWith(view);
      alloc.erase();
    }
    return success();
  }

  func::FuncOp function;
  SmallVector<memref::AllocOp> allocs;
  SmallVector<Value> views;
};

struct PlaceWorkspace
    : public mlafuse::impl::MLAFusePlaceWorkspaceBase<PlaceWorkspace> {
  void runOnOperation() override {
    for (func::FuncOp function : getEntries(getOperation()))
      if (failed(WorkspacePlacer(function).place()))
        return signalPassFailure();
  }
};

} // namespace
