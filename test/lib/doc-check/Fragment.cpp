//===- Fragment.cpp - examples of ops as whole functions ------------------===//

#include "Fragment.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;

namespace {

using Types = MapVector<StringRef, StringRef>;

bool isNameChar(char c) { return isAlnum(c) || c == '_' || c == '%'; }

/// The values that stand in `text`, in order.
SmallVector<StringRef> getValues(StringRef text) {
  SmallVector<StringRef> values;
  for (size_t at = text.find('%'); at != StringRef::npos;
       at = text.find('%', at + 1))
    values.push_back(text.substr(at).take_while(isNameChar));
  return values;
}

/// Where the bracket that opens at `open` closes, or the end.
size_t findClose(StringRef text, size_t open) {
  int depth = 0;
  for (size_t at = open; at < text.size(); ++at) {
    if (StringRef("(<[{").contains(text[at]))
      ++depth;
    else if (StringRef(")>]}").contains(text[at]) && --depth == 0)
      return at;
  }
  return text.size();
}

SmallVector<StringRef> splitTypes(StringRef text) {
  SmallVector<StringRef> types;
  int depth = 0;
  size_t begin = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    if (StringRef("(<[{").contains(text[at]))
      ++depth;
    else if (StringRef(")>]}").contains(text[at]))
      --depth;
    else if (text[at] == ',' && depth == 0) {
      types.push_back(text.slice(begin, at).trim());
      begin = at + 1;
    }
  }
  types.push_back(text.substr(begin).trim());
  return types;
}

/// Reads the types of the groups `(%a, %b : type, type)`.
void readGroups(StringRef text, Types &types) {
  for (size_t open = text.find('('); open != StringRef::npos;
       open = text.find('(', open + 1)) {
    StringRef group = text.slice(open + 1, findClose(text, open));
    auto [names, typeList] = group.split(':');
    SmallVector<StringRef> values = getValues(names);
    SmallVector<StringRef> groupTypes = splitTypes(typeList);
    if (!typeList.empty() && values.size() == groupTypes.size())
      for (auto [value, type] : zip(values, groupTypes))
        types.insert({value, type});
  }
}

} // namespace

bool mlafuse::doc::makeModule(StringRef example, std::string &module,
                              std::string &error) {
  if (example.contains("func.func") || example.contains("module {")) {
    module = example.str();
    return true;
  }
  if (!example.contains('%')) {
    module = ("module attributes {doc.example = " + example + "} {}\n").str();
    return true;
  }
  Types types;
  readGroups(example, types);

  StringSet<> known;
  std::string arguments;
  SmallVector<StringRef> lines;
  example.split(lines, '\n');
  for (StringRef line : lines) {
    // Results come to be known once the operands were looked at.
    auto [results, op] = line.split(" = ");
    bool defines = line.starts_with("%") && !op.empty();
    for (StringRef value : getValues(defines ? op : line)) {
      if (!known.insert(value).second)
        continue;
      if (!types.contains(value)) {
        error = ("no group (names : types) has the type of " + value).str();
        return false;
      }
      arguments +=
          ((arguments.empty() ? "" : ", ") + value + ": " + types[value]).str();
    }
    if (defines)
      for (StringRef value : getValues(results))
        known.insert(value);
  }
  module = "func.func @example(" + arguments + ") {\n" + example.str() +
           "return\n}\n";
  return true;
}
