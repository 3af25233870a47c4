//===- Describe.cpp - derives the manifest from the tensor form -----------===//

#include "MLAFuse/Conversion/Passes.h"
#include "MLAFuse/Conversion/Signature.h"
#include "Resolve.h"
#include "Shapes.h"
#include "ValueRanges.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

namespace mlafuse {
#define GEN_PASS_DEF_MLAFUSEDESCRIBE
#include "MLAFuse/Conversion/Passes.h.inc"
} // namespace mlafuse

using namespace mlir;
using namespace mlafuse;

namespace {

/// Derives one function's signature.
class Describer {
public:
  explicit Describer(func::FuncOp function)
      : function(function), builder(function.getContext()) {}

  LogicalResult describe() {
    if (failed(checkName()))
      return failure();
    if (!function.getBody().hasOneBlock())
      return function.emitError("entry '")
             << function.getName()
             << "' branches between blocks; use scf.if, scf.for or scf.while";
    if (failed(checkTypes()))
      return failure();
    function->walk([&](Operation *op) {
      relateOwnShapes(op, dims);
      relateUpstreamShapes(op, dims);
    });
    dims.simplify();
    signature.name = function.getName().str();
    if (failed(nameDims()) || failed(describeArguments()) ||
        failed(describeResults()))
      return failure();
    signature.attachTo(function);
    return success();
  }

private:
  /// The name is part of the symbols that the library exports to C.
  LogicalResult checkName() {
    StringRef name = function.getName();
    if (!name.empty() &&
        llvm::all_of(name, [](char c) { return llvm::isAlnum(c) || c == '_'; }))
      return success();
    std::string text;
    llvm::raw_string_ostream stream(text);
    llvm::printEscapedString(name, stream);
    return function.emitError("the name \"")
           << text
           << "\" of an entry cannot be part of the C symbol "
              "'mlafuse_entry_<name>'; use letters of ASCII, digits and "
              "underscores";
  }

  /// What messages and JSON can show as it is.
  static bool isPrintable(StringRef text) {
    return llvm::json::isUTF8(text) && llvm::none_of(text, [](unsigned char c) {
             return c < 0x20 || c == 0x7F;
           });
  }

  static bool isManifestType(Type type) {
    return isa<BFloat16Type, Float16Type, Float32Type, Float8E4M3FNType,
               Float8E4M3FNUZType, Float8E5M2Type, Float8E8M0FNUType>(type) ||
           type.isSignlessInteger(8) || type.isSignlessInteger(32) ||
           type.isSignlessInteger(64);
  }

  LogicalResult checkType(Type type, const Twine &what) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (tensor && isManifestType(tensor.getElementType()))
      return success();
    return function.emitError()
           << what << " of entry '" << function.getName() << "' is " << type
           << "; entries take and give ranked tensors of bf16, f16, f32, "
              "f8E4M3FN, f8E4M3FNUZ, f8E5M2, f8E8M0FNU, i8, i32 or i64";
  }

  LogicalResult checkTypes() {
    for (auto [i, type] : llvm::enumerate(function.getArgumentTypes()))
      if (failed(checkType(type, "argument #" + Twine(i))))
        return failure();
    for (auto [i, type] : llvm::enumerate(function.getResultTypes()))
      if (failed(checkType(type, "result #" + Twine(i))))
        return failure();
    return success();
  }

  /// Sizes take the names that users gave them.
  LogicalResult nameDims() {
    for (BlockArgument argument : function.getArguments()) {
      unsigned index = argument.getArgNumber();
      Attribute attr = function.getArgAttr(index, kDimsAttr);
      if (!attr)
        continue;
      auto rank = cast<RankedTensorType>(argument.getType()).getRank();
      auto names = dyn_cast<ArrayAttr>(attr);
      if (!names || int64_t(names.size()) != rank ||
          !llvm::all_of(names, llvm::IsaPred<StringAttr>))
        return function.emitError()
               << "'" << kDimsAttr << "' of argument #" << index
               << " must be an array of " << rank
               << " strings, one per dimension (\"\" for none), got " << attr;
      for (auto [i, name] : llvm::enumerate(names.getAsRange<StringAttr>()))
        if (failed(nameDim(argument, i, name)))
          return failure();
    }
    return success();
  }

  LogicalResult nameDim(BlockArgument argument, unsigned i, StringRef name) {
    if (name.empty())
      return success();
    if (!isPrintable(name))
      return function.emitError()
             << "'" << kDimsAttr << "' of argument #" << argument.getArgNumber()
             << " has control characters or is not UTF-8";
    Dim dim = dims.of(argument, i);
    auto [it, isNew] = given.try_emplace(name, dim);
    dims.equate(it->second, dim);
    std::string other;
    if (dims.rename(dim, name, other))
      return success();
    return function.emitError()
           << "dimension " << i << " of argument #" << argument.getArgNumber()
           << " is named '" << name << "', but the ops that use it require it "
           << "equal to '" << other << "'; use one name";
  }

  FailureOr<std::string> getName(Attribute attr, StringRef kind,
                                 StringRef fallback, unsigned index,
                                 llvm::StringSet<> &taken) {
    std::string name = (fallback + Twine(index)).str();
    if (attr) {
      auto text = dyn_cast<StringAttr>(attr);
      if (!text || text.getValue().empty() || !isPrintable(text)) {
        function.emitError()
            << "'" << kNameAttr << "' must be a string of UTF-8 that is not "
            << "empty and has no control characters, got " << attr;
        return failure();
      }
      name = text.str();
    }
    if (taken.insert(name).second)
      return name;
    function.emitError() << "two " << kind << " of entry '"
                         << function.getName() << "' have the name '" << name
                         << "'";
    return failure();
  }

  SmallVector<Dim> getDims(Value tensor) {
    SmallVector<Dim> sizes;
    for (int64_t i :
         llvm::seq(cast<RankedTensorType>(tensor.getType()).getRank()))
      sizes.push_back(dims.of(tensor, i));
    return sizes;
  }

  Attribute boundAttr(const RangeBound &bound, DimResolver &resolver) {
    if (const double *number = std::get_if<double>(&bound))
      return builder.getF64FloatAttr(*number);
    return resolver.resolve(std::get<Dim>(bound));
  }

  /// True if some op writes into `value` or a view of it.
  static bool isDestination(Value value) {
    return llvm::any_of(value.getUses(), [](OpOperand &use) {
      Operation *user = use.getOwner();
      auto op = dyn_cast<DestinationStyleOpInterface>(user);
      if (op && op.isDpsInit(&use))
        return true;
      return isa<tensor::CastOp, tensor::CollapseShapeOp, tensor::ExpandShapeOp,
                 tensor::ExtractSliceOp>(user) &&
             isDestination(user->getResult(0));
    });
  }

  LogicalResult describeArguments() {
    SmallVector<std::optional<InputRange>> ranges;
    SmallVector<std::optional<Dim>> offsets;
    SmallVector<Dim> sizes;
    for (BlockArgument argument : function.getArguments()) {
      ranges.push_back(findInputRange(argument, dims));
      offsets.push_back(findOffsetsEnd(argument, dims));
      llvm::append_range(sizes, getDims(argument));
    }
    // Ranges may have added products and sums.
    dims.simplify();
    resolver.emplace(function.getContext(), dims, sizes);

    llvm::StringSet<> taken;
    for (auto [argument, range, end] :
         llvm::zip(function.getArguments(), ranges, offsets)) {
      unsigned index = argument.getArgNumber();
      auto type = cast<RankedTensorType>(argument.getType());
      FailureOr<std::string> name =
          getName(function.getArgAttr(index, kNameAttr), "arguments", "arg",
                  index, taken);
      if (failed(name))
        return failure();
      ArgumentSignature &entry = signature.arguments.emplace_back();
      entry.name = *name;
      entry.elementType = type.getElementType();
      for (Dim dim : getDims(argument))
        entry.shape.push_back(resolver->resolve(dim));
      if (function.getArgAttr(index, kStridedAttr)) {
        if (type.getRank() < 2)
          return function.emitError()
                 << "'" << kStridedAttr << "' of argument #" << index
                 << " needs a rank of 2 or more, got " << type;
        entry.strided = true;
      }
      if (isDestination(argument))
        entry.access = "write";
      if (end)
        entry.offsets = resolver->resolve(*end);
      if (!range)
        continue;
      Attribute low = boundAttr(range->low, *resolver);
      Attribute high = boundAttr(range->high, *resolver);
      if (low && high) {
        entry.range = builder.getArrayAttr({low, high});
        entry.distinct = range->distinct;
      }
    }
    return success();
  }

  LogicalResult describeResults() {
    Operation *terminator = function.getBody().front().getTerminator();
    llvm::StringSet<> taken;
    for (auto [i, value] : llvm::enumerate(terminator->getOperands())) {
      FailureOr<std::string> name = getName(
          function.getResultAttr(i, kNameAttr), "results", "result", i, taken);
      if (failed(name))
        return failure();
      ResultSignature &entry = signature.results.emplace_back();
      entry.name = *name;
      for (Dim dim : getDims(value)) {
        Attribute size = resolver->resolve(dim);
        entry.shape.push_back(size ? size
                                   : builder.getStringAttr(kUnknownSize));
      }
    }
    return success();
  }

  func::FuncOp function;
  Builder builder;
  DimSets dims;
  llvm::StringMap<Dim> given;
  std::optional<DimResolver> resolver;
  FunctionSignature signature;
};

struct Describe : public mlafuse::impl::MLAFuseDescribeBase<Describe> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (function.isPublic() && !function.isExternal() &&
          failed(Describer(function).describe()))
        return signalPassFailure();
  }
};

} // namespace
