//===- Memories.cpp - memory that several functions share -------------===//
#include "Memories.h"
#include "Outputs.h"

namespace mlafuse::rt {

const Memory &memoryOf(const Memories &memories, const Argument &argument) {
  return memories.find(argument.name)->second;
}

ArgumentList::ArgumentList(const Function &function, const Memories &memories)
    : function(function) {
  for (const Argument &argument : function.arguments) {
    const Memory &memory = memoryOf(memories, argument);
    placements.push_back(memory.placement);
    images.push_back(memory.image);
  }
}

void ArgumentList::store(Memories &memories) const {
  for (size_t i = 0; i < images.size(); ++i)
    memories.find(function.arguments[i].name)->second.image = images[i];
}

Error checkUntouched(const Function &function, const Memories &before,
                     const Memories &after) {
  for (const Argument &argument : function.arguments) {
    const Memory &memory = memoryOf(before, argument);
    if (Error error = checkUntouched(argument, memory.placement, memory.image,
                                     memoryOf(after, argument).image))
      return error;
  }
  return {};
}

Error checkSame(const Function &function, const Memories &first,
                const Memories &second, const char *what) {
  for (const Argument &argument : function.arguments)
    if (memoryOf(first, argument).image != memoryOf(second, argument).image)
      return Error(MLAFUSE_EXECUTION_FAILED,
                   concat({"argument ", quoted(argument.name), ": ", what}));
  return {};
}

} // namespace mlafuse::rt
