//===- Module.h - a loaded compiled library -------------------*- C++ -*-===//
#ifndef MLAFUSE_RT_COMMON_MODULE_H
#define MLAFUSE_RT_COMMON_MODULE_H

#include "BindingPlan.h"
#include "Device.h"
#include "LibraryFile.h"
#include "TargetChoice.h"

namespace mlafuse::rt {

class Module;

/// A function of a module with its code and what queries hand out of it.
struct LoadedFunction {
  const Module *module;
  const Function *function;
  BindingPlan plan;
  EntryFunction entry;
  int64_t (*workspace)(void *const *descriptors);
  /// Per argument, its sizes as numbers (-1 where not fixed) and in words.
  std::vector<std::vector<int64_t>> staticSizes;
  std::vector<std::vector<const char *>> dimTexts;
};

class Module {
public:
  /// With `chip`, only code for that chip will do.
  static Error load(std::shared_ptr<Device> device, const std::string &path,
                    std::string_view chip, std::unique_ptr<Module> &module);
  ~Module();
  Module(const Module &) = delete;
  Module &operator=(const Module &) = delete;

  const Device &getDevice() const { return *device; }
  const char *getManifestText() const { return file.getManifestText(); }
  /// The target that was chosen.
  const Target &getTarget() const {
    return file.getManifest().targets[choice.target];
  }
  const std::vector<LoadedFunction> &getFunctions() const { return functions; }

  Error find(std::string_view name, const LoadedFunction *&function) const;

  /// Runs a function, or with `bytes` only tells how much workspace it needs.
  Error launch(const LoadedFunction &function, const mlafuse_tensor *tensors,
               size_t count, void *stream, void *workspace,
               int64_t workspaceSize) const;
  Error workspaceSize(const LoadedFunction &function,
                      const mlafuse_tensor *tensors, size_t count,
                      int64_t &bytes) const;

private:
  explicit Module(std::shared_ptr<Device> device) : device(std::move(device)) {}
  Error choose(std::string_view chip);
  Error chooseCpu(std::string_view chip);
  Error resolveFunctions();
  Error loadKernels();

  std::shared_ptr<Device> device;
  LibraryFile file;
  TargetChoice choice;
  void *kernels = nullptr;
  std::vector<LoadedFunction> functions;
};

} // namespace mlafuse::rt

#endif // MLAFUSE_RT_COMMON_MODULE_H
