//===- CApiModule.cpp - modules, queries and launches -----------------===//
#include "CApi.h"

using namespace mlafuse::rt;

namespace {

Module *unwrap(mlafuse_module *module) {
  return reinterpret_cast<Module *>(module);
}

const Module *unwrap(const mlafuse_module *module) {
  return reinterpret_cast<const Module *>(module);
}

const mlafuse_function *wrap(const LoadedFunction &function) {
  return reinterpret_cast<const mlafuse_function *>(&function);
}

mlafuse_status reportIndex(const LoadedFunction &function, const char *what,
                           size_t index, size_t count) {
  return report(
      Error(MLAFUSE_INVALID_ARGUMENT,
            concat({"function ", quoted(function.function->name),
                    ": there is no ", what, " ", std::to_string(index),
                    "; it has ", std::to_string(count)})));
}

} // namespace

mlafuse_status mlafuse_module_load(mlafuse_context *context, const char *path,
                                   mlafuse_module **module) {
  return mlafuse_module_load_target(context, path, "", module);
}

mlafuse_status mlafuse_module_load_target(mlafuse_context *context,
                                          const char *path, const char *chip,
                                          mlafuse_module **module) {
  if (!context)
    return reportNull("context");
  if (!path)
    return reportNull("path");
  if (!chip)
    return reportNull("chip");
  if (!module)
    return reportNull("module");
  std::unique_ptr<Module> loaded;
  if (Error error = Module::load(context->device, path, chip, loaded))
    return report(error);
  *module = reinterpret_cast<mlafuse_module *>(loaded.release());
  return MLAFUSE_OK;
}

void mlafuse_module_unload(mlafuse_module *module) { delete unwrap(module); }

const char *mlafuse_module_manifest(const mlafuse_module *module) {
  return unwrap(module)->getManifestText();
}

const char *mlafuse_module_chip(const mlafuse_module *module) {
  return unwrap(module)->getTarget().chip.c_str();
}

size_t mlafuse_module_function_count(const mlafuse_module *module) {
  return unwrap(module)->getFunctions().size();
}

const mlafuse_function *mlafuse_module_function(const mlafuse_module *module,
                                                size_t index) {
  const std::vector<LoadedFunction> &functions = unwrap(module)->getFunctions();
  return index < functions.size() ? wrap(functions[index]) : nullptr;
}

mlafuse_status mlafuse_module_find(const mlafuse_module *module,
                                   const char *name,
                                   const mlafuse_function **function) {
  if (!module)
    return reportNull("module");
  if (!name)
    return reportNull("name");
  if (!function)
    return reportNull("function");
  const LoadedFunction *found;
  if (Error error = unwrap(module)->find(name, found))
    return report(error);
  *function = wrap(*found);
  return MLAFUSE_OK;
}

const char *mlafuse_function_name(const mlafuse_function *function) {
  return unwrap(function).function->name.c_str();
}

size_t mlafuse_function_argument_count(const mlafuse_function *function) {
  return unwrap(function).function->arguments.size();
}

size_t mlafuse_function_result_count(const mlafuse_function *function) {
  return unwrap(function).function->results.size();
}

mlafuse_status mlafuse_function_argument(const mlafuse_function *function,
                                         size_t index,
                                         mlafuse_argument_info *info) {
  if (!function)
    return reportNull("function");
  if (!info)
    return reportNull("info");
  const LoadedFunction &loaded = unwrap(function);
  const std::vector<Argument> &arguments = loaded.function->arguments;
  if (index >= arguments.size())
    return reportIndex(loaded, "argument", index, arguments.size());
  const Argument &argument = arguments[index];
  info->name = argument.name.c_str();
  info->type = argument.type;
  info->layout = argument.layout;
  info->access = argument.access;
  info->rank = static_cast<int32_t>(argument.shape.size());
  info->static_sizes = loaded.staticSizes[index].data();
  info->dims = loaded.dimTexts[index].data();
  return MLAFUSE_OK;
}

mlafuse_status mlafuse_function_result(const mlafuse_function *function,
                                       size_t index,
                                       mlafuse_result_info *info) {
  if (!function)
    return reportNull("function");
  if (!info)
    return reportNull("info");
  const LoadedFunction &loaded = unwrap(function);
  const std::vector<Result> &results = loaded.function->results;
  if (index >= results.size())
    return reportIndex(loaded, "result", index, results.size());
  info->name = results[index].name.c_str();
  info->argument = results[index].argument;
  return MLAFUSE_OK;
}

mlafuse_status mlafuse_workspace_size(const mlafuse_function *function,
                                      const mlafuse_tensor *tensors,
                                      size_t count, int64_t *bytes) {
  if (!function)
    return reportNull("function");
  if (!bytes)
    return reportNull("bytes");
  const LoadedFunction &loaded = unwrap(function);
  return report(loaded.module->workspaceSize(loaded, tensors, count, *bytes));
}

mlafuse_status mlafuse_launch(const mlafuse_function *function, void *stream,
                              const mlafuse_tensor *tensors, size_t count,
                              void *workspace, int64_t workspace_size) {
  if (!function)
    return reportNull("function");
  const LoadedFunction &loaded = unwrap(function);
  return report(loaded.module->launch(loaded, tensors, count, stream, workspace,
                                      workspace_size));
}
