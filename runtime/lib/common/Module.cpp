//===- Module.cpp - a loaded compiled library -------------------------===//
#include "Module.h"
#include "Binding.h"

namespace mlafuse::rt {
namespace {

constexpr uintptr_t workspaceAlignment = 64;

Error badLibrary(std::string text) {
  return Error(MLAFUSE_BAD_LIBRARY, std::move(text));
}

LoadedFunction describe(const Module *module, const Function &function) {
  LoadedFunction loaded = {
      module, &function, BindingPlan(function), nullptr, nullptr, {}, {}};
  for (const Argument &argument : function.arguments) {
    std::vector<int64_t> &sizes = loaded.staticSizes.emplace_back();
    std::vector<const char *> &texts = loaded.dimTexts.emplace_back();
    for (const Dim &dim : argument.shape) {
      sizes.push_back(dim.kind == Dim::Kind::Static ? dim.value : unknownSize);
      texts.push_back(dim.text.c_str());
    }
  }
  return loaded;
}

} // namespace

Error Module::load(std::shared_ptr<Device> device, const std::string &path,
                   std::string_view chip, std::unique_ptr<Module> &module) {
  std::unique_ptr<Module> loaded(new Module(std::move(device)));
  if (Error error = loaded->file.open(path))
    return error;
  Error error = loaded->choose(chip);
  if (!error)
    error = loaded->resolveFunctions();
  if (!error)
    error = loaded->loadKernels();
  if (error)
    return std::move(error).in(quoted(path));
  module = std::move(loaded);
  return {};
}

Module::~Module() {
  if (kernels)
    device->unload(kernels);
}

Error Module::choose(std::string_view chip) {
  const Backend &backend = device->getBackend();
  if (backend.checkChip)
    return chooseCpu(chip);
  return chooseTarget(file.getManifest().targets, backend.name,
                      device->getChip(), chip, choice);
}

Error Module::chooseCpu(std::string_view chip) {
  const Backend &backend = device->getBackend();
  const std::vector<Target> &targets = file.getManifest().targets;
  Error error;
  for (size_t i = 0; i < targets.size(); ++i) {
    const Target &target = targets[i];
    if (target.backend != backend.name ||
        (!chip.empty() && target.chip != chip))
      continue;
    choice.target = i;
    error = device->call(backend.checkChip, target.chip.c_str());
    if (!error)
      return {};
  }
  if (error)
    return error;
  return badLibrary(
      concat({"compiled for ", listTargets(targets), "; wanted one for ",
              backend.name, chip.empty() ? "" : ":", chip}));
}

Error Module::resolveFunctions() {
  const std::string &prefix = getTarget().prefix;
  functions.reserve(file.getManifest().functions.size());
  for (const Function &function : file.getManifest().functions) {
    LoadedFunction &loaded = functions.emplace_back(describe(this, function));
    std::string entry = concat({prefix, "_entry_", function.name});
    std::string workspace = concat({prefix, "_workspace_", function.name});
    void *entryAddress = file.find(entry);
    void *workspaceAddress = file.find(workspace);
    if (!entryAddress || !workspaceAddress)
      return badLibrary(concat({"function ", quoted(function.name),
                                " of the manifest: the library exports no ",
                                entryAddress ? workspace : entry}));
    loaded.entry = reinterpret_cast<EntryFunction>(entryAddress);
    loaded.workspace =
        reinterpret_cast<int64_t (*)(void *const *)>(workspaceAddress);
  }
  return {};
}

Error Module::loadKernels() {
  const Backend &backend = device->getBackend();
  if (!backend.load)
    return {};
  const Target &target = getTarget();
  const Image &image = target.images[choice.image];
  void *data = file.find(image.symbol);
  if (!data)
    return badLibrary(
        concat({"the library exports no ", image.symbol, ", the code for ",
                target.backend, ":", target.chip}));
  return device->call(backend.load,
                      KernelImage{data, static_cast<size_t>(image.bytes),
                                  image.format == ImageFormat::Ptx,
                                  target.kernels},
                      &kernels);
}

Error Module::find(std::string_view name,
                   const LoadedFunction *&function) const {
  std::string names;
  for (const LoadedFunction &candidate : functions) {
    if (candidate.function->name == name) {
      function = &candidate;
      return {};
    }
    names += concat({names.empty() ? "" : ", ", candidate.function->name});
  }
  return Error(MLAFUSE_NOT_FOUND,
               concat({"there is no function ", quoted(name),
                       "; the library has: ", names.empty() ? "none" : names}));
}

Error Module::workspaceSize(const LoadedFunction &function,
                            const mlafuse_tensor *tensors, size_t count,
                            int64_t &bytes) const {
  Binding binding(function.plan);
  if (Error error = binding.bind(tensors, count, /*checkData=*/false))
    return error;
  bytes = function.workspace(binding.descriptors());
  return {};
}

Error Module::launch(const LoadedFunction &function,
                     const mlafuse_tensor *tensors, size_t count, void *stream,
                     void *workspace, int64_t workspaceSize) const {
  Binding binding(function.plan);
  if (Error error = binding.bind(tensors, count, /*checkData=*/true))
    return error;
  auto failed = [&](std::string text) {
    return Error(
        MLAFUSE_INVALID_ARGUMENT,
        concat({"function ", quoted(function.function->name), ": ", text}));
  };
  int64_t needed = function.workspace(binding.descriptors());
  if (workspaceSize < needed)
    return failed(concat({"the workspace has ", std::to_string(workspaceSize),
                          " bytes; wanted ", std::to_string(needed)}));
  if (needed > 0 && !workspace)
    return failed(concat(
        {"the workspace is NULL; wanted ", std::to_string(needed), " bytes"}));
  if (reinterpret_cast<uintptr_t>(workspace) % workspaceAlignment != 0)
    return failed("the workspace is not aligned to 64 bytes");
  Launch launch = {function.entry, kernels,   binding.descriptors(),
                   stream,         workspace, workspaceSize};
  Error error = device->call(device->getBackend().launch, launch);
  if (!error)
    return {};
  return std::move(error).in(
      concat({"function ", quoted(function.function->name)}));
}

} // namespace mlafuse::rt
