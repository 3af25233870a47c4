//===- Modules.cpp - code objects and launches ------------------------===//
#include "Memory.h"
#include "Stub.h"
#include "Translator.h"

#include <cstdlib>
#include <cstring>

namespace mlafuse::hipstub {

struct Function {
  Module *module;
  uint32_t index;
  const amdsim_kernel *kernel;
};
struct Module {
  Translated code;
  std::map<std::string, Function *> functions;
};

namespace {

/// What a launch wants of the hardware; "" if it can have it.
std::string checkLaunch(const Stub &stub, const amdsim_kernel &kernel,
                        const uint64_t grid[3], const uint64_t block[3],
                        uint32_t sharedBytes) {
  auto sizes = [](const auto &s) {
    return std::to_string(s[0]) + "x" + std::to_string(s[1]) + "x" +
           std::to_string(s[2]);
  };
  if (grid[0] * grid[1] * grid[2] == 0 || block[0] * block[1] * block[2] == 0)
    return "grid " + sizes(grid) + " of blocks " + sizes(block) + " is empty";
  for (int k = 0; k < 3; ++k)
    if (grid[k] * block[k] > UINT32_MAX)
      return "grid " + sizes(grid) + " of blocks " + sizes(block) +
             " has 2^32 or more lanes in one dimension";
  uint64_t lanes = block[0] * block[1] * block[2];
  uint64_t most = std::min<uint64_t>(kernel.max_workgroup_size, 1024);
  if (lanes > most)
    return "block " + sizes(block) + " has " + std::to_string(lanes) +
           " lanes; the kernel was compiled for at most " +
           std::to_string(most);
  const uint32_t *wanted = kernel.workgroup_size;
  bool isRight = true;
  for (int k = 0; k < 3; ++k)
    isRight &= wanted[k] == 0 || wanted[k] == block[k];
  if (!isRight)
    return "block " + sizes(block) + " is not the kernel's, " +
           std::to_string(wanted[0]) + "x" + std::to_string(wanted[1]) + "x" +
           std::to_string(wanted[2]);
  uint64_t lds = uint64_t(kernel.lds_bytes) + sharedBytes;
  if (lds > stub.chip->ldsBytes)
    return std::to_string(lds) + " bytes of LDS (" +
           std::to_string(sharedBytes) + " of them dynamic) are more than " +
           stub.chip->name + " has, " + std::to_string(stub.chip->ldsBytes);
  return "";
}

bool isHidden(const amdsim_argument &argument) {
  return std::strncmp(argument.kind, "hidden_", 7) == 0;
}

/// Bytes up to the end of the last argument that the caller passes.
uint32_t explicitBytes(const amdsim_kernel &kernel) {
  uint32_t end = 0;
  for (uint32_t i = 0; i < kernel.argument_count; ++i) {
    const amdsim_argument &argument = kernel.arguments[i];
    if (!isHidden(argument))
      end = std::max(end, argument.offset + argument.size);
  }
  return end;
}

/// Copies the arguments behind an array of pointers; "" or what is wrong.
std::string gatherParameters(const amdsim_kernel &kernel, void **parameters,
                             std::vector<char> &memory) {
  uint32_t position = 0;
  for (uint32_t i = 0; i < kernel.argument_count; ++i) {
    const amdsim_argument &argument = kernel.arguments[i];
    if (isHidden(argument))
      continue;
    if (!parameters || !parameters[position])
      return "parameter " + std::to_string(position) + " is missing";
    std::memcpy(memory.data() + argument.offset, parameters[position],
                argument.size);
    ++position;
  }
  return "";
}

/// Reads hipModuleLaunchKernel's `extra`: a buffer of all arguments.
std::string readExtra(const amdsim_kernel &kernel, void **extra,
                      std::vector<char> &memory) {
  void *const pointerKey = reinterpret_cast<void *>(1);
  void *const sizeKey = reinterpret_cast<void *>(2);
  void *const end = reinterpret_cast<void *>(3);
  const void *buffer = nullptr;
  size_t bytes = 0;
  for (; *extra != end; extra += 2) {
    if (extra[0] == pointerKey)
      buffer = extra[1];
    else if (extra[0] == sizeKey)
      bytes = *static_cast<size_t *>(extra[1]);
    else
      return "'extra' has an unknown key";
  }
  if (bytes < explicitBytes(kernel) || bytes > memory.size() || !buffer)
    return "'extra' passes " + std::to_string(bytes) +
           " bytes of arguments, the kernel takes " +
           std::to_string(explicitBytes(kernel));
  std::memcpy(memory.data(), buffer, bytes);
  return "";
}

/// Whether pointers among the arguments are device memory.
std::string checkPointers(Stub &stub, const amdsim_kernel &kernel,
                          const std::vector<char> &memory) {
  for (uint32_t i = 0; i < kernel.argument_count; ++i) {
    const amdsim_argument &argument = kernel.arguments[i];
    if (std::strcmp(argument.kind, "global_buffer") != 0 ||
        argument.size != sizeof(void *))
      continue;
    void *pointer;
    std::memcpy(&pointer, memory.data() + argument.offset, sizeof pointer);
    if (pointer && !stub.findAllocation(pointer, 0))
      return "argument " + std::to_string(i) + " '" + argument.name + "', " +
             hex(pointer) + ", is not device memory";
  }
  return "";
}

uint32_t readSeed() {
  const char *text = std::getenv("AMDSIM_SEED");
  return text ? static_cast<uint32_t>(std::strtoul(text, nullptr, 10)) : 0;
}

} // namespace
} // namespace mlafuse::hipstub

using namespace mlafuse::hipstub;

HIPSTUB_API hipError_t hipModuleLoadData(hipModule_t *result,
                                         const void *image) {
  Call call("hipModuleLoadData");
  if (hipError_t error = call.check())
    return error;
  if (!result || !image)
    return fail(call.name, hipErrorInvalidValue,
                "the image or the place for the module is null");
  *result = nullptr;
  if (call.stub.isForbiddenByCapture(call.name))
    return hipErrorStreamCaptureUnsupported;
  Translated code;
  std::string problem = translate(image, code);
  if (!problem.empty())
    return fail(call.name, hipErrorInvalidImage, problem);
  if (std::strcmp(code.chip(), call.stub.chip->name) != 0)
    return fail(call.name, hipErrorNoBinaryForGpu,
                std::string("the code object is for ") + code.chip() +
                    ", the device is a " + call.stub.chip->name);
  Module *module = new Module{code, {}};
  for (uint32_t i = 0; i < code.kernelCount(); ++i) {
    const amdsim_kernel *kernel = code.getKernel(i);
    Function *function = new Function{module, i, kernel};
    module->functions[kernel->name] = function;
    call.stub.functions.insert(function);
  }
  call.stub.modules.insert(module);
  *result = module;
  return hipSuccess;
}

HIPSTUB_API hipError_t hipModuleLoadDataEx(hipModule_t *result,
                                           const void *image, unsigned, void *,
                                           void **) {
  return hipModuleLoadData(result, image);
}

HIPSTUB_API hipError_t hipModuleUnload(hipModule_t module) {
  Call call("hipModuleUnload");
  if (hipError_t error = call.check())
    return error;
  if (!call.stub.modules.count(module))
    return fail(call.name, hipErrorInvalidHandle,
                "no module " + hex(module) + " exists (any more)");
  hipError_t error = call.stub.finish(call.name, call.stub.lastWork());
  for (const auto &[name, function] : module->functions) {
    call.stub.functions.erase(function);
    delete function;
  }
  call.stub.modules.erase(module);
  delete module;
  return error;
}

HIPSTUB_API hipError_t hipModuleGetFunction(hipFunction_t *result,
                                            hipModule_t module,
                                            const char *name) {
  Call call("hipModuleGetFunction");
  if (hipError_t error = call.check())
    return error;
  if (!result || !name)
    return fail(call.name, hipErrorInvalidValue,
                "the name or the place for the function is null");
  *result = nullptr;
  if (!call.stub.modules.count(module))
    return fail(call.name, hipErrorInvalidHandle,
                "no module " + hex(module) + " exists (any more)");
  auto found = module->functions.find(name);
  if (found == module->functions.end())
    return fail(call.name, hipErrorNotFound,
                std::string("the module has no kernel '") + name + "'");
  *result = found->second;
  return hipSuccess;
}

static hipError_t checkFunction(const Call &call, Function *function) {
  if (hipError_t error = call.check())
    return error;
  if (call.stub.functions.count(function))
    return hipSuccess;
  return fail(call.name, hipErrorInvalidHandle,
              "no kernel " + hex(function) + " is loaded (any more)");
}

HIPSTUB_API hipError_t hipFuncGetAttribute(int *value,
                                           hipFunction_attribute attribute,
                                           hipFunction_t function) {
  Call call("hipFuncGetAttribute");
  if (hipError_t error = checkFunction(call, function))
    return error;
  if (!value)
    return fail(call.name, hipErrorInvalidValue, "no place for the value");
  const amdsim_kernel &kernel = *function->kernel;
  const uint32_t chipBytes = call.stub.chip->ldsBytes;
  switch (attribute) {
  case HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
    *value = static_cast<int>(kernel.max_workgroup_size);
    return hipSuccess;
  case HIP_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
    *value = static_cast<int>(kernel.lds_bytes);
    return hipSuccess;
  case HIP_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
    *value = static_cast<int>(kernel.scratch_bytes);
    return hipSuccess;
  case HIP_FUNC_ATTRIBUTE_NUM_REGS:
    *value = static_cast<int>(kernel.vector_registers);
    return hipSuccess;
  case HIP_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
    *value = static_cast<int>(chipBytes - kernel.lds_bytes);
    return hipSuccess;
  default:
    return fail(call.name, hipErrorInvalidValue,
                "the stub does not know attribute " +
                    std::to_string(attribute));
  }
}

HIPSTUB_API hipError_t hipFuncSetAttribute(const void *handle, int attribute,
                                           int value) {
  Call call("hipFuncSetAttribute");
  auto *function =
      const_cast<Function *>(static_cast<const Function *>(handle));
  if (hipError_t error = checkFunction(call, function))
    return error;
  if (attribute != HIP_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES)
    return fail(call.name, hipErrorInvalidValue,
                "the stub does not know attribute " +
                    std::to_string(attribute));
  int most =
      static_cast<int>(call.stub.chip->ldsBytes - function->kernel->lds_bytes);
  if (value < 0 || value > most)
    return fail(call.name, hipErrorInvalidValue,
                std::to_string(value) + " bytes of dynamic LDS; at most " +
                    std::to_string(most) + " are left");
  return hipSuccess;
}

HIPSTUB_API hipError_t hipModuleLaunchKernel(
    hipFunction_t function, unsigned gridX, unsigned gridY, unsigned gridZ,
    unsigned blockX, unsigned blockY, unsigned blockZ, unsigned sharedBytes,
    hipStream_t handle, void **parameters, void **extra) {
  Call call("hipModuleLaunchKernel");
  if (hipError_t error = checkFunction(call, function))
    return error;
  Stream *stream = call.stub.resolve(call.name, handle);
  if (!stream)
    return hipErrorInvalidHandle;
  const amdsim_kernel &kernel = *function->kernel;
  std::string prefix = std::string("kernel '") + kernel.name + "': ";
  const uint64_t grid[3] = {gridX, gridY, gridZ};
  const uint64_t block[3] = {blockX, blockY, blockZ};
  std::string problem =
      checkLaunch(call.stub, kernel, grid, block, sharedBytes);
  if (!problem.empty())
    return fail(call.name, hipErrorInvalidConfiguration, prefix + problem);
  std::vector<char> memory(kernel.kernarg_bytes);
  if (parameters && extra)
    problem = "both parameters and 'extra' are given";
  else if (extra)
    problem = readExtra(kernel, extra, memory);
  else
    problem = gatherParameters(kernel, parameters, memory);
  if (problem.empty())
    problem = checkPointers(call.stub, kernel, memory);
  if (!problem.empty())
    return fail(call.name, hipErrorInvalidValue, prefix + problem);

  Translated code = function->module->code;
  uint32_t index = function->index;
  return call.stub.submit(
      call.name, stream, [=, memory = std::move(memory)]() -> std::string {
        amdsim_launch_parameters launch = {
            {gridX, gridY, gridZ}, {blockX, blockY, blockZ},
            memory.data(),         memory.size(),
            sharedBytes,           readSeed(),
            describeAddress};
        amdsim_launch_result result;
        bool failed = code.launch(index, &launch, &result) != 0;
        return failed ? result.message : "";
      });
}
