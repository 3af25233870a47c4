//===- Run.cpp - one function with its arguments on a device ----------===//
#include "Run.h"
#include "ElementType.h"
#include "RandomFill.h"

#include <cstring>

namespace mlafuse::rt {

Error Run::prepare(const Sizes &sizes, const Options &options) {
  shapes = sizes.shapes;
  bytes = sizes.bytes;
  poisoned = options.poison;
  for (size_t i = 0; i < function.arguments.size(); ++i) {
    const Argument &argument = function.arguments[i];
    DeviceBuffer &buffer = buffers.emplace_back();
    isPureDestination.push_back(argument.access == MLAFUSE_WRITE &&
                                !sizes.given[i]);
    if (Error error = buffer.allocate(context, bytes[i], poisoned))
      return std::move(error).in(concat({"argument ", quoted(argument.name),
                                         " of shape ", shapeText(shapes[i])}));
    tensors.push_back({buffer.get(), argument.type,
                       static_cast<int32_t>(shapes[i].size()), shapes[i].data(),
                       nullptr});
    if (Error error = fillArgument(i, sizes, options))
      return error;
  }
  if (Error error = check(mlafuse_workspace_size(
          handle, tensors.data(), tensors.size(), &workspaceBytes)))
    return error;
  return workspace
      .allocate(context, static_cast<size_t>(workspaceBytes), poisoned)
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
    if (Error error = allocateHost(quoted(argument.name), bytes[index], made))
      return error;
    source = made.get();
    // A pure destination is zero with --random too: what a function leaves
    // untouched is then easy to see.
    if (isPureDestination[index])
      std::memset(made.get(), 0, bytes[index]);
    else if (Error error = fillRandom(
                 argument, sizes.symbols.data(), *options.random,
                 static_cast<int64_t>(bytes[index]) / typeBytes(argument.type),
                 made.get()))
      return error;
  }
  return buffers[index].write(source);
}

Error Run::poison() {
  if (!poisoned)
    return {};
  for (size_t i = 0; i < buffers.size(); ++i)
    if (isPureDestination[i])
      if (Error error = buffers[i].poison())
        return error;
  return workspace.poison();
}

Error Run::enqueue() {
  return check(mlafuse_launch(handle, defaultStream, tensors.data(),
                              tensors.size(), workspace.get(), workspaceBytes));
}

Error Run::wait() { return check(mlafuse_synchronize(context, defaultStream)); }

Error Run::checkGuards() const {
  auto failed = [&](Error error, const std::string &what) {
    return std::move(error).in(
        concat({"function ", quoted(function.name), ", ", what}));
  };
  for (size_t i = 0; i < buffers.size(); ++i)
    if (Error error = buffers[i].checkGuards())
      return failed(std::move(error),
                    concat({"argument ", quoted(function.arguments[i].name)}));
  return failed(workspace.checkGuards(), "workspace");
}

Error Run::fetch(std::vector<SafeTensor> &results,
                 std::vector<HostBuffer> &hostBuffers) const {
  for (const Result &result : function.results) {
    size_t index = result.argument;
    HostBuffer &buffer = hostBuffers.emplace_back();
    if (Error error = allocateHost(quoted(result.name), bytes[index], buffer))
      return error;
    if (Error error = buffers[index].read(buffer.get()))
      return error;
    results.push_back({result.name,
                       safeTensorsType(function.arguments[index].type),
                       shapes[index], buffer.get(), bytes[index]});
  }
  return {};
}

} // namespace mlafuse::rt
