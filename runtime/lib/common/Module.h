//===- Module.h - a loaded compiled library -------------------*- C++ -*-===//
#ifndef MLAFUSE_RT_COMMON_MODULE_H
#define MLAFUSE_RT_COMMON_MODULE_H

#include "BindingPlan.h"
#include "Device.h"
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
  const char *getManifestText() const { return manifestText; }
  /// The target that was chosen.
  const Target &getTarget() const { return manifest.targets[choice.target]; }
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
  Module(std::shared_ptr<Device> device, void *library)
      : device(std::move(device)), library(library) {}
  Error readManifest();
  Error choose(std::string_view chip);
  Error chooseCpu(std::string_view chip);
  Error resolveFunctions();
  Error loadKernels();

  std::shared_ptr<Device> device;
  void *library;
  const char *manifestText = nullptr;
  Manifest manifest;
  TargetChoice choice;
  void *kernels = nullptr;
  std::vector<LoadedFunction> functions;
};

} // namespace mlafuse::rt

#endif // MLAFUSE_RT_COMMON_MODULE_H
