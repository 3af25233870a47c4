//===- Side.cpp - a function on one of the two devices ----------------===//
#include "Side.h"

namespace mlafuse::rt {

Error Side::open(const std::string &device, int32_t threads,
                 const std::string &library, const std::string &target) {
  mlafuse_context *newContext;
  if (Error error =
          check(mlafuse_context_create(device.c_str(), threads, &newContext)))
    return error;
  context.reset(newContext);
  mlafuse_module *newModule;
  mlafuse_status status =
      target.empty()
          ? mlafuse_module_load(newContext, library.c_str(), &newModule)
          : mlafuse_module_load_target(newContext, library.c_str(),
                                       target.c_str(), &newModule);
  if (Error error = check(status))
    return error;
  module.reset(newModule);
  return {};
}

Error Launcher::prepare(const mlafuse_function *newHandle,
                        const std::vector<Placement> &placements) {
  handle = newHandle;
  memories.reserve(placements.size());
  for (size_t i = 0; i < placements.size(); ++i) {
    const Placement &placement = placements[i];
    // The image has guards of its own, which lie close to each tensor.
    if (Error error = memories.emplace_back().allocate(context, placement.bytes,
                                                       /*guarded=*/false))
      return error;
    tensors.push_back(
        {static_cast<uint8_t *>(memories[i].get()) + placement.begin,
         function.arguments[i].type,
         static_cast<int32_t>(placement.shape.size()), placement.shape.data(),
         placement.strides.data()});
  }
  if (Error error = check(mlafuse_workspace_size(
          handle, tensors.data(), tensors.size(), &workspaceBytes)))
    return error;
  return workspace.allocate(context, static_cast<size_t>(workspaceBytes),
                            /*guarded=*/true);
}

Error Launcher::poisonWorkspace(uint8_t byte) {
  if (workspaceBytes == 0)
    return {};
  std::vector<uint8_t> pattern(static_cast<size_t>(workspaceBytes), byte);
  return workspace.write(pattern.data());
}

Error Launcher::upload(const std::vector<MemoryImage> &images) {
  for (size_t i = 0; i < images.size(); ++i)
    if (Error error = memories[i].write(images[i].data()))
      return error;
  return {};
}

Error Launcher::launch() {
  return check(mlafuse_launch(handle, stream, tensors.data(), tensors.size(),
                              workspace.get(), workspaceBytes));
}

Error Launcher::download(std::vector<MemoryImage> &images) {
  // Copies go to the default stream.
  if (Error error = check(mlafuse_synchronize(context, stream)))
    return error;
  for (size_t i = 0; i < images.size(); ++i)
    if (Error error = memories[i].read(images[i].data()))
      return error;
  return workspace.checkGuards().in("workspace");
}

} // namespace mlafuse::rt
