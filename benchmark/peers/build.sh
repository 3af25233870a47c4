#!/usr/bin/env bash
# Compiles the kernels that compare.py runs, and gathers what it needs on a machine
# with a GPU. Usage: build.sh BUILD_DIR OUT_DIR [TARGETS]
#
# TARGETS are mlafuse-compile's; the default is the CPU (the level of instructions
# that all servers of today have) and the H100 and H200. OUT_DIR then holds the
# libraries, the runtime with its backends, and mlafuse-bench-launch.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=${1:?usage: build.sh BUILD_DIR OUT_DIR [TARGETS]}
out=${2:?usage: build.sh BUILD_DIR OUT_DIR [TARGETS]}
targets=${3:-cpu:x86-64-v3,nvvm:sm_90a}
for file in bin/mlafuse-compile bin/mlafuse-bench-launch lib/libmlafuse_runtime.so; do
  if [[ ! -e $build/$file ]]; then
    echo "build.sh: error: '$build' has no $file: build first (scripts/demo.sh does)" >&2
    exit 2
  fi
done
mkdir -p "$out"
for source in "$here"/*.mlir; do
  "$build/bin/mlafuse-compile" "$source" --target="$targets" \
    -o "$out/$(basename "$source" .mlir).so"
done
# What the runtime loads lies beside it.
cp -L "$build"/lib/libmlafuse_runtime.so* "$build"/lib/libmlafuse_backend_*.so "$out"
cp "$build/bin/mlafuse-bench-launch" "$out"
