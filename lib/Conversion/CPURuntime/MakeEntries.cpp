//===- MakeEntries.cpp - the C entry points of a library ------------------===//

#include "Context.h"
#include "MLAFuse/Conversion/Passes.h"
#include "MLAFuse/Conversion/Signature.h"
#include "MLAFuse/Conversion/Workspace.h"
#include "mlafuse/runtime/abi.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/IR/SymbolTable.h"

namespace mlafuse {
#define GEN_PASS_DEF_MLAFUSEMAKEENTRIES
#include "MLAFuse/Conversion/Passes.h.inc"
} // namespace mlafuse

using namespace mlir;
using namespace mlafuse;

namespace {

/// Both C functions of one entry.
class EntryMaker {
public:
  EntryMaker(func::FuncOp function, FunctionSignature signature,
             StringRef prefix, const LLVMTypeConverter &types)
      : function(function), loc(function.getLoc()), types(types),
        builder(function), signature(std::move(signature)), prefix(prefix),
        ptr(LLVM::LLVMPointerType::get(function.getContext())),
        i64(builder.getI64Type()) {
    auto module = function->getParentOfType<ModuleOp>();
    sizeFunction = module.lookupSymbol<func::FuncOp>(
        getWorkspaceSizeName(function.getName()));
  }

  LogicalResult make() {
    if (failed(check()) || failed(makeWorkspace()))
      return failure();
    return makeEntry();
  }

private:
  InFlightDiagnostic emitError() {
    return function.emitError("entry '") << function.getName() << "' ";
  }

  /// The function is what the passes before this one leave: it takes the
  /// context, the arguments of the signature and perhaps the workspace, and
  /// gives a status or nothing.
  LogicalResult check() {
    ArrayRef<Type> given = function.getArgumentTypes();
    size_t count = signature.arguments.size();
    size_t wanted = 1 + count + (sizeFunction ? 1 : 0);
    ArrayRef<Type> results = function.getResultTypes();
    bool givesStatus = results == ArrayRef<Type>(builder.getI32Type());
    if (!(results.empty() || givesStatus) || given.size() != wanted ||
        given.front() != ptr)
      return emitError() << "does not take the launch context and what its "
                            "signature lists, or gives other results than a "
                            "status; run the passes of 'mlafuse-cpu-pipeline' "
                            "or 'mlafuse-gpu-pipeline' in their order";
    for (auto [type, argument] :
         llvm::zip(given.slice(1, count), signature.arguments)) {
      auto memory = dyn_cast<MemRefType>(type);
      if (!memory || memory.getRank() != int64_t(argument.shape.size()) ||
          !types.convertType(memory))
        return emitError() << "takes " << type << " as argument '"
                           << argument.name
                           << "', which is not what its signature says";
    }
    for (const ResultSignature &result : signature.results)
      if (!result.argument || *result.argument < 0 ||
          *result.argument >= int64_t(count))
        return emitError() << "has the result '" << result.name
                           << "', which names no argument";
    return sizeFunction ? checkSizeFunction() : success();
  }

  LogicalResult checkSizeFunction() {
    Type workspace =
        MemRefType::get({ShapedType::kDynamic}, builder.getI8Type());
    auto wanted = builder.getFunctionType(
        function.getArgumentTypes().drop_front().drop_back(),
        builder.getIndexType());
    if (function.getArgumentTypes().back() == workspace &&
        sizeFunction.getFunctionType() == wanted)
      return success();
    return emitError() << "has no workspace, or '" << sizeFunction.getName()
                       << "' does not compute its size";
  }

  FailureOr<func::FuncOp> addFunction(StringRef kind, TypeRange arguments,
                                      Type result) {
    std::string name = (prefix + "_" + kind + "_" + signature.name).str();
    auto module = function->getParentOfType<ModuleOp>();
    if (module.lookupSymbol(name))
      return function.emitError("the name '")
             << name << "' of a compiled entry is taken by another symbol";
    builder.setInsertionPoint(function);
    auto added = func::FuncOp::create(
        builder, loc, name, builder.getFunctionType(arguments, result));
    builder.setInsertionPointToStart(added.addEntryBlock());
    return added;
  }

  /// The memref of argument `index`, whose offset the address takes in: code
  /// for a layout without offset does not look at that field.
  Value unpack(Value descriptors, unsigned index, MemRefType type) {
    Value slot = LLVM::GEPOp::create(
        builder, loc, ptr, ptr, descriptors,
        ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(index)});
    Value address = LLVM::LoadOp::create(builder, loc, ptr, slot);
    Value descriptor =
        LLVM::LoadOp::create(builder, loc, types.convertType(type), address);
    Value aligned = LLVM::ExtractValueOp::create(builder, loc, descriptor,
                                                 ArrayRef<int64_t>{1});
    Value offset = LLVM::ExtractValueOp::create(builder, loc, descriptor,
                                                ArrayRef<int64_t>{2});
    Value first = LLVM::GEPOp::create(builder, loc, ptr,
                                      types.convertType(type.getElementType()),
                                      aligned, ArrayRef<LLVM::GEPArg>{offset});
    Value zero = LLVM::ConstantOp::create(builder, loc, i64, 0);
    descriptor = LLVM::InsertValueOp::create(builder, loc, descriptor, first,
                                             ArrayRef<int64_t>{1});
    descriptor = LLVM::InsertValueOp::create(builder, loc, descriptor, zero,
                                             ArrayRef<int64_t>{2});
    return castThroughLowering(builder, loc, type, descriptor);
  }

  SmallVector<Value> unpackAll(Value descriptors) {
    SmallVector<Value> arguments;
    // The function's first argument is the context.
    for (unsigned i : llvm::seq<unsigned>(signature.arguments.size()))
      arguments.push_back(
          unpack(descriptors, i,
                 cast<MemRefType>(function.getArgumentTypes()[i + 1])));
    return arguments;
  }

  Value emitWorkspaceSize(ValueRange arguments) {
    if (!sizeFunction)
      return LLVM::ConstantOp::create(builder, loc, i64, 0);
    Value size = func::CallOp::create(builder, loc, sizeFunction, arguments)
                     .getResult(0);
    return arith::IndexCastOp::create(builder, loc, i64, size);
  }

  LogicalResult makeWorkspace() {
    FailureOr<func::FuncOp> added = addFunction("workspace", ptr, i64);
    if (failed(added))
      return failure();
    SmallVector<Value> arguments;
    if (sizeFunction)
      arguments = unpackAll(added->getArgument(0));
    Value size = emitWorkspaceSize(arguments);
    func::ReturnOp::create(builder, loc, size);
    return success();
  }

  /// A memref over the context's workspace.
  Value emitWorkspace(Value context, Value size) {
    auto type = cast<MemRefType>(function.getArgumentTypes().back());
    Value address =
        loadContextField(builder, loc, context, ContextField::Workspace);
    Value zero = LLVM::ConstantOp::create(builder, loc, i64, 0);
    Value one = LLVM::ConstantOp::create(builder, loc, i64, 1);
    Value descriptor =
        LLVM::PoisonOp::create(builder, loc, types.convertType(type));
    auto insert = [&](Value value, ArrayRef<int64_t> position) {
      descriptor = LLVM::InsertValueOp::create(builder, loc, descriptor, value,
                                               position);
    };
    insert(address, {0});
    insert(address, {1});
    insert(zero, {2});
    insert(size, {3, 0});
    insert(one, {4, 0});
    return castThroughLowering(builder, loc, type, descriptor);
  }

  Value emitStatus(int32_t status) {
    return arith::ConstantIntOp::create(builder, loc, status, 32);
  }

  LogicalResult makeEntry() {
    FailureOr<func::FuncOp> added =
        addFunction("entry", {ptr, ptr}, builder.getI32Type());
    if (failed(added))
      return failure();
    Value context = added->getArgument(0);

    // Nothing else of the context is read before its version is known.
    Value version =
        loadContextField(builder, loc, context, ContextField::AbiVersion);
    Value isKnown =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, version,
                              emitStatus(MLAFUSE_ABI_VERSION));
    auto ifKnown = scf::IfOp::create(builder, loc, builder.getI32Type(),
                                     isKnown, /*withElseRegion=*/true);
    func::ReturnOp::create(builder, loc, ifKnown.getResult(0));
    yieldBadContext(ifKnown);

    builder.setInsertionPointToStart(ifKnown.thenBlock());
    SmallVector<Value> arguments = unpackAll(added->getArgument(1));
    Value size = emitWorkspaceSize(arguments);
    Value given =
        loadContextField(builder, loc, context, ContextField::WorkspaceSize);
    Value isEnough = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::sle, size, given);
    auto ifEnough = scf::IfOp::create(builder, loc, builder.getI32Type(),
                                      isEnough, /*withElseRegion=*/true);
    scf::YieldOp::create(builder, loc, ifEnough.getResult(0));
    yieldBadContext(ifEnough);

    builder.setInsertionPointToStart(ifEnough.thenBlock());
    arguments.insert(arguments.begin(), context);
    if (sizeFunction)
      arguments.push_back(emitWorkspace(context, size));
    auto call = func::CallOp::create(builder, loc, function, arguments);
    scf::YieldOp::create(builder, loc,
                         call.getNumResults() ? call.getResult(0)
                                              : emitStatus(MLAFUSE_ENTRY_OK));
    return success();
  }

  void yieldBadContext(scf::IfOp branch) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(builder, loc, emitStatus(MLAFUSE_ENTRY_BAD_CONTEXT));
  }

  func::FuncOp function;
  Location loc;
  const LLVMTypeConverter &types;
  OpBuilder builder;
  FunctionSignature signature;
  StringRef prefix;
  Type ptr, i64;
  func::FuncOp sizeFunction; ///< Null if the entry needs no workspace.
};

struct MakeEntries : public mlafuse::impl::MLAFuseMakeEntriesBase<MakeEntries> {
  using MLAFuseMakeEntriesBase::MLAFuseMakeEntriesBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    LLVMTypeConverter types(&getContext());
    SmallVector<func::FuncOp> internal(module.getOps<func::FuncOp>());
    for (func::FuncOp entry : getEntries(module)) {
      FailureOr<FunctionSignature> signature = FunctionSignature::get(entry);
      if (failed(signature) ||
          failed(
              EntryMaker(entry, std::move(*signature), prefix, types).make()))
        return signalPassFailure();
    }
    if (failed(hide(internal)))
      return signalPassFailure();
  }

private:
  /// Everything but the entries is internal, under names that no library uses:
  /// LLVM takes a function `memcpy` for the one of libc.
  LogicalResult hide(ArrayRef<func::FuncOp> functions) {
    SymbolTable symbols(getOperation());
    auto internalLinkage =
        LLVM::LinkageAttr::get(&getContext(), LLVM::Linkage::Internal);
    for (func::FuncOp function : functions) {
      auto name = StringAttr::get(&getContext(), function.getName() + ".impl");
      if (failed(symbols.rename(function, name)))
        return failure();
      function.setPrivate();
      function->setAttr("llvm.linkage", internalLinkage);
    }
    return success();
  }
};

} // namespace
