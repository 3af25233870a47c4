//===- PTX.cpp - what instructions a builder makes ------------------------===//

#include "PTX.h"
#include "MLAFuse/Conversion/GPUCodegen.h"
#include "MLAFuse/Conversion/Kernels.h"
#include "MLAFuse/Conversion/Passes.h"
#include "NVIDIA/GlobalMemory.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/InitAllDialects.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Regex.h"
#include "llvm/Target/TargetMachine.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlafuse;
using namespace mlafuse::test;
using kernel::Emitter;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Value Body::getI32(int64_t which) {
  return kernel::ptx::loadGlobal(e, getGlobal(), e.getI32Type(), 4 * which);
}

Value Body::getF32(int64_t which) {
  return kernel::ptx::loadGlobal(e, getGlobal(), e.getF32Type(), 4 * which);
}

SmallVector<Value> Body::getI32s(int64_t count) {
  SmallVector<Value> values;
  for (int64_t i = 0; i < count; ++i)
    values.push_back(getI32(i));
  return values;
}

SmallVector<Value> Body::getF32s(int64_t count) {
  SmallVector<Value> values;
  for (int64_t i = 0; i < count; ++i)
    values.push_back(getF32(i));
  return values;
}

Value Body::getGlobal() { return kernel::ptx::getGlobalAddress(e, buffer); }

kernel::ptx::Address Body::getShared(int64_t offset) {
  constexpr int64_t bytes = 32 * 1024;
  kernel.setDynamicShared(bytes);
  return kernel::ptx::getSharedStart(e) + offset;
}

void Body::keep(ValueRange values) {
  for (Value value : values)
    kernel::ptx::storeGlobal(e, getGlobal(), value);
}

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

static OwningOpRef<ModuleOp>
createModule(MLIRContext &context, const Chip &chip,
             const std::function<void(Body &)> &fill) {
  Location loc = UnknownLoc::get(&context);
  OwningOpRef<ModuleOp> module(ModuleOp::create(loc));
  Emitter e(loc, &context);
  e.setInsertionPointToEnd(module->getBody());
  auto buffer = MemRefType::get({ShapedType::kDynamic}, e.getI32Type());
  auto function = func::FuncOp::create(e, "f", e.getFunctionType({buffer}, {}));
  e.setInsertionPointToStart(function.addEntryBlock());
  auto end = func::ReturnOp::create(e);
  e.setInsertionPoint(end);
  Value one = arith::ConstantIndexOp::create(e, 1);
  constexpr int64_t threads = 128;
  kernel::Kernel kernel(e, chip, one, one, threads);
  Emitter inner = kernel.getBody();
  Body body(inner, kernel, function.getArgument(0));
  fill(body);
  return module;
}

static LogicalResult lower(ModuleOp module, const Chip &chip) {
  PassManager manager(module.getContext());
  MLAFuseKernelsToLLVMOptions options;
  options.chip = chip.name.str();
  manager.addPass(createMLAFuseOutlineKernels());
  manager.addPass(createMLAFuseKernelsToLLVM(options));
  return manager.run(module);
}

/// The value, or an empty one and a failure of the test.
template <typename T>
static T take(llvm::Expected<T> value) {
  if (value)
    return std::move(*value);
  ADD_FAILURE() << llvm::toString(value.takeError());
  return T();
}

static void assemble(StringRef ptx, const Chip &chip) {
  auto ptxas = findPtxas({});
  if (!ptxas)
    return llvm::consumeError(ptxas.takeError());
  EXPECT_FALSE(take(assemblePTX(*ptxas, ptx, chip)).empty()) << ptx.str();
}

/// Runs of blanks as one: LLVM's own instructions have tabs ahead of operands.
static std::string joinBlanks(StringRef text) {
  std::string joined;
  for (char c : text) {
    bool isBlank = c == ' ' || c == '\t';
    if (!isBlank)
      joined += c;
    else if (joined.empty() || joined.back() != ' ')
      joined += ' ';
  }
  return joined;
}

std::string test::getPTX(StringRef chipName,
                         const std::function<void(Body &)> &fill) {
  const Chip &chip = *findChip(chipName);
  DialectRegistry registry;
  registerAllDialects(registry);
  registerCPUTranslations(registry);
  registerGPUTranslations(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  OwningOpRef<ModuleOp> module = createModule(context, chip, fill);
  if (failed(lower(*module, chip))) {
    ADD_FAILURE() << "the kernel does not lower";
    return "";
  }
  std::unique_ptr<llvm::TargetMachine> machine =
      take(createGPUTargetMachine(chip));
  llvm::LLVMContext llvmContext;
  std::unique_ptr<llvm::Module> kernels =
      take(translateKernels(getKernelModule(*module), llvmContext, *machine));
  Binary code =
      take(emitCode(*kernels, *machine, llvm::CodeGenFileType::AssemblyFile));
  std::string ptx(code.begin(), code.end());
  assemble(ptx, chip);
  return joinBlanks(ptx);
}

//===----------------------------------------------------------------------===//
// Expectations
//===----------------------------------------------------------------------===//

static std::string toPattern(StringRef line) {
  std::string pattern;
  for (char c : line)
    pattern +=
        c == '#' ? "%[a-z]+[0-9]+" : llvm::Regex::escape(StringRef(&c, 1));
  return pattern;
}

void test::expectLines(StringRef ptx, ArrayRef<std::string> lines) {
  StringRef rest = ptx;
  for (const std::string &line : lines) {
    SmallVector<StringRef, 1> match;
    if (!llvm::Regex(toPattern(line)).match(rest, &match)) {
      ADD_FAILURE() << "no '" << line << "' where it should be, in\n"
                    << ptx.str();
      return;
    }
    rest = rest.substr(match[0].end() - rest.begin());
  }
}
