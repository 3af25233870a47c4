//===- launch.cpp - host time of a launch -----------------------------===//
//
// mlafuse-bench-launch LIBRARY: microseconds that the host spends in one
// mlafuse_launch of the library's `dual` (benchmark/peers/dual.mlir) for one
// token, and in one cuLaunchKernel, in turn. Prints one line of JSON.
//
//===------------------------------------------------------------------===//
#include "BareKernel.h"
#include "mlafuse/runtime/mlafuse.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

namespace {

[[noreturn]] void fail(const char *text) {
  fprintf(stderr, "mlafuse-bench-launch: error: %s\n", text);
  exit(1);
}

void check(mlafuse_status status) {
  if (status != MLAFUSE_OK)
    fail(mlafuse_last_error());
}

/// The function's tensors for one token; sizes that no symbol gives are known.
class Tensors {
public:
  Tensors(mlafuse_context *context, const mlafuse_function *function) {
    size_t count = mlafuse_function_argument_count(function);
    shapes.resize(count);
    for (size_t i = 0; i < count; ++i) {
      mlafuse_argument_info info;
      check(mlafuse_function_argument(function, i, &info));
      size_t bytes = sizeof(float);
      for (int32_t d = 0; d < info.rank; ++d) {
        shapes[i].push_back(std::max<int64_t>(info.static_sizes[d], 1));
        bytes *= static_cast<size_t>(shapes[i].back());
      }
      void *data;
      check(mlafuse_alloc(context, bytes, &data));
      tensors.push_back(
          {data, info.type, info.rank, shapes[i].data(), nullptr});
    }
    check(mlafuse_workspace_size(function, tensors.data(), count, &bytes));
    check(mlafuse_alloc(context, static_cast<size_t>(bytes), &workspace));
  }

  void launch(const mlafuse_function *function) const {
    check(mlafuse_launch(function, nullptr, tensors.data(), tensors.size(),
                         workspace, bytes));
  }

private:
  std::vector<std::vector<int64_t>> shapes;
  std::vector<mlafuse_tensor> tensors;
  void *workspace = nullptr;
  int64_t bytes = 0;
};

/// Microseconds of one call, while the device's queue has room.
double timeCalls(const std::function<void()> &call) {
  constexpr int calls = 200;
  auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < calls; ++i)
    call();
  std::chrono::duration<double, std::micro> time =
      std::chrono::steady_clock::now() - begin;
  return time.count() / calls;
}

double median(std::vector<double> &times) {
  std::nth_element(times.begin(), times.begin() + times.size() / 2,
                   times.end());
  return times[times.size() / 2];
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 2)
    fail("usage: mlafuse-bench-launch LIBRARY");
  mlafuse_context *context;
  mlafuse_module *module;
  const mlafuse_function *dual;
  check(mlafuse_context_create("cuda", 0, &context));
  check(mlafuse_module_load(context, argv[1], &module));
  check(mlafuse_module_find(module, "dual", &dual));
  Tensors tensors(context, dual);
  mlafuse::bench::BareKernel bare;
  if (!bare.open())
    fail(bare.getError().c_str());

  std::vector<double> ours, theirs;
  constexpr int rounds = 51;
  for (int round = 0; round < rounds; ++round) {
    ours.push_back(timeCalls([&] { tensors.launch(dual); }));
    check(mlafuse_synchronize(context, nullptr));
    theirs.push_back(timeCalls([&] {
      if (!bare.launch(2, 256))
        fail(bare.getError().c_str());
    }));
    check(mlafuse_synchronize(context, nullptr));
  }
  printf("{\"mlafuse\": %.3f, \"cuLaunchKernel\": %.3f}\n", median(ours),
         median(theirs));
  return 0;
}
