//===- Modules.h - calls about images and kernels ---------------*- C++ -*-===//
#ifndef MLAFUSE_GPUSTUB_MODULES_H
#define MLAFUSE_GPUSTUB_MODULES_H

#include "Stub.h"

#include <map>

namespace mlafuse::gpustub {

struct Function {
  Module *module;
  uint32_t index;
  const Kernel *kernel;
  uint32_t mostDynamicShared; ///< Bytes that a launch may ask for.
};
struct Module {
  std::shared_ptr<const Code> code; ///< Graphs keep it.
  std::map<std::string, Function> functions;
};

Error loadModule(Call &call, Module **result, const void *image);
Error unloadModule(Call &call, Module *module);
Error getFunction(Call &call, Function **result, Module *module,
                  const char *name);

/// As both vendors number them.
enum FunctionAttribute : int32_t {
  MaxThreads = 0,
  SharedBytes = 1,
  LocalBytes = 3,
  Registers = 4,
  MaxDynamicSharedBytes = 8,
};
Error getAttribute(Call &call, int *value, int32_t attribute,
                   Function *function);
Error setAttribute(Call &call, Function *function, int32_t attribute,
                   int value);

Error checkFunction(Call &call, Function *function);

/// What a launch's caller gives.
struct LaunchRequest {
  Sizes grid, block;
  uint32_t dynamicSharedBytes;
  void **parameters, **extra;
  bool mayOverlap = false; ///< The launch ahead on its stream.
};
Error launch(Call &call, Function *function, const LaunchRequest &request,
             Stream *handle);

} // namespace mlafuse::gpustub

#endif // MLAFUSE_GPUSTUB_MODULES_H
