//===- Describe.cpp - functions and arguments in words ----------------===//
#include "Describe.h"
#include "ElementType.h"

namespace mlafuse::rt {

std::string join(const std::vector<std::string> &texts) {
  std::string joined;
  for (const std::string &text : texts)
    joined += concat({joined.empty() ? "" : ", ", text});
  return joined.empty() ? "none" : joined;
}

std::string shapeText(const Argument &argument) {
  std::string text = "[";
  for (size_t d = 0; d < argument.shape.size(); ++d)
    text += concat({d == 0 ? "" : ", ", argument.shape[d].text});
  return text + "]";
}

std::string describe(const Argument &argument) {
  return concat({typeName(argument.type), " ", shapeText(argument)});
}

/// A line on what a call of an entry of `target` takes.
static std::string describe(const Target &target, const Entry &entry) {
  std::string text = concat({"  on ", target.backend, ":", target.chip, ": "});
  bool isGpu = !target.images.empty();
  if (isGpu && entry.launches)
    text += concat({std::to_string(*entry.launches),
                    *entry.launches == 1 ? " launch" : " launches"});
  else if (isGpu)
    text += "launches in a loop";
  if (!entry.kernels.empty())
    text += concat({" of ", join(entry.kernels)});
  return concat(
      {text, isGpu ? "; " : "", "workspace ", entry.workspace, " bytes\n"});
}

std::string describe(const Function &function,
                     const std::vector<Target> &targets) {
  constexpr const char *accesses[] = {"read", "write", "readwrite"};
  std::string text = function.name + "\n";
  for (const Argument &argument : function.arguments)
    text += concat({"  argument ", argument.name, ": ", describe(argument),
                    argument.layout == MLAFUSE_STRIDED ? " strided " : " ",
                    accesses[argument.access], "\n"});
  for (const Result &result : function.results)
    text += concat({"  result ", result.name, ": argument ",
                    function.arguments[result.argument].name, "\n"});
  for (const Target &target : targets)
    for (const Entry &entry : target.entries)
      if (entry.name == function.name)
        text += describe(target, entry);
  return text;
}

} // namespace mlafuse::rt
