//===- SizeFormula.cpp - a computed size in words -------------------------===//

#include "SizeFormula.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlafuse;

namespace {

/// How tightly an expression holds together.
enum class Level { Sum, Product, Atom };

struct Text {
  std::string text;
  Level level = Level::Atom;

  /// As an operand of an expression of that level.
  std::string within(Level outer) const {
    return level < outer ? "(" + text + ")" : text;
  }
};

/// Terms of a sum, and the constants among them.
struct Sum {
  SmallVector<std::string> terms;
  int64_t constant = 0;
};

Text printCall(StringRef name, StringRef a, StringRef b) {
  return {(name + "(" + a + ", " + b + ")").str()};
}

Text printSum(const Sum &sum) {
  if (sum.terms.empty())
    return {std::to_string(sum.constant)};
  std::string text = llvm::join(sum.terms, " + ");
  if (sum.constant > 0)
    text += " + " + std::to_string(sum.constant);
  else if (sum.constant < 0)
    text += " - " + std::to_string(-sum.constant);
  bool isSum = sum.terms.size() > 1 || sum.constant != 0;
  return {text, isSum ? Level::Sum : Level::Product};
}

/// A size of the signature.
Text printSize(Attribute size) {
  if (auto number = dyn_cast<IntegerAttr>(size))
    return {std::to_string(number.getInt())};
  if (auto symbol = dyn_cast<StringAttr>(size))
    return {symbol.str()};
  NamedAttribute expression = *cast<DictionaryAttr>(size).begin();
  StringRef name = expression.getName();
  auto operands = cast<ArrayAttr>(expression.getValue());
  Level level = name == "sum" ? Level::Sum : Level::Product;
  bool isCall = name != "sum" && name != "product";
  auto printed = llvm::map_range(operands, [&](Attribute operand) {
    Text text = printSize(operand);
    return isCall ? text.text : text.within(level);
  });
  if (isCall)
    return {(name + "(" + llvm::join(printed, ", ") + ")").str()};
  return {llvm::join(printed, name == "sum" ? " + " : " * "), level};
}

class FormulaPrinter {
public:
  explicit FormulaPrinter(const FunctionSignature &signature)
      : signature(signature) {}

  Text print(Value value) const {
    auto call = [&](StringRef name, Operation *op) {
      return printCall(name, print(op->getOperand(0)).text,
                       print(op->getOperand(1)).text);
    };
    APInt number;
    if (matchPattern(value, m_ConstantInt(&number)))
      return {std::to_string(number.getSExtValue())};
    Operation *op = value.getDefiningOp();
    if (!op)
      return {kUnknownSize.str()};
    return llvm::TypeSwitch<Operation *, Text>(op)
        .Case([&](memref::DimOp dim) { return printDim(dim); })
        .Case([&](arith::AddIOp add) {
          Sum sum;
          collect(value, sum);
          return printSum(sum);
        })
        .Case([&](arith::SubIOp sub) {
          return Text{print(sub.getLhs()).text + " - " +
                          print(sub.getRhs()).within(Level::Product),
                      Level::Sum};
        })
        .Case([&](arith::MulIOp mul) { return printProduct(mul); })
        .Case([&](arith::AndIOp mask) { return printAlign(mask); })
        .Case([&](arith::IndexCastOp cast) { return print(cast.getIn()); })
        .Case<arith::CeilDivUIOp, arith::CeilDivSIOp>(
            [&](Operation *op) { return call("ceildiv", op); })
        .Case<arith::DivUIOp, arith::FloorDivSIOp>(
            [&](Operation *op) { return call("floordiv", op); })
        .Case<arith::MinUIOp, arith::MinSIOp>(
            [&](Operation *op) { return call("min", op); })
        .Case<arith::MaxUIOp, arith::MaxSIOp>(
            [&](Operation *op) { return call("max", op); })
        .Default(Text{kUnknownSize.str()});
  }

private:
  Text printDim(memref::DimOp dim) const {
    auto argument = dyn_cast<BlockArgument>(dim.getSource());
    std::optional<int64_t> index = dim.getConstantIndex();
    if (!argument || !index ||
        argument.getArgNumber() >= signature.arguments.size())
      return {kUnknownSize.str()};
    ArrayRef<Attribute> shape =
        signature.arguments[argument.getArgNumber()].shape;
    return *index >= 0 && *index < int64_t(shape.size())
               ? printSize(shape[*index])
               : Text{kUnknownSize.str()};
  }

  void collect(Value value, Sum &sum) const {
    APInt number;
    if (matchPattern(value, m_ConstantInt(&number))) {
      sum.constant += number.getSExtValue();
      return;
    }
    if (auto add = value.getDefiningOp<arith::AddIOp>()) {
      collect(add.getLhs(), sum);
      collect(add.getRhs(), sum);
      return;
    }
    sum.terms.push_back(print(value).text);
  }

  /// Constants first, as in a formula.
  Text printProduct(arith::MulIOp mul) const {
    Value first = mul.getLhs(), second = mul.getRhs();
    if (matchPattern(second, m_Constant()))
      std::swap(first, second);
    return {print(first).within(Level::Product) + " * " +
                print(second).within(Level::Product),
            Level::Product};
  }

  /// `x + (n - 1) & -n`, for a power of two, is x rounded up. Canonicalization
  /// merges n - 1 with other constants.
  Text printAlign(arith::AndIOp mask) const {
    APInt clear;
    if (!matchPattern(mask.getRhs(), m_ConstantInt(&clear)) ||
        !clear.isNegatedPowerOf2())
      return {kUnknownSize.str()};
    int64_t alignment = -clear.getSExtValue();
    Sum sum;
    collect(mask.getLhs(), sum);
    sum.constant -= alignment - 1;
    return printCall("align", printSum(sum).text, std::to_string(alignment));
  }

  const FunctionSignature &signature;
};

} // namespace

std::string mlafuse::printSizeFormula(Value size,
                                      const FunctionSignature &signature) {
  return FormulaPrinter(signature).print(size).text;
}
