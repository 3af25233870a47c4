//===- Launches.cpp - checks and runs launches ------------------------===//
#include "Modules.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace mlafuse::gpustub {
namespace {

std::string checkBlock(const Kernel &kernel, const Sizes &block) {
  uint64_t threads = uint64_t(block[0]) * block[1] * block[2];
  uint32_t most = std::min<uint32_t>(kernel.maxThreads, 1024);
  if (threads > most)
    return "block " + sizesText(block) + " has " + std::to_string(threads) +
           " " + vendor.threads + "; the kernel was compiled for at most " +
           std::to_string(most);
  const Sizes &wanted = kernel.blockSize;
  for (int k = 0; k < 3; ++k)
    if (wanted[k] != 0 && wanted[k] != block[k])
      return "block " + sizesText(block) + " is not the kernel's, " +
             sizesText(wanted);
  return "";
}

std::string checkShared(const Function &function, const Chip &chip,
                        uint32_t dynamicBytes) {
  uint64_t bytes = uint64_t(function.kernel->sharedBytes) + dynamicBytes;
  if (bytes > chip.sharedBytes)
    return std::to_string(bytes) + " bytes of " + vendor.sharedMemory + " (" +
           std::to_string(dynamicBytes) + " of them dynamic) are more than " +
           chip.name + " has, " + std::to_string(chip.sharedBytes);
  if (dynamicBytes > function.mostDynamicShared)
    return std::to_string(dynamicBytes) + " bytes of dynamic " +
           vendor.sharedMemory + "; the kernel's attribute allows " +
           std::to_string(function.mostDynamicShared);
  return "";
}

/// What a launch wants of the hardware; "" if it can have it.
std::string checkLaunch(const Function &function, const Chip &chip,
                        const LaunchRequest &request) {
  auto isEmpty = [](const Sizes &sizes) {
    return sizes[0] == 0 || sizes[1] == 0 || sizes[2] == 0;
  };
  const Sizes &grid = request.grid, &block = request.block;
  if (isEmpty(grid) || isEmpty(block))
    return "grid " + sizesText(grid) + " of blocks " + sizesText(block) +
           " is empty";
  std::string problem = vendor.checkSizes(grid, block);
  if (problem.empty())
    problem = checkBlock(*function.kernel, block);
  return problem.empty()
             ? checkShared(function, chip, request.dynamicSharedBytes)
             : problem;
}

/// Copies the arguments behind an array of pointers; "" or what is wrong.
std::string gatherParameters(const Kernel &kernel, void **parameters,
                             std::vector<char> &memory) {
  for (size_t i = 0; i < kernel.arguments.size(); ++i) {
    const Argument &argument = kernel.arguments[i];
    if (!parameters || !parameters[i])
      return "parameter " + std::to_string(i) + " is missing";
    std::memcpy(memory.data() + argument.offset, parameters[i], argument.size);
  }
  return "";
}

/// Reads a launch's `extra`: a buffer of all arguments.
std::string readExtra(const Kernel &kernel, void **extra,
                      std::vector<char> &memory) {
  void *const pointerKey = reinterpret_cast<void *>(1);
  void *const sizeKey = reinterpret_cast<void *>(2);
  const void *buffer = nullptr;
  size_t bytes = 0;
  for (; reinterpret_cast<uintptr_t>(*extra) != vendor.endOfExtra; extra += 2) {
    if (extra[0] == pointerKey)
      buffer = extra[1];
    else if (extra[0] == sizeKey)
      bytes = *static_cast<size_t *>(extra[1]);
    else
      return "'extra' has an unknown key";
  }
  uint32_t wanted = 0;
  for (const Argument &argument : kernel.arguments)
    wanted = std::max(wanted, argument.offset + argument.size);
  if (bytes < wanted || bytes > memory.size() || !buffer)
    return "'extra' passes " + std::to_string(bytes) +
           " bytes of arguments, the kernel takes " + std::to_string(wanted);
  std::memcpy(memory.data(), buffer, bytes);
  return "";
}

/// Whether pointers among the arguments are device memory.
std::string checkPointers(const Stub &stub, const Kernel &kernel,
                          const std::vector<char> &memory) {
  for (size_t i = 0; i < kernel.arguments.size(); ++i) {
    const Argument &argument = kernel.arguments[i];
    if (!argument.isPointer || argument.size != sizeof(void *))
      continue;
    void *pointer;
    std::memcpy(&pointer, memory.data() + argument.offset, sizeof pointer);
    if (pointer && !stub.memory.holds(pointer, 0))
      return "argument " + std::to_string(i) + " '" + argument.name + "', " +
             hex(pointer) + ", is not device memory";
  }
  return "";
}

std::string readArguments(const Stub &stub, const Kernel &kernel,
                          const LaunchRequest &request,
                          std::vector<char> &memory) {
  if (request.parameters && request.extra)
    return "both parameters and 'extra' are given";
  std::string problem =
      request.extra ? readExtra(kernel, request.extra, memory)
                    : gatherParameters(kernel, request.parameters, memory);
  return problem.empty() ? checkPointers(stub, kernel, memory) : problem;
}

uint32_t readSeed() {
  const char *text = vendor.getVariable("SEED");
  return text ? static_cast<uint32_t>(std::strtoul(text, nullptr, 10)) : 0;
}

} // namespace

Error launch(Call &call, Function *function, const LaunchRequest &request,
             Stream *handle) {
  if (Error error = checkFunction(call, function))
    return error;
  Stream *stream = call.stub.resolve(call, handle);
  if (!stream)
    return InvalidHandle;
  const Kernel &kernel = *function->kernel;
  std::string prefix = "kernel '" + kernel.name + "': ";
  std::string problem = checkLaunch(*function, *call.stub.chip, request);
  if (!problem.empty())
    return call.fail(InvalidConfiguration, prefix + problem);
  Launch launch = {request.grid,
                   request.block,
                   request.dynamicSharedBytes,
                   0,
                   request.mayOverlap && stream->lastLaunch != 0 &&
                       stream->lastLaunch == stream->last,
                   std::vector<char>(kernel.argumentBytes)};
  problem = readArguments(call.stub, kernel, request, launch.arguments);
  if (!problem.empty())
    return call.fail(InvalidValue, prefix + problem);
  Error error =
      call.stub.submit(call, stream,
                       [code = function->module->code, index = function->index,
                        launch = std::move(launch)]() mutable {
                         launch.seed = readSeed();
                         return code->run(index, launch);
                       });
  if (!error && !stream->capture)
    stream->lastLaunch = stream->last;
  return error;
}

} // namespace mlafuse::gpustub
