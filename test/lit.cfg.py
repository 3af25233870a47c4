# Configuration of the lit suite.
#
# Features: `cuda`, `rocm`: the driver of such a device is there.
#           `stock-plugin`: the plugin can be loaded into the distribution's
#           mlir-opt (not with sanitizers, whose runtime must come first).
#           `sanitizers`: mlafuse is built with them.
#           `full`: the long suite (lit -Dfull=1, scripts/test.sh --full).

import ctypes.util
import glob
import os

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

config.substitutions += [
    (r"%mlafuse_libs\b", os.path.join(build, "lib")),
    (r"%mlafuse_build\b", build),
    (r"%mlafuse_source\b", config.mlafuse_source),
    (r"%runtime_include\b", os.path.join(config.mlafuse_source, "runtime/include")),
    (r"%plugin\b", os.path.join(build, "lib", "MLAFusePlugin.so")),
    (r"%mlir_dir\b", config.mlir_dir),
    (r"%cc\b", config.c_compiler),
    (r"%cxx\b", config.cxx_compiler),
]

if ctypes.util.find_library("cuda") and glob.glob("/dev/nvidia[0-9]*"):
    config.available_features.add("cuda")
if ctypes.util.find_library("amdhip64") and os.path.exists("/dev/kfd"):
    config.available_features.add("rocm")
config.available_features.add(
    "sanitizers" if config.sanitizers else "stock-plugin"
)
if lit_config.params.get("full", "0") != "0":
    config.available_features.add("full")
