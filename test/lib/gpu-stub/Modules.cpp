//===- Modules.cpp - images and their kernels -------------------------===//
#include "Modules.h"
#include "Translator.h"

#include <algorithm>

namespace mlafuse::gpustub {

/// Dynamic shared memory that a launch may have if nobody asked for more.
static uint32_t unaskedBytes(const Kernel &kernel, const Chip &chip) {
  uint32_t all = std::min(vendor.unaskedSharedBytes, chip.sharedBytes);
  return all - std::min(all, kernel.sharedBytes);
}

Error loadModule(Call &call, Module **result, const void *image) {
  if (!result || !image)
    return call.fail(InvalidValue,
                     "the image or the place for the module is null");
  *result = nullptr;
  if (Error error = call.stub.checkNoCapture(call))
    return error;
  std::string_view bytes;
  std::string problem = vendor.readImage(image, bytes);
  if (!problem.empty())
    return call.fail(InvalidImage, problem);
  auto code = std::make_shared<Code>();
  problem = translate(bytes, *code);
  if (!problem.empty())
    return call.fail(CannotTranslate, problem);
  problem = vendor.checkTarget(code->target, *call.stub.chip);
  if (!problem.empty())
    return call.fail(NoBinaryForDevice, problem);
  Module *module = new Module{code, {}};
  for (uint32_t i = 0; i < code->kernels.size(); ++i) {
    const Kernel &kernel = code->kernels[i];
    Function &function = module->functions[kernel.name];
    function = {module, i, &kernel, unaskedBytes(kernel, *call.stub.chip)};
    call.stub.functions.insert(&function);
  }
  call.stub.modules.insert(module);
  *result = module;
  return Success;
}

static Error checkModule(Call &call, Module *module) {
  return checkHandle(call, call.stub.modules, module, "module");
}

Error unloadModule(Call &call, Module *module) {
  if (Error error = checkModule(call, module))
    return error;
  Error error = call.stub.finishAll(call);
  for (auto &[name, function] : module->functions)
    call.stub.functions.erase(&function);
  call.stub.modules.erase(module);
  delete module;
  return error;
}

Error getFunction(Call &call, Function **result, Module *module,
                  const char *name) {
  if (!result || !name)
    return call.fail(InvalidValue,
                     "the name or the place for the function is null");
  *result = nullptr;
  if (Error error = checkModule(call, module))
    return error;
  auto found = module->functions.find(name);
  if (found == module->functions.end())
    return call.fail(NotFound,
                     std::string("the module has no kernel '") + name + "'");
  *result = &found->second;
  return Success;
}

Error checkFunction(Call &call, Function *function) {
  if (call.stub.functions.count(function))
    return Success;
  return call.fail(InvalidHandle,
                   "no kernel " + hex(function) + " is loaded (any more)");
}

static Error unknownAttribute(Call &call, int32_t attribute) {
  return call.fail(InvalidValue, "the stub does not know attribute " +
                                     std::to_string(attribute));
}

/// Which number `attribute` asks for; null if none that is known.
static const uint32_t *findAttribute(const Function &function,
                                     int32_t attribute) {
  const Kernel &kernel = *function.kernel;
  switch (attribute) {
  case MaxThreads:
    return &kernel.maxThreads;
  case SharedBytes:
    return &kernel.sharedBytes;
  case LocalBytes:
    return &kernel.localBytes;
  case Registers:
    return kernel.registers ? &*kernel.registers : nullptr;
  case MaxDynamicSharedBytes:
    return &function.mostDynamicShared;
  }
  return nullptr;
}

Error getAttribute(Call &call, int *value, int32_t attribute,
                   Function *function) {
  if (Error error = checkFunction(call, function))
    return error;
  if (Error error = checkPlace(call, value, "value"))
    return error;
  const uint32_t *found = findAttribute(*function, attribute);
  if (!found)
    return unknownAttribute(call, attribute);
  *value = static_cast<int>(*found);
  return Success;
}

Error setAttribute(Call &call, Function *function, int32_t attribute,
                   int value) {
  if (Error error = checkFunction(call, function))
    return error;
  if (attribute != MaxDynamicSharedBytes)
    return unknownAttribute(call, attribute);
  int most = static_cast<int>(call.stub.chip->sharedBytes -
                              function->kernel->sharedBytes);
  if (value < 0 || value > most)
    return call.fail(InvalidValue, std::to_string(value) +
                                       " bytes of dynamic " +
                                       vendor.sharedMemory + "; at most " +
                                       std::to_string(most) + " are left");
  // Who asks for less than everybody may have loses nothing.
  function->mostDynamicShared =
      std::max(unaskedBytes(*function->kernel, *call.stub.chip),
               static_cast<uint32_t>(value));
  return Success;
}

} // namespace mlafuse::gpustub
