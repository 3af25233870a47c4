# Configuration of the lit suite.
#
# Features: `cuda`, `rocm`: the driver of such a device is there.
#           `stock-plugin`: the plugin can be loaded into the distribution's
#           mlir-opt (not with sanitizers, whose runtime must come first).
#           `sanitizers`: mlafuse is built with them.
#           `ptxas`: NVIDIA's assembler is where mlafuse-compile looks for it,
#           `default-ptxas`: also without PATH, $CUDA_HOME and $CUDA_PATH.
#           `amdgpu`: what building and simulating AMD kernels needs is there.
#           `ptxsim`: what simulating NVIDIA's kernels needs is there.
#           `full`: the long suite (lit -Dfull=1, scripts/test.sh --full).

import ctypes.util
import glob
import os
import shutil
import subprocess
import sys
import shutil

import lit.formats

config.name = "mlafuse"
config.test_format = lit.formats.ShTest(execute_external=False)
config.test_source_root = os.path.dirname(__file__)
config.suffixes = [".mlir", ".test", ".c"]
# Unit tests are ctest's; the others hold no test of their own.
config.excludes = ["Inputs", "Unit", "lib"]

build = config.mlafuse_build
config.environment["PATH"] = os.pathsep.join(
    [os.path.join(build, "bin"), config.llvm_tools, os.environ["PATH"]]
)
# Nothing is written into the source tree.
config.environment["PYTHONDONTWRITEBYTECODE"] = "1"
# A seed repeats a random test's run.
for name in ["MLAFUSE_FUZZ_SEED", "MLAFUSE_TEST_SEED"]:
    if name in os.environ:
        config.environment[name] = os.environ[name]
# A pattern's variable must not leak from one function into the next.
config.environment["FILECHECK_OPTS"] = "--enable-var-scope"

amdsim = os.path.join(config.test_source_root, "lib", "amdsim")
# Where the stubs of HIP and of CUDA keep translations.
for name in ["amdsim", "ptxsim"]:
    config.environment[name.upper() + "_CACHE"] = os.path.join(
        config.test_exec_root, name
    )
config.substitutions += [
    (r"%mlafuse_libs\b", os.path.join(build, "lib")),
    (r"%mlafuse_build\b", build),
    (r"%mlafuse_source\b", config.mlafuse_source),
    (r"%runtime_include\b", os.path.join(config.mlafuse_source, "runtime/include")),
    (r"%plugin\b", os.path.join(build, "lib", "MLAFusePlugin.so")),
    (r"%mlir_dir\b", config.mlir_dir),
    (r"%cc\b", config.c_compiler),
    (r"%cxx\b", config.cxx_compiler),
    (r"%python\b", sys.executable),
    (r"%amdsim\b", f"{sys.executable} {amdsim}/amdsim.py"),
    (r"%ptxsim\b", f"{sys.executable} {config.test_source_root}/lib/ptxsim/ptxsim.py"),
    # Compile cases of GPU kernels for AMD's chips and run them, or look at them.
    (
        r"%check_suite\b",
        f"{sys.executable} {config.test_source_root}/lib/gpu-cases/check_suite.py "
        f"--build={build}",
    ),
    (
        r"%check_kernels\b",
        f"{sys.executable} {config.test_source_root}/lib/kernel-check/check_kernels.py",
    ),
    # Replaces bytes of a file.
    (
        r"%alter\b",
        f"{sys.executable} {config.test_source_root}/Target/AMD/Inputs/alter.py",
    ),
    # Percent of a chip's waves that every kernel of the small suite leaves room for.
    (r"%least_occupancy\b", "25"),
    (
        r"%amdgpu_cxx\b",
        "clang++ -x c++ -std=c++17 -target amdgcn-amd-amdhsa -nogpulib -O2 "
        f"-ffp-contract=off -fuse-ld=lld -I{amdsim}/check",
    ),
]

if ctypes.util.find_library("cuda") and glob.glob("/dev/nvidia[0-9]*"):
    config.available_features.add("cuda")
if ctypes.util.find_library("amdhip64") and os.path.exists("/dev/kfd"):
    config.available_features.add("rocm")
default_ptxas = shutil.which("ptxas", path="/usr/local/cuda/bin")
if default_ptxas:
    config.available_features.add("default-ptxas")
ptxas = default_ptxas or shutil.which("ptxas")
if ptxas:
    config.available_features.add("ptxas")
    config.substitutions.append((r"%ptxas\b", ptxas))
config.available_features.add(
    "sanitizers" if config.sanitizers else "stock-plugin"
)


def has_amdgpu():
    """The tools of LLVM that kernels are built and simulated with, and the target."""
    tools = [
        shutil.which(tool, path=config.environment["PATH"])
        for tool in ("llc", "llvm-objdump", "clang++", "ld.lld", "mlafuse-amdsim-check")
    ]
    if not all(tools):
        return False
    version = subprocess.run([tools[0], "--version"], capture_output=True, text=True)
    return "amdgcn" in version.stdout


def has_ptxsim():
    return all(
        shutil.which(tool, path=config.environment["PATH"])
        for tool in ("clang", "mlafuse-cuda-stub-check")
    )


if has_ptxsim():
    config.available_features.add("ptxsim")
if has_amdgpu():
    config.available_features.add("amdgpu")
if lit_config.params.get("full", "0") != "0":
    config.available_features.add("full")
