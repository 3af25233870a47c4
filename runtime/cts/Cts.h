//===- Cts.h - what the conformance tests share ---------------*- C++ -*-===//
#ifndef MLAFUSE_RUNTIME_CTS_CTS_H
#define MLAFUSE_RUNTIME_CTS_CTS_H

#include "mlafuse/runtime/dlpack.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace mlafuse::cts {

/// What the command line asks to test.
struct Config {
  std::string backend = "cpu";
  /// Directory of the libraries that this directory builds.
  std::string libraries = CTS_LIBRARIES;
  /// The whole library; empty: the one in `libraries`.
  std::string fixture;
};

const Config &config();

inline const char *backend() { return config().backend.c_str(); }
inline bool isCpu() { return config().backend == "cpu"; }

/// The DLPack device type of the backend's memory.
DLDeviceType dlpackDevice();

/// Path of a library that this directory builds.
inline std::string library(const std::string &name) {
  return config().libraries + "/libmlafuse_cts_" + name + ".so";
}

/// Path of the whole library.
inline std::string fixture() {
  return config().fixture.empty() ? library("fixture") : config().fixture;
}

/// Passes if `call` failed with `status` and an error text that has each part.
inline void expectError(mlafuse_status actual, mlafuse_status status,
                        const std::vector<std::string> &parts) {
  EXPECT_EQ(actual, status) << mlafuse_last_error();
  for (const std::string &part : parts)
    EXPECT_NE(std::string(mlafuse_last_error()).find(part), std::string::npos)
        << "\"" << part << "\" is not in: " << mlafuse_last_error();
}

/// A tensor in the device's memory.
class Tensor {
public:
  template <typename T>
  Tensor(mlafuse_context *context, mlafuse_type type,
         std::vector<int64_t> sizes, const std::vector<T> &values)
      : shape(std::move(sizes)), context(context),
        bytes(values.size() * sizeof(T)) {
    EXPECT_EQ(mlafuse_alloc(context, bytes, &memory), MLAFUSE_OK);
    EXPECT_EQ(mlafuse_copy(context, nullptr, memory, values.data(), bytes,
                           MLAFUSE_HOST_TO_DEVICE),
              MLAFUSE_OK);
    EXPECT_EQ(mlafuse_synchronize(context, nullptr), MLAFUSE_OK);
    view = {memory, type, static_cast<int32_t>(shape.size()), shape.data(),
            nullptr};
  }
  ~Tensor() { mlafuse_free(context, memory); }
  Tensor(const Tensor &) = delete;
  Tensor &operator=(const Tensor &) = delete;

  template <typename T>
  std::vector<T> read() const {
    std::vector<T> values(bytes / sizeof(T));
    EXPECT_EQ(mlafuse_copy(context, nullptr, values.data(), memory, bytes,
                           MLAFUSE_DEVICE_TO_HOST),
              MLAFUSE_OK);
    EXPECT_EQ(mlafuse_synchronize(context, nullptr), MLAFUSE_OK);
    return values;
  }

  std::vector<int64_t> shape;
  mlafuse_tensor view;

private:
  mlafuse_context *context;
  void *memory = nullptr;
  size_t bytes;
};

/// An open device with the whole library loaded.
class CtsTest : public ::testing::Test {
protected:
  void SetUp() override {
    ASSERT_EQ(mlafuse_context_create(backend(), 3, &context), MLAFUSE_OK)
        << mlafuse_last_error();
    ASSERT_EQ(mlafuse_module_load(context, fixture().c_str(), &module),
              MLAFUSE_OK)
        << mlafuse_last_error();
  }
  void TearDown() override {
    mlafuse_module_unload(module);
    mlafuse_context_destroy(context);
  }

  const mlafuse_function *find(const char *name) {
    const mlafuse_function *function = nullptr;
    EXPECT_EQ(mlafuse_module_find(module, name, &function), MLAFUSE_OK)
        << mlafuse_last_error();
    return function;
  }

  mlafuse_context *context = nullptr;
  mlafuse_module *module = nullptr;
};

/// The tensors of scale_rows for `rows` rows: x[i] = i, s[row] = row + 1.
struct ScaleRows {
  ScaleRows(mlafuse_context *context, int64_t rows)
      : x(context, MLAFUSE_F32, {rows, 4}, ramp(rows * 4, 0)),
        s(context, MLAFUSE_F32, {rows}, ramp(rows, 1)),
        y(context, MLAFUSE_F32, {rows, 4},
          std::vector<float>(static_cast<size_t>(rows) * 4, -1)),
        // A slot of 64 bytes for each row.
        workspace(context, MLAFUSE_I8, {rows * 64},
                  std::vector<int8_t>(static_cast<size_t>(rows) * 64)),
        tensors{x.view, s.view, y.view} {}

  static std::vector<float> ramp(int64_t count, float first) {
    std::vector<float> values(static_cast<size_t>(count));
    for (size_t i = 0; i < values.size(); ++i)
      values[i] = first + static_cast<float>(i);
    return values;
  }

  static std::vector<float> wanted(int64_t rows) {
    std::vector<float> values = ramp(rows * 4, 0);
    for (size_t i = 0; i < values.size(); ++i)
      values[i] *= static_cast<float>(i / 4 + 1);
    return values;
  }

  mlafuse_status launch(const mlafuse_function *function,
                        void *stream = nullptr) {
    return mlafuse_launch(function, stream, tensors.data(), tensors.size(),
                          workspace.view.data, workspace.shape[0]);
  }

  Tensor x, s, y, workspace;
  std::vector<mlafuse_tensor> tensors;
};

} // namespace mlafuse::cts

#endif // MLAFUSE_RUNTIME_CTS_CTS_H
