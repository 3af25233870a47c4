//===- Targets.cpp - what a library is compiled for -----------------------===//

#include "Targets.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlafuse;

static llvm::Expected<const Chip *>
parseChip(llvm::StringRef target, llvm::StringRef name, Vendor vendor) {
  const Chip *chip = findChip(name);
  if (!chip)
    return llvm::createStringError("unknown chip '" + name + "' in target '" +
                                   target + "': chips are " + listChips());
  if (chip->vendor != vendor)
    return llvm::createStringError(
        "'" + target + "': " + name + " is a chip of " +
        (vendor == Vendor::NVIDIA ? "AMD: write rocdl:"
                                  : "NVIDIA: write nvvm:") +
        name);
  return chip;
}

static llvm::Expected<Target> parseTarget(llvm::StringRef text) {
  Target target;
  target.text = text.str();
  auto [backend, name] = text.split(':');
  if (backend == "nvvm" || backend == "rocdl") {
    auto chip =
        parseChip(text, name, backend == "nvvm" ? Vendor::NVIDIA : Vendor::AMD);
    if (!chip)
      return chip.takeError();
    target.chip = *chip;
    return target;
  }
  target.cpu = name.str();
  if (backend == "cpu" && (!name.empty() || !text.contains(':')))
    return target;
  return llvm::createStringError(
      "unknown target '" + text +
      "': targets are cpu (this machine), cpu:NAME, with NAME a CPU of LLVM "
      "such as x86-64-v3, nvvm:CHIP and rocdl:CHIP, with CHIP one of " +
      listChips());
}

llvm::Expected<llvm::SmallVector<Target>>
mlafuse::parseTargets(llvm::StringRef list) {
  llvm::SmallVector<Target> targets;
  llvm::SmallVector<llvm::StringRef> texts;
  list.split(texts, ',');
  for (llvm::StringRef text : texts) {
    llvm::Expected<Target> target = parseTarget(text);
    if (!target)
      return target.takeError();
    for (const Target &other : targets) {
      if (other.text == target->text)
        return llvm::createStringError("target '" + text + "' is given twice");
      if (!other.chip && !target->chip)
        return llvm::createStringError("targets '" + other.text + "' and '" +
                                       text +
                                       "': a library has code for one CPU");
    }
    targets.push_back(std::move(*target));
  }
  return targets;
}

/// The number of an NVIDIA chip whose PTX later chips run: sm_80, but not
/// sm_90a.
static std::optional<unsigned> getPortableNumber(const Target &target) {
  unsigned number;
  if (!target.isNVIDIA() ||
      target.chip->name.drop_front(3).getAsInteger(10, number))
    return std::nullopt;
  return number;
}

const Target *mlafuse::findPortableTarget(llvm::ArrayRef<Target> targets) {
  const Target *oldest = nullptr;
  for (const Target &target : targets)
    if (auto number = getPortableNumber(target))
      if (!oldest || *number < *getPortableNumber(*oldest))
        oldest = &target;
  return oldest;
}
