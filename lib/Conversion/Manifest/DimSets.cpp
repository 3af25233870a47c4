//===- DimSets.cpp - which sizes of a function are equal ------------------===//

#include "DimSets.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlafuse;

using Kind = DimDefinition::Kind;

//===----------------------------------------------------------------------===//
// Members
//===----------------------------------------------------------------------===//

Dim DimSets::create() {
  parents.push_back(parents.size());
  sets.emplace_back();
  return parents.back();
}

Dim DimSets::constant(int64_t number) {
  auto [it, isNew] = constants.try_emplace(number, 0);
  if (isNew) {
    it->second = create();
    sets[it->second].number = number;
  }
  return it->second;
}

Dim DimSets::of(Value shaped, unsigned index) {
  int64_t size = cast<ShapedType>(shaped.getType()).getDimSize(index);
  if (ShapedType::isStatic(size))
    return constant(size);
  auto [it, isNew] = ofShaped.try_emplace({shaped, index}, 0);
  if (isNew)
    it->second = create();
  return it->second;
}

Dim DimSets::ofIndex(Value index) {
  APInt number;
  if (matchPattern(index, m_ConstantInt(&number)))
    return constant(number.getSExtValue());
  auto [it, isNew] = ofValues.try_emplace(index, 0);
  if (isNew)
    it->second = create();
  return it->second;
}

Dim DimSets::define(DimDefinition definition) {
  Dim dim = create();
  sets[dim].definitions.push_back(std::move(definition));
  return dim;
}

Dim DimSets::product(ArrayRef<Dim> factors) {
  if (factors.size() == 1)
    return factors.front();
  return define({Kind::Product, SmallVector<Dim, 4>(factors)});
}

Dim DimSets::sum(ArrayRef<Dim> terms) {
  return define({Kind::Sum, SmallVector<Dim, 4>(terms)});
}

Dim DimSets::align(Dim dim, int64_t multiple) {
  return define({Kind::Align, {dim}, multiple});
}

Dim DimSets::ceilDiv(Dim dim, int64_t divisor) {
  return define({Kind::CeilDiv, {dim}, divisor});
}

Dim DimSets::rows(Value shaped) {
  unsigned rank = cast<ShapedType>(shaped.getType()).getRank();
  SmallVector<Dim, 4> factors;
  for (unsigned i = 0; i + 1 < rank; ++i)
    factors.push_back(of(shaped, i));
  return factors.empty() ? constant(1) : product(factors);
}

//===----------------------------------------------------------------------===//
// Sets
//===----------------------------------------------------------------------===//

Dim DimSets::find(Dim dim) const {
  while (parents[dim] != dim)
    dim = parents[dim] = parents[parents[dim]];
  return dim;
}

void DimSets::equate(Dim a, Dim b) {
  a = find(a);
  b = find(b);
  // Two numbers that differ: the program is wrong, and its verifiers say so.
  if (a == b || (sets[a].number && sets[b].number))
    return;
  // The older set stays, so that suggestions keep their order.
  if (b < a)
    std::swap(a, b);
  Set &kept = sets[a], &merged = sets[b];
  parents[b] = a;
  if (!kept.number)
    kept.number = merged.number;
  kept.definitions.append(merged.definitions);
  if (kept.givenName.empty())
    kept.givenName = merged.givenName;
  if (kept.suggestedName.empty())
    kept.suggestedName = merged.suggestedName;
}

void DimSets::equateShapes(Value a, Value b) {
  auto shapeA = dyn_cast<RankedTensorType>(a.getType());
  auto shapeB = dyn_cast<RankedTensorType>(b.getType());
  if (!shapeA || !shapeB || shapeA.getRank() != shapeB.getRank())
    return;
  for (unsigned i = 0, rank = shapeA.getRank(); i < rank; ++i)
    equate(of(a, i), of(b, i));
}

void DimSets::suggest(Dim dim, StringRef name) {
  Set &set = sets[find(dim)];
  if (set.suggestedName.empty())
    set.suggestedName = name.str();
}

bool DimSets::rename(Dim dim, StringRef name, std::string &other) {
  Set &set = sets[find(dim)];
  if (!set.givenName.empty() && set.givenName != name) {
    other = set.givenName;
    return false;
  }
  set.givenName = name.str();
  return true;
}

std::optional<int64_t> DimSets::getNumber(Dim dim) const {
  return sets[find(dim)].number;
}
ArrayRef<DimDefinition> DimSets::getDefinitions(Dim dim) const {
  return sets[find(dim)].definitions;
}
StringRef DimSets::getGivenName(Dim dim) const {
  return sets[find(dim)].givenName;
}
StringRef DimSets::getSuggestedName(Dim dim) const {
  return sets[find(dim)].suggestedName;
}

//===----------------------------------------------------------------------===//
// Conclusions
//===----------------------------------------------------------------------===//

bool DimSets::simplifySum(Dim dim, const DimDefinition &definition) {
  int64_t number = 0;
  for (Dim term : definition.operands) {
    std::optional<int64_t> known = getNumber(term);
    if (!known)
      return false;
    number += *known;
  }
  equate(dim, constant(number));
  return true;
}

bool DimSets::simplifyOnce(Dim dim) {
  // A copy: new sets may move the old ones.
  SmallVector<DimDefinition, 1> definitions = sets[dim].definitions;
  for (const DimDefinition &definition : definitions) {
    if (definition.kind == Kind::Sum) {
      if (simplifySum(dim, definition))
        return true;
      continue;
    }
    if (definition.kind != Kind::Product) {
      std::optional<int64_t> number = getNumber(definition.operands.front());
      if (!number || *number < 0)
        continue;
      int64_t quotient = llvm::divideCeil(*number, definition.number);
      equate(dim, constant(definition.kind == Kind::CeilDiv
                               ? quotient
                               : quotient * definition.number));
      return true;
    }
    int64_t number = 1;
    SmallVector<Dim, 4> unknown;
    for (Dim factor : definition.operands) {
      if (std::optional<int64_t> known = getNumber(factor))
        number *= *known;
      else
        unknown.push_back(find(factor));
    }
    if (unknown.empty() || number == 0) {
      equate(dim, constant(number));
      return true;
    }
    if (unknown.size() > 1)
      continue;
    if (number == 1 && unknown.front() != dim) {
      equate(dim, unknown.front());
      return true;
    }
    // ceildiv(x, n) * n is how programs spell a rounding up.
    for (const DimDefinition &factor : getDefinitions(unknown.front()))
      if (factor.kind == Kind::CeilDiv && factor.number == number) {
        sets[dim].definitions.front() = {
            Kind::Align, {factor.operands.front()}, number};
        sets[dim].definitions.truncate(1);
        return true;
      }
  }
  return false;
}

void DimSets::simplify() {
  bool changed = true;
  while (changed) {
    changed = false;
    for (Dim dim = 0, end = parents.size(); dim < end; ++dim)
      if (find(dim) == dim && !sets[dim].number)
        changed |= simplifyOnce(dim);
  }
}
