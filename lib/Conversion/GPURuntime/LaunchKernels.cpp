//===- LaunchKernels.cpp - launches as calls of the runtime ---------------===//

#include "../CPURuntime/Context.h"
#include "MLAFuse/Conversion/Kernels.h"
#include "MLAFuse/Conversion/Passes.h"
#include "MLAFuse/Conversion/Signature.h"
#include "mlafuse/runtime/abi.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "llvm/ADT/DenseMap.h"

namespace mlafuse {
#define GEN_PASS_DEF_MLAFUSELAUNCHKERNELS
#include "MLAFuse/Conversion/Passes.h.inc"
} // namespace mlafuse

using namespace mlir;
using namespace mlafuse;

namespace {

/// A kernel as its launches see it.
struct Kernel {
  unsigned index;                       ///< Into the target's kernels.
  SmallVector<Type> parameters;         ///< Before unused ones were dropped.
  SmallVector<unsigned> readParameters; ///< Those that the kernel reads.
};

using Kernels = llvm::DenseMap<StringAttr, Kernel>;

/// The launches of one entry. A stack slot holds the status: launches may stand
/// under conditions and in loops, which nothing leaves early. LLVM turns the
/// slot into control flow.
class LaunchEmitter {
public:
  LaunchEmitter(func::FuncOp entry, const Kernels &kernels,
                const LLVMTypeConverter &types)
      : entry(entry), kernels(kernels), types(types),
        ptr(LLVM::LLVMPointerType::get(entry.getContext())),
        i32(IntegerType::get(entry.getContext(), 32)) {}

  LogicalResult emit() {
    SmallVector<gpu::LaunchFuncOp> launches;
    SmallVector<func::ReturnOp> returns;
    entry.walk([&](Operation *op) {
      if (auto launch = dyn_cast<gpu::LaunchFuncOp>(op))
        launches.push_back(launch);
      else if (auto leave = dyn_cast<func::ReturnOp>(op))
        returns.push_back(leave);
    });
    if (entry.getNumResults() != 0)
      return entry.emitError("entry '")
             << entry.getName() << "' gives results; run "
             << "mlafuse-results-to-arguments first";
    if (failed(entry.insertArgument(0, ptr, {}, entry.getLoc())) ||
        failed(entry.insertResult(0, i32, {})))
      return failure();

    OpBuilder atStart = OpBuilder::atBlockBegin(&entry.getBody().front());
    Location loc = entry.getLoc();
    launchSlot = emitSlot(atStart, loc, getLaunchType(entry.getContext()));
    status = emitSlot(atStart, loc, i32);
    LLVM::StoreOp::create(atStart, loc,
                          emitNumber(atStart, loc, MLAFUSE_ENTRY_OK), status);
    for (gpu::LaunchFuncOp launch : launches)
      if (failed(emit(launch)))
        return failure();
    for (func::ReturnOp leave : returns) {
      OpBuilder builder(leave);
      leave.getOperandsMutable().assign(
          LLVM::LoadOp::create(builder, leave.getLoc(), i32, status));
    }
    return success();
  }

private:
  Value emitNumber(OpBuilder &builder, Location loc, int32_t number) {
    return arith::ConstantIntOp::create(builder, loc, number, 32);
  }

  Value emitSlot(OpBuilder &builder, Location loc, Type type) {
    Value one = LLVM::ConstantOp::create(builder, loc, builder.getI64Type(), 1);
    return LLVM::AllocaOp::create(builder, loc, ptr, type, one);
  }

  void storeField(OpBuilder &builder, Location loc, LaunchField field,
                  Value value, std::optional<int32_t> element = {}) {
    SmallVector<LLVM::GEPArg, 3> position = {0, static_cast<int32_t>(field)};
    if (element)
      position.push_back(*element);
    Value address = LLVM::GEPOp::create(builder, loc, ptr,
                                        getLaunchType(entry.getContext()),
                                        launchSlot, position);
    LLVM::StoreOp::create(builder, loc, value, address);
  }

  Value emitSize(OpBuilder &builder, Location loc, Value size) {
    if (size.getType().isIndex())
      return arith::IndexCastOp::create(builder, loc, i32, size);
    if (size.getType().getIntOrFloatBitWidth() > 32)
      return arith::TruncIOp::create(builder, loc, i32, size);
    return size;
  }

  /// Whether nothing failed and there is a block to launch.
  Value emitIsWanted(OpBuilder &builder, Location loc, ArrayRef<Value> grid) {
    auto compare = [&](arith::CmpIPredicate predicate, Value value,
                       int32_t number) -> Value {
      return arith::CmpIOp::create(builder, loc, predicate, value,
                                   emitNumber(builder, loc, number));
    };
    Value now = LLVM::LoadOp::create(builder, loc, i32, status);
    Value isWanted = compare(arith::CmpIPredicate::eq, now, MLAFUSE_ENTRY_OK);
    for (Value size : grid)
      isWanted = arith::AndIOp::create(
          builder, loc, isWanted, compare(arith::CmpIPredicate::ne, size, 0));
    return isWanted;
  }

  /// The values of the parameters that the kernel reads, in LLVM's types.
  FailureOr<SmallVector<Value>> emitParameters(OpBuilder &builder,
                                               gpu::LaunchFuncOp launch,
                                               const Kernel &kernel) {
    Location loc = launch.getLoc();
    SmallVector<Value> operands;
    for (Value operand : launch.getKernelOperands()) {
      Type type = types.convertType(operand.getType());
      if (!type)
        return launch.emitOpError("passes ")
               << operand.getType() << ", which no kernel parameter holds";
      operands.push_back(castThroughLowering(builder, loc, type, operand));
    }
    SmallVector<Value> all = types.promoteOperands(
        loc, launch.getKernelOperands(), ValueRange(operands), builder);
    auto isSame = [](Value value, Type wanted) {
      // An address of any space is an address of the device here.
      return value.getType() == wanted ||
             (isa<LLVM::LLVMPointerType>(value.getType()) &&
              isa<LLVM::LLVMPointerType>(wanted));
    };
    if (all.size() != kernel.parameters.size() ||
        !llvm::all_of_zip(all, kernel.parameters, isSame))
      return launch.emitOpError("passes other operands than ")
             << launch.getKernel() << " takes";
    SmallVector<Value> read;
    for (unsigned i : kernel.readParameters)
      read.push_back(all[i]);
    return read;
  }

  LogicalResult emit(gpu::LaunchFuncOp launch) {
    Location loc = launch.getLoc();
    auto found = kernels.find(launch.getKernelName());
    if (found == kernels.end())
      return launch.emitOpError("launches ")
             << launch.getKernel()
             << ", which is no kernel of the module's gpu.module";
    if (launch.hasClusterSize() || !launch.getAsyncDependencies().empty() ||
        launch.getAsyncToken())
      return launch.emitOpError("has clusters or async tokens, which the "
                                "launch context has no form for");
    OpBuilder builder(launch);
    gpu::KernelDim3 grid = launch.getGridSizeOperandValues();
    gpu::KernelDim3 block = launch.getBlockSizeOperandValues();
    Value blocks[] = {emitSize(builder, loc, grid.x),
                      emitSize(builder, loc, grid.y),
                      emitSize(builder, loc, grid.z)};
    Value threads[] = {emitSize(builder, loc, block.x),
                       emitSize(builder, loc, block.y),
                       emitSize(builder, loc, block.z)};
    auto branch =
        scf::IfOp::create(builder, loc, emitIsWanted(builder, loc, blocks));
    builder.setInsertionPointToStart(branch.thenBlock());

    FailureOr<SmallVector<Value>> parameters =
        emitParameters(builder, launch, found->second);
    if (failed(parameters))
      return failure();
    storeField(builder, loc, LaunchField::Kernel,
               emitNumber(builder, loc, found->second.index));
    for (int32_t i = 0; i < 3; ++i) {
      storeField(builder, loc, LaunchField::Grid, blocks[i], i);
      storeField(builder, loc, LaunchField::Block, threads[i], i);
    }
    Value shared = launch.getDynamicSharedMemorySize();
    storeField(builder, loc, LaunchField::DynamicSharedBytes,
               shared ? shared : emitNumber(builder, loc, 0));
    storeField(builder, loc, LaunchField::ParameterCount,
               emitNumber(builder, loc, parameters->size()));
    bool overlaps = launch->hasAttr(kOverlapsPreviousAttr);
    storeField(builder, loc, LaunchField::Flags,
               emitNumber(builder, loc,
                          overlaps ? MLAFUSE_LAUNCH_OVERLAPS_PREVIOUS : 0));
    emitCall(builder, loc, *parameters);
    launch.erase();
    return success();
  }

  void emitCall(OpBuilder &builder, Location loc, ArrayRef<Value> parameters) {
    SmallVector<Type> valueTypes = llvm::map_to_vector(
        parameters, [](Value value) { return value.getType(); });
    auto valuesType =
        LLVM::LLVMStructType::getLiteral(entry.getContext(), valueTypes);
    auto addressesType = LLVM::LLVMArrayType::get(ptr, parameters.size());
    // In the entry block: a loop around the launch must not grow the stack. No
    // lifetimes: merged branches of two launches choose among the slots, and
    // LLVM takes markers of slots alone.
    OpBuilder atStart = OpBuilder::atBlockBegin(&entry.getBody().front());
    Value values = emitSlot(atStart, loc, valuesType);
    Value addresses = emitSlot(atStart, loc, addressesType);
    auto getElement = [&](Type type, Value base, int32_t i) {
      return LLVM::GEPOp::create(builder, loc, ptr, type, base,
                                 ArrayRef<LLVM::GEPArg>{0, i});
    };
    for (auto [i, parameter] : llvm::enumerate(parameters)) {
      Value value = getElement(valuesType, values, i);
      LLVM::StoreOp::create(builder, loc, parameter, value);
      LLVM::StoreOp::create(builder, loc, value,
                            getElement(addressesType, addresses, i));
    }
    storeField(builder, loc, LaunchField::Parameters, addresses);

    Value context = entry.getArgument(0);
    Value launchKernel =
        loadContextField(builder, loc, context, ContextField::LaunchKernel);
    Value runtime =
        loadContextField(builder, loc, context, ContextField::Runtime);
    Value error = LLVM::CallOp::create(
                      builder, loc, getLaunchKernelType(entry.getContext()),
                      ValueRange{launchKernel, runtime, launchSlot})
                      .getResult();
    Value isFine = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                         error, emitNumber(builder, loc, 0));
    Value after = arith::SelectOp::create(
        builder, loc, isFine, emitNumber(builder, loc, MLAFUSE_ENTRY_OK),
        emitNumber(builder, loc, MLAFUSE_ENTRY_LAUNCH_FAILED));
    LLVM::StoreOp::create(builder, loc, after, status);
  }

  func::FuncOp entry;
  const Kernels &kernels;
  const LLVMTypeConverter &types;
  Type ptr, i32;
  Value status;     ///< Slot of the entry's status.
  Value launchSlot; ///< Slot of a mlafuse_kernel_launch.
};

struct LaunchKernels
    : public mlafuse::impl::MLAFuseLaunchKernelsBase<LaunchKernels> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    Kernels kernels;
    if (gpu::GPUModuleOp kernelModule = getKernelModule(module))
      for (auto [i, function] : llvm::enumerate(getKernels(kernelModule)))
        kernels[function.getSymNameAttr()] = prune(function, i);
    LLVMTypeConverter types(&getContext());
    for (func::FuncOp entry : getEntries(module))
      if (failed(LaunchEmitter(entry, kernels, types).emit()))
        return signalPassFailure();
    auto left = module.walk([](gpu::LaunchFuncOp launch) {
      launch.emitOpError("stands in a function that is no entry: it has no "
                         "launch context");
      return WalkResult::interrupt();
    });
    if (left.wasInterrupted())
      return signalPassFailure();
  }

private:
  /// Drops the parameters that `function` does not read: a memref of rank 2
  /// comes as 7.
  static Kernel prune(LLVM::LLVMFuncOp function, unsigned index) {
    Kernel kernel{index, llvm::to_vector(function.getArgumentTypes()), {}};
    BitVector unused(function.getNumArguments());
    SmallVector<Type> types;
    SmallVector<Attribute> attrs;
    ArrayAttr allAttrs = function.getAllArgAttrs();
    for (BlockArgument argument : function.getArguments()) {
      unsigned i = argument.getArgNumber();
      if (argument.use_empty()) {
        unused.set(i);
        continue;
      }
      kernel.readParameters.push_back(i);
      types.push_back(argument.getType());
      if (allAttrs)
        attrs.push_back(allAttrs[i]);
    }
    // Not eraseArguments: it takes a void function for one without a result
    // type, which LLVM's dialect has not.
    function.setFunctionType(LLVM::LLVMFunctionType::get(
        function.getFunctionType().getReturnType(), types));
    if (allAttrs)
      function.setAllArgAttrs(attrs);
    function.getBody().front().eraseArguments(unused);
    return kernel;
  }
};

} // namespace
