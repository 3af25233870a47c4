//===- mlafuse-run.cpp - run a compiled library -----------------------===//
#include "Benchmark.h"
#include "Checksum.h"
#include "Describe.h"
#include "DeviceHint.h"
#include "ElementType.h"
#include "LibraryFile.h"

#include <cinttypes>
#include <cstdio>

using namespace mlafuse::rt;

namespace {

Error choose(const mlafuse_module *module, const Manifest &manifest,
             const std::string &name, const mlafuse_function *&handle,
             const Function *&function) {
  if (name.empty() && manifest.functions.size() != 1) {
    std::vector<std::string> names;
    for (const Function &candidate : manifest.functions)
      names.push_back(candidate.name);
    return Error(
        MLAFUSE_INVALID_ARGUMENT,
        concat({"give --function=NAME; the library has: ", join(names)}));
  }
  const std::string &wanted = name.empty() ? manifest.functions[0].name : name;
  if (Error error = check(mlafuse_module_find(module, wanted.c_str(), &handle)))
    return error;
  for (const Function &candidate : manifest.functions)
    if (candidate.name == wanted)
      function = &candidate;
  return {};
}

Error deliver(const Run &run, const Function &function,
              const Options &options) {
  std::vector<SafeTensor> results;
  std::vector<HostBuffer> buffers;
  if (Error error = run.fetch(results, buffers))
    return error;
  if (!options.outputs.empty())
    return writeSafeTensors(options.outputs, results, {});
  for (size_t i = 0; i < results.size(); ++i) {
    const SafeTensor &result = results[i];
    const Argument &argument = function.arguments[function.results[i].argument];
    printf("%s: %s %s fnv1a %016" PRIx64 "\n", result.name.c_str(),
           typeName(argument.type).c_str(), shapeText(result.shape).c_str(),
           checksum(result.data, result.bytes));
  }
  return {};
}

Error runFunction(mlafuse_context *context, const mlafuse_function *handle,
                  const Function &function, const Options &options) {
  SafeTensorsFile inputs;
  if (!options.inputs.empty())
    if (Error error = inputs.open(options.inputs))
      return error;
  Sizes sizes;
  if (Error error = solveSizes(function, inputs, options, sizes))
    return error;
  if (options.random)
    printf("seed: %" PRIu64 "\n", *options.random);
  Run run(context, handle, function);
  if (Error error = run.prepare(sizes, options))
    return error;
  if (Error error = run.poison())
    return error;
  if (Error error = run.enqueue())
    return error;
  if (Error error = run.wait())
    return error;
  if (Error error = run.checkGuards())
    return error;
  // Before the timed runs, which change arguments that are read and written.
  if (Error error = deliver(run, function, options))
    return error;
  if (options.benchmark == 0)
    return {};
  if (Error error = benchmark(run, options.benchmark, options.device != "cpu"))
    return error;
  return run.checkGuards();
}

void list(const Manifest &manifest) {
  for (const Function &function : manifest.functions)
    fputs(describe(function, manifest.targets).c_str(), stdout);
}

Error runTool(const Options &options) {
  LibraryFile file;
  if (Error error = file.open(options.library))
    return error;
  const Manifest &manifest = file.getManifest();
  if (options.list && !options.isDeviceGiven && options.target.empty()) {
    list(manifest);
    return {};
  }
  if (Error error = checkDefaultDevice(manifest, options))
    return error;
  mlafuse_context *newContext;
  if (Error error = check(mlafuse_context_create(options.device.c_str(),
                                                 options.threads, &newContext)))
    return error;
  ContextHandle context(newContext);
  mlafuse_module *newModule;
  if (Error error = check(
          mlafuse_module_load_target(context.get(), options.library.c_str(),
                                     options.target.c_str(), &newModule)))
    return error;
  ModuleHandle module(newModule);
  if (options.list) {
    list(manifest);
    return {};
  }
  const mlafuse_function *handle;
  const Function *function = nullptr;
  if (Error error =
          choose(module.get(), manifest, options.function, handle, function))
    return error;
  return runFunction(context.get(), handle, *function, options);
}

} // namespace

int main(int argc, char **argv) {
  Options options;
  Error error = parseOptions(argc, argv, options);
  if (!error && options.help)
    fputs(helpText, stdout);
  else if (!error && options.version)
    printf("mlafuse-run %s\n", mlafuse_version_text());
  else if (!error)
    error = runTool(options);
  if (!error && (fflush(stdout) != 0 || ferror(stdout)))
    error = Error(MLAFUSE_EXECUTION_FAILED, "cannot write to standard output");
  if (!error)
    return 0;
  fprintf(stderr, "mlafuse-run: error: %s\n", error.getText().c_str());
  return 1;
}
