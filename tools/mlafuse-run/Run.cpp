//===- Run.cpp - one function with its arguments on a device ----------===//
#include "Run.h"
#include "ElementType.h"
#include "RandomFill.h"

#include <cstring>

namespace mlafuse::rt {
namespace {

/// The only stream that the tool uses: the device's default one.
constexpr void *defaultStream = nullptr;

Error allocateHost(const std::string &name, size_t bytes, HostBuffer &buffer) {
  buffer.reset(new (std::nothrow) uint8_t[bytes]);
  if (buffer)
    return {};
  return Error(MLAFUSE_OUT_OF_RESOURCES,
               concat({"no memory for the ", std::to_string(bytes),
                       " bytes of ", quoted(name)}));
}

} // namespace

Error Run::prepare(const Sizes &sizes, const Options &options) {
  shapes = sizes.shapes;
  bytes = sizes.bytes;
  for (size_t i = 0; i < function.arguments.size(); ++i) {
    const Argument &argument = function.arguments[i];
    DeviceMemory &memory = memories.emplace_back();
    if (Error error = memory.allocate(context, bytes[i]))
      return std::move(error).in(concat({"argument ", quoted(argument.name),
                                         " of shape ", shapeText(shapes[i])}));
    tensors.push_back({memory.get(), argument.type,
                       static_cast<int32_t>(shapes[i].size()), shapes[i].data(),
                       nullptr});
    if (Error error = fillArgument(i, sizes, options))
      return error;
  }
  if (Error error = check(mlafuse_workspace_size(
          handle, tensors.data(), tensors.size(), &workspaceBytes)))
    return error;
  return workspace.allocate(context, static_cast<size_t>(workspaceBytes))
      .in("workspace");
}

Error Run::fillArgument(size_t index, const Sizes &sizes,
                        const Options &options) {
  const Argument &argument = function.arguments[index];
  const uint8_t *source;
  HostBuffer made;
  if (const SafeTensor *tensor = sizes.given[index]) {
    source = tensor->data;
  } else {
    if (Error error = allocateHost(argument.name, bytes[index], made))
      return error;
    source = made.get();
    // A pure destination is zero with --random too: what a function leaves
    // untouched is then easy to see.
    if (argument.access == MLAFUSE_WRITE)
      std::memset(made.get(), 0, bytes[index]);
    else if (Error error = fillRandom(
                 argument, sizes.symbols.data(), *options.random,
                 static_cast<int64_t>(bytes[index]) / typeBytes(argument.type),
                 made.get()))
      return error;
  }
  if (Error error =
          check(mlafuse_copy(context, defaultStream, memories[index].get(),
                             source, bytes[index], MLAFUSE_HOST_TO_DEVICE)))
    return error;
  // The host's buffer must live until a copy that is only begun is done.
  return check(mlafuse_synchronize(context, defaultStream));
}

Error Run::launch() {
  if (Error error = check(mlafuse_launch(handle, defaultStream, tensors.data(),
                                         tensors.size(), workspace.get(),
                                         workspaceBytes)))
    return error;
  return check(mlafuse_synchronize(context, defaultStream));
}

Error Run::fetch(std::vector<SafeTensor> &results,
                 std::vector<HostBuffer> &buffers) const {
  for (const Result &result : function.results) {
    size_t index = result.argument;
    HostBuffer &buffer = buffers.emplace_back();
    if (Error error = allocateHost(result.name, bytes[index], buffer))
      return error;
    if (Error error = check(mlafuse_copy(context, defaultStream, buffer.get(),
                                         memories[index].get(), bytes[index],
                                         MLAFUSE_DEVICE_TO_HOST)))
      return error;
    results.push_back({result.name,
                       safeTensorsType(function.arguments[index].type),
                       shapes[index], buffer.get(), bytes[index]});
  }
  return check(mlafuse_synchronize(context, defaultStream));
}

} // namespace mlafuse::rt
