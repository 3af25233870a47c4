//===- PrintManifest.cpp - the manifest as JSON ---------------------------===//

#include "MLAFuse/Conversion/Manifest.h"
#include "MLAFuse/Conversion/Signature.h"
#include "mlafuse/runtime/abi.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace mlafuse;

static std::string printType(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

/// A size or one end of a range.
static llvm::json::Value toJson(Attribute attr) {
  return TypeSwitch<Attribute, llvm::json::Value>(attr)
      .Case([](StringAttr text) { return text.getValue(); })
      .Case([](IntegerAttr number) { return number.getInt(); })
      .Case([](FloatAttr number) { return number.getValueAsDouble(); })
      .Case([](ArrayAttr array) {
        llvm::json::Array values;
        for (Attribute element : array)
          values.push_back(toJson(element));
        return values;
      })
      .Case([](DictionaryAttr members) {
        llvm::json::Object object;
        for (NamedAttribute member : members)
          object[member.getName().getValue()] = toJson(member.getValue());
        return object;
      })
      .Default(llvm::json::Value(nullptr));
}

static llvm::json::Object toJson(const ArgumentSignature &argument) {
  llvm::json::Array shape;
  for (Attribute size : argument.shape)
    shape.push_back(toJson(size));
  llvm::json::Object object{
      {"name", argument.name},
      {"type", printType(argument.elementType)},
      {"shape", std::move(shape)},
      {"layout", argument.strided ? "strided" : "contiguous"},
      {"access", argument.access}};
  if (argument.range)
    object["range"] = toJson(argument.range);
  if (argument.distinct)
    object["distinct"] = true;
  if (argument.offsets)
    object["offsets"] = toJson(argument.offsets);
  return object;
}

static llvm::json::Object toJson(const FunctionSignature &signature) {
  llvm::json::Array arguments, results;
  for (const ArgumentSignature &argument : signature.arguments)
    arguments.push_back(toJson(argument));
  for (const ResultSignature &result : signature.results)
    results.push_back(llvm::json::Object{{"name", result.name},
                                         {"argument", *result.argument}});
  return llvm::json::Object{{"name", signature.name},
                            {"arguments", std::move(arguments)},
                            {"results", std::move(results)}};
}

static llvm::json::Object toJson(const EntryDescription &entry, bool isGPU) {
  llvm::json::Object object{{"name", entry.name},
                            {"workspace", entry.workspace}};
  if (!isGPU)
    return object;
  object["kernels"] = llvm::json::Array(entry.kernels);
  if (entry.launches)
    object["launches"] = *entry.launches;
  return object;
}

static llvm::json::Object toJson(const TargetDescription &target) {
  llvm::json::Object object{{"backend", target.backend},
                            {"chip", target.chip},
                            {"prefix", target.prefix}};
  bool isGPU = target.backend != "cpu";
  llvm::json::Array entries;
  for (const EntryDescription &entry : target.entries)
    entries.push_back(toJson(entry, isGPU));
  object["entries"] = std::move(entries);
  if (!isGPU)
    return object;
  llvm::json::Array images, kernels;
  for (const ImageDescription &image : target.images)
    images.push_back(llvm::json::Object{{"format", image.format},
                                        {"symbol", image.symbol},
                                        {"bytes", image.bytes}});
  for (const std::string &kernel : target.kernels)
    kernels.push_back(llvm::json::Object{{"name", kernel}});
  object["images"] = std::move(images);
  object["kernels"] = std::move(kernels);
  return object;
}

std::string mlafuse::printManifest(ModuleOp module,
                                   ArrayRef<TargetDescription> targets) {
  llvm::json::Array functions, targetObjects;
  for (const TargetDescription &target : targets)
    targetObjects.push_back(toJson(target));
  for (func::FuncOp entry : getEntries(module))
    functions.push_back(toJson(*FunctionSignature::get(entry)));
  llvm::json::Object manifest{
      {"mlafuse_abi", MLAFUSE_ABI_VERSION},
      {"compiler", "mlafuse " MLAFUSE_VERSION ", LLVM " LLVM_VERSION_STRING},
      {"targets", std::move(targetObjects)},
      {"functions", std::move(functions)}};
  std::string text;
  llvm::raw_string_ostream(text) << llvm::json::Value(std::move(manifest));
  return text;
}
