//===- Function.h - a compiled function with its tensors --------*- C++ -*-===//
#ifndef MLAFUSE_BENCHMARK_CPU_FUNCTION_H
#define MLAFUSE_BENCHMARK_CPU_FUNCTION_H

#include "mlafuse/runtime/mlafuse.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

/// A function of a compiled library, its tensors and its workspace. Any failure
/// ends the program with the runtime's own words.
class Function {
public:
  Function(mlafuse_context *context, const char *library, const char *name) {
    check(mlafuse_module_load(context, library, &module));
    check(mlafuse_module_find(module, name, &function));
  }
  ~Function() { mlafuse_module_unload(module); }

  /// Adds the next argument. Its memory is uninitialized and lives with this.
  template <typename T>
  T *add(mlafuse_type type, std::vector<int64_t> shape) {
    int64_t count = 1;
    for (int64_t size : shape)
      count *= size;
    memory.emplace_back(std::aligned_alloc(64, (count * sizeof(T) + 63) & ~63));
    shapes.push_back(std::make_unique<std::vector<int64_t>>(std::move(shape)));
    tensors.push_back({memory.back().get(), type,
                       static_cast<int32_t>(shapes.back()->size()),
                       shapes.back()->data(), nullptr});
    return static_cast<T *>(memory.back().get());
  }

  /// Once all arguments are there.
  void prepare() {
    int64_t bytes = 0;
    check(mlafuse_workspace_size(function, tensors.data(), tensors.size(),
                                 &bytes));
    workspaceSize = bytes;
    workspace.reset(std::aligned_alloc(64, (bytes + 64) & ~63));
  }

  void run() {
    check(mlafuse_launch(function, nullptr, tensors.data(), tensors.size(),
                         workspace.get(), workspaceSize));
  }

private:
  static void check(mlafuse_status status) {
    if (status == MLAFUSE_OK)
      return;
    std::fprintf(stderr, "mlafuse-bench-cpu: error: %s\n",
                 mlafuse_last_error());
    std::exit(1);
  }

  struct Free {
    void operator()(void *memory) const { std::free(memory); }
  };
  mlafuse_module *module = nullptr;
  const mlafuse_function *function = nullptr;
  std::vector<std::unique_ptr<void, Free>> memory;
  std::vector<std::unique_ptr<std::vector<int64_t>>> shapes;
  std::vector<mlafuse_tensor> tensors;
  std::unique_ptr<void, Free> workspace;
  int64_t workspaceSize = 0;
};

#endif // MLAFUSE_BENCHMARK_CPU_FUNCTION_H
