//===- Side.h - a function on one of the two devices ----------*- C++ -*-===//
#ifndef MLAFUSE_TEST_DEVICECHECK_SIDE_H
#define MLAFUSE_TEST_DEVICECHECK_SIDE_H

#include "DeviceBuffer.h"
#include "Images.h"

namespace mlafuse::rt {

/// A library opened on a device.
class Side {
public:
  /// `target`: the chip whose code is to run, empty for the runtime's choice.
  Error open(const std::string &device, int32_t threads,
             const std::string &library, const std::string &target);

  const char *manifest() const { return mlafuse_module_manifest(module.get()); }
  mlafuse_context *getContext() const { return context.get(); }
  Error find(const std::string &name, const mlafuse_function *&handle) const {
    return check(mlafuse_module_find(module.get(), name.c_str(), &handle));
  }

private:
  ContextHandle context;
  ModuleHandle module;
};

/// The arguments of one function in the device's memory.
class Launcher {
public:
  Launcher(const Side &side, const Function &function, void *stream)
      : context(side.getContext()), function(function), stream(stream) {}

  /// Allocates the arguments, and the workspace between guard bytes.
  Error prepare(const mlafuse_function *handle,
                const std::vector<Placement> &placements);

  /// Fills the workspace with a byte.
  Error poisonWorkspace(uint8_t byte);

  /// Copies the images into the arguments and waits.
  Error upload(const std::vector<MemoryImage> &images);

  /// Puts the launch on the stream and does not wait.
  Error launch();

  /// Copies the arguments back once the stream is done, and checks the guards
  /// of the workspace.
  Error download(std::vector<MemoryImage> &images);

private:
  mlafuse_context *context;
  const Function &function;
  void *stream;
  const mlafuse_function *handle = nullptr;
  std::vector<DeviceBuffer> memories;
  std::vector<mlafuse_tensor> tensors;
  DeviceBuffer workspace;
  int64_t workspaceBytes = 0;
};

} // namespace mlafuse::rt

#endif // MLAFUSE_TEST_DEVICECHECK_SIDE_H
