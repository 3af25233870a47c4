//===- CApiDLPack.cpp - launches with DLPack tensors ------------------===//
#include "CApi.h"
#include "ElementType.h"
#include "SmallBuffer.h"

#include "mlafuse/runtime/dlpack.h"
#include <cstring>

using namespace mlafuse::rt;

namespace {

/// As many as a launch takes without an allocation.
using Tensors = SmallBuffer<mlafuse_tensor, 48>;

struct TypeCode {
  uint8_t code;
  uint8_t bits;
  uint16_t lanes;
  mlafuse_type type;
};

constexpr TypeCode typeCodes[] = {
    {kDLBfloat, 16, 1, MLAFUSE_BF16},
    {kDLFloat, 16, 1, MLAFUSE_F16},
    {kDLFloat, 32, 1, MLAFUSE_F32},
    {kDLInt, 8, 1, MLAFUSE_I8},
    {kDLInt, 32, 1, MLAFUSE_I32},
    {kDLInt, 64, 1, MLAFUSE_I64},
    {kDLUInt, 8, 1, MLAFUSE_U8},
    {MLAFUSE_DL_FLOAT8_E4M3FN, 8, 1, MLAFUSE_F8E4M3FN},
    {MLAFUSE_DL_FLOAT8_E4M3FNUZ, 8, 1, MLAFUSE_F8E4M3FNUZ},
    {MLAFUSE_DL_FLOAT8_E5M2, 8, 1, MLAFUSE_F8E5M2},
    {MLAFUSE_DL_FLOAT8_E8M0FNU, 8, 1, MLAFUSE_F8E8M0FNU},
    {MLAFUSE_DL_FLOAT4_E2M1FN, 4, 2, MLAFUSE_I8},
};

Error convertType(const DLDataType &given, mlafuse_type &type) {
  for (const TypeCode &code : typeCodes) {
    if (given.code == code.code && given.bits == code.bits &&
        given.lanes == code.lanes) {
      type = code.type;
      return {};
    }
  }
  return Error(MLAFUSE_INVALID_ARGUMENT,
               concat({"the DLPack type with code ", std::to_string(given.code),
                       ", ", std::to_string(given.bits), " bits and ",
                       std::to_string(given.lanes),
                       " lanes is not a type of mlafuse; wanted one of: ",
                       allTypeNames(), ", or u8"}));
}

Error convertTensor(const DLTensor *given, const Device &on,
                    mlafuse_tensor &tensor) {
  const Backend &backend = on.getBackend();
  if (!given)
    return Error(MLAFUSE_INVALID_ARGUMENT, "the tensor is NULL");
  // Newer tensors may have a device that an older header's enumeration lacks.
  int32_t device;
  std::memcpy(&device, &given->device.device_type, sizeof(device));
  if (device != backend.dlpackDevice)
    return Error(MLAFUSE_INVALID_ARGUMENT,
                 concat({"the tensor is on a device of DLPack type ",
                         std::to_string(device), "; wanted ",
                         std::to_string(backend.dlpackDevice), " (",
                         backend.name, ")"}));
  if (given->device.device_id != on.getIndex())
    return Error(
        MLAFUSE_INVALID_ARGUMENT,
        concat({"the tensor is on device ",
                std::to_string(given->device.device_id), " of ", backend.name,
                "; wanted ", std::to_string(on.getIndex()),
                ", the context's device"}));
  if (Error error = convertType(given->dtype, tensor.type))
    return error;
  // A NULL pointer stays one whatever the offset, so that the check sees it.
  tensor.data = given->data
                    ? static_cast<char *>(given->data) + given->byte_offset
                    : nullptr;
  tensor.rank = given->ndim;
  tensor.shape = given->shape;
  tensor.strides = given->strides;
  return {};
}

Error convert(const LoadedFunction &function, const DLTensor *const *given,
              size_t count, Tensors &tensors) {
  if (count != 0 && !given)
    return Error(MLAFUSE_INVALID_ARGUMENT,
                 concat({"function ", quoted(function.function->name),
                         ": the array of tensors is NULL"}));
  const std::vector<Argument> &arguments = function.function->arguments;
  const Device &device = function.module->getDevice();
  // With a wrong count there is nothing to convert to; the launch says so.
  for (size_t i = 0; i < count && count == arguments.size(); ++i)
    if (Error error = convertTensor(given[i], device, tensors[i]))
      return std::move(error).in(
          concat({"function ", quoted(function.function->name), ", argument ",
                  quoted(arguments[i].name), " (", std::to_string(i), ")"}));
  return {};
}

} // namespace

mlafuse_status mlafuse_workspace_size_dlpack(const mlafuse_function *function,
                                             const DLTensor *const *tensors,
                                             size_t count, int64_t *bytes) {
  if (!function)
    return reportNull("function");
  Tensors converted(count);
  if (Error error = convert(unwrap(function), tensors, count, converted))
    return report(error);
  return mlafuse_workspace_size(function, converted.data(), count, bytes);
}

mlafuse_status mlafuse_launch_dlpack(const mlafuse_function *function,
                                     void *stream,
                                     const DLTensor *const *tensors,
                                     size_t count, void *workspace,
                                     int64_t workspace_size) {
  if (!function)
    return reportNull("function");
  Tensors converted(count);
  if (Error error = convert(unwrap(function), tensors, count, converted))
    return report(error);
  return mlafuse_launch(function, stream, converted.data(), count, workspace,
                        workspace_size);
}
