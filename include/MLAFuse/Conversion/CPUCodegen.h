//===- CPUCodegen.h - LLVM dialect to a shared library -------*- C++ -*-===//
//
// Errors are texts for the user, without a location: what fails here is the
// target or the file system, not the program.
//
//===----------------------------------------------------------------------===//
#ifndef MLAFUSE_CONVERSION_CPUCODEGEN_H
#define MLAFUSE_CONVERSION_CPUCODEGEN_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"

namespace mlafuse {

/// Contents of an object file, a library or a kernel image.
using Binary = llvm::SmallVector<char, 0>;

/// Registers what translation to LLVM IR needs of the dialects.
void registerCPUTranslations(mlir::DialectRegistry &registry);

/// What to call a CPU of the host's architecture that is LLVM's `name` but for
/// `features`, such as "-avx512f": a hypervisor may hide what the name stands
/// for. On x86 that is "x86-64-v3" where AVX-512 is hidden, the level where
/// LLVM knows no name ("generic"), else `name`.
llvm::Expected<std::string> getCPUWith(llvm::StringRef name,
                                       llvm::StringRef features);

/// A target machine of the host's architecture for the CPU that LLVM calls
/// `cpu`, or for the host itself, with all its features, if `cpu` is empty. On
/// x86 a CPU below x86-64-v3 is an error, as is an unknown name. Floating-point
/// operations are never contracted.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createCPUTargetMachine(llvm::StringRef cpu);

/// A target machine of the host's architecture for any of its CPUs: the host
/// code of a GPU target computes nothing but sizes.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createBaselineTargetMachine();

/// Translates a module (of builtin or gpu) that holds the LLVM dialect only.
llvm::Expected<std::unique_ptr<llvm::Module>>
translateToLLVM(mlir::Operation *module, llvm::LLVMContext &context,
                llvm::TargetMachine &machine);

/// LLVM's default pipeline at -O3.
void optimize(llvm::Module &module, llvm::TargetMachine &machine);

/// The module in machine code: a relocatable object file or assembly text.
llvm::Expected<Binary> emitCode(llvm::Module &module,
                                llvm::TargetMachine &machine,
                                llvm::CodeGenFileType form);

/// Links `objects` to the shared library `output` of name `soname`. `output`
/// must be a path that no one else reads yet. The library needs libc and libm
/// only if it uses them; a call of anything else is an error. `machine` is one
/// of the objects' architecture.
llvm::Error linkSharedLibrary(llvm::ArrayRef<Binary> objects,
                              llvm::TargetMachine &machine,
                              llvm::StringRef output, llvm::StringRef soname);

} // namespace mlafuse

#endif // MLAFUSE_CONVERSION_CPUCODEGEN_H
